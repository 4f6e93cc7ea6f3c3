"""Signs in where packet filter rules stand: the legacy and the nft backend of iptables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.calico import HealthReport
from calivet.facts.host import FirewallRule
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_SAVE = expression(
    r"\bip6?tables(?P<backend>-legacy|-nft)?(?:-save\b|\s+(?:-\S+\s+)*-[nvL])|\bnft\s+(?:-\S+\s+)*list\s+ruleset"
)
_LOOKS_FOR_CALICO = expression(r"grep\b.*\bcali")
_HOST_KIND = expression(r"ip6?tables v1\.\d+\.\d+ \((?P<kind>nf_tables|legacy)\)")
_FELIX_KIND = expression(r'backendMode="(?P<kind>nft|legacy)"')
# Felix says which backend it takes while it starts; there is no need to search a whole log.
_START = 600


def no_rules_where_looked(picture: Picture) -> Iterator[Sighting]:
    """The operator looked for Calico's rules with the host's own tool and found none."""
    for artifact in picture.artifacts:
        command = artifact.command or ""
        if _SAVE.search(command) and _LOOKS_FOR_CALICO.search(command) and "-v" not in command.split("grep")[-1]:
            output = [line.strip() for line in artifact.lines[1:] if line.strip()]
            if not output or output == ["0"]:
                yield _at(artifact, len(artifact.lines) - 1, picture)


def backends_differ(picture: Picture) -> Iterator[Sighting]:
    """Felix works with one backend and the host's iptables with the other."""
    felix = _first(picture, _FELIX_KIND)
    host = _first(picture, _HOST_KIND)
    if felix and host and (felix[1] == "nft") != (host[1] == "nf_tables"):
        artifact, kind, index = felix
        seen = _at(artifact, index, picture)
        yield Sighting(line=seen.line, node=seen.node, order=seen.order, values={"felix": kind, "host": host[1]})


def rules_in_both(picture: Picture) -> Iterator[Sighting]:
    """Rules of Kubernetes or Calico were shown from both backends of one machine."""
    listings = [(artifact, found["backend"]) for artifact in picture.artifacts if (found := _named_backend(artifact))]
    if len({backend for _, backend in listings}) < 2:
        return
    shown: dict[str | None, dict[str, FirewallRule]] = {}
    for artifact, backend in listings:
        for rule in picture.within(artifact, FirewallRule):
            if (rule.chain or "").startswith(("cali-", "KUBE-")):
                shown.setdefault(rule.host, {})[backend] = rule
    for host, backends in shown.items():
        if len(backends) > 1:
            yield Sighting(line=next(iter(backends.values())).at, node=picture.names.node(host) or host)


def loop_timed_out(picture: Picture) -> Iterator[Sighting]:
    """Felix's data plane loop was reported as timed out."""
    for report in picture.all(HealthReport):
        if report.timed_out and (report.component or "") in ("InternalDataplaneMainLoop", "int_dataplane"):
            yield Sighting(line=report.at, node=picture.names.node(report.host))


def _named_backend(artifact: Artifact) -> re.Match[str] | None:
    found = _SAVE.search(artifact.command or "")
    return found if found and found["backend"] else None


def _first(picture: Picture, wanted: re.Pattern[str]) -> tuple[Artifact, str, int] | None:
    for artifact in picture.artifacts:
        for index, text in enumerate(artifact.lines[:_START]):
            if not artifact.prose and (found := wanted.search(text)):
                return artifact, found["kind"], index
    return None


def _at(artifact: Artifact, index: int, picture: Picture) -> Sighting:
    node = picture.names.node(artifact.host) or artifact.host
    return Sighting(line=artifact.at(index), node=node, order=artifact.order)


SIGNS = {
    "no-calico-rules-where-looked": no_rules_where_looked,
    "felix-and-host-backends-differ": backends_differ,
    "rules-in-both-backends": rules_in_both,
    "dataplane-loop-timed-out": loop_timed_out,
}
