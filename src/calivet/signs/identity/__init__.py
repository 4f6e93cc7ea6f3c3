"""Computed signs of the names and addresses of nodes."""
