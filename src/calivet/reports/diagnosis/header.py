"""What was looked at, in a line at the head of every report: which cluster, its versions, its nodes, and when."""

from __future__ import annotations

from datetime import UTC, datetime

from calivet.evidence.archives.member_names import make_printable
from calivet.reasoning.diagnosis import ClusterSummary
from calivet.reports.layout.wording import add_remarks, label

_NAMES = {"ipip": "IPIP", "vxlan": "VXLAN", "ebpf": "eBPF"}
_YEARLESS = 2000
"""The year of times that are written without one."""


def describe_header(cluster: ClusterSummary, language: str) -> str:
    """Empty where nothing tells one cluster from another."""
    return " · ".join(list_header(cluster, language))


def list_header(cluster: ClusterSummary, language: str) -> list[str]:
    """Its parts; none is to be broken."""
    parts = (
        _name_cluster(cluster, language),
        f"Kubernetes {cluster.kubernetes}" if cluster.kubernetes else "",
        _describe_calico(cluster, language),
        label("cluster.nodes", language, count=cluster.nodes) if cluster.nodes > 1 else "",
        describe_time(cluster),
    )
    is_known = cluster.context or cluster.server or cluster.kubernetes or cluster.calico
    return [make_printable(part) for part in parts if part] if is_known else []


def _name_cluster(cluster: ClusterSummary, language: str) -> str:
    if not cluster.context:
        return cluster.server
    return add_remarks(cluster.context, [cluster.server] if cluster.server else [], language)


def _describe_calico(cluster: ClusterSummary, language: str) -> str:
    if not cluster.calico:
        return ""
    encapsulation = cluster.encapsulation
    if encapsulation in ("none", "mixed"):
        encapsulation = label(f"encapsulation.{encapsulation}", language)
    kinds = [_NAMES.get(kind, kind) for kind in (cluster.installer, encapsulation, cluster.data_plane) if kind]
    return add_remarks(f"Calico {cluster.calico}", kinds, language)


def describe_time(cluster: ClusterSummary) -> str:
    """When the evidence was taken, or else the span that its logs cover."""
    taken = _read_time(cluster.taken)
    if taken:
        return _format_day(taken) + " " + _format_clock(taken)
    first, last = _read_time(cluster.first), _read_time(cluster.last)
    if not first or not last:
        return ""
    begins = f"{_format_day(first)} {first:%H:%M}"
    if begins == f"{_format_day(last)} {last:%H:%M}":
        return f"{_format_day(last)} {_format_clock(last)}"
    ends = _format_clock(last) if first.date() == last.date() else f"{_format_day(last)} {_format_clock(last)}"
    return f"{begins} – {ends}"


def _read_time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time.astimezone(UTC) if time.tzinfo else time


def _format_day(time: datetime) -> str:
    return f"{time:%m-%d}" if time.year == _YEARLESS else f"{time:%Y-%m-%d}"


def _format_clock(time: datetime) -> str:
    """Times that do not tell their zone are not given one."""
    return f"{time:%H:%M} UTC" if time.tzinfo else f"{time:%H:%M}"
