"""From here to the API server and back: address, proxy, TLS, one request, its answer, another try."""
