"""Computed signs of addresses and pools."""
