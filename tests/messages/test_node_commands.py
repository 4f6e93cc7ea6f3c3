"""Commands for nodes: the shell of the node gets to read what the catalogue says, on each node that is concerned."""

from __future__ import annotations

import subprocess

import pytest

from calivet.messages.command_line import MOST_NODES, fill_for_nodes

NODES = [{"node": name, "pod": f"calico-node-{name}", "namespace": "kube-system"} for name in ("n1", "n2", "n3")]


def run(command, tmp_path):
    """What it prints where ssh and sudo only pass on what they are given."""
    (tmp_path / "sudo").write_text('#!/bin/sh\nexec "$@"\n')
    (tmp_path / "ssh").write_text('#!/bin/sh\necho "on $1"; shift; exec sh -c "$*"\n')
    for tool in ("sudo", "ssh"):
        (tmp_path / tool).chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    return subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("template", "printed"),
    [
        ("ssh {node} echo plain words", "plain words"),
        ("ssh {node} sudo echo plain words", "plain words"),
        ("ssh {node} 'echo one; echo two | tr t T'", "one\nTwo"),
        ("ssh {node} 'for m in a b; do echo $m; done'", "a\nb"),
        ("ssh {node} \"echo one two | awk '{print \\$2}'\"", "two"),
        ('ssh {node} \'printf "%s\\n" "$(echo a | sed "s/a/b/")"\'', "b"),
        ("ssh {node} 'echo \"back\\\\slash\"'", "back\\slash"),
    ],
)
def test_the_node_runs_what_the_catalogue_says(template, printed, tmp_path):
    assert run(fill_for_nodes(template, NODES[:1]), tmp_path) == f"on n1\n{printed}\n"
    everywhere = "".join(f"on {name}\n{printed}\n" for name in ("n1", "n2", "n3"))
    assert run(fill_for_nodes(template, NODES), tmp_path) == everywhere
    assert run(fill_for_nodes(template, [{}]), tmp_path) == f"{printed}\n"


def test_what_is_asked_here_is_not_asked_on_the_node():
    template = 'ssh {node} "curl https://$(kubectl get svc kubernetes -o name)/version"'
    assert fill_for_nodes(template, NODES[:1]) == template.replace("{node}", "n1")


def test_one_command_is_shown_as_it_is():
    assert fill_for_nodes("ssh {node} swapoff -a", NODES[:1]) == "ssh n1 sudo swapoff -a"
    assert (
        fill_for_nodes("ssh {node} swapoff -a", NODES) == 'for node in n1 n2 n3; do ssh "$node" sudo swapoff -a; done'
    )


def test_what_only_bash_knows_is_run_by_bash():
    assert fill_for_nodes("ssh {node} 'time timeout 20 crictl ps; date'", NODES[:1]) == (
        "ssh n1 \"sudo bash -c 'time timeout 20 crictl ps; date'\""
    )
    assert '"sudo sh -c' in fill_for_nodes("ssh {node} 'date; uptime'", NODES[:1])


def test_a_script_that_names_its_node_is_written_for_each():
    assert fill_for_nodes("ssh {node} hostnamectl set-hostname {node}", NODES[:2]) == (
        "ssh n1 sudo hostnamectl set-hostname n1\nssh n2 sudo hostnamectl set-hostname n2"
    )


def test_a_service_or_rule_of_one_node_is_not_touched_on_another():
    nodes = [
        {"node": "n1", "unit": "rke2-server"},
        {"node": "n2", "unit": "rke2-agent"},
        {"node": "n3", "unit": "rke2-agent"},
    ]
    assert fill_for_nodes("ssh {node} systemctl restart {unit}", nodes) == (
        'ssh n1 sudo systemctl restart rke2-server\nfor node in n2 n3; do ssh "$node" sudo systemctl restart rke2-agent; done'
    )


def test_what_changes_a_pod_is_written_for_each_node_and_what_looks_at_one_is_not():
    assert fill_for_nodes("kubectl delete pod -n {namespace} {pod}", NODES[:2]) == (
        "kubectl delete pod -n kube-system calico-node-n1\nkubectl delete pod -n kube-system calico-node-n2"
    )
    assert fill_for_nodes("kubectl logs -n {namespace} {pod}", NODES) == "kubectl logs -n kube-system calico-node-n1"


