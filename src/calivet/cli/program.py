"""What the operator calls this program, for hints that can be typed as they stand."""

from __future__ import annotations

import os
import sys


def called() -> str:
    """By its own name, or as a plugin of kubectl."""
    return "kubectl calivet" if os.path.basename(sys.argv[0]).startswith("kubectl-") else "calivet"  # noqa: PTH119
