"""What sounds wrong and nothing accounts for: one for each form, the most telling first."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact
from calivet.facts.cluster_facts import ClusterFacts
from calivet.reasoning.unexplained import find_speaker, is_of_calico, list_unexplained, rank_unexplained
from calivet.signs.sighting import Key, Sighting


def log(*lines: str, name: str = "a.log", command: str | None = None) -> Artifact:
    return Artifact(name=name, first=1, lines=list(lines), command=command)


def ranked(*artifacts: Artifact, seen: dict[Key, list[Sighting]] | None = None) -> list[tuple[str, int]]:
    picture = ClusterFacts(list(artifacts), [])
    found = rank_unexplained(list_unexplained(picture, seen or {}, of_all=True), picture)
    return [(one.line.text.rpartition(": ")[2], one.count) for one in found]


def calico(level: str, text: str, second: int = 0) -> str:
    return f"2024-05-06 10:00:{second:02}.001 [{level}][66] felix/odd.go 569: {text}"


def test_fatal_before_error_before_warning() -> None:
    lines = [calico("WARNING", "odd"), calico("ERROR", "odder"), calico("FATAL", "oddest"), calico("INFO", "fine")]
    assert [text for text, _ in ranked(log(*lines))] == ["oddest", "odder", "odd"]


def test_one_for_each_form_over_all_documents() -> None:
    text = [calico("ERROR", f"no luck with 10.0.0.{number}", number) for number in range(3)]
    assert ranked(log(*text), log(*text, name="b.log")) == [("no luck with 10.0.0.0", 6)]


def test_last_words_before_a_restart_come_first() -> None:
    start = "2024-05-06 10:00:09.001 [INFO][9] startup/startup.go 425: Early log level set to info"
    ended = log(calico("ERROR", "first said"), "x", "y", "z", calico("ERROR", "said last"), start)
    assert [text for text, _ in ranked(ended)] == ["said last", "first said"]


def test_the_end_of_a_log_is_last_words_only_where_the_container_ended() -> None:
    lines = [calico("ERROR", "first said"), "x", "y", "z", calico("ERROR", "said last")]
    previous = log(*lines, command="kubectl logs calico-node-2b4c6 --previous")
    forms = list_unexplained(ClusterFacts([previous, log(*lines, name="b.log")], []), {}, of_all=True)
    assert [one.is_last_word for one in forms] == [False, True, False, False]


def test_what_healthy_logs_complain_of_comes_last() -> None:
    lines = [
        '2022-12-01 02:11:41.552 [WARNING][117] felix/health.go 211: Reporter is not ready. name="async"',
        calico("WARNING", "something new"),
    ]
    assert ranked(log(*lines))[0] == ("something new", 1)


def test_repeated_before_once_and_calicos_own_before_others() -> None:
    once, often = calico("ERROR", "once"), [calico("ERROR", f"often {number}") for number in range(50)]
    assert [text for text, _ in ranked(log(once, *often))] == ["often 0", "once"]
    kubelet = "May 06 10:00:03 nz-1 kubelet[812]: E0506 10:00:03.121212     812 odd.go:153] of others"
    assert ranked(log(kubelet, calico("ERROR", "own")))[0] == ("own", 1)


@pytest.mark.parametrize(
    "line",
    [
        "E0506 10:00:03.121212     812 odd.go:153] it went wrong",
        '{"level":"error","ts":"2024-03-07T06:34:57Z","logger":"x","msg":"it went wrong"}',
        "Jan 02 03:04:05 n1 multipathd[91]: sda: failed to get path",
        "bird: Mesh_10_0_0_1: Socket error: odd",
        "  Warning  OddReason  3s  kubelet  it went wrong",
        "[   12.345678] odd: unable to claim region",
    ],
)
def test_lines_of_other_programs_that_sound_wrong(line: str) -> None:
    assert len(ranked(log(line))) == 1
    assert list_unexplained(ClusterFacts([log(line)], []), {}) == []


@pytest.mark.parametrize(
    "line",
    [
        "calico-node-2b4c6   0/1   Error   3   5m",
        "2024-05-06 10:00:09.001 [INFO][9] startup/startup.go 425: no error was found",
        "I0506 10:00:03.121212     812 odd.go:153] failed before",
        "the author says that it failed",
    ],
)
def test_rows_infos_and_words_without_a_time_are_none(line: str) -> None:
    assert ranked(log(line)) == []


def test_a_form_of_which_one_line_is_accounted_for_is_none() -> None:
    artifact = log(calico("ERROR", "known 1"), calico("ERROR", "known 2"))
    seen = {Key("a", "b"): [Sighting(line=artifact.at(0))]}
    assert ranked(artifact, seen=seen) == []


def test_the_speaker_and_what_it_was_doing() -> None:
    felix = find_speaker("2024-05-06 10:00:00.001 [ERROR][66] felix/ipsets.go 569: Failed")
    assert (felix.program, felix.doing.en if felix.doing else "") == ("felix", "writing IP sets")
    assert find_speaker("2017-05-06 10:00:00.001 [ERROR][66] table.go 978: Failed").program == "calico"
    assert find_speaker("bird: Mesh_10_0_0_1: Error").program == "bird"
    assert find_speaker("May 06 10:00:03 n1 kubelet[812]: E0506 10:00:03.1 812 cni.go:153] x").program == "kubelet"
    assert find_speaker("something").program == ""
    assert is_of_calico("bird6: x")
    assert not is_of_calico("kubelet[812]: x")
