"""What a kubectl command line asked for."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact
from calivet.readers.kubectl.kubectl_command import Request, parse_request
from calivet.readers.kubectl.kubectl_resources import find_singular


def asked(command: str | None, name: str = "notes.md") -> Request:
    return parse_request(Artifact(name=name, first=1, lines=[], command=command))


@pytest.mark.parametrize(
    "command",
    [
        "kubectl -n fruit describe pod plum-node-x7k2p",
        "kubectl describe po plum-node-x7k2p -n fruit",
        "kubectl describe --namespace=fruit pods plum-node-x7k2p | tail -5",
        "sudo k3s kubectl describe -nfruit pod/plum-node-x7k2p",
        "k describe pod -n fruit plum-node-x7k2p | sed -n '/^Events/,$p'",
        "KUBECONFIG=/root/admin.conf /usr/local/bin/kubectl --kubeconfig x.conf -n fruit describe pod plum-node-x7k2p",
        "oc -n fruit describe pod plum-node-x7k2p",
    ],
)
def test_the_object_of_a_describe(command: str) -> None:
    found = asked(command)
    assert (found.verb, found.named("pod"), found.namespace) == ("describe", "plum-node-x7k2p", "fruit")


def test_a_name_only_counts_for_its_own_kind() -> None:
    found = asked("kubectl describe node plum-1")
    assert found.named("node") == "plum-1"
    assert found.named("pod") is None


def test_several_kinds_are_no_one_kind() -> None:
    found = asked("kubectl get pods,svc -o wide")
    assert found.resources == ("pod", "service")
    assert found.resource is None
    assert found.output == "wide"


def test_output_glued_to_its_flag() -> None:
    assert asked("kubectl get ds calico-node -oyaml").output == "yaml"


def test_a_selector_is_no_name() -> None:
    found = asked("kubectl get pods -l k8s-app=plum --field-selector spec.nodeName=plum-1")
    assert found.name is None
    assert found.resource == "pod"


def test_several_names_are_no_one_name() -> None:
    assert asked("kubectl describe pod a-1 b-2").name is None


def test_logs_are_of_a_pod() -> None:
    assert asked("kubectl logs -f plum-node-x7k2p -c plum").named("pod") == "plum-node-x7k2p"


def test_other_commands_ask_for_nothing() -> None:
    assert asked("systemctl status kubelet") == Request()
    assert asked("kubectl version --short") == Request()
    assert asked(None) == Request()


def test_a_file_named_after_a_pod() -> None:
    assert asked(None, "describe-calico-node-x7k2p.txt").named("pod") == "calico-node-x7k2p"
    assert (
        asked(None, "bundle/calico-typha-6d8f8c8b7d-tz6vs/describe.txt").named("pod") == "calico-typha-6d8f8c8b7d-tz6vs"
    )
    assert asked(None, "calico-node-state.txt").name is None


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("po", "pod"),
        ("Pods", "pod"),
        ("daemonsets.apps", "daemonset"),
        ("ippools.crd.projectcalico.org", "ippool"),
        ("blockaffinities", "blockaffinity"),
        ("ingresses", "ingress"),
        ("endpoints", "endpoints"),
        ("leases", "lease"),
        ("tigerastatus", "tigerastatus"),
        ("tigerastatuses", "tigerastatus"),
    ],
)
def test_kinds_by_any_name(written: str, kind: str) -> None:
    assert find_singular(written) == kind


def test_blanks_inside_quotes_part_nothing() -> None:
    command = "kubectl get node fig-1 -o jsonpath='{.metadata.name} {.spec.podCIDR}' -n x"
    asked = parse_request(Artifact("session.txt", 1, [command], command=command))
    assert (asked.resource, asked.name, asked.namespace) == ("node", "fig-1", "x")


@pytest.mark.parametrize(
    "command",
    [
        "cat /var/log/pods/fruit_plum-node-x7k2p_0f1e2d3c-aaaa-4bbb-8ccc-123456789abc/peel/12.log",
        f"sudo tail -100 /var/log/containers/plum-node-x7k2p_fruit_peel-{'0a' * 32}.log",
        "docker logs k8s_peel_plum-node-x7k2p_fruit_0f1e2d3c-aaaa-4bbb-8ccc-123456789abc_12",
        "kubectl logs -n fruit plum-node-x7k2p -c peel --previous",
    ],
)
def test_whose_log_it_is(command: str) -> None:
    found = asked(command)
    assert (found.verb, found.named("pod"), found.namespace, found.container) == (
        "logs",
        "plum-node-x7k2p",
        "fruit",
        "peel",
    )


def test_the_logs_of_many_pods_are_of_no_one() -> None:
    assert asked("grep -h FATAL /var/log/pods/fruit_*/peel/0.log") == Request()
