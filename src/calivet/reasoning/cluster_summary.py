"""What was looked at, in a line: versions, the kind of installation, and how many nodes."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from calivet.facts.calico import LogSpan
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Version
from calivet.facts.kubernetes import Node
from calivet.facts.platform import find_last_version, find_platform
from calivet.reasoning.diagnosis import ClusterSummary

YEARLESS = 2000
"""Times that are written without a year are dated so."""
_KUBERNETES = ("kubernetes", "kube-apiserver", "kubelet")


def describe_cluster(picture: ClusterFacts) -> ClusterSummary:
    """As far as the evidence tells; empty where it does not."""
    platform, calico = find_platform(picture), find_last_version(picture)
    nodes = {node.name for node in picture.all(Node)}
    first, last = _find_span(picture)
    return ClusterSummary(
        kubernetes=_find_kubernetes(picture),
        calico=f"v{calico.version.removeprefix('v')}" if calico else "",
        installer=platform.answer("installer") or "",
        encapsulation=platform.answer("encapsulation") or "",
        data_plane=platform.answer("data_plane") or "",
        nodes=len(nodes),
        first=first,
        last=last,
    )


def _find_span(picture: ClusterFacts) -> tuple[str, str]:
    """The first and the last time in Calico's logs; those without a year count where no other is dated."""
    told = [time for span in picture.all(LogSpan) for time in (span.first_time, span.last_time) if time]
    dated = [time for time in told if time.year != YEARLESS] or told
    if not dated:
        return "", ""
    ordered = sorted(dated, key=lambda time: time.replace(tzinfo=None) - (time.utcoffset() or timedelta()))
    return ordered[0].isoformat(timespec="seconds"), ordered[-1].isoformat(timespec="seconds")


def _find_kubernetes(picture: ClusterFacts) -> str:
    """The version that most nodes have, else what a program says."""
    told = Counter(node.version for node in picture.all(Node) if node.version)
    if told:
        return str(told.most_common(1)[0][0])
    said = next((one for one in reversed(picture.all(Version)) if one.program in _KUBERNETES), None)
    return f"v{said.version.removeprefix('v')}" if said else ""
