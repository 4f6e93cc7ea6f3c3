"""What was not observed neither passes nor fails."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calivet.preflight.requirement import Outcome
from tests.preflight.evidence import DEBIAN, ROCKY, UBUNTU, Probe, answers, as_user, cluster, found

HOSTS = (DEBIAN, UBUNTU, ROCKY)
PASSED = {name: {answer.id for answer in found(Probe(name)).nodes[0].of(Outcome.PASS)} for name in HOSTS}


def sections(probe: Probe) -> list[list[str]]:
    """The lines of each section."""
    found: list[list[str]] = []
    for line in probe.lines[1:-1]:
        if line.startswith("[root@"):
            found.append([])
        found[-1].append(line)
    return found


@pytest.mark.parametrize("name", HOSTS)
def test_of_a_probe_that_was_cut_at_once_only_the_name_is_known(name):
    probe = Probe(name)
    del probe.lines[1:]
    told = answers(probe)
    assert {key for key, answer in told.items() if answer.outcome is Outcome.PASS} == {"node-name"}
    assert not any(answer.outcome is Outcome.FAIL for answer in told.values())


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(HOSTS), st.data())
def test_whatever_is_missing_nothing_comes_to_pass_or_to_fail(name, data):
    probe = Probe(name)
    kept = data.draw(st.sets(st.integers(0, len(sections(probe)) - 1)))
    some = [line for place, section in enumerate(sections(probe)) if place in kept for line in section]
    probe.lines[1:-1] = some
    told = answers(probe)
    assert {key for key, answer in told.items() if answer.outcome is Outcome.PASS} <= PASSED[name]
    assert not [key for key, answer in told.items() if answer.outcome is Outcome.FAIL]


def test_a_directory_is_absent_only_where_the_whole_probe_is_there():
    assert answers(Probe(DEBIAN))["host-local-data"].outcome is Outcome.PASS
    cut = answers(Probe(DEBIAN).cut("timedatectl"))["host-local-data"]
    assert cut.outcome is Outcome.UNCHECKED
    assert cut.says
    assert "not complete" in cut.says.en


REASONS = {
    "exit=124 seconds=5.00 timeout": "df -h did not answer within 5 s",
    "exit=1 seconds=0.01": "df -h exited with code 1",
    "absent df": "df is not installed",
    "skipped the time of the whole run is over": "df -h was not tried",
    "exit=0 seconds=0.01": "the output of df -h does not say",
}


@pytest.mark.parametrize("foot", REASONS)
def test_why_a_place_was_not_read(foot):
    answer = answers(Probe(DEBIAN).show("df -h", "", foot))["disk"]
    assert answer.outcome is Outcome.UNCHECKED
    assert answer.says
    assert answer.says.en.startswith(REASONS[foot])
    assert answer.says.zh != answer.says.en


def test_an_ordinary_user_is_told_what_root_would_see():
    probe = as_user(Probe(DEBIAN)).show("cat /proc/swaps", "", "exit=1 seconds=0.00")
    told = answers(probe.edit("SwapTotal:             0 kB\n", ""))
    assert told["host-rules"].outcome is told["stale-rules"].outcome is Outcome.UNCHECKED
    assert told["swap"].says
    assert "root" in told["swap"].says.en


def test_a_listener_without_a_name_is_not_called_a_stranger():
    probe = as_user(Probe(UBUNTU)).edit('    users:(("calico-node",pid=3011,fd=9))', "")
    told = answers(probe)
    assert told["ports"].outcome is told["vxlan-port"].outcome is Outcome.UNCHECKED


def test_only_root_is_told_whether_ufw_is_on():
    refused = "ERROR: You need to be root to run this script"
    probe = as_user(Probe(UBUNTU)).show("ufw status", refused, "exit=1 seconds=0.05")
    assert answers(probe)["firewall"].outcome is Outcome.UNCHECKED


def test_one_missing_tunnel_matters_only_where_pools_use_it():
    without_ipip = "modprobe: FATAL: Module ipip not found in directory /lib/modules/6.1.0-32-amd64"
    probe = Probe(DEBIAN).show("modprobe", without_ipip, "exit=1 seconds=0.01")
    assert answers(probe)["kernel-modules"].outcome is Outcome.UNCHECKED
    assert answers(probe, cluster=cluster())["kernel-modules"].outcome is Outcome.PASS


def test_an_older_kernel_does_for_iptables_but_who_knows_what_is_meant():
    probe = Probe(DEBIAN).edit("Linux kit-1 6.1.0-32-amd64", "Linux kit-1 5.4.0-205-generic")
    assert answers(probe)["kernel-version"].outcome is Outcome.UNCHECKED
    assert answers(probe, cluster=cluster())["kernel-version"].outcome is Outcome.PASS


def test_loose_rp_filter_matters_only_to_an_old_calico():
    probe = Probe(DEBIAN).edit("all.rp_filter = 0", "all.rp_filter = 2")
    assert answers(probe)["rp-filter"].outcome is Outcome.UNCHECKED
    assert answers(probe, cluster=cluster())["rp-filter"].outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("rule", "outcome"),
    [
        ("-A INPUT -p tcp -m tcp --dport 179 -j ACCEPT", Outcome.PASS),
        ("-A INPUT -s 10.44.0.0/24 -j ACCEPT", Outcome.UNCHECKED),
        ("-A INPUT -j SITE-IN", Outcome.UNCHECKED),
        ("-A INPUT -p tcp -m tcp --dport 22 -j ACCEPT", Outcome.FAIL),
    ],
)
def test_what_a_closed_chain_lets_in(rule, outcome):
    saved = f"*filter\n:INPUT DROP [9:9]\n:FORWARD ACCEPT [0:0]\n[4:4] {rule}\nCOMMIT"
    assert answers(Probe(DEBIAN).show("iptables-save", saved))["host-rules"].outcome is outcome


@pytest.mark.parametrize("command", ["iptables-save", "nft list"])
def test_a_policy_that_felix_overcomes_is_no_fault(command):
    """At the end of that chain of iptables Felix accepts what pods may send, so its policy never comes to it."""
    saved = "*filter\n:INPUT ACCEPT [9:9]\n:FORWARD DROP [0:0]\nCOMMIT"
    ruleset = "table ip filter {\n\tchain FORWARD {\n\t\ttype filter hook forward priority filter; policy drop;\n\t}\n}"
    probe = Probe(DEBIAN).show(command, saved if command == "iptables-save" else ruleset)
    assert answers(probe)["host-rules"].outcome is Outcome.PASS


def test_swap_that_kubelet_allows_or_lives_with():
    on = "Filename Type Size Used Priority\n/dev/sda3 partition 2097148 0 -2"
    allowed = Probe(DEBIAN).show("cat /proc/swaps", on).show("cat /var/lib/kubelet/config.yaml", "failSwapOn: false")
    assert answers(allowed)["swap"].outcome is Outcome.PASS
    assert answers(Probe(UBUNTU).show("cat /proc/swaps", on))["swap"].outcome is Outcome.PASS


def test_what_a_journal_tells_of_an_hour_ago_does_not_count():
    """Swap was switched off, and the driver set right, after kubelet had complained."""
    complaints = """
