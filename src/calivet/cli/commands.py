"""The commands: what is behind each, and which one is meant."""

from __future__ import annotations

import os
from collections.abc import Sequence
from stat import S_ISREG

COMMANDS = {
    "diagnose": ("answering", "run_diagnose"),
    "node": ("inspecting", "run_node"),
    "demo": ("answering", "run_demo"),
    "diff": ("comparing", "run_diff"),
    "whatif": ("forecasting", "run_whatif"),
    "preflight": ("checking", "run_preflight"),
    "status": ("watching", "run_status"),
    "collect": ("bundling", "run_collect"),
    "access": ("permitting", "run_access"),
    "causes": ("consulting", "run_causes"),
    "explain": ("consulting", "run_explain"),
    "eval": ("evaluating", "run_eval"),
    "fleet": ("surveying", "run_fleet"),
    "fleet-report": ("surveying", "run_fleet_report"),
    "completion": ("completing", "run_completion"),
    "__complete": ("completing", "run_complete"),
}
"""The module and function behind each command; imported only when it is called."""
_OWN_OPTIONS = ("-h", "--help", "--version")


def with_command(arguments: Sequence[str]) -> list[str]:
    """`calivet`, `calivet --context X` and `calivet FILE` are short for `calivet diagnose ...`.

    `fleet report` is one command in two words.
    """
    if list(arguments[:2]) == ["fleet", "report"]:
        return ["fleet-report", *arguments[2:]]
    first = next(iter(arguments), "-")
    option = first.startswith("-") and first not in _OWN_OPTIONS
    file = first not in COMMANDS and (os.sep in first or _is_file(first))
    return ["diagnose", *arguments] if option or file else list(arguments)


def _is_file(name: str) -> bool:
    """Also where it may be one, but on a file system that does not answer: whoever reads it will say so."""
    from calivet.evidence import files
    from calivet.evidence.mounts import mounts
    from calivet.evidence.patience import HangingError

    mounted = mounts()
    ask = mounted.asking(mounted.place(name))
    try:
        return S_ISREG(ask(files.mode, ask(files.target, name)))
    except HangingError:
        return True
    except (OSError, ValueError):
        return False
