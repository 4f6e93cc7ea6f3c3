"""The command line."""

from __future__ import annotations

import argparse
import os
from typing import NoReturn

from calivet import __version__
from calivet.cli.exits import USAGE

FORMATS = ("text", "json", "md")


class Parser(argparse.ArgumentParser):
    """Usage errors have an exit code of their own."""

    def error(self, message: str) -> NoReturn:
        """One line, and where to read on."""
        self.exit(USAGE, f"{self.prog}: {message} (try '{self.prog} --help')\n")


def parser(program: str = "calivet") -> argparse.ArgumentParser:
    """All commands and their options."""
    top = Parser(
        prog=program,
        description="Why calico-node does not start, is not ready or does not carry traffic, and what to do about it.",
        epilog="Exit codes: 0 healthy, 1 fault found, 2 cannot tell, 3 calivet itself failed, 64 wrong usage.",
    )
    top.add_argument("--version", action="version", version=f"calivet {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    diagnose = commands.add_parser("diagnose", help="name the root cause from files, directories, archives or '-'")
    diagnose.add_argument(
        "paths", nargs="+", metavar="PATH", help="file, directory, archive (tar, tar.gz, tar.zst, zip), or '-'"
    )
    _answer(diagnose)
    demo = commands.add_parser("demo", help="diagnose a built-in incident, or list them")
    demo.add_argument("incident", nargs="?", help="which one")
    demo.add_argument("--list", action="store_true", help="list the incidents")
    _answer(demo)
    causes = commands.add_parser("causes", help="list the causes calivet knows")
    causes.add_argument("-o", "--output", choices=("text", "json"), default="text")
    _common(causes)
    explain = commands.add_parser("explain", help="print a cause's page")
    explain.add_argument("cause", metavar="CAUSE")
    _common(explain)
    evaluate = commands.add_parser("eval", help="run labelled cases and print how often the answer is right")
    evaluate.add_argument("directory", metavar="DIR")
    evaluate.add_argument("-o", "--output", choices=("text", "json"), default="text")
    _common(evaluate)
    return top


def _answer(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-o", "--output", choices=FORMATS, default="text", help="how to write the answer (default: text)"
    )
    command.add_argument("-v", "--verbose", action="store_true", help="also what was recognised, and weaker candidates")
    command.add_argument("--width", type=_width, help="columns to write to (default: the terminal's)")
    _common(command)


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--lang", choices=("en", "zh"), default=_language(), help="language (default: from LANG)")
    command.add_argument("--causes", metavar="DIR", help="a directory with cause files of your own")


def _language() -> str:
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "zh" if spoken.lower().startswith("zh") else "en"


def _width(text: str) -> int:
    if not text.isdigit() or int(text) < 40:
        raise argparse.ArgumentTypeError(f"{text!r} is not a width of at least 40 columns")
    return int(text)
