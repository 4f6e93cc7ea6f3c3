"""What a kubectl command line asked for, by name or kind: output that was cut or filtered no longer tells."""

from __future__ import annotations

import re

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.readers.kubectl.kubectl_resources import find_singular
from calivet.search.expressions import expression

AGE = r"(?:(?:\d+[ywdhms])+|<unknown>|<invalid>)"
NAME = r"[a-z0-9][a-z0-9.:-]*"

_GAP = r"[ \t]+"
_START = rf"^[ \t]*(?:(?P<namespace>[a-z][a-z0-9-]*){_GAP})?"
_POD_STATUS = (
    r"(?:Running|Pending|Completed|Error|Terminating|Unknown|Evicted|OOMKilled|ContainerCreating|PodInitializing"
    r"|(?:Init:)?(?:\d+/\d+|Error|CrashLoopBackOff|ErrImagePull|ImagePullBackOff|OOMKilled)"
    r"|CreateContainer\w*Error|RunContainerError)"
)
_SHAPES = {
    "pod": expression(
        rf"{_START}(?:pods?/|po/)?(?P<name>{NAME}){_GAP}(?P<ready>\d+/\d+){_GAP}(?P<status>[A-Z][A-Za-z0-9:/]*){_GAP}"
        rf"(?P<restarts>\d+(?:[ \t]+\({AGE} ago\))?){_GAP}(?P<age>{AGE})"
        rf"(?:{_GAP}(?P<ip><none>|[\da-f]*[.:][\da-f.:]+){_GAP}(?P<node>\S+))?(?P<rest>[ \t].*)?$"
    ),
    # The same row where the paste broke it off; what the pod does is told by a word that only pods have.
    "broken pod": expression(
        rf"{_START}(?:pods?/|po/)?(?P<name>[a-z0-9][a-z0-9.:]*-[a-z0-9.:-]+){_GAP}(?P<ready>\d+/\d+){_GAP}(?P<status>{_POD_STATUS})"
        rf"(?:{_GAP}(?P<restarts>\d+(?:[ \t]+\({AGE} ago\))?))?[ \t]*$"
    ),
    "node": expression(
        rf"^[ \t]*(?:nodes?/)?(?P<name>{NAME}){_GAP}(?P<status>(?:Ready|NotReady|Unknown)(?:,\w+)*){_GAP}"
        rf"(?:(?P<roles><none>|[a-z][\w,.-]*){_GAP})?(?P<age>{AGE}){_GAP}(?P<version>v\d+\.\d+\.\d+\S*)"
        r"(?P<rest>[ \t].*)?$"
    ),
    "service": expression(
        rf"{_START}(?:service/|svc/)?(?P<name>{NAME}){_GAP}(?P<type>ClusterIP|NodePort|LoadBalancer|ExternalName){_GAP}"
        rf"(?P<cluster_ip>\S+){_GAP}(?P<external_ip>\S+){_GAP}(?P<ports>\S+){_GAP}(?P<age>{AGE})(?:{_GAP}(?P<selector>\S+))?"
    ),
    "daemonset": expression(
        rf"{_START}(?:daemonset[.\w]*/|ds/)?(?P<name>[a-z][a-z0-9.-]*){_GAP}(?P<desired>\d+){_GAP}(?P<current>\d+){_GAP}"
        rf"(?P<ready>\d+){_GAP}(?P<up_to_date>\d+){_GAP}(?P<available>\d+){_GAP}(?P<node_selector><none>|\S+=\S*){_GAP}"
        rf"(?P<age>{AGE})"
    ),
}
_HEADERS = {"ports": "PORT(S)", "up_to_date": "UP-TO-DATE", "node_selector": "NODE SELECTOR"}
_LABELS = expression(r"(?<!\S)[\w./-]+=[\w.-]*(?:,[\w./-]+=[\w.-]*)*$")
_RUNTIME = expression(r"\w+://\S+$")


def parse_loose_row(line: str) -> tuple[str, dict[str, str]] | None:
    """What kind of row this is, and its cells by the headers that kubectl would have printed."""
    for kind, shape in _SHAPES.items():
        if found := shape.match(line):
            resource = kind.rpartition(" ")[2]
            groups = {key: value for key, value in found.groupdict().items() if value}
            rest = groups.pop("rest", "").strip()
            cells = {_HEADERS.get(key, key.upper().replace("_", "-")): value for key, value in groups.items()}
            return resource, cells | (_parse_node(rest) if resource == "node" else _parse_pod(rest))
    return None


def _parse_pod(rest: str) -> dict[str, str]:
    labels = _LABELS.search(rest)
    return {"LABELS": labels[0]} if labels else {}


def _parse_node(rest: str) -> dict[str, str]:
    """The wide columns: one or two addresses, then the system's name, the kernel and the runtime."""
    cells = _parse_pod(rest)
    pieces = [piece for piece in re.split(r"[ \t]{2,}", rest) if piece]
    if len(pieces) == 1:
        pieces = _split_wide_columns(pieces[0])
    runtime = next((index for index, piece in enumerate(pieces) if _RUNTIME.match(piece)), None)
    if runtime is None:
        return cells
    headers = ["INTERNAL-IP", "EXTERNAL-IP", "OS-IMAGE", "KERNEL-VERSION", "CONTAINER-RUNTIME"]
    return cells | dict(zip(reversed(headers), reversed(pieces[: runtime + 1]), strict=False))


