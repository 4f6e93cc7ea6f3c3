"""What commands work on: evidence, the catalogue, the live cluster and its nodes, engines."""
