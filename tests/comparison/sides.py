"""Diagnoses to compare, made of what is compared."""

from __future__ import annotations

from hypothesis import strategies as st

from calivet.contract.diagnosis import Candidate, Component, Document, Finding, Nodes

CAUSES = ("kubelet-swap-on", "bgp-port-blocked", "mtu-mismatch", "node-overload")
NODES = ("birch-1", "birch-2", "birch-3")
PARTS = ("nodes", "calico-node", "BGP")


def side(
    *findings: Finding,
    verdict: str = "",
    candidates: dict[str, float] | None = None,
    components: dict[str, bool | None] | None = None,
    sick: tuple[str, ...] = (),
    healthy: tuple[str, ...] = (),
) -> Document:
    """A diagnosis; its verdict follows from its findings where it is not given."""
    told = verdict or ("fault" if findings else "insufficient")
    return Document(
        schema=1,
        calivet="0.1.0",
        verdict=told,  # type: ignore[arg-type]
        findings=list(findings),
        candidates=[Candidate(cause, sure) for cause, sure in (candidates or {}).items()],
        components=[Component(name, good, "as seen", name) for name, good in (components or {}).items()],
        nodes=Nodes(list(sick), list(healthy)),
    )


def found(cause: str, *nodes: str, confidence: float = 0.9, consequences: tuple[str, ...] = ()) -> Finding:
    """A finding."""
    return Finding(cause, confidence, list(nodes), f"title of {cause}", consequences=list(consequences))


SURE = st.integers(0, 20).map(lambda step: step / 20)
NAMES = st.lists(st.sampled_from(NODES), unique=True, max_size=3)


@st.composite
def sides(draw: st.DrawFn) -> Document:
    """Any diagnosis that keeps to the contract."""
    roots = draw(st.lists(st.sampled_from(CAUSES), unique=True, max_size=3))
    others = draw(st.lists(st.sampled_from(CAUSES), unique=True, max_size=3))
    findings = [found(cause, *draw(NAMES), confidence=draw(SURE)) for cause in roots]
    sick = draw(NAMES)
    return side(
        *findings,
        verdict="fault" if findings else draw(st.sampled_from(["healthy", "insufficient"])),
        candidates={cause: draw(SURE) for cause in others if cause not in roots},
        components={name: draw(st.sampled_from([True, False, None])) for name in draw(st.sets(st.sampled_from(PARTS)))},
        sick=tuple(sick),
        healthy=tuple(node for node in NODES if node not in sick and draw(st.booleans())),
    )
