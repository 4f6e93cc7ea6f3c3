"""Takes the steps of a plan one by one: look again, show, ask, save, change, check; and stop where it gets worse."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import msgspec
from msgspec import Struct, field

from calivet.catalogue.model import Check
from calivet.fix.broker import Broker, HostCommand, Preview, Tools, Worker
from calivet.fix.changes import Change, Changer, WorldChangedError
from calivet.fix.commands import does_change
from calivet.fix.guards import GuardError, check_certainty, check_permissions, check_quorum, check_root
from calivet.fix.hosts import Answer
from calivet.fix.journal import (
    Checked,
    Ended,
    Journal,
    ObjectDone,
    ObjectIntended,
    Restored,
    StepBegan,
    StepEnded,
    Verified,
)
from calivet.fix.kubectl import Wanted
from calivet.fix.objects import Reads, Tree, apply_patch, read_object
from calivet.fix.order import Course, Turn, list_turns
from calivet.fix.plan import Kind, NodeStep, Plan, PlannedStep, build_plans
from calivet.fix.shell import Shell
from calivet.fix.snapshots import find_named_places
from calivet.fix.undo import CHANGED, CURED, KeptStep, Undo, describe_state, explain_failure, name_step
from calivet.fix.verify import Outcome, judge
from calivet.messages.message import Message, MessageError, message
from calivet.reasoning.diagnosis import Diagnosis

FRESH_SECONDS = 20.0
"""A diagnosis that is older is made anew before anything is changed."""
PAUSE = 3.0
SAID = 2000


class Console(Protocol):
    """The operator, as far as he is asked and told."""

    def show_step(
        self, planned: PlannedStep, part: NodeStep, changes: list[Change], commands: list[HostCommand]
    ) -> None:
        """What would be done: the commands, and every object before and after."""
        ...

    def show_check(self, run: str, expect: str, answer: Answer) -> None:
        """What a check printed, and what is expected."""
        ...

    def tell(self, said: Message) -> None:
        """Something that he should know."""
        ...

    def ask(self, question: Message, *, in_full: bool = False) -> bool:
        """Yes or no; `in_full` where a slip of the finger must not be a yes."""
        ...


class Choices(Struct, frozen=True):
    """What the operator chose on the command line."""

    yes: bool = False
    """Safe steps need no answer."""
    likely: bool = False
    dry_run: bool = False
    wait: float = 60.0
    """Seconds in which a step has to show its effect."""
    steps: list[int] = field(default_factory=list)
    """Only these, where some are named."""
    batch: int = 5
    """Nodes between two looks at the whole, after the first one."""
    values: dict[str, str] = field(default_factory=dict)
    save_in_cluster: bool = False
    """What objects were is kept in a ConfigMap too."""


Diagnose = Callable[[int | None], Diagnosis]
"""The cluster as it is now; of logs only the last so many seconds."""


class Fix:
    """One plan, from its first step to the end."""

    def __init__(
        self, tools: Tools, plan: Plan, console: Console, choices: Choices, diagnose: Diagnose, before: Diagnosis
    ) -> None:
        self._tools = tools
        self._plan = plan
        self._console = console
        self._choices = choices
        self._diagnose = diagnose
        self._before = self._now = before
        self._seen = time.monotonic()
        self._shell = Shell(tools.interrupted, tools.seconds)

    def preview(self) -> list[tuple[PlannedStep, NodeStep, Preview]]:
        """What every step would do; the server says what each object would become, and nothing is changed."""
        found = []
        for turn in self._list_turns():
            planned, part = turn.planned, turn.part
            preview, _ = self._preview(part)
            self._console.show_step(planned, part, preview.changes, preview.commands)
            if preview.failure:
                self._console.tell(preview.failure.message)
            found.append((planned, part, preview))
        return found

    def run(self, journal: Journal) -> str:
        """How it stands at the end: cured, changed, as-before or in-between."""
        check_certainty(self._plan, likely=self._choices.likely)
        try:
            course = self._take_turns(journal)
            if course.outcome in (Outcome.FIXED, Outcome.BETTER):
                self._reopen(journal)
        except Exception as stopped:  # noqa: BLE001 - whatever a server answers, the journal says where it stands
            self._stop(journal, stopped)
            return describe_state(journal)
        if course.outcome is Outcome.WORSE or (course.taken and course.outcome is Outcome.UNCHANGED):
            return self._offer_undo(journal, course.outcome)
        state = CURED if course.is_cured else CHANGED if course.taken else describe_state(journal)
        journal.write(Ended(state=state))
        return state

    def _take_turns(self, journal: Journal) -> Course:
        """One after another, until all is well or something gets worse."""
        course, part = Course(is_chosen=bool(self._choices.steps)), None
        for turn in self._list_turns():
            part = turn.part
            if course.wants(turn):
                if part.node != course.at:
                    self._reopen(journal)
                    course.at = part.node
                course.note(taken=self._take(turn.planned, part, journal, is_cured=course.is_cured))
            if turn.is_look_due:
                self._look_at(course, turn.part, journal)
                course.learn(turn, is_well=not self._concerns(part.node))
            if course.outcome is Outcome.WORSE or (turn.ends_first and not self._may_go_on(part.node, course)):
                break
        if part:
            self._look_at(course, part, journal)
        return course

    def _look_at(self, course: Course, part: NodeStep, journal: Journal) -> None:
        """Whether it helped, where anything was done since the last look."""
        if course.unseen and (course.is_chosen or not course.is_cured) and course.outcome is not Outcome.WORSE:
            course.outcome, course.unseen = self._verify(journal, part.node), False

    def _list_turns(self) -> Iterator[Turn]:
        return list_turns(self._plan, self._choices.steps, self._choices.batch)

    def _may_go_on(self, node: str, course: Course) -> bool:
        """What did not help the first node is not done to the others, unless the operator so wants."""
        others = [name for name in self._plan.nodes if name != node]
        if course.is_cured or not course.taken or node in course.well or not others:
            return True
        return self._console.ask(message("fix.ask.others", node=node, count=str(len(others))))

    def _reopen(self, journal: Journal) -> None:
        """A node that was closed on the way to the cure is opened again."""
        changer = self._make_changer(journal)
        for wanted in _find_closed_nodes(self._tools.connection, journal):
            if self._console.ask(message("fix.ask.reopen", node=wanted.ref.name)):
                changer.change_object(wanted)
            else:
                self._console.tell(message("fix.still_closed", node=wanted.ref.name))

    def _stop(self, journal: Journal, stopped: Exception) -> None:
        """What was done until then stands in the journal; where even that cannot be written, it is at least said."""
        why = explain_failure(stopped)
        self._console.tell(why)
        try:
            journal.write(Ended(state=describe_state(journal), why=str(why)))
        except OSError as full:
            self._console.tell(message("fix.journal.unwritten", why=full.strerror or str(full)))

    def _take(self, planned: PlannedStep, part: NodeStep, journal: Journal, *, is_cured: bool) -> bool:
        """One step for one node; False where it is not wanted, or is done already."""
        self._heed_interrupt()
        if not is_cured:
            self._look_again(planned, part)
        check_quorum(self._tools, self._plan, part)
        if part.step.precheck and not self._precheck(part.step.precheck, journal):
            self._console.tell(message("fix.skipped", number=str(planned.number)))
            return False
        preview, answer = self._preview(part)
        if preview.failure:  # nothing was changed, and another step may do
            self._console.tell(message("fix.step.impossible", number=str(planned.number), why=preview.failure.message))
            return False
        if not preview.changes and not preview.commands:
            self._console.tell(message("fix.nothing_to_do", number=str(planned.number), said=_shorten(answer) or "-"))
            return False
        check_permissions(self._tools, preview.changes)
        check_root(self._tools, preview.commands)
        self._console.show_step(planned, part, preview.changes, preview.commands)
        if not self._may(planned, part):
            self._console.tell(message("fix.skipped", number=str(planned.number)))
            return False
        return self._apply(planned, part, preview, journal)

    def _heed_interrupt(self) -> None:
        """After Ctrl-C nothing more is done, not even taken back: the journal has all that is needed for either."""
        if self._tools.interrupted.is_set():
            raise GuardError(message("general.interrupted"))

    def _may(self, planned: PlannedStep, part: NodeStep) -> bool:
        """Safe steps pass with --yes; others are asked for, and dangerous or doubtful ones want the whole word."""
        step = part.step
        if planned.kind is Kind.DECIDE:
            return self._console.ask(message("fix.ask.decide", number=str(planned.number)), in_full=True)
        if step.risk == "safe" and self._choices.yes:
            return True
        if step.risk == "dangerous":
            return self._console.ask(message("fix.ask.dangerous", number=str(planned.number)), in_full=True)
        return self._console.ask(message("fix.ask", number=str(planned.number)))

    def _look_again(self, planned: PlannedStep, part: NodeStep) -> None:
        """On fresh evidence: is the cause still there, and is this still what to do about it?"""
        if time.monotonic() - self._seen < FRESH_SECONDS:
            return
        now = self._diagnose(None)
        self._seen = time.monotonic()
        plans = build_plans(now, self._plan.cause, self._choices.values)
        if not plans:
            raise WorldChangedError(message("fix.world.gone", cause=self._plan.cause))
        commands = {one.step.run for step in plans[0].steps for one in step.parts}
        if part.step.run not in commands:
            raise WorldChangedError(message("fix.world.step", number=str(planned.number)))

    def _precheck(self, check: Check, journal: Journal) -> bool:
        """A person reads what it shows: it is the one question that no pattern answers."""
        self._check(check, journal)
        return self._console.ask(message("fix.ask.precheck"))

    def _check(self, check: Check, journal: Journal) -> None:
        answer = self._shell.run(check.run, journal.folder, Broker(self._tools).handle)
        said = (answer.out.decode("utf-8", "replace") + answer.errors)[-SAID:]
        self._console.show_check(check.run, check.expect.read("en"), answer)
        journal.write(Checked(run=check.run, expect=check.expect.read("en"), code=answer.code, said=said))

    def _preview(self, part: NodeStep) -> tuple[Preview, Answer]:
        preview = Preview(self._tools)
        with TemporaryDirectory(prefix="calivet-") as folder:
            answer = self._shell.run(f"{part.step.save}\n{part.step.run}", Path(folder), preview.handle)
        return preview, answer

    def _apply(self, planned: PlannedStep, part: NodeStep, preview: Preview, journal: Journal) -> bool:
        """False where the command says that it did not work there: what it touched is put back, and others go on."""
        step = part.step
        journal.save(
            name_step(planned.number, part.node), msgspec.json.encode(KeptStep(step.run, step.save, step.undo))
        )
        journal.write(
            StepBegan(
                step=planned.number, node=part.node, do=(step.do or step.why).en, risk=step.risk,
                run=step.run, save=step.save, undo=step.undo,
            )
        )  # fmt: skip
        changer, before = self._make_changer(journal), journal.count_changes()
        changer.step = planned.number
        worker = Worker(self._tools, changer, preview, find_named_places(step.save, step.run, step.undo))
        for command in (step.save, step.run):
            if command:
                answer = self._shell.run(command, journal.folder, worker.handle)
                journal.write(
                    StepEnded(step=planned.number, node=part.node, code=answer.code, said=_shorten(answer) or "-")
                )
            self._heed_interrupt()
            if worker.failure:
                raise worker.failure
            if command and answer.code:
                why = _shorten(answer) or "-"
                self._console.tell(
                    message("fix.step.failed", number=str(planned.number), node=part.node or "-", why=why)
                )
                Undo(self._tools, journal).undo_since(before)
                return False
        return True

    def _make_changer(self, journal: Journal) -> Changer:
        return Changer(
            self._tools.connection, self._tools.hosts, journal, self._tools.seconds,
            save_in_cluster=self._choices.save_in_cluster,
        )  # fmt: skip

    def _verify(self, journal: Journal, node: str) -> Outcome:
        """The checks of the cause, and a new diagnosis, until it shows that it helped or the time is up."""
        begun = time.monotonic()
        while True:
            now = self._look(int(time.monotonic() - begun) + int(PAUSE) + 1)
            outcome = judge(self._plan.cause, self._before, now)
            better = outcome is Outcome.BETTER and bool(node) and not self._concerns(node)
            if outcome is Outcome.FIXED or better or time.monotonic() - begun >= self._choices.wait:
                break
            self._tools.interrupted.wait(PAUSE)
            if self._tools.interrupted.is_set():
                break
        for check in self._plan.verify:
            if not does_change(check.run):
                self._check(check, journal)
        journal.write(Verified(outcome=outcome, findings=[finding.cause.id for finding in now.findings]))
        self._console.tell(message(f"fix.outcome.{outcome}", cause=self._plan.cause))
        return outcome

    def _look(self, since: int) -> Diagnosis:
        """A cluster that does not answer in the middle of a change is no better than before, and no reason to stop."""
        try:
            now = self._diagnose(since)
        except MessageError as failure:
            self._console.tell(failure.message)
            return self._before
        self._seen, self._now = time.monotonic(), now
        return now

    def _concerns(self, node: str) -> bool:
        """Whether the cause was last found on this node."""
        return any(finding.cause.id == self._plan.cause and node in finding.nodes for finding in self._now.findings)

    def _offer_undo(self, journal: Journal, outcome: Outcome) -> str:
        """What did not help is not left behind, if the operator so wants."""
        if self._console.ask(
            message("fix.ask.undo", outcome=message(f"fix.outcome.{outcome}", cause=self._plan.cause))
        ):
            return Undo(self._tools, journal).undo_all()
        state = describe_state(journal)
        journal.write(Ended(state=state, why=str(outcome)))
        return state


def _shorten(answer: Answer) -> str:
    return (answer.out.decode("utf-8", "replace") + answer.errors).strip()[-SAID:]


def _find_closed_nodes(connection: Reads, journal: Journal) -> Iterator[Wanted]:
    """What would open each node again that the fix has closed; one that was closed before stays as it was."""
    done = {entry.change for entry in journal.find(ObjectDone)} - {entry.change for entry in journal.find(Restored)}
    seen = set()
    for entry in journal.find(ObjectIntended):
        if entry.change not in done or entry.ref.kind != "Node" or entry.ref in seen:
            continue
        seen.add(entry.ref)
        now = read_object(connection, entry.ref)
        if now and _is_closed(now) and not _is_closed(journal.read_tree(f"{entry.change}-before.json")):
            yield Wanted("write", entry.ref, apply_patch(now, {"spec": {"unschedulable": None}}))


def _is_closed(node: Tree | None) -> bool:
    return bool((node or {}).get("spec", {}).get("unschedulable"))
