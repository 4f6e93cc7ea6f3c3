"""A container and its probes as `kubectl describe` shows them."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact, Line
from calivet.evidence.expressions import expression
from calivet.facts.kubernetes import Container, Probe
from calivet.facts.times import parse_age, parse_time
from calivet.readers.kubectl.tree import Branch, Path

# These run before the pod's own containers wherever they occur, so a fragment needs no head to tell.
_ALWAYS_FIRST = {"upgrade-ipam", "flexvol-driver", "mount-bpffs", "ebpf-bootstrap", "hostpath-init"}

# What a waiting container says while the true reason stands elsewhere.
_HOLLOW_REASONS = {None, "PodInitializing", "ContainerCreating", "CrashLoopBackOff"}

_PROBE = expression(r"^(?P<action>exec|http-get|tcp-socket|grpc)\s+(?P<target>\S.*)$")
_ACTIONS = {"exec": "exec", "http-get": "http", "tcp-socket": "tcp", "grpc": "grpc"}
_SETTING = expression(r"#?(\w+)=(\S+)")


def container_fact(artifact: Artifact, path: Path, branch: Branch, pod: str | None, node: str | None) -> Container:
    """The container at this path; a fragment without its head has no name."""
    name = str(path[-1]) if path and isinstance(path[-1], str) else ""
    ready = branch.text("Ready")
    return Container(
        at=artifact.at(_telling_line(branch)),
        host=node,
        name=name,
        pod=pod,
        init="Init Containers" in path or name in _ALWAYS_FIRST,
        image=branch.text("Image"),
        state=_lower(branch.text("State")),
        reason=branch.text("State", "Reason"),
        message=branch.text("State", "Message") or branch.text("Last State", "Message"),
        exit_code=branch.number("State", "Exit Code"),
        started=parse_time(branch.text("State", "Started") or ""),
        finished=parse_time(branch.text("State", "Finished") or ""),
        last_state=_lower(branch.text("Last State")),
        last_reason=branch.text("Last State", "Reason"),
        last_exit_code=branch.number("Last State", "Exit Code"),
        last_started=parse_time(branch.text("Last State", "Started") or ""),
        last_finished=parse_time(branch.text("Last State", "Finished") or ""),
        ready=ready == "True" if ready else None,
        restarts=branch.number("Restart Count"),
        memory_limit=branch.text("Limits", "memory"),
        cpu_limit=branch.text("Limits", "cpu"),
    )


def probe_fact(kind: str, text: str, at: Line, container: Container) -> Probe | None:
    """The probe that a line such as `exec [/bin/x -y] delay=10s timeout=1s period=10s #success=1 #failure=6` states."""
    what, _, how = text.partition(" delay=")
    found = _PROBE.match(what.strip())
    if not found:
        return None
    settings = dict(_SETTING.findall(f"delay={how}"))
    failures = settings.get("failure", "")
    return Probe(
        at=at,
        host=container.host,
        kind=kind,
        action=_ACTIONS[found["action"]],
        target=found["target"].strip("[]") if found["action"] == "exec" else found["target"],
        pod=container.pod,
        container=container.name or None,
        delay=parse_age(settings.get("delay", "")),
        timeout=parse_age(settings.get("timeout", "")),
        period=parse_age(settings.get("period", "")),
        failures=int(failures) if failures.isdecimal() else None,
    )


def _telling_line(branch: Branch) -> int:
    """The line that says most about the container's trouble."""
    reason = branch.at("State", "Reason")
    told = [
        reason if reason and reason.value not in _HOLLOW_REASONS else None,
        branch.at("Last State", "Exit Code"),
        branch.at("Last State"),
        branch.at("State"),
    ]
    return next((line.index for line in told if line), branch.index)


def _lower(text: str | None) -> str | None:
    return text.lower() if text else None
