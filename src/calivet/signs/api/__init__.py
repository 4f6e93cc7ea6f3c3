"""Computed signs of the API server and what else Calico asks."""
