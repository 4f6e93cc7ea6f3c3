"""The evidence that a command names; of logs too long to keep, what the catalogue finds worth keeping."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import BinaryIO

from calivet.cli.knowledge import knowledge
from calivet.evidence.artifact import Document, Haul
from calivet.evidence.gather import gather


def gathered(
    paths: Sequence[str],
    options: argparse.Namespace,
    *,
    stdin: BinaryIO | None = None,
    more: Sequence[Document] = (),
) -> Haul:
    """Files, directories, archives and `-`, and what was fetched otherwise."""
    _, watch = knowledge(options.causes)
    return gather(paths, stdin or sys.stdin.buffer, more=more, lookout=watch.output)
