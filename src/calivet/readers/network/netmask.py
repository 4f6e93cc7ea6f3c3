"""Netmasks as older tools print them."""

from __future__ import annotations


def prefix_length(mask: str) -> int | None:
    """24 for 255.255.255.0 and for 0xffffff00; None where it is no mask."""
    try:
        octets = bytes.fromhex(mask[2:]) if mask.startswith("0x") else bytes(int(part) for part in mask.split("."))
    except ValueError:
        return None
    return sum(octet.bit_count() for octet in octets)
