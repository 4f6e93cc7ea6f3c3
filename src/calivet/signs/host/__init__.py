"""Computed signs of a machine and its kernel."""
