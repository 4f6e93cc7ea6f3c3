"""Commands for the operator to run. Only here do they come to be: calivet's own text, and values that are no more.

Names come from strangers, and a node may be called `$(reboot)` or `--kubeconfig=x`. What a shell or a program could
take for more than a name is not put in: its place stays open, as `<node>`, so that nobody pastes it. A whole command
from a stranger, as in a bundle, is taken apart and made anew; one that calivet would not have named is none.

What runs on a node is written as root's there. From where the operator sits it goes through ssh and sudo, in a loop
where several nodes are concerned; where no node is known, it stands as it is, to be run on the node itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NewType

from calivet.search.expressions import compile_kept, expression

Command = NewType("Command", str)
NO_COMMAND = Command("")
# Only {lower_case} is a place to fill, so that JSON and shell braces in commands stay as they are, and curl's %{code}.
PLACE = expression(r"(?<![%$])\{([a-z][a-z_]*)\}")
# In a command {end} closes a {range} of kubectl's jsonpath.
COMMAND_PLACE = expression(r"(?<![%$])\{(?!end\})([a-z][a-z_]*)\}")
KUBECTL = ("kubectl", "oc", "k3s kubectl", "microk8s kubectl", "k0s kubectl")
# As a program, at the beginning of a command or after what may stand before one.
_KUBECTL = expression(
    r"(?:(?<=^)|(?<=[|;&(`] )|(?<=[(`])|(?<=\n)"
    r"|(?<=\bdo )|(?<=\bif )|(?<=\bthen )|(?<=\belse ))kubectl(?= )"
)
# Their own containerd listens elsewhere, and RKE2 keeps its programs out of the path.
_CLIENTS = {
    "crictl": {
        "rke2": "env CRI_CONFIG_FILE=/var/lib/rancher/rke2/agent/etc/crictl.yaml /var/lib/rancher/rke2/bin/crictl",
        "k3s": "k3s crictl",
        "microk8s": "crictl -r unix:///var/snap/microk8s/common/run/containerd.sock",
    },
    "ctr": {
        "rke2": "/var/lib/rancher/rke2/bin/ctr -a /run/k3s/containerd/containerd.sock",
        "k3s": "k3s ctr",
        "microk8s": "microk8s ctr",
    },
}
_ON_TALOS = (
    (
        expression(r"ssh \{node\} (?:sudo )?systemctl restart \{kubelet_unit\}$"),
        "talosctl -n {node_address} service kubelet restart",
    ),
    (expression(r"ssh \{node\} (?:sudo )?(?:systemctl )?reboot$"), "talosctl -n {node_address} reboot"),
)
LOOKUPS = {
    "pod": "kubectl get pod -n {namespace} -l {selector} --field-selector spec.nodeName={node}"
    " --no-headers -o custom-columns=:.metadata.name",
    "node_address": "kubectl get node {node}"
    " -o jsonpath='{.status.addresses[?(@.type==\"InternalIP\")].address}' | grep -m1 -oE '^[0-9A-Fa-f.:]+'",
    "version": "kubectl -n {namespace} get ds {daemonset}"
    " -o jsonpath='{.spec.template.spec.containers[0].image}' | grep -oE '[0-9][0-9A-Za-z.-]*$'",
    "api_address": "kubectl get endpoints kubernetes -o jsonpath='{.subsets[0].addresses[0].ip}'",
    "api_port": "kubectl get endpoints kubernetes -o jsonpath='{.subsets[0].ports[0].port}'",
    "service_address": "kubectl get service kubernetes -o jsonpath='{.spec.clusterIP}'",
    "typha_address": "kubectl get pods -A -l k8s-app=calico-typha -o jsonpath='{.items[0].status.hostIP}'",
    "pod_range": "kubectl get ippools.{api_group} -o jsonpath='{.items[*].spec.cidr}' | tr -c 0-9A-Fa-f.:/ ,",
    "service_range": "kubectl -n kube-system get pod -l component=kube-apiserver -o yaml"
    " | grep -m1 -o 'service-cluster-ip-range=[0-9A-Fa-f.:,/]*' | cut -d= -f2",
    "node_range": "kubectl get nodes"
    " -o jsonpath='{.items[*].status.addresses[?(@.type==\"InternalIP\")].address}' | tr -c 0-9A-Fa-f.: ,",
    "etcd_endpoints": "kubectl -n {namespace} get cm calico-config -o jsonpath='{.data.etcd_endpoints}'"
    " | grep -m1 -oE '^[0-9A-Za-z][0-9A-Za-z.:/,_-]*'",
    "password_secret": "kubectl get bgppeers.{api_group}"
    " -o jsonpath='{.items[*].spec.password.secretKeyRef.name}' | grep -m1 -oE '^[0-9A-Za-z][0-9A-Za-z._-]*'",
    "password_key": "kubectl get bgppeers.{api_group}"
    " -o jsonpath='{.items[*].spec.password.secretKeyRef.key}' | grep -m1 -oE '^[0-9A-Za-z_][0-9A-Za-z._-]*'",
}
"""Names that a command finds out where the evidence does not hold them.

