"""The scripts that make a shell ask calivet for completions, each named after its shell (data only)."""
