"""What Kubernetes' own parts were started with: address ranges, and the servers of etcd."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.kubernetes import EtcdServers, RangeSetting
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


# The addresses of etcd that the API server was started with.
_ETCD_SERVERS = expression(r"--etcd-servers=(?P<list>\S+)")


def _read_etcd_servers(artifact: Artifact, anchors: list[int]) -> Iterator[EtcdServers]:
    for index in anchors:
        if found := _ETCD_SERVERS.search(artifact.lines[index]):
            yield EtcdServers(at=artifact.at(index), hosts=tuple(find_etcd_hosts(found["list"])))


ETCD_SERVERS_READER = read_statements(_read_etcd_servers, anchor=expression(r"--etcd-servers="), notes=True)
