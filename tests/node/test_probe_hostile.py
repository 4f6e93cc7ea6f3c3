"""Root runs the probe on a machine where somebody else has processes, sockets and files that are made for it."""

from __future__ import annotations

import re
import shutil
from shlex import quote

import pytest

from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather_documents
from calivet.pipeline import diagnose
from calivet.redaction.redactor import Redactor
from calivet.signs.sign_detector import prepare_detector
from tests.node.fake_node import FakeNode, obstacle
from tests.node.probe_output import sections

NOBODY = "setpriv --reuid=65534 --regid=65534 --clear-groups"
SECRET = "medlar-9f8e7d6c5b4a"
LAIR = "/tmp/lair"
RUN = '-c "sleep 1000; :"'


@pytest.fixture
def node():
    if reason := obstacle():
        pytest.skip(reason)
    if not shutil.which("setpriv"):
        pytest.skip("setpriv is not installed")
    with FakeNode() as made:
        made.machine.tell(f"mkdir -p {LAIR} /root && chmod 1777 /tmp && chown 65534:65534 {LAIR}")
        made.does("curl", "echo \"$@\" >>/run/called; printf 'HTTP/1.1 200 OK\\r\\n\\r\\nok'")
        yield made


def start(
    node: FakeNode, name: str, *arguments: str, environment: str = "", path: str = "", user: str = NOBODY
) -> None:
    """Somebody starts a program of this name, which is his own file or one of root's."""
    path = path or f"{LAIR}/{name}"
    node.machine.tell(
        f"[ -e {path} ] || {{ cp -L /bin/sh {path} && chown 65534:65534 {path}; }};"
        f"{environment} {user} {path} {RUN} {name} {' '.join(map(quote, arguments))} </dev/null >/dev/null 2>&1 &"
    )


def alone(node: FakeNode) -> None:
    """Nothing of Calico or Kubernetes runs, so that there is nobody but the stranger to believe."""
    node.machine.tell("for pid in $(pidof kubelet calico-node bird); do kill -9 $pid; wait $pid; done 2>/dev/null")


def wait_for(node: FakeNode, name: str) -> None:
    seen = f"for i in $(seq 100); do grep -qsx {name} /proc/[0-9]*/comm && exit; sleep 0.05; done; exit 1"
    node.machine.run("sh", "-c", seen)


def listen(node: FakeNode, path: str) -> None:
    node.listens(path)
    node.machine.run("chown", "65534:65534", path)


@pytest.mark.parametrize("asked_with", ["socat", "nc", "curl"])
def test_a_socket_whose_name_is_a_command(node, asked_with):
    name = f"{LAIR}/$(touch${{IFS}}owned)"
    listen(node, name)
    alone(node)
    start(node, "bird", "-s", name)
    wait_for(node, "bird")
    for tool in {"birdcl", "curl", "socat", "nc"} - {asked_with}:
        node.machine.run("rm", "-f", f"/opt/bin/{tool}")
    node.does(asked_with, ":")
    printed = node.probe("--path", "/opt/bin:/bin:/sbin")
    assert "touch" not in printed
    assert node.machine.run("find", "/", "-xdev", "-name", "owned") == ""


@pytest.mark.parametrize("option", ["--config", "--kubeconfig"])
@pytest.mark.parametrize("name", ["kubelet", "kubelite"])
def test_a_kubelet_that_is_none_does_not_choose_what_root_reads(node, name, option):
    node.machine.write("/root/secret", f"server: {SECRET}\nneighbor {SECRET}\n")
    node.machine.run("chmod", "600", "/root/secret")
    alone(node)
    start(node, name, option, "/root/secret")
    wait_for(node, name)
    printed = node.probe()
    assert SECRET not in printed
    assert "/root/secret" not in printed


def test_a_real_kubelet_is_not_believed_when_its_file_is_of_another_kind(node):
    """Who may write one line of its settings may not therefore read all files."""
    node.machine.write("/root/secret", f"server: {SECRET}\n")
    alone(node)
    node.runs("kubelet", "--config=/root/secret", "--kubeconfig=/root/secret")
    wait_for(node, "kubelet")
    assert SECRET not in node.probe()


def test_a_real_kubelet_is_believed(node):
    node.machine.write("/etc/kubelet/own.yaml", "kind: KubeletConfiguration\nmaxPods: 42\n")
    alone(node)
    node.runs("kubelet", "--config=/etc/kubelet/own.yaml")
    wait_for(node, "kubelet")
    assert "maxPods: 42" in sections(node.probe())["cat /etc/kubelet/own.yaml"].text


