"""A probe as YAML or JSON writes it."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.kubernetes import Probe
from calivet.readers.kubectl.tree import Branch


def probe_fact(
    kind: str, probe: Branch, at: Line, *, container: str | None, pod: str | None, host: str | None
) -> Probe | None:
    """The probe, in the words of kubectl describe; None where its action was cut off."""
    action = _action(probe)
    if action is None:
        return None
    return Probe(
        at=at,
        host=host,
        kind=kind,
        action=action[0],
        target=action[1],
        pod=pod,
        container=container,
        delay=_seconds(probe, "initialDelaySeconds"),
        timeout=_seconds(probe, "timeoutSeconds"),
        period=_seconds(probe, "periodSeconds"),
        failures=probe.number("failureThreshold"),
    )


def _action(probe: Branch) -> tuple[str, str] | None:
    if probe.at("exec"):
        return "exec", " ".join(str(word.value) for word in probe.below("exec", "command"))
    if get := probe.at("httpGet"):
        scheme = (get.text("scheme") or "HTTP").lower()
        return "http", f"{scheme}://{get.text('host') or ''}:{get.text('port') or ''}{get.text('path') or ''}"
    if socket := probe.at("tcpSocket"):
        return "tcp", f"{socket.text('host') or ''}:{socket.text('port') or ''}"
    return ("grpc", f":{probe.text('grpc', 'port') or ''}") if probe.at("grpc") else None


def _seconds(probe: Branch, key: str) -> float | None:
    number = probe.number(key)
    return None if number is None else float(number)
