"""How calivet ends where it cannot finish, said in the reader's language."""

from __future__ import annotations

import errno

from calivet.catalogue.words import Words
from calivet.cli.exits import CalivetError
from calivet.reports.reasons import reason

INTERRUPTED = Words("interrupted", "已中断")
UNWRITTEN = Words("the answer could not be written: {why}", "无法写出结果：{why}")
BUG = Words("this is a bug in calivet: {what}", "这是 calivet 的缺陷：{what}")
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)


def ending(error: BaseException, language: str) -> str:
    """One clear line: what was asked cannot be done, Ctrl-C was pressed, the disk is full, or calivet is wrong."""
    if isinstance(error, CalivetError):
        return reason(str(error), language)
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED.read(language)
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return UNWRITTEN.fill({"why": error.strerror or str(error)}).read(language)
    return BUG.fill({"what": f"{type(error).__name__}: {error}"}).read(language)
