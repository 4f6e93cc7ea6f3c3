"""Bytes become clean lines, numbered as in the original."""
