"""By what the node is told apart: a name that Kubernetes takes, and nothing that another machine has too."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.evidence.expressions import expression
from calivet.facts.host import MachineIdentity, NodeProbe
from calivet.facts.kubernetes import Node
from calivet.preflight.addressing import CARDS, own_addresses
from calivet.preflight.by_signs import fails_by, seen
from calivet.preflight.host import Host
from calivet.preflight.requirement import Requirement, Result, fails, passes, unchecked
from calivet.preflight.unread import NO_CLUSTER, not_read, not_there

_IDENTITY = r"^sha256sum "
_STORED_NAME = r"^cat /var/lib/calico/nodename"
# kubelet and Calico write names small, so capital letters do no harm.
_VALID = expression(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?")
# What machines are called before anybody names them.
_NOBODYS = expression(r"localhost(?:\..*)?|ubuntu|debian|raspberrypi|template")

INVALID = Words("Kubernetes takes no node named {name}", "Kubernetes 不接受名为 {name} 的节点")
NOBODYS = Words("{name} is a name that no machine has to itself", "{name} 不是某台机器独有的名字")
NAME_TAKEN = Words("{name} is a node already, with the address {address}", "已有名为 {name} 的节点，地址为 {address}")
NAME_SHARED = Words("another machine that was probed is named {name} too", "另一台被探测的机器也叫 {name}")
CLONES = Words(
    "this machine and {clone} have one machine-id: they are clones, and DHCP may give them one address",
    "本机与 {clone} 的 machine-id 相同：由同一镜像克隆而来，DHCP 可能给两者分配同一地址",
)
SAME_BOARD = Words(
    "this machine and {clone} have one product_uuid: they are clones, or their maker gave all boards the same",
    "本机与 {clone} 的 product_uuid 相同：可能是克隆的虚拟机，也可能是厂商给所有主板写入了同一个值",
)
NO_OTHER = Words("no other machine was probed", "没有探测其他机器")
STORED_UNKNOWN = Words(
    "the stored name is {stored}, and the machine calls itself {name}; by which it is to be a node is not known",
    "保存的名字是 {stored}，而机器自称 {name}；不知道它将以哪个名字成为节点",
)


def _name(host: Host) -> Result:
    begin, name = host.all(NodeProbe)[0].at, host.name.lower()
    if _NOBODYS.fullmatch(name):
        return fails(NOBODYS, begin, name=name)
    return passes(begin) if _VALID.fullmatch(name) else fails(INVALID, begin, name=name)


def _name_free(host: Host) -> Result:
    begin = host.all(NodeProbe)[0].at
    if any(other.name.lower() == host.name.lower() for other in host.beside):
        return fails(NAME_SHARED, begin, name=host.name)
    if host.cluster is None:
        return unchecked(NO_CLUSTER)
    own = own_addresses(host)
    if not own:
        return not_read(host, CARDS)
    for node in host.cluster.all(Node):
        if node.name == host.name.lower() and node.internal_ip and node.internal_ip not in own:
            return fails(NAME_TAKEN, node.at, name=node.name, address=node.internal_ip)
    return passes(begin)


def _stored_name(host: Host) -> Result:
    line = next(host.lines(_STORED_NAME), None)
    if line is None:
        return not_there(host, _STORED_NAME)
    stored, name = line.text.strip(), host.name.lower()
    if stored == host.node or stored.split(".")[0] == name.split(".")[0]:
        return passes(line)
    for sign in ("nodename-of-another", "nodename-unknown"):
        for sighting in seen(sign, host.together, host):
            return fails_by(sign, sighting)
    return unchecked(STORED_UNKNOWN, line, stored=stored, name=name)


def _machine_id(host: Host) -> Result:
    own = host.all(MachineIdentity)
    if not own:
        return not_read(host, _IDENTITY)
    if not host.beside:
        return unchecked(NO_OTHER)
    others = {(one.name, one.digest): other.name for other in host.beside for one in other.all(MachineIdentity)}
    shared = {one.name: (one.at, clone) for one in own if (clone := others.get((one.name, one.digest)))}
    if found := shared.get("machine-id"):
        return fails(CLONES, found[0], clone=found[1])
    if found := shared.get("product_uuid"):
        return unchecked(SAME_BOARD, found[0], clone=found[1])
    return passes(own[0].at)


REQUIREMENTS = (
    Requirement(
        "node-name",
        Words("Name of the node", "节点名"),
        "hostname-changed-or-dup",
        _name,
    ),
    Requirement(
        "name-free",
        Words("Same name elsewhere", "重名"),
        "hostname-changed-or-dup",
        _name_free,
    ),
    Requirement(
        "stored-name",
        Words("Stored node name", "保存的节点名"),
        "hostname-changed-or-dup",
        _stored_name,
    ),
    Requirement(
        "machine-id",
        Words("Same machine-id elsewhere", "machine-id 重复"),
        "duplicate-node-ip",
        _machine_id,
    ),
)
