"""The journal of a fix, for the terminal, the ticket and programs."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from calivet import __version__
from calivet.contract.documents import encode_plainly
from calivet.fix import journal as known
from calivet.fix.journal import AnyEntry, Journal
from calivet.fix.undo import describe_state
from calivet.messages.message import Area
from calivet.reports.layout.markdown import escape_markup, fence_code
from calivet.reports.layout.terminal import Layout
from calivet.reports.layout.wrapping import clean_line

VERSION = 1

word = Area("fix")


def write_journal(journal: Journal, layout: Layout) -> str:
    """Line by line, with what was changed below each."""
    language = layout.language
    lines = [layout.paint(f"{journal.id}: {word(f'state.{describe_state(journal)}', language)}", "bold")]
    for entry in journal.entries:
        lines += layout.indent(f"{entry.at[11:19]} {clean_line(describe_entry(entry, language))}", 3, hang=9)
        lines += [f"            {clean_line(line)}" for line in _list_details(entry)]
    return "\n".join([*lines, f"   {word('hint', language, id=journal.id)}", ""])


def write_journal_markdown(journal: Journal, language: str) -> str:
    """For a ticket."""
    lines = [f"## {journal.id}: {word(f'state.{describe_state(journal)}', language)}", ""]
    for entry in journal.entries:
        lines.append(f"- `{entry.at}` {escape_markup(clean_line(describe_entry(entry, language)))}")
        if details := "\n".join(_list_details(entry)):
            lines += fence_code(details, "  ")
    return "\n".join(lines) + "\n"


def encode_journal(journal: Journal) -> str:
    """One JSON document, the entries as they were written."""
    tree = {
        "schema": VERSION,
        "calivet": __version__,
        "id": journal.id,
        "state": describe_state(journal),
        "folder": str(journal.folder),
        "entries": msgspec.to_builtins(journal.entries),
    }
    return encode_plainly(tree)


def describe_entry(entry: AnyEntry, language: str) -> str:
    """What happened, in a line."""
    tree = msgspec.to_builtins(entry)
    values = {name: str(value) for name, value in tree.items() if isinstance(value, str | int)}
    if isinstance(entry, known.ObjectIntended):
        values["what"] = str(entry.ref)
    if isinstance(entry, known.Began):
        values["nodes"] = ", ".join(entry.nodes) or "-"
    if isinstance(entry, known.StepBegan):
        values["node"] = entry.node or "-"
    if isinstance(entry, known.Ended):
        return word(f"state.{entry.state}", language) + (f" {entry.why}" if entry.why else "")
    return word(f"entry.{tree['what']}", language, **values)


def _list_details(entry: AnyEntry) -> Iterator[str]:
    if isinstance(entry, known.ObjectIntended):
        yield from entry.differences
    elif isinstance(entry, known.StepBegan):
        yield from entry.run.splitlines()
    elif isinstance(entry, known.HostDone | known.Checked | known.StepEnded):
        yield from entry.said.splitlines()[-6:]
