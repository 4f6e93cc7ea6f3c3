"""A fleet that was made up: clusters of several versions, causes that are there and that are gone, a name too long."""

from __future__ import annotations

from datetime import date, timedelta

from calivet.contract.fleet import Cause, Hit, Summary

CAUSES = {
    "ip-pool-exhausted": ("The pool has no free address or block", 9),
    "conntrack-full": ("The conntrack table is full", 7),
    "kubelet-swap-on": ("Swap keeps kubelet from starting", 5),
    "wrong-ip-autodetected": ("calico-node picked the address of the wrong interface", 4),
    "etcd-unhealthy": ("etcd is slow or loses its leader", 2),
}
VERSIONS = (("v3.9.6", "v1.17.9"), ("v3.27.3", "v1.29.6"), ("v3.30.4", "v1.33.5"), (None, None))
LONG = "arn:aws:eks:eu-central-1:123456789012:cluster/payments-production-blue-2026-generation-14"


def make_summary() -> Summary:
    """Each cause in its share of the clusters; every third row is over."""
    causes = [make_cause(number, cause, title, hits) for number, (cause, (title, hits)) in enumerate(CAUSES.items())]
    verdicts = {"fault": 9, "healthy": 31, "insufficient": 2}
    return Summary(57, 42, verdicts, causes, [], [], [], "day", [], 0, [])


def make_cause(number: int, cause: str, title: str, hits: int) -> Cause:
    hit = sorted((make_hit(number, row) for row in range(hits)), key=lambda one: not one.now)
    return Cause(cause, title, hits, hits + 2, sum(one.nodes for one in hit), [], [], [], hit)


def make_hit(number: int, row: int) -> Hit:
    name = LONG if (number, row) == (1, 1) else f"prod-{('eu', 'us', 'cn')[row % 3]}-{number + row * 2:02}"
    since = date(2026, 11, 1) - timedelta(days=row * 9 + number)
    calico, kubernetes = VERSIONS[(number + row) % len(VERSIONS)]
    return Hit(
        name,
        since if row % 5 else None,
        since,
        row + 1,
        1234 if row == 0 else row * 3,
        row % 3 != 2,
        calico,
        kubernetes,
    )
