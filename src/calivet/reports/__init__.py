"""One diagnosis, many forms: each file writes it in one of them."""
