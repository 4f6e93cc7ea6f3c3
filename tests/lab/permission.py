"""Whether the lab can be built here, and if not, why."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

from tests.lab.machine import APART, ENVIRONMENT, Machine, MachineError

PROGRAMS = ("bird", "birdc", "containerd", "ctr", "ip", "iptables", "nft", "nsenter", "ping", "ss", "unshare")


@dataclass(frozen=True)
class Obstacle:
    """What stands in the way of the lab, in words for the person who runs the tests."""

    reason: str
    excused: bool
    """The machine does not allow it; otherwise something is missing or broken, and in CI that is a failure."""


def obstacle() -> Obstacle | None:
    """The first one, if there is any."""
    if sys.platform != "linux":
        return Obstacle("namespaces are a thing of Linux", excused=True)
    if os.geteuid():
        return Obstacle("only root may make namespaces for the network and for files", excused=True)
    if missing := [name for name in PROGRAMS if not shutil.which(name, path=ENVIRONMENT["PATH"])]:
        return Obstacle(f"{', '.join(missing)} not installed (scripts/test-lab says how)", excused=False)
    trial = subprocess.run(["unshare", *APART, "true"], capture_output=True, text=True, check=False, env=ENVIRONMENT)
    if trial.returncode:
        return Obstacle(f"namespaces are not permitted here: {trial.stderr.strip()}", excused=True)
    try:
        Machine("trial").close()
    except MachineError as broken:
        return Obstacle(" ".join(str(broken).split()), excused=False)
    return None
