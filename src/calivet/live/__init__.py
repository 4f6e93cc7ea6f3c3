"""The live cluster: asks the API server and lays its answers out as documents."""
