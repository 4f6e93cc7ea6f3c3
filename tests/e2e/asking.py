"""Asks calivet about the cluster in the bed, and reads its answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tests.cli.running import Run, calivet


class Finding(Struct):
    """A cause that was named."""

    cause: str
    confidence: float
    nodes: list[str] = []


class NotSeen(Struct):
    """What could not be read."""

    what: str
    why: str


class Answer(Struct):
    """What scripts rely on, as far as these tests look at it."""

    verdict: str
    findings: list[Finding]
    candidates: list[Finding]
    next: list[dict[str, Any]]
    not_seen: list[NotSeen]
    code: int = -1
    err: str = ""

    def ranked(self) -> list[str]:
        """Causes from the likeliest on."""
        return [found.cause for found in (*self.findings, *self.candidates)]

    def causes(self) -> list[str]:
        """Of the findings alone."""
        return [found.cause for found in self.findings]

    def missed(self) -> str:
        """All that was not seen, and why."""
        return "\n".join(f"{item.what}: {item.why}" for item in self.not_seen)


def answer_of(run: Run) -> Answer:
    """The answer in the output of a run."""
    assert run.out.startswith("{"), f"no answer, exit code {run.code}: {run.err}"
    answer = msgspec.json.decode(run.out, type=Answer)
    answer.code, answer.err = run.code, run.err
    assert "has a bug" not in run.out
    return answer


def diagnose(kubeconfig: Path, *arguments: str, ask: Callable[..., Run] = calivet) -> Answer:
    """The answer about a live cluster; `ask=process` to run calivet as a process of its own."""
    return answer_of(ask("diagnose", "--kubeconfig", kubeconfig, "-o", "json", *arguments))
