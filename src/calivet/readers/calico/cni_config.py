"""CNI configuration files, whole or cut, plain or inside a ConfigMap."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.calico import CniConfig
from calivet.readers.calico.loose_json import walk
from calivet.readers.command import file_named
from calivet.readers.inside import Machines
from calivet.readers.reader import Reader, Reading

_PLUGINS = frozenset(
    "calico flannel bridge portmap bandwidth loopback ptp macvlan ipvlan host-device tuning sbr vlan firewall aws-cni "
    "azure-vnet cilium-cni weave-net multus kube-ovn antrea kubenet genie calico-ipam egress-v4-cni".split(),
)
_ANCHOR = expression(rf'^\s*"(?:plugins"\s*:\s*\[|type"\s*:\s*"(?:{"|".join(sorted(_PLUGINS))})")|^.*cniVersion')
_JSON_LINE = expression(r'^\s*(?:[{}\[\]]|"[^"]*"\s*[:,]|"[^"]*"\s*$)')
_ESCAPED = expression(r'"(?:cni_network_config|config)\\?"\s*:\s*\\?"(?P<json>\{.*)')
_FILE_NAME = expression(r"\.(?:conf|conflist)(?:\.txt)?$")
_LONGEST = 200


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact)
    for index in anchors:
        if index in reading.claimed:
            continue
        start, text = _text(artifact.lines, index)
        scalars = list(walk(text))
        values: dict[tuple[str, ...], list[str]] = {}
        for path, value, _ in scalars:
            values.setdefault(path, []).append(value)
        config = _config(artifact, start, values, machines.at(start))
        if config:
            reading.claim(start, start + 1 + text.count("\n", 0, scalars[-1][2]))
            reading.facts.append(config)
    return reading


def _text(lines: list[str], index: int) -> tuple[int, str]:
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


def _config(
    artifact: Artifact, start: int, values: dict[tuple[str, ...], list[str]], host: str | None
) -> CniConfig | None:
    plugins = values.get(("plugins", "type")) or values.get(("type",)) or []
    if not plugins or not (("cniVersion",) in values or _PLUGINS.intersection(plugins)):
        return None
    datastore = _last(values, "datastore_type") or ("etcdv3" if _last(values, "etcd_endpoints") else None)
    return CniConfig(
        at=artifact.at(start),
        host=host,
        name=_first(values.get(("name",))),
        plugins=tuple(plugins),
        ipam=_last(values, "ipam", "type"),
        datastore=datastore,
        mtu=_last(values, "mtu"),
        file=_file(artifact),
    )


def _first(found: list[str] | None) -> str | None:
    return found[0] if found else None


def _last(values: dict[tuple[str, ...], list[str]], *tail: str) -> str | None:
    """The first value whose keys end so, whichever plugin it belongs to."""
    return next((found[0] for path, found in values.items() if path[-len(tail) :] == tail), None)


def _file(artifact: Artifact) -> str | None:
    named = file_named(artifact, "cni")
    if named or not _FILE_NAME.search(artifact.name):
        return named
    return artifact.name.rpartition("/")[2]


READER = Reader(kind="cni-config", anchor=_ANCHOR, read=_read)
