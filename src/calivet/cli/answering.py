"""diagnose and demo: gather, diagnose, print, and say the verdict by the exit code."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

import msgspec

from calivet.catalogue.words import Words
from calivet.cli.complaining import complain
from calivet.cli.exits import BY_VERDICT, FAILED, CalivetError
from calivet.cli.knowledge import knowledge
from calivet.evidence.artifact import Haul
from calivet.evidence.gather import gather
from calivet.pipeline import UnknownNodeError, diagnose
from calivet.reasoning.diagnosis import Diagnosis

DEMOS = Path(__file__).parent.parent / "demos"
UNKNOWN = Words("there is no incident named {name}; there are {known}", "没有名为 {name} 的示例；现有：{known}")
UNKNOWN_NODE = Words(
    "nothing in the evidence speaks of a node named {name}; it speaks of {known}",
    "证据中没有名为 {name} 的节点；现有：{known}",
)
SHOWN_NODES = 8
MORE = Words("More incidents", "更多示例")


def run_diagnose(options: argparse.Namespace) -> int:
    """`calivet diagnose [PATH...]`: the evidence that is named, or the live cluster; and nodes, where asked for."""
    asks_nodes = bool(options.ssh or options.ssh_all)
    if options.paths and not asks_nodes:
        return answer(gather(options.paths, sys.stdin.buffer), options)
    from calivet.cli.probing import collect

    collected = collect(options, ask_cluster=not options.paths)
    haul = gather(options.paths, sys.stdin.buffer, more=collected.documents)
    haul.unreadable += collected.failed
    return answer(haul, options, may_be_empty=asks_nodes)


def run_demo(options: argparse.Namespace) -> int:
    """`calivet demo [INCIDENT]`."""
    titles = {name: title[options.lang] for name, title in demo_titles().items()}
    if options.list:
        _print_titles(titles)
        return 0
    name = options.incident or next(iter(titles))
    if name not in titles:
        named = UNKNOWN.fill({"name": name, "known": ", ".join(titles)})
        raise CalivetError(named.read(options.lang))
    if options.output == "text":
        sys.stderr.write(f"{name}: {titles[name]}\n\n")
    code = answer(gather([str(DEMOS / name / "evidence")]), options)
    if options.output == "text" and not options.incident:
        sys.stderr.write(f"\n{MORE.read(options.lang)}: calivet demo --list\n")
    return code


def demo_titles() -> dict[str, dict[str, str]]:
    """The embedded incidents by name, in both languages."""
    return msgspec.json.decode((DEMOS / "titles.json").read_bytes(), type=dict[str, dict[str, str]])


def _print_titles(titles: dict[str, str]) -> None:
    room = max(len(name) for name in titles)
    for name, title in titles.items():
        print(f"{name:{room}}  {title}")


def answer(haul: Haul, options: argparse.Namespace, *, may_be_empty: bool = False) -> int:
    """That no node could be reached is an answer; that there was nothing to read is none."""
    if not haul.artifacts and not may_be_empty:
        from calivet.reports.reasons import reason

        for item in haul.unreadable:
            complain(f"{item.what}: {reason(item.why, options.lang)}")
        return FAILED
    diagnosis = diagnosed(haul, options)
    sys.stdout.write(_rendered(diagnosis, options))
    return BY_VERDICT[diagnosis.verdict]


def diagnosed(haul: Haul, options: argparse.Namespace) -> Diagnosis:
    """The diagnosis, of the nodes that were named or of all."""
    try:
        return diagnose(haul, *knowledge(options.causes), getattr(options, "node", ()))
    except UnknownNodeError as error:
        known = ", ".join(error.known[:SHOWN_NODES]) + (" ..." if len(error.known) > SHOWN_NODES else "")
        named = UNKNOWN_NODE.fill({"name": error.name, "known": known or "-"})
        raise CalivetError(named.read(options.lang)) from None


def _rendered(diagnosis: Diagnosis, options: argparse.Namespace) -> str:
    if options.output == "json":
        from calivet.reports.machine import to_json

        return to_json(diagnosis, options.lang) + "\n"
    if options.output == "md":
        from calivet.reports.markdown import to_markdown

        return to_markdown(diagnosis, options.lang)
    from calivet.reports.layout import Layout
    from calivet.reports.paint import wants_colour
    from calivet.reports.text import to_text

    width = options.width or min(shutil.get_terminal_size((100, 24)).columns, 120)
    layout = Layout(options.lang, width, colour=wants_colour(sys.stdout), verbose=options.verbose)
    return to_text(diagnosis, layout)
