"""The operator at his terminal, while something is changed: what he is shown on standard error, and what he answers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from calivet.cli.terminal.output import clean_message, tell
from calivet.messages.message import Message, say
from calivet.reports.fix import write_planned_step
from calivet.reports.layout.terminal import Layout
from calivet.reports.layout.wrapping import clean_line

if TYPE_CHECKING:
    from calivet.fix.broker import HostCommand
    from calivet.fix.changes import Change
    from calivet.fix.hosts import Answer
    from calivet.fix.plan import NodeStep, PlannedStep

SHOWN_LINES = 12


class Operator:
    """Reads answers from standard input; where that is at its end, the answer is no."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._language = layout.language

    def show_step(
        self, planned: PlannedStep, part: NodeStep, changes: list[Change], commands: list[HostCommand]
    ) -> None:
        """The step as the plan has it for this node, and what it comes to."""
        from msgspec.structs import replace

        lines = list(write_planned_step(replace(planned, step=part.step), self._layout))
        for change in changes:
            lines.append(f"        {say(f'fix.verb.{change.verb}', self._language, what=str(change.ref))}")
            lines += [f"          {clean_line(line)}" for line in change.differences]
        for command in commands:
            lines.append(f"        {say('fix.verb.run', self._language, node=command.node)}")
            lines += [f"          {clean_line(line)}" for line in command.script.splitlines()]
        tell(clean_message("\n".join(lines)) + "\n")

    def show_check(self, run: str, expect: str, answer: Answer) -> None:
        """Only the end of a long output."""
        printed = (answer.out.decode("utf-8", "replace") + answer.errors).strip().splitlines()[-SHOWN_LINES:]
        lines = [f"     $ {clean_line(run)}", *(f"       {clean_line(line)}" for line in printed)]
        lines.append(f"     {self._layout.add_detail(self._layout.say('expect'), expect)}")
        tell(clean_message("\n".join(lines)) + "\n")

    def tell(self, said: Message) -> None:
        """In the reader's language."""
        tell(clean_message(said.read(self._language)) + "\n")

    def ask(self, question: Message, *, in_full: bool = False) -> bool:
        """Waits for an answer."""
        tell(question.read(self._language))
        sys.stderr.flush()
        answer = sys.stdin.readline().strip().lower()
        return answer == "yes" or (answer == "y" and not in_full)
