"""Calico's own logs, tools and configuration."""