What is found goes on into commands, and into what a root shell of another machine reads. A kubelet says of its own
address what it likes, and a map may hold anything: what the API server does not check itself is cut to plain letters.
"""
# Stands for a lookup until the text around it is quoted: it is done here, also for a command that runs elsewhere.
_LOOKUP = expression("\ue000([a-z_]+)\ue001")
_OF_NODE = expression(r"(kubectl [^|;&\n]{0,80}\bget pods?\b[^|;&\n]{0,120}) --field-selector spec\.nodeName=\{node\}")
_OF_POD = expression(r"(kubectl (?:-n \{namespace\} )?(?:logs|exec) (?:-n \{namespace\} )?)\{pod\}")
# iptables has options that run programs, so only those that match and judge packets are known.
_RULE_WORD = expression(
    r"!|[\w./:,+][\w./:,+-]*|-[psdiomjgf]|--(?:[sd]ports?|state|ctstate|reject-with|syn|tcp-flags|icmp-type|limit|limit-burst)"
)
_VALUE = expression(r"[\w./:][\w./:@%+,=-]*")
_UPWARDS = expression(r"(?:^|[/=,:])\.\.(?:/|$)")
"""A way out of the folder that a command names."""
_LOGIN_PLACE = expression(r"\bssh \{([a-z_]+)\}")
_MACHINE = expression(r"[A-Za-z0-9_][\w.-]*|[0-9A-Fa-f]{0,4}:[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]*")
"""Whom a command logs in to: a name or an address, and nobody's account."""

