from calivet.facts.calico import BgpPeer
from calivet.facts.fact import Reach
from calivet.facts.kubernetes import Event
from calivet.signs.bgp.bird import SIGNS
from tests.signs.made_pictures import line, picture, thing


def peer(address, info, host="wk-1"):
    state = "up" if info == "Established" else "start"
    return BgpPeer(at=line(address), address=address, state=state, info=info, type="node-to-node mesh", host=host)


def reach(target, outcome, port=None, protocol="tcp", **fields):
    return Reach(at=line(target), host="wk-1", target=target, port=port, protocol=protocol, outcome=outcome, **fields)


def seen(name, *facts):
    return list(SIGNS[name](picture(*facts)))


def test_only_sessions_without_an_answer_count():
    assert seen("bgp-connect-unanswered", peer("10.4.9.8", "Connect"))
    assert seen("bgp-connect-unanswered", peer("10.4.9.8", "Active Socket: Connection timed out"))
    assert not seen("bgp-connect-unanswered", peer("10.4.9.8", "Active Socket: Connection refused"))
    assert not seen("bgp-connect-unanswered", peer("10.4.9.8", "Established"))


def test_ping_tells_a_closed_port_from_a_lost_machine():
    waiting = peer("10.4.9.8", "Connect")
    answered = reach("10.4.9.8", "ok", protocol="icmp")
    lost = reach("10.4.9.8", "loss", protocol="icmp")
    assert seen("silent-peer-answers-ping", waiting, answered)
    assert not seen("silent-peer-answers-ping", waiting, lost)
    assert seen("silent-peer-lost", waiting, lost)
    assert not seen("silent-peer-answers-ping", peer("10.4.9.8", "Passive"), answered)
    assert not seen("silent-peer-answers-ping", peer("10.4.9.8", "Established"), answered)
    assert not seen("silent-peer-answers-ping", waiting, reach("10.4.9.8", "ok", protocol="icmp", pod="shell"))


def test_sessions_that_end_at_the_subnet():
    up, down = peer("10.4.1.8", "Established"), peer("10.4.9.8", "Connect")
    (found,) = seen("sessions-end-at-subnet", up, down)
    assert found.values["peers"] == "10.4.9.8"
    assert not seen("sessions-end-at-subnet", up, peer("10.4.1.9", "Connect"))
    assert not seen("sessions-end-at-subnet", down)


def test_words_that_tools_wrap_are_read_from_the_facts():
    assert seen("session-says-bad-as", peer("10.4.9.1", "Idle BGP Error: Bad peer AS"))
    assert not seen("session-says-bad-as", peer("10.4.9.1", "Active Socket: Connection refused"))
    assert seen("session-says-bad-identifier", peer("10.4.9.1", "Idle Received: Bad BGP identifier"))
    assert seen("session-says-rejected", peer("10.4.9.1", "Idle Received: Connection rejected"))


def test_the_missing_socket_counts_only_when_it_lasts():
    words = (
        "Readiness probe failed: BIRD is not ready: Error querying BIRD: unable to connect to BIRDv4 socket: dial unix"
    )
    often = Event(at=line(), reason="Unhealthy", message=words, count=88, node="wk-1")
    once = Event(at=line(), reason="Unhealthy", message=words, count=2, node="wk-1")
    (found,) = seen("bird-socket-missing-for-long", often)
    assert found.values == {"count": "88"}
    assert not seen("bird-socket-missing-for-long", once)


def test_a_password_matters_only_for_its_own_session():
    secret = thing("BGPPeer", "rr", spec__peerIP="10.4.9.1", spec__password__secretKeyRef__name="bgp")
    assert seen("password-peer-unanswered", secret, peer("10.4.9.1", "Connect"))
    assert not seen("password-peer-unanswered", secret, peer("10.4.9.2", "Connect"))
    mesh = thing("BGPConfiguration", spec__nodeMeshPassword__secretKeyRef__name="bgp")
    assert seen("password-peer-unanswered", mesh, peer("10.4.9.2", "Connect"))
