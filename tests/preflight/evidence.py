"""Probes of made-up machines, whole or with one section changed, and a made-up cluster beside them."""

from __future__ import annotations

import re
from pathlib import Path

from calivet.catalogue.load import load_ready_catalogue
from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather_documents
from calivet.preflight.examine import Answer, Preflight, examine

HOSTS = Path(__file__).parent / "hosts"
DEBIAN, UBUNTU, ROCKY = "debian-12-containerd", "ubuntu-22.04-docker", "rocky-9-crio"
WELL = "exit=0 seconds=0.01"
CATALOGUE = load_ready_catalogue(None)


class Probe:
    """The output of a probe, of which sections can be replaced."""

    def __init__(self, name: str) -> None:
        self.lines = (HOSTS / f"{name}.txt").read_text("utf-8").splitlines()

    @property
    def document(self) -> Document:
        name = self.lines[0].split("host=")[1].split()[0]
        return Document(f"probes/{name}.txt", self.lines)

    def show(self, command: str, output: str, foot: str = WELL) -> Probe:
        """The command that begins so prints something else; one that was not asked is asked at the end."""
        start, stop = self._section(command)
        prompt = self.lines[start] if start < stop else f"{self._prompt()} {command}"
        more = start == stop
        self.lines[start:stop] = [prompt, *output.strip("\n").splitlines(), f"#= {foot}"]
        return self._counted(more)

    def edit(self, old: str, new: str) -> Probe:
        """The same with other words; they must be there."""
        text = "\n".join(self.lines)
        assert old in text, old
        self.lines = text.replace(old, new).splitlines()
        return self

    def without(self, command: str) -> Probe:
        """The command was never asked."""
        start, stop = self._section(command)
        assert start < stop, command
        del self.lines[start:stop]
        return self._counted(-1)

    def cut(self, command: str) -> Probe:
        """The output ends before this command."""
        del self.lines[self._section(command)[0] :]
        return self

    def _section(self, command: str) -> tuple[int, int]:
        start = next((i for i, line in enumerate(self.lines) if line.startswith(f"{self._prompt()} {command}")), None)
        if start is None:
            return len(self.lines) - 1, len(self.lines) - 1
        return start, next(i for i in range(start, len(self.lines)) if self.lines[i].startswith("#= ")) + 1

    def _prompt(self) -> str:
        words = dict(word.split("=", 1) for word in self.lines[0].split() if "=" in word)
        return f"[{words['user']}@{words['host']} ~]" + ("#" if words["user"] == "root" else "$")

    def _counted(self, more: int) -> Probe:
        count = int(self.lines[-1].split("sections=")[1].split()[0]) + more
        self.lines[-1] = f"# calivet-probe end sections={count} seconds=3.0"
        return self


def as_user(probe: Probe, user: str = "ops") -> Probe:
    """The same probe, run by an ordinary user."""
    probe.lines = [
        line.replace("user=root", f"user={user}").replace("[root@", f"[{user}@").replace("~]#", "~]$")
        for line in probe.lines
    ]
    return probe


def apart(probe: Probe) -> Probe:
    """The same probe of a machine that is no clone: its numbers are its own."""
    probe.lines = [re.sub(r"^[0-9a-f]{64}  ", f"{'5c' * 32}  ", line) for line in probe.lines]
    return probe


def found(*probes: Probe, cluster: list[Document] | None = None, now: object = None) -> Preflight:
    documents = [*(cluster or []), *(probe.document for probe in probes)]
    return examine(gather_documents(documents), CATALOGUE, now)  # type: ignore[arg-type]


def answers(*probes: Probe, cluster: list[Document] | None = None, now: object = None) -> dict[str, Answer]:
    """What came of each requirement on the first of these machines."""
    return {answer.id: answer for answer in found(*probes, cluster=cluster, now=now).nodes[0].answers}


def cluster(
    nodes: str = "oak-1 10.44.0.20,oak-2 10.44.0.22",
    pool: str = "10.77.0.0/16",
    calico: str = "v3.29.1",
    more: dict[str, str] | None = None,
    pool_more: str = "",
) -> list[Document]:
    """What a live cluster of these nodes tells."""
    rows = [one.split() for one in nodes.split(",")]
    table = ["NAME STATUS ROLES AGE VERSION INTERNAL-IP EXTERNAL-IP OS-IMAGE KERNEL-VERSION CONTAINER-RUNTIME".split()]
    table += [
        [name, "Ready", "<none>", "30d", "v1.31.4", address, "<none>", "Linux", "6.1.0-32-amd64", "containerd://1.7.24"]
        for name, address in rows
    ]
    texts = {
        "nodes.txt": "$ kubectl get nodes -o wide\n" + "\n".join("   ".join(row) for row in table),
        "daemonsets.txt": f"""
$ kubectl get daemonsets -A -o wide
NAMESPACE     NAME          DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR            AGE   CONTAINERS    IMAGES                             SELECTOR
kube-system   calico-node   2         2         2       2            2           kubernetes.io/os=linux   30d   calico-node   quay.io/calico/node:{calico}   k8s-app=calico-node""",
        "calico/ippools.yaml": f"""
$ kubectl get ippools.crd.projectcalico.org -o yaml
apiVersion: v1
kind: List
items:
- apiVersion: crd.projectcalico.org/v1
  kind: IPPool
  metadata:
    name: default-ipv4-ippool
  spec:
    blockSize: 26
    cidr: {pool}
    ipipMode: Never
    natOutgoing: true
    nodeSelector: all()
    vxlanMode: Always{pool_more}""",
        "calico/clusterinformations.yaml": """
$ kubectl get clusterinformations.crd.projectcalico.org -o yaml
apiVersion: v1
kind: List
items:
- apiVersion: crd.projectcalico.org/v1
  kind: ClusterInformation
  metadata:
    name: default
  spec:
    datastoreReady: true""",
        "services.txt": """
$ kubectl get services -A -o wide
NAMESPACE   NAME         TYPE        CLUSTER-IP   EXTERNAL-IP   PORT(S)   AGE   SELECTOR
default     kubernetes   ClusterIP   10.96.0.1    <none>        443/TCP   30d   <none>""",
        "calico/blockaffinities.txt": """
$ kubectl get blockaffinities.crd.projectcalico.org -o custom-columns=NAME:.metadata.name,NODE:.spec.node,STATE:.spec.state,CIDR:.spec.cidr,DELETED:.spec.deleted
NAME                    NODE    STATE       CIDR             DELETED
oak-2-10-77-81-128-26   oak-2   confirmed   10.77.81.128/26  false""",
    } | (more or {})
    return [Document(name, text.strip("\n").splitlines()) for name, text in texts.items()]
