"""Container runtimes: their configuration, and what they list."""
