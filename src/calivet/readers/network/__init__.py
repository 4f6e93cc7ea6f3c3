"""Interfaces, routes, sockets, filters and reachability of a host."""
