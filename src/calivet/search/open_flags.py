"""How files are opened, on every system: what one of them lacks is left out there."""

from __future__ import annotations

import os

# On Windows a file would be text, and go to every process that is started.
_ALWAYS = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0)

READ = os.O_RDONLY | _ALWAYS | getattr(os, "O_NOCTTY", 0)
READ_AT_ONCE = READ | getattr(os, "O_NONBLOCK", 0)
"""Without waiting for anybody who would write to a pipe that lies there."""
NO_LINK = getattr(os, "O_NOFOLLOW", 0)
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _ALWAYS


def is_own(state: os.stat_result) -> bool:
    """Whether it is the user's and nobody else can write to it; Windows does not tell, and keeps homes apart."""
    if not hasattr(os, "getuid"):
        return True
    return state.st_uid == os.getuid() and not state.st_mode & 0o022