LOOKS = {
    "version": "kubectl version",
    "readyz": "kubectl get --raw '/readyz?verbose'",
    "kubelet": "kubectl get --raw '/api/v1/nodes/{node}/proxy/{path}'",
    "api-resources": "kubectl api-resources --api-group={resource} -o name",
    "nodes": "kubectl get nodes -o wide",
    "labels": "kubectl get nodes --show-labels",
    "node": "kubectl get nodes {node} -o yaml",
    "list": "kubectl get {resource} -A -o wide",
    "selected": "kubectl get {resource} -A -o wide --field-selector {selector}",
    "in-namespace": "kubectl get {resource} -n {namespace} -o wide",
    "selected-in-namespace": "kubectl get {resource} -n {namespace} -o wide --field-selector {selector}",
    "object": "kubectl get {resource} -n {namespace} {name} -o yaml",
    "objects": "kubectl get {resource} -o yaml",
    "objects-everywhere": "kubectl get {resource} -A -o yaml",
    "cluster-role": "kubectl get clusterroles {name} -o yaml",
    "count": "kubectl get {resource} --no-headers | wc -l",
    "affinities": (
        "kubectl get {resource} -o custom-columns="
        "NAME:.metadata.name,NODE:.spec.node,STATE:.spec.state,CIDR:.spec.cidr,DELETED:.spec.deleted"
    ),
    "address-use": "calicoctl ipam show --show-blocks",
    "log": "kubectl logs -n {namespace} {pod} -c {container}",
    "log-since": "kubectl logs -n {namespace} {pod} -c {container} --since={seconds}s",
    "log-before": "kubectl logs -n {namespace} {pod} -c {container} --previous",
    "log-before-since": "kubectl logs -n {namespace} {pod} -c {container} --previous --since={seconds}s",
    "login": "ssh {login}",
    "explain": "calivet explain {name}",
    "more-nodes": "calivet --node NAME",
    "more-machines": "calivet --ssh NODE",
}
"""What calivet itself asks a cluster or a machine for, and names where it got no answer."""
_NAME = r"[A-Za-z0-9][A-Za-z0-9._:-]{0,252}"
_SELECTED = r"[A-Za-z.]+!?=[A-Za-z0-9.:]*"
_PLACES = {
    "login": r"(?:ssh://)?[A-Za-z0-9_][A-Za-z0-9_.@:%-]{0,252}",
    "path": r"[a-z]+(?:/[a-z]+)?(?:/\?query=kubelet&tailLines=\d{1,6})?",
    "resource": r"[a-z][a-z0-9.]{0,120}",
    "seconds": r"\d{1,9}",
    "selector": rf"{_SELECTED}(?:,{_SELECTED}){{0,8}}",
}
"""What each place takes; all others take a name."""


class Quoted(str):
    """A value that is safe in a command as it stands: nothing but this file makes one."""

    __slots__ = ()


def quote(value: str) -> Quoted:
    """As one word for a shell."""
    import shlex

    return Quoted(shlex.quote(value))


def quote_words(words: list[str]) -> str:
    """A command line of these words, for a shell to run."""
    return " ".join(map(quote, words))


def quote_rule(arguments: str) -> Quoted | None:
    """The arguments of a rule for iptables; None where a word is not one that a rule of the host would have."""
    words = arguments.split()
    plain = all(_RULE_WORD.fullmatch(word) for word in words)
    return Quoted(" ".join(words)) if plain else None


def quote_json(value: object) -> Quoted:
    """As JSON, for a place that stands in single quotes."""
    import msgspec

    return Quoted(msgspec.json.encode(value).decode().replace("'", r"\u0027"))


def fill(template: str, values: Mapping[str, str], places: re.Pattern[str] = PLACE) -> str:
    """Put the values in; what is not known shows as <name>, so that nobody pastes a command half filled."""
    return places.sub(lambda place: values.get(place[1]) or f"<{place[1]}>", template)


def name_kubectl(program: str) -> Quoted:
    """One of the ways in which kubectl is called, as two words where it is a part of another program."""
    return Quoted(program if program in KUBECTL else KUBECTL[0])


def name_client(program: str, distribution: str | None) -> Quoted:
    """How a client of the container runtime is called on a machine of that distribution."""
    return Quoted(_CLIENTS[program].get(distribution or "", program))


def fill_command(template: str, values: Mapping[str, str]) -> Command:
    """A command of the catalogue with this cluster's names in its places, and kubectl as it is called there."""
    return look_up(fill_names(template, values), values)


def fill_names(template: str, values: Mapping[str, str]) -> str:
    """The same with lookups still to be written in, for `look_up` to do so when all is quoted."""
    logins = set(_LOGIN_PLACE.findall(template))
    safe = {name: value for name, value in keep_safe(values).items() if name not in logins or is_machine(value)}
    marks = {name: f"\ue000{name}\ue001" for name, command in LOOKUPS.items() if _is_possible(command, safe)}
    return fill(_loosen(template, safe), marks | safe, COMMAND_PLACE)


