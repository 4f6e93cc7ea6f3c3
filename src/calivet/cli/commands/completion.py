"""completion: the scripts that make a shell ask for the words that fit (`complete` answers them)."""

from __future__ import annotations

import argparse
from pathlib import Path

from calivet.cli.exits import HEALTHY
from calivet.cli.terminal.output import print_text

FOLDER = Path(__file__).parents[1] / "shells"
SHELLS = ("bash", "zsh", "fish", "kubectl")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which shell."""
    parser.add_argument("shell", choices=SHELLS)


def run(options: argparse.Namespace) -> int:
    """`calivet completion SHELL`."""
    print_text((FOLDER / options.shell).read_text(encoding="utf-8"))
    return HEALTHY
