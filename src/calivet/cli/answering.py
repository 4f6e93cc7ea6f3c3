"""diagnose and demo: gather, diagnose, print, and say the verdict by the exit code."""

from __future__ import annotations

import argparse
import shutil
import sys
from importlib.resources import as_file, files
from pathlib import Path

from calivet.cli.exits import BY_VERDICT, FAILED, Failure
from calivet.cli.knowledge import knowledge
from calivet.evidence.artifact import Haul
from calivet.evidence.gather import gather
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import Diagnosis


def run_diagnose(options: argparse.Namespace) -> int:
    """`calivet diagnose PATH...`."""
    haul = gather(options.paths, sys.stdin.buffer)
    return _answer(haul, options)


def run_demo(options: argparse.Namespace) -> int:
    """`calivet demo [INCIDENT]`."""
    with as_file(files("calivet.demos")) as folder:
        titles = demo_titles(folder, options.lang)
        if options.list:
            _print_titles(titles)
            return 0
        name = options.incident or next(iter(titles))
        if name not in titles:
            raise Failure(f"there is no incident named {name}; there are {', '.join(titles)}")
        sys.stderr.write(f"{name}: {titles[name]}\n\n" if options.output == "text" else "")
        code = _answer(gather([str(folder / name / "evidence")]), options)
        if options.output == "text" and not options.incident:
            sys.stderr.write(f"\n{'更多示例' if options.lang == 'zh' else 'More incidents'}: calivet demo --list\n")
        return code


def demo_titles(folder: Path, language: str) -> dict[str, str]:
    """The embedded incidents by name."""
    import yaml

    labels = {path.parent.name: yaml.safe_load(path.read_bytes()) for path in sorted(folder.glob("*/expect.yaml"))}
    return {name: str(label["title"][language]) for name, label in labels.items()}


def _print_titles(titles: dict[str, str]) -> None:
    room = max(len(name) for name in titles)
    for name, title in titles.items():
        print(f"{name:{room}}  {title}")


def _answer(haul: Haul, options: argparse.Namespace) -> int:
    if not haul.artifacts:
        for item in haul.unreadable:
            sys.stderr.write(f"calivet: {item.what}: {item.why}\n")
        return FAILED
    catalogue, watch = knowledge(options.causes)
    diagnosis = diagnose(haul, catalogue, watch)
    sys.stdout.write(_rendered(diagnosis, options))
    return BY_VERDICT[diagnosis.verdict]


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
