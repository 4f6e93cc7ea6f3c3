"""Figures as a person reads them."""

from __future__ import annotations


def duration(seconds: float) -> str:
    """Three digits, in milliseconds below a second."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.1f} s" if seconds < 100 else f"{seconds:.0f} s"


def digits(number: float) -> str:
    """Two or three that count, and thousands set apart."""
    return f"{number:.2f}" if number < 10 else f"{number:.1f}" if number < 100 else f"{number:,.0f}"
