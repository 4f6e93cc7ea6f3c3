"""Many bundles: diagnosed into tables, and what the tables tell of all clusters together."""