2026-04-09T07:10:12+0000 kit-1 kubelet[701]: E0409 07:10:12.480116     701 run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"
2026-04-09T07:11:12+0000 kit-1 kubelet[702]: failed to run Kubelet: misconfiguration: kubelet cgroup driver: "cgroupfs" is different from docker cgroup driver: "systemd"
"""
    probe = Probe(DEBIAN).show("journalctl -u kubelet", complaints)
    told = answers(probe.show("cat /var/lib/kubelet/config.yaml", "kind: KubeletConfiguration\ncgroupDriver: systemd"))
    assert told["swap"].outcome is Outcome.PASS
    assert told["cgroup-drivers"].outcome is Outcome.PASS


def test_a_file_that_sorts_behind_calicos_gives_way():
    listing = "total 8\n-rw-r--r-- 1 root root 90 Apr  1 10:00 10-flannel.conflist\n-rw-r--r-- 1 root root 90 Apr  1 10:00 87-podman.conflist"
    assert answers(Probe(DEBIAN).show("ls -la /etc/cni/net.d", listing))["cni-files"].outcome is Outcome.PASS


def test_the_later_of_two_probes_of_one_machine_counts():
    before = Probe(DEBIAN).edit("net.ipv4.ip_forward = 1", "net.ipv4.ip_forward = 0")
    (node,) = found(before, Probe(DEBIAN)).nodes
    assert not node.of(Outcome.FAIL)


def test_a_node_in_a_network_of_its_own_may_be_routed_to_the_others():
    told = answers(Probe(DEBIAN), cluster=cluster("elm-3 10.50.0.3,elm-4 10.50.0.4"))
    assert told["address-network"].outcome is Outcome.UNCHECKED


def test_calico_may_be_there_for_its_policies_alone():
    listing = "total 8\n-rw-r--r-- 1 root root 90 Apr  1 10:00 10-aws.conflist"
    probe = Probe(DEBIAN).show("ls -la /etc/cni/net.d", listing)
    assert answers(probe)["cni-files"].outcome is Outcome.FAIL
    installation = "$ kubectl get installations.operator.tigera.io -o yaml\nkind: Installation\nmetadata:\n  name: default\nspec:\n  cni:\n    type: AmazonVPC"
    told = answers(probe, cluster=cluster(more={"calico/installations.yaml": installation}))
    assert told["cni-files"].outcome is Outcome.PASS
