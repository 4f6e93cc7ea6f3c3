"""Is a machine that was probed well now? What its programs answered to the probe tells, not what its logs tell."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.calico import BirdAnswer, FelixAnswer
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.cluster_network import list_silent_birds
from calivet.facts.fact import Setting, latest_of
from calivet.facts.host import CommandRun, NodeProbe, NodeProbeEnd
from calivet.facts.kubernetes import Pod
from calivet.facts.machines import find_strangers
from calivet.facts.vocabulary.commands import asks_bird
from calivet.messages.message import find_words
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Doubt

_CHECKS = ("readiness", "liveness")


def list_probed_nodes(picture: ClusterFacts) -> list[NodeProbe]:
    """The probes of machines that are nodes, and that came to their end."""
    ended = {end.host for end in picture.all(NodeProbeEnd)}
    strangers = find_strangers(picture)
    probes = latest_of(picture.all(NodeProbe), lambda probe: probe.host)
    return [probe for probe in probes if probe.host in ended and probe.host not in strangers]


def describe_strangers(picture: ClusterFacts) -> Words | None:
    """Where nothing was seen but machines that are no nodes yet: what is asked of them is another question."""
    strangers = find_strangers(picture)
    if not strangers or {probe.host for probe in picture.all(NodeProbe)} - strangers or picture.all(Pod):
        return None
    return find_words("doubt.no_node")


def is_every_probed_node_well(picture: ClusterFacts) -> bool:
    """Whether on each of them Felix said that it is ready and alive, with all its parts."""
    probes = list_probed_nodes(picture)
    return bool(probes) and all(_list_good_checks(picture, probe.host) == set(_CHECKS) for probe in probes)


def find_sick_programs(picture: ClusterFacts) -> Iterator[Doubt]:
    """What did not answer the probe, or did not say that all is well."""
    for probe in list_probed_nodes(picture):
        host = probe.host or "localhost"
        for answer in latest_of(picture.on(probe.host, FelixAnswer), lambda answer: answer.path):
            if not answer.is_good:
                yield Doubt(_describe_answer(answer, host), answer.at)
        yield from _find_silent_bird(picture, probe.host, host)


def _find_silent_bird(picture: ClusterFacts, machine: str | None, host: str) -> Iterator[Doubt]:
    """Where BIRD runs it must have answered: one that hangs keeps its sessions and its readiness for a while."""
    silent = list_silent_birds(picture)
    for run in picture.on(machine, CommandRun):
        if run in silent:
            yield Doubt(find_words("doubt.bird.silent", host=host), run.at)
            return
        if asks_bird(run.command) and run.skipped:
            yield Doubt(find_words("doubt.bird.no_time", host=host), run.at)
            return
    if any(answer.answered for answer in picture.on(machine, BirdAnswer)):
        return
    for setting in picture.on(machine, Setting):
        if (setting.program, setting.key) == ("bird", "running") and setting.value:
            yield Doubt(find_words("doubt.bird.not_asked", host=host), setting.at)
            return


def _describe_answer(answer: FelixAnswer, host: str) -> Words:
    if answer.status is None:
        return find_words("doubt.felix.silent", host=host, path=answer.path)
    if answer.status in (200, 204):
        return find_words("doubt.felix.lone_row", host=host, row=answer.rows[0])
    return find_words("doubt.felix.answers", host=host, path=answer.path, status=answer.status)


def _list_good_checks(picture: ClusterFacts, host: str | None) -> set[str]:
    answers = latest_of(picture.on(host, FelixAnswer), lambda answer: answer.path)
    return {answer.path for answer in answers if answer.is_good}
