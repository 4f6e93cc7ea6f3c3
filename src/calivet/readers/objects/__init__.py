"""Kubernetes objects in YAML and JSON, whole or in pieces."""
