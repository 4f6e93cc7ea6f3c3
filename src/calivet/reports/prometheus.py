"""The answer as metrics, in Prometheus' text format, for a textfile collector. Without times: same in, same out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from calivet import __version__
from calivet.catalogue.words import Words
from calivet.reasoning.diagnosis import FAULT, HEALTHY, INSUFFICIENT, Diagnosis
from calivet.reports.wrapping import shown

_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})

HELP = {
    "calivet_info": Words("The calivet that made this diagnosis.", "做出本次诊断的 calivet。"),
    "calivet_verdict": Words("1 for the verdict that was reached, 0 for the others.", "得出的结论为 1，其余为 0。"),
    "calivet_finding": Words(
        "Confidence of a root cause, for each node it was seen on; no node where it concerns the cluster.",
        "根因的置信度，每个相关节点一条；涉及整个集群时节点为空。",
    ),
    "calivet_candidate": Words(
        "Confidence of a cause that may hold but is too weak to assert.", "尚不能确定的可能原因的置信度。"
    ),
    "calivet_component_ok": Words(
        "1 where a part of the cluster is well, 0 where it is not; absent where it was not seen.",
        "集群组件正常为 1，异常为 0；未见到其状态时不输出。",
    ),
    "calivet_nodes": Words("Nodes whose state was seen, by state.", "已看到状态的节点数，按状态区分。"),
    "calivet_not_seen": Words(
        "Pieces of evidence that would have helped and were missing or could not be read.",
        "缺失或无法读取、本可帮助诊断的证据数。",
    ),
}
"""Every metric, all of them gauges, and what it tells."""


class Sample(Struct, frozen=True):
    """One line: a value and the labels that tell it from the others."""

    value: float
    labels: dict[str, str] = {}


def to_prometheus(diagnosis: Diagnosis, language: str) -> str:
    """All metrics, each with its help and its type."""
    samples = _samples(diagnosis)
    return "".join(line for name in HELP for line in _metric(name, samples[name], language))


def _samples(diagnosis: Diagnosis) -> dict[str, list[Sample]]:
    verdicts = (FAULT, HEALTHY, INSUFFICIENT)
    return {
        "calivet_info": [Sample(1, {"version": __version__})],
        "calivet_verdict": [Sample(diagnosis.verdict == one, {"verdict": one}) for one in verdicts],
        "calivet_finding": [
            Sample(round(finding.confidence, 3), {"cause": finding.cause.id, "node": node})
            for finding in diagnosis.findings
            for node in finding.nodes or [""]
        ],
        "calivet_candidate": [
            Sample(round(candidate.confidence, 3), {"cause": candidate.cause.id}) for candidate in diagnosis.candidates
        ],
        "calivet_component_ok": [
            Sample(part.good, {"component": part.name.en}) for part in diagnosis.components if part.good is not None
        ],
        "calivet_nodes": [
            Sample(len(diagnosis.healthy_nodes), {"state": "healthy"}),
            Sample(len(diagnosis.sick_nodes), {"state": "sick"}),
        ],
        "calivet_not_seen": [Sample(len(diagnosis.not_seen) + len(diagnosis.unreadable))],
    }


def _metric(name: str, samples: Iterable[Sample], language: str) -> Iterator[str]:
    yield f"# HELP {name} {HELP[name].read(language)}\n"
    yield f"# TYPE {name} gauge\n"
    for sample in samples:
        labels = ",".join(f'{key}="{shown(value).translate(_ESCAPES)}"' for key, value in sample.labels.items())
        yield f"{name}{{{labels}}} {sample.value:.15g}\n" if labels else f"{name} {sample.value:.15g}\n"
