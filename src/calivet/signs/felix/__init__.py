"""Computed signs of Felix and its data planes."""
