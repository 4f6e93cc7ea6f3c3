"""Computed signs of an installation."""
