"""Sizes as free, swapon, df and top write them."""

from __future__ import annotations

import re

from calivet.evidence.expressions import expression

_SIZE = expression(r"^(\d+(?:[.,]\d+)?)\s*([KMGTPE]?)i?B?$", re.IGNORECASE)
_POWERS = {"K": 0, "M": 1, "G": 2, "T": 3, "P": 4, "E": 5}


def kibibytes(text: str, unit: str = "K") -> float | None:
    """KiB of `2G`, `512Mi`, `0B` or a bare number, which is in `unit` (B, K, M or G); None where it is no size."""
    found = _SIZE.match(text.strip())
    if not found:
        return None
    number = float(found[1].replace(",", "."))
    if found[2]:
        unit = found[2].upper()
    elif text.strip().upper().endswith("B"):
        unit = "B"
    return number / 1024 if unit == "B" else float(number * 1024 ** _POWERS.get(unit, 0))
