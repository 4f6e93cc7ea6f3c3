"""The answer as metrics, in Prometheus' text format, for a textfile collector. Without times: same in, same out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from calivet import __version__
from calivet.messages.message import say
from calivet.reasoning.diagnosis import FAULT, HEALTHY, INSUFFICIENT, ClusterSummary, Diagnosis
from calivet.reports.layout.wrapping import clean_line

_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


class Sample(Struct, frozen=True):
    """One line: a value and the labels that tell it from the others."""

    value: float
    labels: dict[str, str] = {}


def to_prometheus(diagnosis: Diagnosis, language: str) -> str:
    """All metrics, each with its help and its type."""
    metrics = _collect_samples(diagnosis).items()
    cluster = diagnosis.cluster.context or diagnosis.cluster.server
    common = {"cluster": cluster} if cluster else {}
    return "".join(line for name, samples in metrics for line in write_metric(name, samples, common, language))


def _describe_versions(cluster: ClusterSummary) -> dict[str, str]:
    """What was looked at; not when, for then every run would begin new series."""
    told = {"server": cluster.server, "kubernetes": cluster.kubernetes, "calico": cluster.calico}
    return {name: value for name, value in told.items() if value}


def _collect_samples(diagnosis: Diagnosis) -> dict[str, list[Sample]]:
    """Every metric, all of them gauges."""
    verdicts = (FAULT, HEALTHY, INSUFFICIENT)
    return {
        "calivet_info": [Sample(1, {"version": __version__} | _describe_versions(diagnosis.cluster))],
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


def write_metric(name: str, samples: Iterable[Sample], common: dict[str, str], language: str) -> Iterator[str]:
    """One metric with its help and its type.

    Every sample has the common labels: they tell the clusters apart that one server scrapes.
    """
    yield f"# HELP {name} {say(f'prometheus.{name}', language)}\n"
    yield f"# TYPE {name} gauge\n"
    for sample in samples:
        labels = ",".join(
            f'{key}="{clean_line(value).translate(_ESCAPES)}"' for key, value in (common | sample.labels).items()
        )
        yield f"{name}{{{labels}}} {sample.value:.15g}\n" if labels else f"{name} {sample.value:.15g}\n"
