"""Whole scenes: of the embedded incidents, of a large cluster, and of evidence that means ill."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from calivet.evidence.gather import gather
from calivet.pipeline import Examined, diagnose, examine
from calivet.reports.diagnosis.html.page_model import build, timeline
from calivet.reports.diagnosis.html.page_model.build import build_page_model
from calivet.reports.diagnosis.html.page_model.model import PageModel
from calivet.signs.sign_detector import prepare_detector
from tests.pages.big import RETRIES, TAKEN, machines, write_big
from tests.pages.hostile import SICK, WORDS, write_hostile
from tests.reports.answers import DEMOS, INCIDENTS

NODES, ZONES, ASKED = 160, 4, 3


def look(folder: Path) -> tuple[Examined, PageModel]:
    found = examine(gather([str(folder)]), *prepare_detector())
    return found, build_page_model(found)


@cache
def incident(name: str) -> tuple[Examined, PageModel]:
    return look(DEMOS / name / "evidence")


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> tuple[Examined, PageModel]:
    return look(write_big(tmp_path_factory.mktemp("big"), NODES, ZONES, ASKED))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Examined, PageModel]:
    return look(write_hostile(tmp_path_factory.mktemp("hostile")))


@pytest.mark.parametrize("name", INCIDENTS)
class TestIncidents:
    def test_the_diagnosis_is_the_same_with_and_without_a_scene(self, name):
        assert diagnose(gather([str(DEMOS / name / "evidence")]), *prepare_detector()) == incident(name)[0].diagnosis

    def test_every_cited_line_is_quoted(self, name):
        examined, drawn = incident(name)
        cited = [item.line for finding in examined.diagnosis.findings for item in finding.evidence]
        for line in [*cited, *(aside.line for aside in examined.diagnosis.set_aside)]:
            quote = drawn.quotes[line.artifact, line.number]
            assert line.text in quote.lines[line.number - quote.first] or len(line.text) > build.LONGEST

    def test_sessions_join_spots_and_times_run_forward(self, name):
        _, drawn = incident(name)
        names = {spot.name for spot in drawn.spots}
        assert all(end.node in names for session in drawn.sessions for end in session.ends)
        assert all(one.start <= one.end for one in drawn.timeline.happenings)


class TestBig:
    def test_states_and_zones(self, big):
        spots = big[1].spots
        assert len(spots) == NODES
        assert len({spot.zone for spot in spots}) == ZONES
        wanted = {one.name: "sick" if one.fault else "well" for one in machines(NODES, ZONES)}
        assert {spot.name: spot.state for spot in spots} == wanted

    def test_both_faults_are_found(self, big):
        assert {finding.cause.id for finding in big[0].diagnosis.findings} == {
            "kernel-module-missing",
            "bgp-as-mismatch",
        }
        assert {cause for spot in big[1].spots for cause in spot.causes} == {"kernel-module-missing", "bgp-as-mismatch"}

    def test_sessions_as_seen_from_some(self, big):
        sessions = big[1].sessions
        speakers = ASKED + 1
        assert len(sessions) == speakers * (NODES - 1) - speakers * (speakers - 1) // 2
        assert {session.state for session in sessions} == {"up", "down"}

    def test_thousands_of_lines_and_events_are_bars(self, big):
        found = big[1].timeline
        assert (found.clock, found.assumed, found.left_out) == (True, False, 0)
        assert len(found.happenings) < 60
        assert max(one.count for one in found.happenings if one.kind == "sign") >= RETRIES
        assert max(one.count for one in found.happenings if one.kind == "event") > 4_000
        assert all(one.end <= TAKEN.timestamp() for one in found.happenings)

    def test_bounded(self, big):
        assert len(big[1].quotes) <= build.MOST
        assert len(big[1].timeline.happenings) <= timeline.MOST


class TestHostile:
    def test_it_is_still_understood(self, hostile):
        examined, drawn = hostile
        assert "kernel-module-missing" in {finding.cause.id for finding in examined.diagnosis.findings}
        assert next(spot for spot in drawn.spots if spot.name == SICK).state == "sick"

    def test_what_was_planted_stands_where_a_page_would_show_it(self, hostile):
        _, drawn = hostile
        script = WORDS[0]
        quoted = "\n".join(line for quote in drawn.quotes.values() for line in quote.lines)
        assert any(script in spot.name and script in spot.zone for spot in drawn.spots)
        assert any(script in end.info for session in drawn.sessions for end in session.ends)
        assert any(script in one.title.en for one in drawn.timeline.happenings)
        assert script in quoted
        assert any("<img" in artifact for artifact, _ in drawn.quotes)

    def test_nothing_is_endless(self, hostile):
        _, drawn = hostile
        assert all(len(line) <= build.LONGEST + 2 for quote in drawn.quotes.values() for line in quote.lines)
        assert all(len(one.title.en) <= 200 for one in drawn.timeline.happenings if one.kind == "event")
