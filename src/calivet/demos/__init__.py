"""Built-in incidents to try calivet on; data only."""
