"""The files of the CNI plugin: its configurations, lists of them, and the file with the node's name."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import CniConfig, ListedConfig, NodenameFile, NodenameMissed
from calivet.facts.fact import Fact
from calivet.readers.command import Machines, find_file
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.search.expressions import expression

# CNI configuration files, whole or cut, plain or inside a ConfigMap.
_TOKEN = expression(r'"(?P<text>(?:[^"\\]|\\.)*)"(?P<key>\s*:)?|(?P<mark>[{}\[\]])|(?P<word>[\w.+-]+)')


def walk(text: str) -> Iterator[tuple[tuple[str, ...], str, int]]:
    """Each scalar with the keys that lead to it and the offset behind it; a place in a list has no key.

    Ends with the bracket that closes the first one, which is given as a scalar without keys;
    where the beginning is cut off, nobody knows which bracket that is, and all is walked.
    """
    whole = text.lstrip()[:1] in ("{", "[")
    keys: list[str] = []
    key = ""
    for token in _TOKEN.finditer(text):
        mark = token["mark"]
        if token["key"]:
            key = token["text"]
        elif mark and mark in "{[":
            keys.append(key)
            key = ""
        elif mark and keys:
            keys.pop()
            key = ""
            if whole and not keys:
                yield (), mark, token.end()
                return
        elif not mark:
            path = tuple(part for part in (*keys, key) if part)
            if path:
                yield path, token["text"] or token["word"] or "", token.end()


_PLUGINS = frozenset(
    "calico flannel bridge portmap bandwidth loopback ptp macvlan ipvlan host-device tuning sbr vlan firewall aws-cni "
    "azure-vnet cilium-cni weave-net multus kube-ovn antrea kubenet genie calico-ipam egress-v4-cni".split(),
)
_ANCHOR = expression(rf'^\s*"(?:plugins"\s*:\s*\[|type"\s*:\s*"(?:{"|".join(sorted(_PLUGINS))})")|^.*cniVersion')
_JSON_LINE = expression(r'^\s*(?:[{}\[\]]|"[^"]*"\s*[:,]|"[^"]*"\s*$)')
_ESCAPED = expression(r'"(?:cni_network_config|config)\\?"\s*:\s*\\?"(?P<json>\{.*)')
_FILE_NAME = expression(r"\.(?:conf|conflist)(?:\.txt)?$")
_LONGEST = 200


def _read_configs(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact)
    for index in anchors:
        if index in reading.claimed:
            continue
        start, text = _find_json(artifact.lines, index)
        scalars = list(walk(text))
        values: dict[tuple[str, ...], list[str]] = {}
        for path, value, _ in scalars:
            values.setdefault(path, []).append(value)
        config = _build_config(artifact, start, values, machines.at(start))
        if config:
            reading.claim(start, start + 1 + text.count("\n", 0, scalars[-1][2]))
            reading.facts.append(config)
    return reading


def _find_json(lines: list[str], index: int) -> tuple[int, str]:
    """The JSON around the line from its outermost bracket on, and the index where it begins."""
    if escaped := _ESCAPED.search(lines[index]):
        return index, escaped["json"].replace("\\n", " ").replace('\\"', '"')
    start = best = index
    depth = deepest = 0
    while start >= 0 and index - start < _LONGEST and _JSON_LINE.match(lines[start]):
        depth += lines[start].count("{") - lines[start].count("}")
        if depth > deepest:
            best, deepest = start, depth
        start -= 1
    stop = index + 1
    while stop < min(len(lines), best + _LONGEST) and (_JSON_LINE.match(lines[stop]) or not lines[stop].strip()):
        stop += 1
    return best, "\n".join(lines[best:stop])


def _build_config(
    artifact: Artifact, start: int, values: dict[tuple[str, ...], list[str]], host: str | None
) -> CniConfig | None:
    plugins = values.get(("plugins", "type")) or values.get(("type",)) or []
    if not plugins or not (("cniVersion",) in values or _PLUGINS.intersection(plugins)):
        return None
    datastore = _find_by_last_keys(values, "datastore_type") or (
        "etcdv3" if _find_by_last_keys(values, "etcd_endpoints") else None
    )
    return CniConfig(
        at=artifact.at(start),
        host=host,
        name=_take_first(values.get(("name",))),
        plugins=tuple(plugins),
        ipam=_find_by_last_keys(values, "ipam", "type"),
        pools=tuple(name for path, names in values.items() if path[-2:] == ("ipam", "ipv4_pools") for name in names),
        gives_ipv6=_find_by_last_keys(values, "ipam", "assign_ipv6") == "true",
        datastore=datastore,
        mtu=_find_by_last_keys(values, "mtu"),
        file=_find_config_file(artifact),
    )


def _take_first(found: list[str] | None) -> str | None:
    return found[0] if found else None


def _find_by_last_keys(values: dict[tuple[str, ...], list[str]], *tail: str) -> str | None:
    """The first value whose keys end so, whichever plugin it belongs to."""
    return next((found[0] for path, found in values.items() if path[-len(tail) :] == tail), None)


def _find_config_file(artifact: Artifact) -> str | None:
    named = find_file(artifact, "cni")
    if named or not _FILE_NAME.search(artifact.name):
        return named
    return artifact.name.rpartition("/")[2]


CONFIG_READER = Reader(kind="cni-config", anchor=_ANCHOR, read=_read_configs)


# CNI configurations in the output of several commands at once, where it is hard to take it for a listing.
_LISTS_CONFIGS = expression(r"\bls\b[^|]*cni/net\.d")
_CONFIG_FILE = expression(r"[\w.-]+\.(?:conf|conflist)")


def _read_listing(artifact: Artifact, _: list[int]) -> Iterator[ListedConfig]:
    for index, text in enumerate(artifact.lines[1:], start=1):
        if _CONFIG_FILE.fullmatch(text.strip()):
            yield ListedConfig(at=artifact.at(index), host=artifact.host, name=text.strip())


LISTING_READER = read_statements(_read_listing, command=_LISTS_CONFIGS)


# The file in which calico-node leaves the node's name for the CNI plugin: printed by somebody, or missed.
_READS_NODENAME = expression(r"\b(?:cat|head|more|less)\b.*/var/lib/calico/nodename|nodename\b")
_PRINTS_NODENAME = expression(r"\bcat\s+(?:\S+\s+)*/var/lib/calico/nodename")
_NODE_NAME = expression(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")
_HOST_NAME = expression(r"[A-Za-z0-9][\w.-]*")
_MISSED_NODENAME = "stat /var/lib/calico/nodename: no such file"


def _read_nodename(artifact: Artifact, anchors: list[int]) -> Iterator[Fact]:
    for index in anchors:
        if _MISSED_NODENAME in artifact.lines[index]:
            yield NodenameMissed(at=artifact.at(index), host=artifact.host)
            break
    command = artifact.command or ""
    if artifact.prose or not _READS_NODENAME.search(command):
        return
    lines = [(index, text.strip()) for index, text in enumerate(artifact.lines[1:], start=1)]
    if named := next(((index, text) for index, text in lines if _NODE_NAME.fullmatch(text)), None):
        yield NodenameFile(at=artifact.at(named[0]), host=artifact.host, name=named[1])
    near = ((index, text) for index, text in lines[:2] if _HOST_NAME.fullmatch(text))
    if _PRINTS_NODENAME.search(command) and (shown := next(near, None)):
        yield NodenameFile(at=artifact.at(shown[0]), host=artifact.host, name=shown[1], alone=True)


NODENAME_READER = read_statements(
    _read_nodename,
    anchor=expression(r"stat /var/lib/calico/nodename: no such file"),
    command=expression(r"nodename\b"),
    notes=True,
)
