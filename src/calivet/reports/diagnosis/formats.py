"""The forms in which an answer can be written: the one list of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calivet.pipeline import Examined
    from calivet.reports.layout.terminal import Layout

WRITERS = {
    "text": ("text", "to_text"),
    "html": ("html.page", "to_html"),
    "json": ("json", "to_json"),
    "md": ("markdown", "to_markdown"),
    "junit": ("junit", "to_junit"),
    "sarif": ("sarif", "to_sarif"),
    "prom": ("prometheus", "to_prometheus"),
}
"""By the name that follows -o, the module beside this one and its function; the first is the default."""
FORMATS = tuple(WRITERS)
FOR_TERMINALS = ("text", "md")
"""Those that keep to the encoding of the reader's terminal; the others are UTF-8 wherever they are written."""


def write_answer(output: str, examined: Examined, layout: Layout) -> str:
    """The answer in one of these forms."""
    module, function = WRITERS[output]
    write = getattr(import_module(f"calivet.reports.diagnosis.{module}"), function)
    if output == "text":
        return str(write(examined.diagnosis, layout))
    if output == "html":
        from calivet.reports.diagnosis.html.page_model.build import build_page_model

        return str(write(examined.diagnosis, build_page_model(examined), layout.language))
    return str(write(examined.diagnosis, layout.language))
