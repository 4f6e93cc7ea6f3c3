"""Kubernetes as kubectl prints it: tables, describe pages, events, YAML and JSON."""
