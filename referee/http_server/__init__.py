"""A server of HTTP/1.1 that no client can block."""
