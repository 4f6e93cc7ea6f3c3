import pytest

from calivet.facts.calico import BgpPeer
from calivet.facts.fact import Reach
from calivet.facts.host import CommandRun, Socket
from calivet.signs.bgp.peering import SIGNS
from tests.signs.made_pictures import line, output, picture


def seen(name, *facts, artifacts=None):
    return list(SIGNS[name](picture(*facts, artifacts=artifacts)))


def reach(outcome, port=179, host="wk-1"):
    return Reach(at=line(), host=host, target="10.4.9.8", port=port, protocol="tcp", outcome=outcome)


def test_tests_of_the_port_itself():
    assert seen("bgp-port-unanswered", reach("timeout"))
    assert not seen("bgp-port-unanswered", reach("refused"))
    assert seen("bgp-port-answers", reach("ok"))
    assert not seen("bgp-port-answers", reach("ok", host="wk-2"), reach("timeout"))
    assert seen("only-bgp-port-unanswered", reach("timeout"), reach("ok", 10250))
    assert not seen("only-bgp-port-unanswered", reach("ok", 10250))


def test_a_machine_that_answers_nothing_has_no_blocked_port():
    command = "ping -c 1 -W 1 10.4.9.8 >/dev/null 2>&1 && { ping -c 3 10.4.9.8; }"
    dead = CommandRun(at=line(), host="wk-1", command=command, exit=1)
    other = Reach(at=line(), host="wk-1", target="10.4.9.9", port=None, protocol="icmp", outcome="ok")
    assert not seen("bgp-port-unanswered", reach("timeout"), dead, other)
    assert seen("bgp-port-unanswered", reach("timeout"), dead)  # nobody answers pings there
    assert seen("bgp-port-unanswered", reach("timeout", host="wk-2"), dead, other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("22 0\n10250 0\n179 1", 1),
        ("22 ok\n179 fail", 1),
        ("22 0\n179 0", 0),
        ("22 1\n179 1", 0),
        ("", 0),
    ],
)
def test_a_loop_over_ports(text, expected):
    shown = output('for p in 22 10250 179; do nc -w3 -z 10.4.9.8 $p; echo "$p $?"; done', text, "wk-1")
    assert len(seen("port-loop-fails-at-bgp", artifacts=[shown])) == expected
    assert bool(seen("bgp-port-answers", reach("ok", host="wk-2"), artifacts=[shown])) is not bool(expected)


def test_an_empty_capture():
    words = "listening on eth0\n0 packets captured\n0 packets received by filter"
    assert seen("bgp-capture-empty", artifacts=[output("tcpdump -nni eth0 host 10.4.9.8 and tcp port 179", words)])
    assert not seen("bgp-capture-empty", artifacts=[output("tcpdump -nni eth0 port 4789", words)])


def test_a_clouds_rules():
    command = "aws ec2 describe-security-groups --group-ids sg-1 --output text"
    assert seen("cloud-rules-without-bgp", artifacts=[output(command, "4\tNone\tNone\ntcp\t22\t22")])
    assert not seen("cloud-rules-without-bgp", artifacts=[output(command, "tcp\t179\t179")])
    assert not seen("cloud-rules-without-bgp", artifacts=[output(command, "-1\tNone\tNone")])
    assert not seen("cloud-rules-without-bgp", artifacts=[output(command, "")])


def test_bird_at_both_ends():
    ends = [
        Socket(at=line(), host=host, protocol="tcp", address="0.0.0.0", port=179, state="LISTEN", process="bird")
        for host in ("wk-1", "wk-2")
    ]
    down = BgpPeer(at=line(), address="10.4.9.8", state="start", info="Connect")
    assert seen("bird-listens-at-both-ends", *ends, down)
    assert not seen("bird-listens-at-both-ends", ends[0], down)
    assert not seen("bird-listens-at-both-ends", *ends)
