"""Address ranges, as Kubernetes' own parts were given them or as an author tells them, and the servers of etcd."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.kubernetes import EtcdServers, RangeSetting, StatedRange
from calivet.facts.vocabulary.identifiers import find_etcd_hosts
from calivet.readers.reader import read_statements
from calivet.search.expressions import expression

# Address ranges that Kubernetes' own parts were given, in a file, on a command line or in a note. `cluster-cidr: X`,
# `--pod-network-cidr=X`, `"podSubnet": "X,Y"`.
_RANGE_FLAG = expression(
    r"(?P<key>(?:pod-network|cluster|service)-cidr|(?:pod|service)Subnet|clusterCIDR|service-cluster-ip-range"
    r"|cidrBlocks|kube_pods_subnet|kube_service_addresses)[\"']?\s{0,4}[:=]\s{0,4}[\[\"']{0,3}"
    r"(?P<ranges>[0-9a-f.:]+/\d{1,3}(?:\s?,\s?[0-9a-f.:]+/\d{1,3})*)",
    re.IGNORECASE,
)
_WHOSE_FLAG = {"clustercidr": "kube-proxy", "podsubnet": "kubeadm", "pod-network-cidr": "kubeadm"}
# Configuration is short; a long artifact is a log.
_LONGEST_CONFIG = 400


def _read_ranges(artifact: Artifact, anchors: list[int]) -> Iterator[RangeSetting]:
    for index in anchors if len(artifact.lines) <= _LONGEST_CONFIG else ():
        for found in _RANGE_FLAG.finditer(artifact.lines[index]):
            key = found["key"].lower()
            if key == "cidrblocks":
                key = "service" if "service" in artifact.lines[max(index - 1, 0)].lower() else "pods"
            for written in found["ranges"].split(","):
                yield RangeSetting(
                    at=artifact.at(index),
                    cidr=written,
                    services=key.startswith(("service", "kube_service")),
                    who=_WHOSE_FLAG.get(key, "Kubernetes"),
                )


RANGES_READER = read_statements(
    _read_ranges,
    anchor=expression(
        r"(?:[Cc][Ii][Dd][Rr]|[Ss]ubnet|SUBNET|service-cluster-ip-range|kube_service_addresses|[Cc]idrBlocks).*/\d"
    ),
    notes=True,
)


# "our nodes are in 192.168.1.0/24", "pod 网段是 192.168.0.0/16": the range stands behind whose it is, in one clause.
_CLAUSE = expression(r"[^,，、。;；()（）\n]+?(?=[,，、。;；()（）\n]|\.\s|\.$|\s(?:and|but|while|whereas)\s|而|$)")
_PODS = expression(r"(?<![a-z])(?:pods?|containers?|ip ?pools?|calico(?:'s)?)(?![a-z-])|容器|地址池", re.IGNORECASE)
_MACHINES = expression(
    r"(?<![a-z])(?:nodes?|hosts?|machines?|vms?|servers?|lan|(?:home|office|physical|local) network)(?![a-z-])"
    r"|节点|主机|服务器|物理机|机器|虚拟机|局域网|内网|办公网",
    re.IGNORECASE,
)
_RANGE = expression(r"(?<![\d./])(?P<cidr>(?:\d{1,3}\.){3}(?:\d{1,3}/(?:[89]|[12]\d|3[0-2])|[xX*]))(?![\w/]|\.\d)")
_IN_RANGE = expression(
    r"网|段|子网|地址|cidr|subnet|range|network|pool|\b(?:are|is|in|on|use[sd]?|live)\b|是|用|在", re.IGNORECASE
)
# What is denied, wished, asked or an example, and what a node was given for its pods, says nothing of what is.
_NOT_SAID = expression(
    r"不|没|未|无|避免|确保|应|如果|假如|例如|比如|分配|每个节点|各节点|[?？吗]|路由"
    r"|\b(?:not|no|never|n't|should|must|ensure|make sure|avoid|if|e\.g|example|each|every|per|assign\w*|alloc\w*"
    r"|block|route\w*|via|dev)\b|n't\b",
    re.IGNORECASE,
)


def _read_stated_ranges(artifact: Artifact, anchors: list[int]) -> Iterator[StatedRange]:
    for index in anchors if artifact.prose else ():
        for clause in _CLAUSE.finditer(artifact.lines[index]):
            found = _RANGE.search(clause[0])
            before = clause[0][: found.start()] if found else ""
            whose = bool(_PODS.search(before)), bool(_MACHINES.search(before))
            if found and any(whose) and not all(whose) and _IN_RANGE.search(before) and not _NOT_SAID.search(clause[0]):
                cidr = found["cidr"]
                written = cidr if "/" in cidr else f"{cidr[:-1]}0/24"
                yield StatedRange(at=artifact.at(index), cidr=written, of_pods=whose[0])


STATED_RANGES_READER = read_statements(
    _read_stated_ranges, anchor=expression(r"(?:\d{1,3}\.){3}(?:\d{1,3}/\d|[xX*])"), notes=True
)


# The addresses of etcd that the API server was started with.
_ETCD_SERVERS = expression(r"--etcd-servers=(?P<list>\S+)")


def _read_etcd_servers(artifact: Artifact, anchors: list[int]) -> Iterator[EtcdServers]:
    for index in anchors:
        if found := _ETCD_SERVERS.search(artifact.lines[index]):
            yield EtcdServers(at=artifact.at(index), hosts=tuple(find_etcd_hosts(found["list"])))


ETCD_SERVERS_READER = read_statements(_read_etcd_servers, anchor=expression(r"--etcd-servers="), notes=True)