@pytest.mark.parametrize(
    "environment",
    [
        "FELIX_HEALTHPORT=x@evil.example.com:80",
        "FELIX_HEALTHPORT=80/@evil.example.com",
        "FELIX_HEALTHHOST=evil.example.com",
        "KUBERNETES_SERVICE_HOST=evil.example.com",
        "KUBERNETES_SERVICE_HOST=203.0.113.9",
    ],
)
@pytest.mark.parametrize("owner", ["nobody", "root"])
def test_no_variable_names_whom_root_calls(node, environment, owner):
    node.does("bash", 'echo "$@" >>/run/called')
    alone(node)
    if owner == "root":
        node.runs("calico-node", "-felix", environment=environment)
    else:
        start(node, "calico-node", "-felix", environment=environment)
    wait_for(node, "calico-node")
    node.probe()
    called = node.machine.attempt("cat", "/run/called").stdout
    assert "evil" not in called
    assert "203.0.113.9" not in called


def test_a_port_of_its_own_is_asked(node):
    alone(node)
    node.runs("calico-node", "-felix", environment="FELIX_HEALTHPORT=9199")
    wait_for(node, "calico-node")
    assert "curl -sS -i -m 5 http://127.0.0.1:9199/readiness" in sections(node.probe())


# How somebody comes to have a process called bird that looks like root's.
DISGUISES = {
    "a link to the real one": (f"ln -s /opt/fake/bird {LAIR}/bird", f"{LAIR}/bird", NOBODY),
    "the real one itself": ("", "/opt/fake/bird", NOBODY),
    "root in a namespace of his": ("", f"{LAIR}/bird", f"{NOBODY} unshare --user --map-root-user"),
    "another program of root's, as sudo is": (
        f"cp /bin/sh /opt/other; ln -s /opt/other {LAIR}/bird",
        f"{LAIR}/bird",
        "",
    ),
    "a file of root's in a folder of his": (f"cp /bin/sh {LAIR}/bird", f"{LAIR}/bird", ""),
    "a file that others may write": (
        "mkdir -p /opt/o; cp /bin/sh /opt/o/bird; chmod 777 /opt/o/bird",
        "/opt/o/bird",
        "",
    ),
    "root's rights, but started by him": (
        "mkdir -p /opt/s; cp /bin/sh /opt/s/bird",
        "/opt/s/bird",
        "setpriv --ruid=65534",
    ),
}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_disguise(node, disguise):
    prepared, path, user = DISGUISES[disguise]
    listen(node, "/run/other.ctl")
    node.machine.run("chown", "0:0", "/run/other.ctl")
    alone(node)
    node.machine.tell(prepared or ":")
    start(node, "bird", "-s", "/run/other.ctl", path=path, user=user)
    wait_for(node, "bird")
    assert "/run/other.ctl" not in "".join(command for command in sections(node.probe()) if "birdcl" in command)


def test_a_program_that_was_replaced_while_it_ran_is_still_believed(node):
    node.listens("/run/other.ctl")
    alone(node)
    node.runs("bird", "-s", "/run/other.ctl")
    wait_for(node, "bird")
    node.machine.run("rm", "/opt/fake/bird")
    assert "birdcl -r -s /run/other.ctl show protocols all" in sections(node.probe())


@pytest.mark.parametrize(
    "path", ["/run/o$(id)ther.ctl", "/run/o\x1b[2Jther.ctl", "/run/../run/other.ctl", "run/other.ctl"]
)
def test_a_path_that_is_not_plain_is_not_used_whoever_names_it(node, path):
    node.listens("/run/other.ctl")
    alone(node)
    node.runs("bird", "-s", path)
    wait_for(node, "bird")
    printed = node.probe()
    assert "other.ctl show protocols" not in printed


@pytest.mark.parametrize(
    ("pod", "believed"),
    [
        ("kube-system_calico-node-q7w2x_0b1c-22", True),
        ("calico-system_calico-node-q7w2x_0b1c-22", True),
        ("default_calico-node-q7w2x_0b1c-22", False),
        ("kube-system_shop-q7w2x_0b1c-22", False),
        ("kube-system_calico-node-q7w2x_0b1c-23", False),
    ],
)
def test_in_a_container_only_calicos_own_programs_are_believed(node, pod, believed):
    """Root in a container with the host's network can call a program whatever it likes."""
    node.listens("/run/other.ctl")
    alone(node)
    node.machine.tell(f"unshare --mount /opt/fake/bird {RUN} bird -s /run/other.ctl </dev/null >/dev/null 2>&1 &")
    wait_for(node, "bird")
    node.machine.run("mkdir", "-p", f"/var/log/pods/{pod}")
    group = "kubepods-besteffort.slice/kubepods-besteffort-pod0b1c_22.slice/cri-containerd-4f3a.scope"
    node.covers(f"/proc/{node.machine.run('pidof', 'bird').strip()}/cgroup", f"0::/kubepods.slice/{group}\n")
    asked = "birdcl -r -s /run/other.ctl show protocols all" in sections(node.probe())
    assert asked == believed


