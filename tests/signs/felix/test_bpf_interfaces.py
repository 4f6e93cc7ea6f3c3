"""Devices that the eBPF data plane leaves out."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import BpfDevices, NodeAddress
from calivet.facts.fact import Version
from calivet.facts.host import Interface, Route
from calivet.facts.vocabulary.identifiers import may_pattern_fit
from calivet.readers.calico.felix import BPF_DEVICE_READER as READER
from calivet.signs.felix.dataplane import SIGNS
from tests.signs.made_pictures import line, picture, thing

NAME = "main-card-not-in-bpf-pattern"


def seen(card, version="v3.28.2", **settings):
    facts = [
        thing("FelixConfiguration", **{"spec__bpfEnabled": True, **settings}),
        NodeAddress(at=line(), node="bern-2", address="10.4.0.2/24", source="annotation"),
        Interface(at=line(), host="bern-2", name=card, addresses=("10.4.0.2/24",)),
        Version(at=line(), program="calico-node", version=version),
    ]
    return list(SIGNS[NAME](picture(*facts)))


@pytest.mark.parametrize(
    ("card", "version", "left_out"),
    [
        ("bond0", "v3.28.2", True),
        ("bond0", "v3.30.0", False),
        ("enP1p1s0", "v3.24.5", True),
        ("enP1p1s0", "v3.26.1", False),
        ("br-uplink", "v3.31.0", True),
        ("em1", "v3.31.0", True),
        ("ens192", "v3.20.0", False),
        ("vxlan.calico", "v3.31.0", False),
    ],
)
def test_the_default_of_the_version(card, version, left_out):
    found = seen(card, version)
    assert bool(found) is left_out
    if found:
        assert (found[0].node, found[0].values["card"]) == ("bern-2", card)


def test_a_written_pattern_counts():
    assert not seen("bond0", spec__bpfDataIfacePattern="^(bond0|eth.*)")
    assert seen("eth0", spec__bpfDataIfacePattern="^bond.*")
    assert not seen("vlan7", spec__bpfL3IfacePattern="^vlan")


def test_the_only_card_of_a_machine_is_its_main_one():
    felix = thing("FelixConfiguration", spec__bpfEnabled=True, spec__bpfDataIfacePattern="^eth0$")
    names = {"lo": "127.0.0.1/8", "docker0": "172.17.0.1/16", "vxlan.calico": "10.77.1.0/32", "ens192": "10.4.0.2/24"}
    cards = [Interface(at=line(), host="bern-2", name=name, addresses=(own,)) for name, own in names.items()]
    (found,) = SIGNS[NAME](picture(felix, *cards))
    assert found.values["card"] == "ens192"
    second = Interface(at=line(), host="bern-2", name="eth0", addresses=("10.9.0.2/24",))
    assert not list(SIGNS[NAME](picture(felix, *cards, second)))


def test_only_in_ebpf_mode_and_only_where_the_configuration_was_seen():
    assert not seen("bond0", spec__bpfEnabled=False)
    installation = thing("Installation", spec__calicoNetwork__linuxDataplane="BPF")
    card = Interface(at=line(), host="bern-2", name="bond0", addresses=("10.4.0.2/24",))
    address = NodeAddress(at=line(), node="bern-2", address="10.4.0.2/24", source="annotation")
    assert not list(SIGNS[NAME](picture(installation, card, address)))


def test_the_default_route_stands_in_for_an_unknown_card():
    configuration = thing("FelixConfiguration", spec__bpfEnabled=True)
    route = Route(at=line(), host="bern-2", destination="default", via="10.4.0.1", device="team0")
    (found,) = SIGNS[NAME](picture(configuration, route))
    assert found.values["card"] == "team0"


@pytest.mark.parametrize("pattern", ["(", "(a+)+$", "x" * 500])
def test_a_pattern_that_cannot_be_tried_is_taken_to_fit(pattern):
    assert may_pattern_fit(pattern, "a" * 14 + "!")


DUMP = """\
    2 : {flags: ready, name: ens1}
   11 : {flags: ready, name: vxlan.calico}
   21 : {flags: workload,ready, name: cali1a2b3c4d5e6}
   22 : {flags: notmanaged, XDPPolicyV4: -1, IngressFilter: -1, EgressFilter: -1, name: br0}
"""


def read_dump(command="kubectl exec -n calico-system calico-node-x2x2x -- calico-node -bpf ifstate dump"):
    lines = [f"$ {command}", *DUMP.splitlines()]
    artifact = Artifact(name="notes.md", first=1, lines=lines, command=command)
    return READER.read(artifact, [index for index, text in enumerate(lines) if READER.anchor.search(text)]).facts


def test_a_dump_lists_the_devices_of_the_machine_and_not_those_left_alone():
    (dump,) = read_dump()
    assert (dump.pod, dump.names) == ("calico-node-x2x2x", ("ens1", "vxlan.calico"))
    assert not read_dump("calico-node -bpf ifstate dump | grep en")


@pytest.mark.parametrize(("card", "known"), [("br0", False), ("ens1", True)])
def test_the_main_card_must_be_among_the_devices_that_the_programs_know(card, known):
    address = NodeAddress(at=line(), node="bern-2", address="10.4.0.2/24", source="annotation")
    device = Interface(at=line(), host="bern-2", name=card, addresses=("10.4.0.2/24",))
    dump = BpfDevices(at=line(), host="bern-2", pod=None, names=("ens1", "vxlan.calico"))
    found = list(SIGNS["main-card-unknown-to-bpf"](picture(address, device, dump)))
    assert bool(found) is not known
    elsewhere = BpfDevices(at=line(), host="bern-3", pod=None, names=("eth0",))
    other = NodeAddress(at=line(), node="bern-3", address="10.4.0.3/24", source="annotation")
    assert not list(SIGNS["main-card-unknown-to-bpf"](picture(address, other, device, elsewhere)))
