"""Computed signs of the container runtime."""
