"""A real file system that hangs: mounts itself on a folder, runs a command, and leaves the questions it hangs at unanswered.

Started as a program in a mount namespace of its own, with the folder, what it hangs at, and the command.
It serves two files in FUSE's own language: `first.log` and `second.log`, each with the text of its environment.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import struct
import subprocess
import sys
from threading import Thread

LOOKUP, FORGET, GETATTR, OPEN, READ = 1, 2, 3, 14, 15
RELEASE, FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, INTERRUPT, BATCH_FORGET = 18, 25, 26, 27, 28, 29, 36, 42
HANGS_AT = {
    "everything": {LOOKUP, GETATTR, OPEN, READ, OPENDIR, READDIR},
    "reading": {READ},
    "listing": {READDIR},
    "nothing": set[int](),
}
ASKED = struct.Struct("<IIQQIIII")
ANSWER = struct.Struct("<IiQ")
ROOT = 1
FILES = {b"first.log": 2, b"second.log": 3}
CONTENT = os.environ.get("CONTENT", "").encode()
WHOLE_DAY = 86_400


def _attributes(node: int) -> bytes:
    kind, size = (stat.S_IFDIR | 0o755, 0) if node == ROOT else (stat.S_IFREG | 0o644, len(CONTENT))
    return struct.pack("<6Q10I", node, size, 0, 0, 0, 0, 0, 0, 0, kind, 1, os.getuid(), os.getgid(), 0, 4096, 0)


def _entries(offset: int) -> bytes:
    found = [struct.pack("<QQII16s", node, node, len(name), 8, name) for name, node in FILES.items()]
    return b"".join(found) if offset == 0 else b""


def _answer(kind: int, node: int, details: bytes) -> bytes | int:
    """What is to be said, or the number of an error."""
    if kind == INIT:
        return struct.pack("<IIIIHHIIHHI28x", 7, 31, 1 << 17, 0, 8, 8, 1 << 17, 1, 32, 0, 0)
    if kind == LOOKUP:
        found = FILES.get(details.rstrip(b"\0"))
        return struct.pack("<QQQQII", found, 0, WHOLE_DAY, 0, 0, 0) + _attributes(found) if found else errno.ENOENT
    if kind == GETATTR:
        return struct.pack("<QII", 0, 0, 0) + _attributes(node)
    if kind in (OPEN, OPENDIR):
        return struct.pack("<QII", 0, 0, 0)
    if kind == READDIR:
        return _entries(struct.unpack_from("<QQ", details)[1])
    if kind == READ:
        _, offset, size = struct.unpack_from("<QQI", details)
        return CONTENT[offset : offset + size]
    return b"" if kind in (RELEASE, RELEASEDIR, FLUSH) else errno.ENOSYS


def _serve(device: int, hangs_at: set[int]) -> None:
    while True:
        asked = os.read(device, 1 << 18)
        _, kind, unique, node, *_ = ASKED.unpack_from(asked)
        if kind in hangs_at or kind in (FORGET, BATCH_FORGET, INTERRUPT):
            continue
        said = _answer(kind, node, asked[ASKED.size :])
        error, body = (-said, b"") if isinstance(said, int) else (0, said)
        os.write(device, ANSWER.pack(ANSWER.size + len(body), error, unique) + body)


def main(folder: str, hangs: str, *command: str) -> int:
    """The command's exit code; once it has ended, so has the file system, and whoever still waits is set free."""
    device = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}"
    if ctypes.CDLL(None, use_errno=True).mount(b"hanging", folder.encode(), b"fuse", 0, options.encode()):
        raise OSError(ctypes.get_errno(), "cannot be mounted")
    Thread(target=_serve, args=(device, HANGS_AT[hangs]), daemon=True).start()
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except OSError as failure:
        sys.exit(f"no such file system here: {failure}")