def look_up(text: str, values: Mapping[str, str]) -> Command:
    """With a command for each name that is still to be found out, and kubectl as it is called there."""
    safe = keep_safe(values)
    found = _LOOKUP.sub(lambda mark: f"$({fill(LOOKUPS[mark[1]], safe, COMMAND_PLACE)})", text)
    program = values.get("kubectl", "")
    return Command(_KUBECTL.sub(program, found) if program in KUBECTL[1:] else found)


GAP = expression(r"<([a-z][a-z0-9_-]{0,60})>")
"""What the evidence does not hold and somebody has to fill in."""


def find_gaps(command: str) -> list[str]:
    """What is still open in it, in the order in which it stands there."""
    return list(dict.fromkeys(GAP.findall(command)))


def fill_gaps(command: Command, values: Mapping[str, str]) -> Command:
    """With what the operator says; a value that is more than a name to a shell stays out."""
    safe = keep_safe(values)
    return Command(GAP.sub(lambda gap: safe.get(gap[1], gap[0]), command))


def _is_possible(lookup: str, values: Mapping[str, str]) -> bool:
    return set(COMMAND_PLACE.findall(lookup)) <= values.keys()


def keep_safe(values: Mapping[str, str]) -> dict[str, str]:
    """Those that are no more than a name to a shell."""
    return {name: value for name, value in values.items() if isinstance(value, Quoted) or _is_plain(value)}


def _is_plain(value: str) -> bool:
    return _VALUE.fullmatch(value) is not None and not _UPWARDS.search(value)


def is_machine(value: str) -> bool:
    """Whether a command may log in to it."""
    return _MACHINE.fullmatch(value) is not None


def _loosen(template: str, values: Mapping[str, str]) -> str:
    """Where the node is not known, any or all of them."""
    if "node" in values:
        return template
    listed = _OF_NODE.sub(r"\1", template)
    return listed if "pod" in values else _OF_POD.sub(r"\1ds/{daemonset}", listed)


def build_command(what: str, /, **values: str) -> Command:
    """One of the looks that calivet takes, at these objects."""
    safe = {place: value for place, value in values.items() if _compile_place(place).fullmatch(value)}
    return Command(fill(LOOKS[what], safe))


def recognize_command(text: str) -> Command:
    """What somebody else calls a command, made anew; nothing where calivet does not know it."""
    for name, pattern in _compile_patterns().items():
        if found := pattern.fullmatch(text):
            return build_command(name, **found.groupdict())
    return NO_COMMAND


def ask_talos(command: Command) -> Command:
    """What Talos can be asked for in place of what would be typed on a node, where there is such a thing."""
    for typed, asked in _ON_TALOS:
        command = Command(typed.sub(asked, command))
    return command


@cache
def _compile_place(name: str) -> re.Pattern[str]:
    return compile_kept(_PLACES.get(name, _NAME))


@cache
def _compile_patterns() -> dict[str, re.Pattern[str]]:
    return {name: compile_kept(_build_pattern(template)) for name, template in LOOKS.items()}


def _build_pattern(template: str) -> str:
    """The template as an expression; a place that was left open is kept open."""
    parts = PLACE.split(template)
    return "".join(
        rf"(?P<{part}>{_PLACES.get(part, _NAME)}|<{part}>)" if index % 2 else re.escape(part)
        for index, part in enumerate(parts)
    )


Values = Mapping[str, str]