def _split_wide_columns(squeezed: str) -> list[str]:
    """The wide columns with single blanks between them; only the system's name has blanks of its own."""
    words = squeezed.split()
    runtime = next((index for index, word in enumerate(words) if index > 3 and _RUNTIME.match(word)), None)
    if runtime is None:
        return [squeezed]
    return [*words[:2], " ".join(words[2 : runtime - 1]), words[runtime - 1], words[runtime]]


_PROGRAM = expression(r"(?:^|[\s/.;&|(])(?:kubectl|oc|k)(?:\.exe)?\s+(?P<arguments>[^|;&<>]*)")
_VERBS = ("get", "describe", "logs", "log", "events", "top", "exec")
_FLAGS_WITH_VALUE = {
    "-n": "namespace",
    "--namespace": "namespace",
    "-o": "output",
    "--output": "output",
    "-c": "container",
    "--container": "container",
    "-l": "",
    "--selector": "",
    "--field-selector": "",
    "--sort-by": "",
    "--kubeconfig": "",
    "--context": "",
    "-L": "",
    "--label-columns": "",
    "--tail": "",
    "--since": "",
}
_SHORT_GLUED = expression(r"^-(?P<flag>[no])(?P<value>[^-\s].*)$")
_OBJECT_NAME = expression(r"^[a-z0-9][a-z0-9.:-]*$")
# Blanks inside quotes part no words: a template of jsonpath is one.
_WORD = expression(r"(?:'[^']*'|\"[^\"]*\"|\S)+")

# A pod's name as controllers make them, in the name of a file in which somebody kept the output.
_POD_FILE = expression(
    r"(?:^|[/_-])(?:describe[-_.])?(?:pods?[-_.])?"
    r"(?P<pod>(?:calico|canal|typha|tigera|kube)[a-z0-9-]*-[bcdfghjklmnpqrstvwxz2456789]{5})(?=[./_-]|$)"
)
# Where kubelet keeps a container's log on the node, and what docker calls the container.
_LOG_NAMES = (
    expression(r"/var/log/pods/(?P<namespace>[a-z0-9-]+)_(?P<pod>[a-z0-9.-]+)_[0-9a-f-]+/(?P<container>[a-z0-9-]+)/"),
    expression(
        r"/var/log/containers/(?P<pod>[a-z0-9.-]+)_(?P<namespace>[a-z0-9-]+)_(?P<container>[a-z0-9-]+)-[0-9a-f]{64}"
    ),
    expression(r"\bk8s_(?P<container>[a-z0-9-]+)_(?P<pod>[a-z0-9.-]+)_(?P<namespace>[a-z0-9-]+)_[0-9a-f-]{32,36}_"),
)


class Request(Struct, frozen=True):
    """A kubectl command line, as far as it matters for reading its output."""

    verb: str | None = None
    resources: tuple[str, ...] = ()
    """In singular lower case: pod, daemonset."""
    name: str | None = None
    namespace: str | None = None
    output: str | None = None
    container: str | None = None

    @property
    def resource(self) -> str | None:
        """The one kind of thing asked for."""
        return self.resources[0] if len(self.resources) == 1 else None

    def named(self, resource: str) -> str | None:
        """The name, where exactly one object of this kind was asked for."""
        return self.name if self.resource == resource else None


def parse_request(artifact: Artifact) -> Request:
    """What was asked; a file's name helps where there is no command."""
    if artifact.command and (found := _PROGRAM.search(artifact.command)):
        return _parse(_WORD.findall(found["arguments"]))
    for shape in _LOG_NAMES if artifact.command else ():
        if log := shape.search(artifact.command or ""):
            return Request("logs", ("pod",), log["pod"], log["namespace"], container=log["container"])
    if not artifact.command and (kept := _POD_FILE.search(artifact.name)):
        return Request(resources=("pod",), name=kept["pod"])
    return Request()


def _parse(words: list[str]) -> Request:
    flags: dict[str, str] = {}
    plain: list[str] = []
    waiting = None
    for word in words:
        if waiting is not None:
            flags[waiting] = word.strip("'\"")
            waiting = None
        elif word == "--":
            break
        elif not word.startswith("-"):
            plain.append(word.strip("'\""))
        else:
            flag, equals, value = _split_flag(word)
            name = _FLAGS_WITH_VALUE.get(flag)
            if name is not None and equals:
                flags[name] = value.strip("'\"")
            elif name is not None:
                waiting = name
    return _request(plain, flags)


def _split_flag(word: str) -> tuple[str, str, str]:
    if glued := _SHORT_GLUED.match(word):
        return f"-{glued['flag']}", "=", glued["value"].removeprefix("=")
    return word.partition("=")


def _request(plain: list[str], flags: dict[str, str]) -> Request:
    while plain and plain[0] not in _VERBS:
        plain = plain[1:]
    if not plain:
        return Request()
    verb, *rest = plain
    namespace, output = flags.get("namespace"), flags.get("output")
    if verb in ("logs", "log", "exec"):
        rest = [rest[0] if "/" in rest[0] else f"pod/{rest[0]}"] if rest else []
    if not rest:
        return Request(verb, ("event",) if verb == "events" else (), None, namespace, output)
    kinds, slash, name = rest[0].partition("/")
    resources = tuple(find_singular(kind) for kind in kinds.split(",") if kind not in ("", "all"))
    names = [name] if slash else rest[1:]
    only = names[0] if len(names) == 1 and _OBJECT_NAME.match(names[0]) else None
    return Request(verb, resources, only, namespace, output, flags.get("container"))
