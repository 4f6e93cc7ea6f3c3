"""How calivet ends: what the exit code says, and the one line about what could not be done."""

from __future__ import annotations

import errno

from calivet.messages.message import MessageError, say

HEALTHY, FAULT, CANNOT_TELL, FAILED, USAGE = 0, 1, 2, 3, 64
INTERRUPTED, TERMINATED = 130, 143
"""As shells say that SIGINT or SIGTERM ended something."""

BY_VERDICT = {"healthy": HEALTHY, "fault": FAULT, "insufficient": CANNOT_TELL}
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)


class CalivetError(MessageError):
    """calivet cannot do what was asked; the message is for the user, one clear line."""


def explain_failure(error: BaseException, language: str) -> str:
    """One clear line: what was asked cannot be done, Ctrl-C was pressed, the disk is full, or calivet is wrong."""
    if isinstance(error, CalivetError):
        return error.message.read(language)
    if isinstance(error, KeyboardInterrupt):
        return say("cli.ending.interrupted", language)
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return say("cli.ending.unwritten", language, why=error.strerror or str(error))
    return say("cli.ending.bug", language, what=f"{type(error).__name__}: {error}")
