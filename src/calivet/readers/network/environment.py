"""Environment variables: of env and printenv, of systemd units, env files and container command lines."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Variable
from calivet.readers.command import Machines, find_output_start, look_inside
from calivet.readers.reader import Reader, Reading
from calivet.search.expressions import expression

_ANCHOR = expression(r"^\s*(?:export\s+|-e\s+|Environment=\"?)?[A-Za-z_]\w*=|^.* -e \"?[A-Z]")
_ASSIGNED = expression(r"^\s*(?:export\s+)?(?P<name>[A-Za-z_]\w*)=(?P<value>.*)$")
_UNIT_PAIR = expression(r"\"(?P<name>[A-Za-z_]\w*)=(?P<value>[^\"]*)\"?|(?P<plain>[A-Za-z_]\w*)=(?P<word>\S*)")
_CONTAINER_PAIR = expression(r"(?:^|\s)-e \"?(?P<plain>[A-Za-z_]\w*)=(?P<word>[^\s\"]*)(?P<name>)(?P<value>)")

# Worth knowing wherever they stand; others only where the environment was asked for.
_KNOWN = expression(
    r"(?:(?:CALICO|FELIX|TYPHA|ETCD|CNI|KUBE|KUBELET|KUBERNETES|FLANNEL|BGP|RKT|IP6?_AUTODETECTION)_\w+"
    r"|IP6?|AS|NODENAME|NODEIP|DATASTORE_TYPE|CLUSTER_TYPE|WAIT_FOR_DATASTORE|NO_DEFAULT_POOLS|DISABLE_NODE_IP_CHECK"
    r"|USE_POD_CIDR|KUBECONFIG|(?:https?|no|all)_proxy|(?:HTTPS?|NO|ALL)_PROXY)$"
)
_ASKED = expression(r"(?:^|[\s|;&])(?:env|printenv|export -p)(?:\s*$|\s*[|;&])|/environ\b|\.env\b|\bshow-environment\b")
_UNIT = expression(
    r"systemctl\s+(?:cat|show)\s+(?:-\S+\s+)*(?P<unit>[\w@-]+)"
    r"|/(?P<file>kubelet|docker|containerd|crio|calico)[\w-]*(?:\.service|\.env|/)"
)
_WORKLOAD = expression(
    r"\b(?:kubectl|oc|k)\s.{0,200}?\b(?:ds|daemonsets?|deploy|deployments?|sts|statefulsets?)(?:\.apps)?[ /]"
    r"(?:-n \S+ |--namespace[= ]\S+ )?(?P<name>[a-z][\w.-]*)"
)
# The line sets the variable for a call, or out of another: then it is a script and no environment.
_COMPUTED = expression(r"\s(?:\S*/)?(?:calicoctl|kubectl)\s|\$[({]|`")


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact)
    asked = bool(_ASKED.search(artifact.command or ""))
    owner, container = _find_owner(artifact)
    first = find_output_start(artifact)
    for index in anchors:
        if index < first or index in reading.claimed:
            continue
        text, stop = _join_lines(artifact.lines, index)
        for name, value in _split_pairs(text):
            if asked or (_KNOWN.match(name) and not _COMPUTED.search(value)):
                reading.claim(index, stop)
                reading.facts.append(
                    Variable(
                        at=artifact.at(index),
                        host=machines.at(index),
                        name=name,
                        value=value.strip().strip("\"'"),
                        owner=owner,
                        container=container,
                    )
                )
    return reading


def _join_lines(lines: list[str], index: int) -> tuple[str, int]:
    """The line with those that it goes on over, and the index behind them."""
    text, stop = lines[index].rstrip(), index + 1
    while text.endswith("\\") and stop < len(lines):
        text = f"{text[:-1]} {lines[stop].strip()}"
        stop += 1
    return text.rstrip("\\"), stop


def _split_pairs(text: str) -> Iterator[tuple[str, str]]:
    unit = text.lstrip().startswith("Environment=")
    container = " -e " in f" {text}"
    if not unit and not container:
        if found := _ASSIGNED.match(text):
            yield found["name"], found["value"]
        return
    for found in _UNIT_PAIR.finditer(text.partition("=")[2]) if unit else _CONTAINER_PAIR.finditer(text):
        yield found["name"] or found["plain"], found["value"] or found["word"] or ""


def _find_owner(artifact: Artifact) -> tuple[str | None, str | None]:
    """The pod, workload or unit whose environment it is, and the container."""
    place = look_inside(artifact)
    if place.pod:
        return place.pod, place.container
    command = artifact.command or ""
    if workload := _WORKLOAD.search(command):
        return workload["name"], None
    unit = _UNIT.search(command or artifact.name)
    return (unit["unit"] or unit["file"]) if unit else None, None


READER = Reader(kind="environment", anchor=_ANCHOR, read=_read)
