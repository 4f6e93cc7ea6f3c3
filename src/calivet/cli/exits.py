"""What the exit code says."""

from __future__ import annotations

HEALTHY, FAULT, CANNOT_TELL, FAILED, USAGE = 0, 1, 2, 3, 64
INTERRUPTED, TERMINATED = 130, 143
"""As shells say that SIGINT or SIGTERM ended something."""

BY_VERDICT = {"healthy": HEALTHY, "fault": FAULT, "insufficient": CANNOT_TELL}


class CalivetError(Exception):
    """calivet cannot do what was asked; the message is for the user, one clear line."""
