import pytest

from calivet.facts.calico import HealthReport
from calivet.facts.host import FirewallRule
from calivet.signs.felix.dataplane import SIGNS
from tests.signs.made_pictures import line, output, picture


def seen(name, *facts, artifacts=None):
    return list(SIGNS[name](picture(*facts, artifacts=artifacts)))


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("iptables-save | grep -c 'cali-'", "0", 1),
        ("iptables-save -t nat | grep cali", "", 1),
        ("iptables-save | grep -c cali-", "218", 0),
        ("iptables-save | grep -v cali", "", 0),
        ("iptables-save | grep KUBE", "", 0),
        ("ip link | grep cali", "", 0),
    ],
)
def test_looking_for_calicos_rules_in_vain(command, text, expected):
    assert len(seen("no-calico-rules-where-looked", artifacts=[output(command, text, "wk-1")])) == expected


def test_felix_and_host_work_with_different_backends():
    felix = output("kubectl logs x", 'felix/feature_detect.go 259: Looked up iptables command backendMode="legacy"')
    host = output("iptables --version", "iptables v1.8.4 (nf_tables)", "wk-1")
    (found,) = seen("felix-and-host-backends-differ", artifacts=[felix, host])
    assert found.values == {"felix": "legacy", "host": "nf_tables", "host_backend": "NFT"}
    same = output("iptables --version", "iptables v1.8.4 (legacy)", "wk-1")
    assert not seen("felix-and-host-backends-differ", artifacts=[felix, same])
    assert not seen("felix-and-host-backends-differ", artifacts=[host])


def test_felix_asks_both_backends_for_their_rules_before_it_chooses():
    looked = (
        'felix/feature_detect_linux.go 416: Looked up iptables command backendMode="{0}" command="iptables-{0}-{1}"'
    )
    lines = [looked.format("legacy", "save"), looked.format("nft", "save"), looked.format("nft", "restore")]
    felix = output("kubectl logs x", "\n".join(lines))
    host = output("iptables --version", "iptables v1.8.4 (nf_tables)", "wk-1")
    assert not seen("felix-and-host-backends-differ", artifacts=[felix, host])


def test_rules_in_both_backends_of_one_machine():
    legacy = output("iptables-legacy-save", "-A KUBE-FORWARD -j ACCEPT", "wk-1", 1, name="legacy.txt")
    nft = output("iptables-nft-save", "-A cali-FORWARD -j ACCEPT", "wk-1", 1, name="nft.txt")
    rules = [
        FirewallRule(at=legacy.at(1), host="wk-1", rule=legacy.lines[1], chain="KUBE-FORWARD"),
        FirewallRule(at=nft.at(1), host="wk-1", rule=nft.lines[1], chain="cali-FORWARD"),
    ]
    assert seen("rules-in-both-backends", *rules, artifacts=[legacy, nft])
    assert not seen("rules-in-both-backends", *rules, artifacts=[nft])
    other = FirewallRule(at=legacy.at(1), host="wk-1", rule="-A AGENT-IN -j RETURN", chain="AGENT-IN")
    assert not seen("rules-in-both-backends", other, rules[1], artifacts=[legacy, nft])


def test_the_stuck_loop():
    stuck = HealthReport(at=line(), component="InternalDataplaneMainLoop", live=False, timed_out=True)
    assert seen("dataplane-loop-timed-out", stuck)
    assert not seen("dataplane-loop-timed-out", HealthReport(at=line(), component="FelixStartup", timed_out=True))
