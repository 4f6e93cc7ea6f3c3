"""What real BIRD, containerd, nft, iptables, ss and ip printed in the lab (tests/lab/record.py), read without the lab."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from calivet.evidence.artifact import Document
from calivet.evidence.decoding.decode import decode
from calivet.evidence.gather import gather_documents
from calivet.facts.calico import BgpPeer, BirdDown
from calivet.facts.fact import Fact, Reach, Setting
from calivet.facts.host import CommandRun, FirewallRule, Interface, KernelCounter, NodeProbeEnd, Route, Socket
from calivet.pipeline import diagnose
from calivet.readers.read import read
from calivet.signs.sign_detector import prepare_detector
from tests.lab.states import STATES

FOLDER = Path(__file__).parent / "recorded"
HOSTS = ("alder", "birch", "cedar")
ALDER, BIRCH, CEDAR, SECOND = "172.29.40.11", "172.29.40.12", "172.29.40.13", "192.168.83.13"


def documents(state: str) -> list[Document]:
    files = sorted((FOLDER / state).iterdir())
    return [Document(f"{state}/{file.name}", decode(file.read_bytes())) for file in files]


@cache
def facts(state: str) -> list[Fact]:
    artifacts = gather_documents(documents(state)).artifacts
    found = [fact for artifact in artifacts for fact in read(artifact)[0]]
    assert not [failure for artifact in artifacts for failure in artifact.failed]
    return found


def seen(state: str, kind: type, host: str | None = None) -> list:
    return [fact for fact in facts(state) if isinstance(fact, kind) and host in (None, fact.host)]


def sessions(state: str, host: str) -> dict[str, str | None]:
    return {peer.address: peer.info for peer in seen(state, BgpPeer, host)}


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_every_state_is_recorded_and_its_cause_named(state):
    diagnosis = diagnose(gather_documents(documents(state.name)), *prepare_detector())
    assert [finding.cause.id for finding in diagnosis.findings] == ([state.cause] if state.cause else [])
    assert {end.host for end in seen(state.name, NodeProbeEnd)} == set(HOSTS)


@pytest.mark.parametrize("host", HOSTS)
def test_sessions_that_are_up(host):
    assert set(sessions("healthy", host).values()) == {"Established"}
    assert len(sessions("healthy", host)) == 2
    (listener,) = [
        socket for socket in seen("healthy", Socket, host) if socket.port == 179 and socket.state == "LISTEN"
    ][:1]
    assert (listener.process, listener.address) == ("bird", "0.0.0.0")


def test_connections_without_an_answer():
    assert sessions("way-drops-bgp", "cedar") == {ALDER: "Connect", BIRCH: "Connect"}
    assert sessions("way-drops-bgp", "alder") == {BIRCH: "Passive", CEDAR: "Passive"}
    assert [socket.peer for socket in seen("way-drops-bgp", Socket, "birch") if socket.state == "SYN_SENT"] == [
        f"{ALDER}:179"
    ]
    assert {reach.outcome for reach in seen("way-drops-bgp", Reach)} == {"timeout"}


def pings(state: str, host: str) -> dict[tuple[str, int | None], tuple[str, str | None]]:
    """How it went, by target and size."""
    return {(one.target, one.size): (one.outcome, one.detail) for one in seen(state, Reach, host) if not one.port}


def test_full_packets_on_their_way():
    assert pings("healthy", "alder") == {
        (BIRCH, 1472): ("ok", None),
        (CEDAR, 1472): ("ok", None),
    }
    assert pings("narrow-link", "cedar") == {
        (ALDER, 1472): ("loss", "100% packet loss"),
        (ALDER, None): ("ok", None),
        (BIRCH, 1472): ("ok", None),
    }
    assert pings("narrow-router", "cedar")[ALDER, 1472] == ("error", "message too long, mtu=1400")
    assert pings("way-drops-pings", "alder") == {}


def test_what_bird_says_of_a_rule_that_rejects():
    assert sessions("iptables-rejects-bgp", "birch")[ALDER] == "Active Socket: No route to host"
    assert sessions("iptables-resets-bgp", "birch")[ALDER] == "Active Socket: Connection refused"


@pytest.mark.parametrize(
    ("state", "target", "words"),
    [
        ("nft-drops-bgp", "DROP", "tcp dport 179 counter"),
        ("iptables-rejects-bgp", "REJECT", "icmp-host-prohibited"),
        ("iptables-resets-bgp", "REJECT", "tcp-reset"),
    ],
)
def test_rules_with_what_they_met(state, target, words):
    rules = [rule for rule in seen(state, FirewallRule, "alder") if rule.target == target]
    assert any(words in rule.rule for rule in rules)
    assert {rule.chain.lower() for rule in rules} == {"input"}
    assert all(rule.packets for rule in rules)


def test_both_ends_of_a_wrong_as():
    assert sessions("wrong-as", "alder")[CEDAR] == "Idle BGP Error: Bad peer AS"
    assert sessions("wrong-as", "cedar")[ALDER] == "Idle Received: Bad peer AS"


def test_segments_that_the_kernel_dropped_over_a_password():
    def dropped(state):
        return {(counter.host, counter.name) for counter in seen(state, KernelCounter) if counter.value}

    assert {("alder", "TCPMD5Failure"), ("birch", "TCPMD5Failure")} <= dropped("wrong-password")
    assert {("alder", "TCPMD5Unexpected"), ("birch", "TCPMD5Unexpected")} <= dropped("password-on-one-side")
    assert dropped("healthy") == set()


def test_a_bird_that_died():
    assert [(down.host, down.what) for down in seen("bird-dead", BirdDown)] == [("alder", "bird")]
    assert 179 not in {socket.port for socket in seen("bird-dead", Socket, "alder") if socket.state == "LISTEN"}
    assert sessions("bird-dead", "cedar")[ALDER] == "Active Socket: Connection refused"


def test_cards():
    def addresses(state, host):
        cards = {card.name: card.addresses[0] for card in seen(state, Interface, host) if card.name != "lo"}
        return cards | {card.name: None for card in seen(state, Interface, host) if card.up is False}

    assert addresses("address-twice", "birch") == addresses("address-twice", "cedar") == {"eth0": f"{BIRCH}/24"}
    assert addresses("second-card", "cedar") == {"eth0": f"{CEDAR}/24", "eth1": f"{SECOND}/24"}
    assert {route.via for route in seen("second-card", Route, "cedar") if route.destination == "default"} == {
        "172.29.40.1"
    }


def test_cgroup_drivers():
    def drivers(state, host):
        found = {(setting.program, setting.key): setting.value for setting in seen(state, Setting, host)}
        return found["kubelet", "cgroupDriver"], found["containerd", "SystemdCgroup"]

    assert drivers("healthy", "cedar") == ("systemd", True)
    assert drivers("cgroup-drivers-differ", "cedar") == ("systemd", False)
    assert drivers("cgroupfs-everywhere", "cedar") == ("cgroupfs", False)


def test_how_a_runtime_answered():
    def asked(state):
        (run,) = [run for run in seen(state, CommandRun, "cedar") if run.command == "ctr version"]
        return run.exit, run.timed_out

    assert asked("healthy") == (0, False)
    assert asked("runtime-dead") == (1, False)
    assert asked("runtime-frozen") == (124, True)
