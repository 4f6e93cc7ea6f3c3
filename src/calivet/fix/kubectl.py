"""A call of kubectl: whether it only reads, and if not, which objects it wants to be what.

kubectl itself never changes anything here. It reads, and with `--dry-run=server` it works out what an object would
become; the change is then made by `changes.py`, which saves and writes the journal first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct

from calivet.fix.commands import does_change
from calivet.fix.objects import Discovery, Ref, Tree, apply_patch
from calivet.live.changing import MANAGER
from calivet.messages.message import MessageError, message

READS = frozenset(
    "get describe logs top version api-resources api-versions diff explain auth cluster-info events exec".split()
)
WAITS = frozenset({"wait", "rollout status"})
DRY_RUNS = frozenset(
    {"patch", "annotate", "label", "set env", "set resources", "set image", "scale", "create", "apply"}
)
_WITH_VALUE = frozenset(
    "-n --namespace -l --selector --field-selector -o --output -p --patch --type -f --filename -c --containers"
    " --container --timeout --grace-period --resource-name --tail --since --subresource".split()
)
_KNOWN_OPTIONS = frozenset(
    "--namespace --all-namespaces --output --patch --type --container --containers --selector --filename"
    " --field-selector --tail --ignore-daemonsets --delete-emptydir-data --overwrite --prefix --no-headers"
    " --from-literal --from-file --raw --previous --server-side --force-conflicts --field-manager --sort-by --since"
    " --clusterrole --role --replicas --show-labels --ignore-not-found --timeout --verb --serviceaccount --api-group"
    " --limits --requests --resource --resource-name --group --all --for --wait --grace-period --force --now --cascade"
    " --subresource --dry-run --as --show-kind --list --limit --current-replicas --recursive".split()
)
_KNOWN_LETTERS = frozenset("nopclfAL")
"""What kubectl is given. None of it names another cluster, another user, a file to write or a server to send to."""
_TRIES = frozenset({"--dry-run=client", "--dry-run=server"})
_ONLY_DELETE = ("--wait", "--grace-period", "--timeout", "--force", "--now", "--cascade")
RESTARTED = "kubectl.kubernetes.io/restartedAt"


class KubectlError(MessageError):
    """A call that calivet does not make, or that failed."""


class Call(Struct, frozen=True):
    """What kubectl ended with."""

    code: int
    out: bytes
    errors: str


Kubectl = Callable[[Sequence[str], bytes], Call]


class Wanted(Struct, frozen=True):
    """An object, and what is to become of it: another state, gone, or moved off its node."""

    verb: str
    """write, delete or evict."""
    ref: Ref
    after: Tree | None = None


def find_verb(arguments: Sequence[str]) -> str:
    """`patch`, `rollout restart`, `set env`; empty where there is none."""
    words = list(_list_words(arguments))
    if words[:1] in (["rollout"], ["set"], ["certificate"]):
        return " ".join(words[:2])
    return words[0] if words else ""


def is_reading(arguments: Sequence[str]) -> bool:
    """Whether the call changes nothing."""
    words = list(_list_words(arguments))
    if words[:1] == ["auth"]:
        return words[1:2] in (["can-i"], ["whoami"])
    if words[:1] == ["exec"]:
        return "--" in arguments and not does_change(" ".join(arguments[list(arguments).index("--") :]))
    return any(word in _TRIES for word in arguments) or find_verb(arguments) in READS


def check_options(arguments: Sequence[str]) -> None:
    """Words that a lookup has found may look like options: only those that commands of the catalogue use pass."""
    words = list(arguments)
    verb = find_verb(words)
    own = words[: words.index("--")] if "--" in words else words
    for place, word in enumerate(own):
        if not word.startswith("-") or word == "-" or (place and own[place - 1] in _WITH_VALUE):
            continue
        name = word.partition("=")[0]
        known = name in _KNOWN_OPTIONS if word.startswith("--") else word[1] in _KNOWN_LETTERS
        misused = (name == "--raw" and verb != "get") or (name == "--as" and verb != "auth")
        if not known or misused:
            raise KubectlError(message("fix.kubectl.option", option=name))


def find_wanted(arguments: Sequence[str], given: bytes, kubectl: Kubectl, discovery: Discovery) -> list[Wanted]:
    """The objects that the call would change."""
    verb = find_verb(arguments)
    if verb in DRY_RUNS:
        manager = [] if verb == "scale" else [f"--field-manager={MANAGER}"]  # which it does not know
        extra = ["--dry-run=server", *manager, "-o", "json"]
        trees = _run(kubectl, [*arguments, *extra], given)
        return [Wanted("write", discovery.find_ref(tree), tree) for tree in trees]
    if verb == "delete":
        kept = [word for word in arguments if not word.startswith(_ONLY_DELETE)]
        trees = _run(kubectl, [*_replace_verb(kept, "delete", "get"), "-o", "json"], b"")
        return [Wanted("delete", discovery.find_ref(tree)) for tree in trees]
    if verb == "rollout restart":
        chosen = _replace_verb([word for word in arguments if word != "restart"], "rollout", "get")
        trees = _run(kubectl, [*chosen, "-o", "json"], b"")
        return [Wanted("write", discovery.find_ref(tree), _restart(tree)) for tree in trees]
    if verb in ("cordon", "uncordon", "drain"):
        return list(_find_on_node(verb, arguments, kubectl, discovery))
    raise KubectlError(message("fix.kubectl.unknown", verb=verb or "-"))


def _find_on_node(verb: str, arguments: Sequence[str], kubectl: Kubectl, discovery: Discovery) -> Iterator[Wanted]:
    """Closes a node or opens it; a drain evicts what is not bound to it."""
    node = list(_list_words(arguments))[1]
    (tree,) = _run(kubectl, ["get", "node", node, "-o", "json"], b"")
    closed: Any = None if verb == "uncordon" else True
    yield Wanted("write", discovery.find_ref(tree), apply_patch(tree, {"spec": {"unschedulable": closed}}))
    if verb == "drain":
        pods = _run(kubectl, ["get", "pods", "-A", "--field-selector", f"spec.nodeName={node}", "-o", "json"], b"")
        yield from (Wanted("evict", discovery.find_ref(pod)) for pod in pods if not _is_bound(pod))


def _is_bound(pod: Tree) -> bool:
    """Of a DaemonSet, a static pod, or over already: a drain leaves it."""
    head = pod["metadata"]
    owners = {owner["kind"] for owner in head.get("ownerReferences", ())}
    static = "kubernetes.io/config.mirror" in head.get("annotations", {})
    return "DaemonSet" in owners or static or pod.get("status", {}).get("phase") in ("Succeeded", "Failed")


def _restart(tree: Tree) -> Tree:
    moment = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return apply_patch(tree, {"spec": {"template": {"metadata": {"annotations": {RESTARTED: moment}}}}})


def _run(kubectl: Kubectl, arguments: Sequence[str], given: bytes) -> list[Tree]:
    call = kubectl(arguments, given)
    if call.code:
        raise KubectlError(message("fix.kubectl.failed", why=call.errors.strip()[-400:]))
    return list(_split_trees(call.out))


def _split_trees(out: bytes) -> Iterator[Tree]:
    """The objects that were printed: one, a list, or several after one another."""
    import json

    decoder, text = json.JSONDecoder(), out.decode().strip()
    while text:
        tree, end = decoder.raw_decode(text)
        text = text[end:].strip()
        if str(tree.get("kind", "")).endswith("List") and "items" in tree:
            yield from ({"apiVersion": "v1", **item} for item in tree["items"])
        else:
            yield tree


def _replace_verb(arguments: Sequence[str], verb: str, other: str) -> list[str]:
    place = list(arguments).index(verb)
    return [*arguments[:place], other, *arguments[place + 1 :]]


def _list_words(arguments: Sequence[str]) -> Iterator[str]:
    """The words that are neither options nor their values."""
    skip = False
    for word in arguments:
        if skip:
            skip = False
        elif word in _WITH_VALUE:
            skip = True
        elif not word.startswith("-") or word == "-":
            yield word


def encode_wanted(found: Sequence[Wanted]) -> bytes:
    """What kubectl would have said of them."""
    said = {"write": "patched", "delete": "deleted", "evict": "evicted"}
    lines = [
        f"{one.ref.resource}{'.' + one.ref.group if one.ref.group else ''}/{one.ref.name} {said[one.verb]}\n"
        for one in found
    ]
    return "".join(lines).encode()


def decode_tree(text: bytes) -> Tree:
    """An object."""
    tree: Tree = msgspec.json.decode(text)
    return tree
