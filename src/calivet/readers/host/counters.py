"""What etcd, the node exporter and the kernel's network stack count."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.host import ConntrackMetric, EtcdDiskWait, KernelCounter
from calivet.readers.command import Machines
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.search.expressions import expression

# How long etcd waits for its disk, from the histograms among its metrics.
_ETCD_BUCKET = expression(
    r"^etcd_disk_(?P<what>wal_fsync|backend_commit)_duration_seconds_bucket\{(?:[^}]*,)?le=\"(?P<within>[\d.]+|\+Inf)\""
    r"[^}]*\} (?P<count>\d+(?:\.\d+)?(?:e\+?\d{1,2})?)\s*$"
)

Histogram = dict[float, tuple[float, int]]
"""How many took no longer than so many seconds, and the index of the line that says so."""


def _read_etcd_metrics(artifact: Artifact, anchors: list[int]) -> Iterator[EtcdDiskWait]:
    """Each step of a histogram, beside the number of all."""
    for what, counts in _collect_histograms(artifact, anchors).items():
        total, _ = counts.get(float("inf"), (0.0, 0))
        for within, (count, index) in counts.items():
            yield EtcdDiskWait(
                at=artifact.at(index), host=artifact.host, what=what, within=within, count=count, total=total
            )


def _collect_histograms(artifact: Artifact, anchors: list[int]) -> dict[str, Histogram]:
    found: dict[str, Histogram] = {}
    for index in anchors:
        if bucket := _ETCD_BUCKET.match(artifact.lines[index]):
            limit = float(bucket["within"].replace("+Inf", "inf"))
            found.setdefault(bucket["what"], {})[limit] = (float(bucket["count"]), index)
    return found


ETCD_METRICS_READER = read_statements(
    _read_etcd_metrics, anchor=expression(r"^etcd_disk_(?:wal_fsync|backend_commit)_duration_seconds_bucket\{")
)


# Metrics of the node exporter: the connection table.
_CONNTRACK_METRIC = expression(
    r"node_nf_conntrack_entries(?P<limit>_limit)?\{[^}]{0,999}?(?:node|instance|host)=\"(?P<host>[^\":]{1,255}+)"
    r"[^}]{0,999}+\}\s+(?P<value>\d+)"
)
# Metrics are pasted a few at a time; a longer text is something else.
_LONGEST_PASTE = 400


def _read_node_exporter(artifact: Artifact, anchors: list[int]) -> Iterator[ConntrackMetric]:
    for index in anchors:
        if index < _LONGEST_PASTE and (found := _CONNTRACK_METRIC.search(artifact.lines[index])):
            yield ConntrackMetric(
                at=artifact.at(index), host=found["host"], limit=found["limit"] is not None, value=found["value"]
            )


NODE_EXPORTER_READER = read_statements(
    _read_node_exporter, anchor=expression(r"node_nf_conntrack_entries(?:_limit)?\{"), notes=True
)


# Counters of the kernel's network stack (/proc/net/netstat, `nstat`, `netstat -s`): those that a sign asks for.
#
# Segments that were dropped because their signature (RFC 2385) was wrong, missing, or not expected; and packets that
# came another way than the answer would go.
_WANTED = ("TCPMD5Failure", "TCPMD5NotFound", "TCPMD5Unexpected", "IPReversePathFilter")
_NAMES = "|".join(_WANTED)
_TABLE = "TcpExt:"
_ROW = expression(rf"^\s*(?:TcpExt(?P<listed>{_NAMES})\s+|(?P<described>{_NAMES}): ?)(?P<value>\d{{1,20}})\b")


def _read_kernel_counters(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    for index in anchors:
        for name, value in _find_counters(artifact.lines, index):
            reading.facts.append(
                KernelCounter(at=artifact.at(index), host=machines.at(index), name=name, value=int(value))
            )
        reading.claim(index, index + 1)
    return reading


def _find_counters(lines: list[str], index: int) -> list[tuple[str, str]]:
    """One from a row of a tool; the kernel's own table has a line of names above a line of figures."""
    if row := _ROW.match(lines[index]):
        return [(row["listed"] or row["described"], row["value"])]
    figures, names = lines[index].split(), lines[index - 1].split() if index else []
    if figures[0] != _TABLE or names[:1] != [_TABLE] or len(names) != len(figures):
        return []
    return [(name, value) for name, value in zip(names, figures, strict=True) if name in _WANTED and value.isdigit()]


KERNEL_COUNTERS_READER = Reader(
    kind="kernel-counters",
    anchor=expression(rf"^\s*(?:TcpExt: \S|TcpExt(?:TCP|IP)\w+\s+\d|(?:{_NAMES}): ?\d)"),
    read=_read_kernel_counters,
)
