"""Computed signs of BGP, BIRD and confd."""
