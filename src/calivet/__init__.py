"""calivet: why calico-node does not start, is not ready or does not carry traffic."""

__version__ = "0.1.0"
