"""How calivet ends where it cannot finish, said in the reader's language."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.cli.exits import CalivetError
from calivet.reports.reasons import reason

INTERRUPTED = Words("interrupted", "已中断")
BUG = Words("this is a bug in calivet: {what}", "这是 calivet 的缺陷：{what}")


def ending(error: BaseException, language: str) -> str:
    """One clear line: what was asked cannot be done, Ctrl-C was pressed, or calivet is wrong."""
    if isinstance(error, CalivetError):
        return reason(str(error), language)
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED.read(language)
    return BUG.fill({"what": f"{type(error).__name__}: {error}"}).read(language)
