"""One diagnosis, many forms."""
