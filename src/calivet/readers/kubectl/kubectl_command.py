"""What a kubectl command line asked for: it names the object that cut or filtered output no longer names."""

from __future__ import annotations

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.readers.kubectl.kubectl_resources import singular

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


def request(artifact: Artifact) -> Request:
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
    resources = tuple(singular(kind) for kind in kinds.split(",") if kind not in ("", "all"))
    names = [name] if slash else rest[1:]
    only = names[0] if len(names) == 1 and _OBJECT_NAME.match(names[0]) else None
    return Request(verb, resources, only, namespace, output, flags.get("container"))
