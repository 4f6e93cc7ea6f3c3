from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.decoding.line_prefixes import peel

LOG = [
    "2024-05-01 08:00:01.100 [INFO][9] startup.go 12: Early log level set to info",
    "",
    "2024-05-01 08:00:01.200 [ERROR][9] startup.go 40: it went wrong",
    "bird: device1: Starting",
    "    an indented line",
]
HEADS = {
    "kubectl logs --timestamps": "2024-05-01T08:00:02.123456789Z ",
    "docker with an offset": "2024-05-01T08:00:02.123456789+08:00 ",
    "a CI runner": "2024-05-01T08:00:02.1234567Z ",
    "CRI stdout": "2024-05-01T08:00:02.123456789Z stdout F ",
    "CRI stderr, partial": "2024-05-01T08:00:02.1Z stderr P ",
    "kubectl logs --prefix": "[pod/agent-4kz9q/agent] ",
    "prefix and timestamps": "[pod/agent-4kz9q/agent] 2024-05-01T08:00:02.123456789Z ",
    "docker compose": "agent-1  | ",
    "docker compose, old": "agent_1      | ",
    "rsyslog": "2024-05-01T08:00:02Z mill rsyslogd[12]: ",
    "syslog with priority": "<30>May  1 08:00:02 mill shipper[12]: ",
    "a shipper without a number": "May 01 08:00:02 mill shipper: ",
    "a bar": "| ",
    "a drawn bar": "│ ",
    "a quote": "> ",
    "a quote of a quote": "> > ",
    "three in a row": "> 2024-05-01T08:00:02Z mill filebeat[3]: [pod/agent-4kz9q/agent] ",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_a_head_on_every_line_goes_and_the_lines_stay(head: str) -> None:
    assert peel([head + line for line in LOG]).lines == LOG


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_blank_lines_may_have_lost_the_end_of_the_head(head: str) -> None:
    assert [line.rstrip() for line in peel([(head + line).rstrip() for line in LOG]).lines] == LOG


@pytest.mark.parametrize("mark", ["{:6d}\t{}", "{:4d}  {}", "{:3d} | {}", "{} {}"])
def test_line_numbers_of_editors_and_pagers(mark: str) -> None:
    lines = LOG * 5
    assert peel([mark.format(number, line) for number, line in enumerate(lines, 1)]).lines == lines
    assert peel([mark.format(number, line) for number, line in enumerate(lines, 95)]).lines == lines


def test_envelopes_of_docker_and_of_shippers() -> None:
    docker = [json.dumps({"log": line + "\n", "stream": "stderr", "time": "2024-05-01T08:00:02Z"}) for line in LOG]
    assert peel(docker).lines == LOG
    beat = [json.dumps({"@timestamp": "x", "message": line, "kubernetes": {"pod": {"name": "p"}}}) for line in LOG]
    assert peel(beat).lines == LOG
    fluentd = [f"2024-05-01 08:00:02.1 +0000 kube.var.log: {line}" for line in docker]
    assert peel(fluentd).lines == LOG


def test_a_broken_envelope_stays_as_it_is() -> None:
    docker = [json.dumps({"log": f"line {number}\n", "stream": "stdout"}) for number in range(40)]
    assert peel([*docker, docker[0][:20]]).lines[-2:] == ["line 39", docker[0][:20]]


def test_a_program_that_logs_json_keeps_it() -> None:
    lines = ['{"level":"info","ts":"2024-05-01T08:00:02Z","logger":"x","msg":"Reconciling"}'] * 4
    assert peel(lines).lines == lines


@pytest.mark.parametrize(
    "lines",
    [
        ["May 27 10:00:01 n4 kubelet[12]: E0527 10:00:01.1 1 x.go:1] no", "May 27 10:00:02 n4 kubelet[12]: again"] * 3,
        [
            '2024-05-27T10:00:01+0000 n4 containerd[12]: time="x" level=error',
            "2024-05-27T10:00:02+0000 n4 containerd[12]: y",
        ]
        * 3,
        [
            "May 27 10:00:01 n4 systemd[1]: Started x.",
            "May 27 10:00:01 n4 dockerd[9]: y",
            "May 27 10:00:02 n4 kernel: z",
        ]
        * 2,
        ["May 27 10:00:01 n4 kube-apiserver[1]: E0527 10:00:01.1 1 x.go:1] no"] * 5,
        ["2024-05-01T09:52:23.118Z  INFO 1 --- [main] a.b.C : started"] * 5,
        ["[2024-05-01T19:40:12+0000] [ALPM] upgraded linux (6.1 -> 6.2)"] * 5,
        ["10:51:22.813022 IP 10.1.1.1.40117 > 10.1.1.2.8080: Flags [S]"] * 5,
        ["+-----+-----+", "| a   | b   |", "+-----+-----+", "| 1   | 2   |", "+-----+-----+"],
        ["| 10.1.1.1 | mesh | up |", "| 10.1.1.2 | mesh | up |", "| 10.1.1.3 | mesh | up |"],
        ["kube-system | Warning | Unhealthy | a", "kube-system | Warning | Unhealthy | b"] * 2,
        ["1: lo: <LOOPBACK> mtu 1", "2: eth0: <UP> mtu 2", "3: eth1: <UP> mtu 3"],
        ["1    ACCEPT  all", "2    DROP    all", "3    RETURN  all"],
        ["1", "2", "3", "4"],
        ["node-1 is fine", "node-2 is not", "node-3 is fine"],
        ["2024-05-01T08:00:02.123456789Z"],
        ["bird: device1: Starting", "bird: direct1: Starting", "bird: Started"],
        ["2020-12-20 04:46:05.619224 W | etcdserver: slow", "2020-12-20 04:46:09.121855 W | etcdserver: slow"] * 2,
    ],
)
def test_what_belongs_to_the_message_stays(lines: list[str]) -> None:
    assert peel(lines).lines == lines


def test_almost_every_line_is_enough_in_a_long_log() -> None:
    lines = [f"2024-05-01T08:00:02.123456789Z line {number}" for number in range(100)]
    lines[50] = "a line that was torn off"
    peeled = peel(lines).lines
    assert peeled[49:52] == ["line 49", "a line that was torn off", "line 51"]


def test_stern_and_prefix_tell_the_pod() -> None:
    first = ["agent-4kz9q agent 2024-05-01 08:00:01.1 [INFO] a"] * 3
    second = ["agent-7hjx2 agent 2024-05-01 08:00:01.1 [INFO] b"] * 3
    peeled = peel(first + second)
    assert peeled.pods == [(0, "kubectl logs agent-4kz9q -c agent"), (3, "kubectl logs agent-7hjx2 -c agent")]
    assert peeled.lines == ["2024-05-01 08:00:01.1 [INFO] a"] * 3 + ["2024-05-01 08:00:01.1 [INFO] b"] * 3


def test_pods_all_mixed_up_are_left_together() -> None:
    assert peel(["[pod/a-1/x] one", "[pod/b-1/x] two"] * 10).pods == []


@given(st.lists(st.text(alphabet=st.characters(blacklist_characters="\n\r"), max_size=60), max_size=30))
def test_any_lines(lines: list[str]) -> None:
    peeled = peel(lines).lines
    assert len(peeled) == len(lines)
