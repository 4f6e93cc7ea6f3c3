"""The word that kubectl's STATUS column would show, from a pod's phase and its containers."""

from __future__ import annotations

from calivet.facts.kubernetes import Container


def shown_status(phase: str | None, containers: list[Container]) -> str | None:
    """Init:0/3 and CrashLoopBackOff say more than the phases Pending and Running."""
    starting = [container for container in containers if container.init]
    for done, container in enumerate(starting):
        if container.state == "terminated" and container.exit_code in (0, None) and container.reason != "Error":
            continue
        if container.state is None:
            break
        plain = container.state == "running" or container.reason in (None, "PodInitializing")
        return f"Init:{done}/{len(starting)}" if plain else f"Init:{container.reason}"
    told = (container.reason for container in containers if not container.init and container.state != "running")
    return next((reason for reason in told if reason), None) or phase
