"""Renders the advice of every cause, as a report on some cluster would show it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.catalogue.model import Cause, Check, Question, Step
from calivet.facts.platform import find_platform
from calivet.messages.command_line import fill_for_nodes
from calivet.messages.words import list_command_places
from calivet.reasoning.advice import Advice
from calivet.reasoning.finding_values import collect_other_nodes, collect_values
from tests.advice.platforms import draw_platform

SAMPLES = {
    "address": "10.71.0.12",
    "peer": "10.71.0.13",
    "cidr": "10.71.0.0/24",
    "network": "10.71.0.0/24",
    "port": "179",
}
"""Values of signs; the others are made of their names."""


class Rendered(Struct, frozen=True):
    """One command as it is printed, and whose it is."""

    owner: str
    part: str
    command: str


def list_step_commands(step: Step) -> Iterator[tuple[str, str]]:
    """Every command of a step, by its name."""
    yield from (("run", step.run), ("save", step.save), ("undo", step.undo))
    if step.precheck:
        yield "precheck", step.precheck.run


def list_rendered(owner: str, steps: list[Step], checks: list[Check]) -> Iterator[Rendered]:
    """The commands that there are."""
    found = [pair for step in steps for pair in list_step_commands(step)]
    found += [("verify", check.run) for check in checks]
    yield from (Rendered(owner, part, command) for part, command in found if command)


def render_cause(cause: Cause, platform: str, *, known: bool) -> Iterator[Rendered]:
    """On that platform, with all values known or with none but those of the platform."""
    steps, checks = select_advice(cause, platform, known=known)
    yield from list_rendered(cause.id, steps, checks)


def select_advice(cause: Cause, platform: str, *, known: bool) -> tuple[list[Step], list[Check]]:
    """What is told to do there."""
    picture = draw_platform(platform)
    if not find_platform(picture).fits(cause.when):
        return [], []
    nodes = picture.names.nodes
    values = collect_values(picture, nodes, []) | (make_samples(cause) if known else {})
    advice = Advice(picture, [values, *collect_other_nodes(picture, nodes, values)])
    steps = advice.select_steps(cause.fix)
    return steps, advice.select_checks(cause.verify, steps)


def make_samples(cause: Cause) -> dict[str, str]:
    """A value for each place of the cause's commands that a sign fills."""
    from calivet.catalogue.check import COMMAND_PLACES

    commands = [command for step in cause.fix for _, command in list_step_commands(step)]
    commands += [check.run for check in cause.verify]
    places = {place for command in commands for place in list_command_places(command)} - COMMAND_PLACES
    places |= {step.given for step in cause.fix if step.given and step.given not in COMMAND_PLACES}
    workload = {"workload": "wiki-0", "workload_namespace": "wiki"}
    return {place: SAMPLES.get(place, f"the-{place}") for place in places} | workload


def render_question(question: Question, platform: str) -> Rendered:
    """As it is asked there."""
    picture = draw_platform(platform)
    values = collect_values(picture, picture.names.nodes[:1], [])
    return Rendered(f"questions.yaml: {question.id}", "run", fill_for_nodes(question.run, [values]))