MOST_NODES = 40
"""More would make a line that nobody reads."""
_REMOTE = expression(r"ssh \{(node|control_plane)\} (?:sudo )?(.+)", re.DOTALL)
_PLAIN = expression(r"[\w ./:=,@%+\ue000\ue001-]+")
_SINGLE = expression(r"'[^']*'")
_DOUBLE = expression(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_ESCAPED = expression(r'\\([$`"\\])')
_EVALUATED_HERE = expression(r"(?<!\\)[$`]")
_SPECIAL = expression(r'([$`"\\])')
# What the plain shell of Debian and Alpine does not know.
_BASH = expression(r"(?:^|[;&|({] ?|\bdo )time \S|\[\[ |/dev/(?:tcp|udp)/|<\(")
_OPERATOR = expression(r"[|;&\n<>'\"]")
# Commands that change what {node} or {pod} names, or keep it in a file of its own; others only look, and then one of
# them is enough.
_CHANGES = expression(
    r"\b(?:kubectl|calicoctl) (?:-n \S+ )?(?:delete|drain|cordon|uncordon|annotate|label|patch|taint)\b"
    r"|\btalosctl -n \{node_address\} service|> ?[\w./-]{0,80}\{node\}"
    r"|\bssh \{node\} [^\n]{0,400}(?:cat > ?/|sed -i|\{crictl\} rmi|images import)"
)
_OF_ONE = {"node", "pod", "node_address"}
# What every node has, known or not.
_OF_EACH = {*_OF_ONE, "kubelet_unit", "runtime_unit", "below_unit"}


def fill_for_nodes(template: str, values: Sequence[Values]) -> Command:
    """The command for each of these nodes, whose values these are; the first ones fill what is the same for all."""
    values = keep_complete(template, values[:MOST_NODES])
    if found := _REMOTE.fullmatch(template):
        script = _unquote(found[2])
        if script is not None:
            return _run_on_nodes(found[1], script, values if found[1] == "node" else values[:1])
    if len(values) > 1 and _list_places(template) & _OF_ONE and _CHANGES.search(template):
        return _join_lines([fill_command(template, each) for each in values])
    return fill_command(template, values[0])


def keep_complete(template: str, values: Sequence[Values]) -> Sequence[Values]:
    """Without nodes on which something was not seen that the command names; the first one has it all."""
    needed = _list_places(template) & values[0].keys() - _OF_EACH
    return [each for each in values if needed <= each.keys()]


def _unquote(words: str) -> str | None:
    """What the shell of the node gets to read; None for a command that goes on here after it."""
    if _SINGLE.fullmatch(words):
        return words[1:-1]
    if _DOUBLE.fullmatch(words) and not _EVALUATED_HERE.search(words):
        return _ESCAPED.sub(r"\1", words[1:-1])
    return None if _OPERATOR.search(words) else words


def _run_on_nodes(place: str, script: str, values: Sequence[Values]) -> Command:
    known = [each for each in values if is_machine(each.get(place, ""))]
    if not known:
        return fill_command(script, values[0])
    if _list_places(script) & _OF_ONE:
        return _join_lines([fill_command(f"ssh {{{place}}} ", each) + _wrap(script, each) for each in known])
    alike: dict[str, list[Values]] = {}
    for each in known:
        alike.setdefault(_wrap(script, each), []).append(each)
    return _join_lines([_run_on_each(place, words, nodes) for words, nodes in alike.items()])


def _run_on_each(place: str, words: str, values: Sequence[Values]) -> Command:
    """The same words on each of these; a service or a rule may be another one elsewhere."""
    if len(values) == 1:
        return Command(fill_command(f"ssh {{{place}}} ", values[0]) + words)
    names = " ".join(fill_command("{node}", each) for each in values)
    return Command(f'for node in {names}; do ssh "$node" {words}; done')


def _join_lines(commands: Sequence[str]) -> Command:
    return Command("\n".join(dict.fromkeys(commands)))


def _list_places(template: str) -> set[str]:
    return set(COMMAND_PLACE.findall(template))


def _wrap(template: str, values: Values) -> str:
    """As the words of ssh after the node: one command as it is, more than that for a shell of root's."""
    script = fill_names(template, values).removeprefix("sudo ")
    if _PLAIN.fullmatch(script):
        return look_up(f"sudo {script}", values)
    inner = script.replace("'", r"'\''")
    escaped = _SPECIAL.sub(r"\\\1", inner)
    shell = "bash" if _BASH.search(script) else "sh"
    return look_up(f"\"sudo {shell} -c '{escaped}'\"", values)