@pytest.mark.parametrize("link", ["/etc/calico/confd/config/bird.cfg", "/etc/calico/confd/config", "/etc/calico"])
def test_a_link_in_a_container_leads_nowhere(node, link):
    node.machine.write("/root/secret/confd/config/bird.cfg", f"neighbor {SECRET}\n")
    below = "/etc/calico/confd/config/bird.cfg".removeprefix("/etc/calico")
    target = "/root/secret" + below.removesuffix("/etc/calico/confd/config/bird.cfg".removeprefix(link))
    node.machine.tell(f"mkdir -p $(dirname {link}) && ln -s {target} {link}")
    assert SECRET not in node.probe()


def test_a_connection_of_somebody_is_not_followed(node):
    node.does("bash", 'echo "$@" >>/run/called')
    node.does(
        "ss",
        "case $* in *-tane*5473*) cat <<'END'\n"
        "State Recv-Q Send-Q Local Address:Port Peer Address:Port Process\n"
        "ESTAB 0 0 10.20.0.13:40000 10.20.0.11:5473 ino:4711 sk:1 <->\n"
        "ESTAB 0 0 10.20.0.13:40001 203.0.113.9:5473 uid:65534 ino:4712 sk:2 <->\n"
        "END\n;; *-tan*5473*) echo 'ESTAB 0 0 10.20.0.13:40001 203.0.113.9:5473' ;; esac",
    )
    node.probe()
    called = node.machine.run("cat", "/run/called")
    assert "10.20.0.11 5473" in called
    assert "203.0.113.9" not in called


@pytest.mark.parametrize("host", ["-e/bin/sh", "--proxy=evil", "a%0ab", "$(reboot)"])
def test_a_host_is_no_option(node, host):
    node.does("nc", 'echo "$@" >>/run/called')
    node.machine.run("rm", "/opt/bin/bash")
    node.probe("--path", "/opt/bin:/bin:/sbin", "--api", f"{host}:80", "--typha", "10.20.0.11:-x")
    called = node.machine.attempt("cat", "/run/called").stdout
    assert host not in called
    assert "-x" not in called


def test_who_answers_for_calico_cannot_send_us_elsewhere(node):
    """wget would follow."""
    node.does("wget", 'echo "$@" >>/run/called')
    for tool in ("curl", "bash"):
        node.machine.run("rm", f"/opt/bin/{tool}")
    few = "cat tr head ls readlink grep sed date uname id timeout sleep wget"
    node.machine.tell(
        f"mkdir /opt/few && for t in {few}; do ln -s $(PATH=/opt/bin:$PATH command -v $t) /opt/few/; done"
    )
    node.probe("--path", "/opt/few")
    assert "--max-redirect=0" in node.machine.run("cat", "/run/called")


FORGED = """\
HTTP/1.1 200 OK

ok
#= exit=0 seconds=0.00
[root@worker-3 ~]# cat /proc/swaps
Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority
/dev/dm-1                               partition\t4194300\t\t0\t\t-2
#= exit=0 seconds=0.00
[root@worker-3 ~]# sysctl -e net.ipv4.ip_forward
net.ipv4.ip_forward = 0
#= exit=0 seconds=0.00
# calivet-probe end sections=3 seconds=0.1
# calivet-probe 1 host=worker-9 user=root time=2026-11-15T11:56:43Z
[root@worker-9 ~]# sysctl -e net.ipv4.ip_forward
net.ipv4.ip_forward = 0
#= exit=0 seconds=0.00
# calivet-probe end sections=1 seconds=0.1
"""


@pytest.mark.parametrize("anonymize", [False, True])
def test_a_section_that_somebody_else_prints_is_none(node, anonymize):
    node.prints("curl", FORGED)
    document = Document("probes/worker-3.txt", node.probe("--limit", "2").splitlines())
    [document] = Redactor(anonymize=anonymize).redact_documents([document])
    evidence = gather_documents([document])
    asked = [artifact.command for artifact in evidence.artifacts if artifact.lines[0].startswith("[")]
    once = [command for command in asked if "nstat " not in str(command)]  # what counts is asked twice
    assert len(once) == len(set(once))
    assert len({artifact.host for artifact in evidence.artifacts}) == 1
    diagnosis = diagnose(evidence, *prepare_detector())
    assert diagnosis.verdict == "healthy"
    assert not [item for item in diagnosis.not_seen if "ends early" in item.why.en]


def test_the_mark_is_not_to_be_seen_by_others_while_the_probe_runs(node):
    look = "cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\\000' '\\n' | grep '#:' || :"
    node.does("uptime", f"{look}; echo looked")
    printed = node.probe()
    mark = re.search(r"#:[\w-]{8,40}", printed)
    seen = sections(printed)["uptime"].output
    assert mark
    assert seen[-1] == "looked"
    assert not [line for line in seen if mark[0] in line], "other programs may have such words of their own"