def test_a_command_of_the_whole_cluster_is_written_once():
    assert fill_for_nodes("kubectl delete pod -n {namespace} x", NODES) == "kubectl delete pod -n kube-system x"


def test_names_that_are_more_than_names_are_not_logged_in_to():
    assert fill_for_nodes("ssh {node} reboot", [{"node": "$(reboot)"}]) == "reboot"


def test_a_command_that_goes_on_here_is_left_as_it_is():
    assert fill_for_nodes("ssh {node} date; date", NODES[:1]) == "ssh n1 date; date"


def test_very_many_nodes_are_not_all_named():
    many = [{"node": f"m{number}"} for number in range(1000)]
    assert fill_for_nodes("ssh {node} uptime", many).split(";")[0].count(" m") == MOST_NODES


def test_the_control_plane_is_one_machine():
    values = [{"node": "n1", "control_plane": "cp-1"}, {"node": "n2", "control_plane": "cp-1"}]
    assert fill_for_nodes("ssh {control_plane} crictl ps", values) == "ssh cp-1 sudo crictl ps"
    assert fill_for_nodes("ssh {control_plane} crictl ps", [{"node": "n1"}]) == "crictl ps"


class TestUnknownPod:
    KNOWN = {"namespace": "kube-system", "daemonset": "canal", "selector": "k8s-app=canal"}  # noqa: RUF012

    def test_that_of_the_node(self):
        shown = fill_for_nodes("kubectl delete pod -n {namespace} {pod}", [self.KNOWN | {"node": "n1"}])
        found = "kubectl get pod -n kube-system -l k8s-app=canal --field-selector spec.nodeName=n1"
        assert shown == f"kubectl delete pod -n kube-system $({found} --no-headers -o custom-columns=:.metadata.name)"

    def test_any_where_the_node_is_not_known_either(self):
        shown = fill_for_nodes("kubectl logs -n {namespace} {pod} -c calico-node", [self.KNOWN])
        assert shown == "kubectl logs -n kube-system ds/canal -c calico-node"

    def test_but_never_any_to_be_deleted(self):
        shown = fill_for_nodes("kubectl delete pod -n {namespace} {pod}", [self.KNOWN])
        assert shown == "kubectl delete pod -n kube-system <pod>"

    def test_a_list_of_a_node_becomes_one_of_all(self):
        template = "kubectl get pods -n {namespace} -o wide --field-selector spec.nodeName={node}"
        assert fill_for_nodes(template, [self.KNOWN]) == "kubectl get pods -n kube-system -o wide"


class TestLookups:
    KNOWN = {"namespace": "kube-system", "node": "n1", "api_group": "crd.projectcalico.org"}  # noqa: RUF012
    FOUND = "$(kubectl get pods -A -l k8s-app=calico-typha -o jsonpath='{.items[0].status.hostIP}')"

    def test_a_name_that_the_evidence_holds(self):
        shown = fill_for_nodes("ssh {node} nc -vz {typha_address} 5473", [self.KNOWN | {"typha_address": "10.1.2.3"}])
        assert shown == "ssh n1 sudo nc -vz 10.1.2.3 5473"

    def test_another_one_is_found_out_here_not_on_the_node(self, tmp_path):
        shown = fill_for_nodes("ssh {node} nc -vz {typha_address} 5473", [self.KNOWN])
        assert shown == f"ssh n1 sudo nc -vz {self.FOUND} 5473"
        (tmp_path / "kubectl").write_text("#!/bin/sh\necho 10.9.8.7\n")
        (tmp_path / "kubectl").chmod(0o755)
        script = fill_for_nodes("ssh {node} 'unset -v PATH; echo \"$PATH\" {typha_address}; :'", [self.KNOWN])
        assert run(script, tmp_path) == "on n1\n 10.9.8.7\n"

    def test_one_that_cannot_be_found_out_stays_a_gap(self):
        assert fill_for_nodes("kubectl get {node_address}", [{}]) == "kubectl get <node_address>"
