"""Computed signs of kubelet and what it runs."""
