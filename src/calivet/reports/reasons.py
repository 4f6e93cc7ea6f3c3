"""Why something could not be read or asked, in the reader's language; the rooms below speak English only."""

from __future__ import annotations


def reason(why: str, language: str) -> str:
    """The reason as it is shown."""
    if language == "zh":
        from calivet.reports.chinese_reasons import CHINESE

        for pattern, chinese in CHINESE:
            if found := pattern.fullmatch(why):
                return found.expand(chinese).rstrip()
    return why
