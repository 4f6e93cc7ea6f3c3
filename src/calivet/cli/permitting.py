"""access: what the current user may read, and what each missing permission costs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import msgspec

from calivet.catalogue.words import Words
from calivet.cli.cluster import connection
from calivet.cli.exits import CANNOT_TELL, HEALTHY, CalivetError
from calivet.cli.program import called

ALL = Words("this user may read everything that a diagnosis needs", "当前用户可读取诊断所需的全部内容")
LACKS = Words("missing", "缺少")
LOSES = Words("without it", "影响")
GRANT = Words(
    "an administrator can grant it all: {program} access --role | kubectl apply -f -, then\n"
    "kubectl create clusterrolebinding calivet-reader --clusterrole=calivet-reader --user=<you>",
    "管理员可一次授予：{program} access --role | kubectl apply -f -，然后\n"
    "kubectl create clusterrolebinding calivet-reader --clusterrole=calivet-reader --user=<用户>",
)
SHOWN = 4


def run_access(options: argparse.Namespace) -> int:
    """`calivet access [--role]`: 0 where all may be read, 2 where something is missing."""
    from calivet.live.permissions import missing, role
    from calivet.live.trouble import Trouble

    if options.role:
        sys.stdout.write(role())
        return HEALTHY
    try:
        found = missing(connection(options))
    except Trouble as trouble:
        raise CalivetError(trouble.message) from None
    complete = not any(lacking for _, lacking in found)
    if options.output == "json":
        tree = [
            {
                "resources": list(need.resources),
                "missing": [one.written() for one in lacking],
                "loses": need.loses.read(options.lang),
            }
            for need, lacking in found
        ]
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode({"access": tree}), indent=2) + b"\n")
    else:
        for need, lacking in found:
            _print(_few(need.resources), [one.written() for one in lacking], need.loses.read(options.lang), options)
        print("\n" + (ALL if complete else GRANT.fill({"program": called()})).read(options.lang))
    return HEALTHY if complete else CANNOT_TELL


def _print(resources: str, lacking: list[str], loses: str, options: argparse.Namespace) -> None:
    print(f"{'✗' if lacking else '✓'} {resources}")
    if lacking:
        print(f"    {LACKS.read(options.lang)}: {_few(lacking)}")
        print(f"    {LOSES.read(options.lang)}: {loses}")


def _few(words: Sequence[str]) -> str:
    """A line that can be read at a glance; JSON has them all."""
    more = f" (+{len(words) - SHOWN})" if len(words) > SHOWN else ""
    return ", ".join(words[:SHOWN]) + more
