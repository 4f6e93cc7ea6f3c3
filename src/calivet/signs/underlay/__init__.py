"""Computed signs of the network below."""
