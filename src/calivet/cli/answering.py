"""diagnose and demo: gather, diagnose, print, and say the verdict by the exit code."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from calivet.catalogue.words import Words
from calivet.cli.complaining import complain
from calivet.cli.exits import BY_VERDICT, FAILED, CalivetError
from calivet.cli.gathering import gathered
from calivet.cli.knowledge import knowledge
from calivet.cli.program import called
from calivet.evidence.artifact import Haul
from calivet.reasoning.diagnosis import Diagnosis

if TYPE_CHECKING:
    from calivet.pipeline import Examined

DEMOS = Path(__file__).parent.parent / "demos"
UNKNOWN = Words("there is no incident named {name}; there are {known}", "没有名为 {name} 的示例；现有：{known}")
UNKNOWN_NODE = Words(
    "nothing in the evidence speaks of a node named {name}; it speaks of {known}",
    "证据中没有名为 {name} 的节点；现有：{known}",
)
NOTHING = Words("there is nothing to read in it", "其中没有可读的内容")
SHOWN_NODES = 8
WRITERS = {
    "json": ("machine", "to_json"),
    "junit": ("junit", "to_junit"),
    "md": ("markdown", "to_markdown"),
    "prom": ("prometheus", "to_prometheus"),
    "sarif": ("sarif", "to_sarif"),
}
"""The module and function behind each format that takes the diagnosis and the language and no more."""
FOR_EYES = ("text", "md")
"""Formats that are read where they are printed, and so are written as the terminal's locale says."""
MORE = Words("More incidents", "更多示例")


def run_diagnose(options: argparse.Namespace) -> int:
    """`calivet diagnose [PATH...]`: the evidence that is named, or the live cluster; and nodes, where asked for."""
    asks_nodes = bool(options.ssh or options.ssh_all)
    if options.paths and not asks_nodes:
        return answer(gathered(options.paths, options), options)
    from calivet.cli.probing import collect

    collected = collect(options, ask_cluster=not options.paths)
    haul = gathered(options.paths, options, more=collected.documents)
    haul.unreadable += collected.failed
    haul.taken = haul.taken or collected.started
    return answer(haul, options, may_be_empty=asks_nodes)


def run_demo(options: argparse.Namespace) -> int:
    """`calivet demo [INCIDENT]`."""
    titles = {name: title[options.lang] for name, title in demo_titles().items()}
    if options.list:
        _print_titles(titles, options)
        return 0
    name = options.incident or next(iter(titles))
    if name not in titles:
        named = UNKNOWN.fill({"name": name, "known": ", ".join(titles)})
        raise CalivetError(named.read(options.lang))
    if options.output == "text":
        from calivet.cli.terminal import layout

        sys.stderr.write("\n".join(layout(options).indented(f"{name}: {titles[name]}", 0)) + "\n\n")
    code = answer(gathered([str(DEMOS / name / "evidence")], options), options)
    if options.output == "text" and not options.incident:
        sys.stderr.write(f"\n{MORE.read(options.lang)}: {called()} demo --list\n")
    return code


def demo_titles() -> dict[str, dict[str, str]]:
    """The embedded incidents by name, in both languages."""
    return msgspec.json.decode((DEMOS / "titles.json").read_bytes(), type=dict[str, dict[str, str]])


def _print_titles(titles: dict[str, str], options: argparse.Namespace) -> None:
    from calivet.cli.terminal import layout

    room = max(len(name) for name in titles) + 2
    for name, title in titles.items():
        print(*layout(options).labelled(name, room, title), sep="\n")


def answer(haul: Haul, options: argparse.Namespace, *, may_be_empty: bool = False) -> int:
    """That no node could be reached is an answer; that there was nothing to read is none."""
    if not haul.artifacts and not may_be_empty:
        from calivet.reports.reasons import reason

        for item in haul.unreadable:
            complain(f"{item.what}: {reason(item.why, options.lang)}")
        if not haul.unreadable:
            complain(NOTHING.read(options.lang))
        return FAILED
    examined = _examined(haul, options)
    if options.output not in FOR_EYES and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # as pages and machines expect, whatever the locale
    sys.stdout.write(_rendered(examined, options))
    return BY_VERDICT[examined.diagnosis.verdict]


def diagnosed(haul: Haul, options: argparse.Namespace) -> Diagnosis:
    """The diagnosis, of the nodes that were named or of all."""
    return _examined(haul, options).diagnosis


def _examined(haul: Haul, options: argparse.Namespace) -> Examined:
    from calivet.pipeline import UnknownNodeError, examine

    try:
        return examine(haul, *knowledge(options.causes), getattr(options, "node", ()))
    except UnknownNodeError as error:
        known = ", ".join(error.known[:SHOWN_NODES]) + (" ..." if len(error.known) > SHOWN_NODES else "")
        named = UNKNOWN_NODE.fill({"name": error.name, "known": known or "-"})
        raise CalivetError(named.read(options.lang)) from None


def _rendered(examined: Examined, options: argparse.Namespace) -> str:
    if options.output == "html":
        from calivet.reports.html.page import to_html
        from calivet.scene.draw import scene

        return to_html(examined.diagnosis, scene(examined), options.lang)
    if options.output in WRITERS:
        module, function = WRITERS[options.output]
        write: Callable[[Diagnosis, str], str] = getattr(import_module(f"calivet.reports.{module}"), function)
        return write(examined.diagnosis, options.lang)
    from calivet.cli.terminal import layout
    from calivet.reports.text import to_text

    return to_text(examined.diagnosis, layout(options))
