"""The cause pages in the site: some 170 of them stay out of the navigation, are marked as Chinese, lead back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

CAUSES = Path(__file__).parents[2] / "src" / "calivet" / "causes"
MENTIONED = re.compile(r"(?<=[(（])`([a-z0-9-]+)`(?=[)）])")

BACK = {"en": "[All causes](README.md)", "zh": "[全部原因](README.md)"}


def language(page: str) -> str:
    """A cause page's language; nothing for other pages."""
    room, _, rest = page.partition("/")
    return rest.partition("/")[0] if room == "causes" else ""


def _read(_: Sphinx, page: str, source: list[str]) -> None:
    if language(page) and not page.endswith("README"):
        linked = MENTIONED.sub(_link, source[0])
        source[0] = f"---\norphan: true\n---\n{BACK[language(page)]}\n\n{linked}"


def _link(mentioned: re.Match[str]) -> str:
    """A cause that a page names leads to its own page; other names stay as they are."""
    known = any(CAUSES.glob(f"*/{mentioned[1]}.yaml"))
    return f"[{mentioned[0]}]({mentioned[1]}.md)" if known else mentioned[0]


def _speak(_: Sphinx, page: str, __: str, context: dict[str, Any], ___: object) -> None:
    if language(page) == "zh" or page == "zh":
        context["language"] = "zh-Hans"


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls it."""
    app.connect("source-read", _read)
    app.connect("html-page-context", _speak)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
