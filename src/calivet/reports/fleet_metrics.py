"""What a fleet's tables tell, as metrics in Prometheus' text format: which clusters have which cause now."""

from __future__ import annotations

from calivet.contract.fleet import Summary
from calivet.reports.diagnosis.prometheus import Sample, write_metric


def to_fleet_metrics(summary: Summary, language: str) -> str:
    """All of them gauges; what a cluster had once is no sample."""
    now = [(cause.cause, one) for cause in summary.causes for one in cause.hit if one.now]
    counts = {cause.cause: sum(one.now for one in cause.hit) for cause in summary.causes}
    metrics = {
        "calivet_fleet_clusters": [Sample(count, {"verdict": one}) for one, count in summary.verdicts.items()],
        "calivet_fleet_cause_clusters": [Sample(count, {"cause": cause}) for cause, count in counts.items()],
        "calivet_fleet_cause_nodes": [
            Sample(one.nodes, {"cluster": one.cluster, "cause": cause}) for cause, one in now
        ],
        "calivet_fleet_failed": [Sample(len(summary.failed))],
    }
    return "".join(line for name, samples in metrics.items() for line in write_metric(name, samples, {}, language))
