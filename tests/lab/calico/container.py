"""A container on a machine of the lab: one process with its own root and the machine's network; its lines are kept with their time."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from tests.e2e.bed.container_log import ContainerLog
from tests.lab.machine import Machine
from tests.lab.waiting import until

FIRST_PROCESS = Path(__file__).with_name("container.sh")
CGROUPS = Path("/sys/fs/cgroup/unified"), Path("/sys/fs/cgroup")
PATH = "/opt/cni/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
IMAGE = {"PATH": PATH, "HOME": "/root", "SVDIR": "/etc/service/enabled"}
"""What the images themselves set."""


class Mount(Struct, frozen=True):
    """A folder or file of the machine, and where the container sees it."""

    source: str
    target: str
    writable: bool = True


class Ended(Struct, frozen=True):
    """How a command in a container ended, and what it printed."""

    code: int
    output: str


class Container:
    """Runs from its making until its command ends or it is killed."""

    def __init__(
        self,
        machine: Machine,
        key: str,
        image: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        mounts: Sequence[Mount],
        cgroup: str,
        log: Path,
    ) -> None:
        self.id = os.urandom(32).hex()
        self.log = ContainerLog()
        self.started = datetime.now(UTC)
        listing = f"/run/containers/{key}.mounts"
        machine.write(listing, "".join(f"{m.source} {m.target} {'rw' if m.writable else 'ro'}\n" for m in mounts))
        machine.write("/run/containers/first.sh", FIRST_PROCESS.read_text("utf-8"))
        enter = ["nsenter", "--target", str(machine.pid), "--all", "--root", "--wd"]
        apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
        start = ["sh", "/run/containers/first.sh", f"{key}-{self.id[:6]}", image, listing, *command]
        self._process = subprocess.Popen(
            [*enter, *apart, *start],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=IMAGE | {"HOSTNAME": machine.run("hostname").strip()} | dict(environment),
            start_new_session=True,
            preexec_fn=lambda: _join(cgroup),  # noqa: PLW1509 - one write to a file, nothing that could hang
        )
        self._reading = threading.Thread(target=self._read, args=(log,), daemon=True)
        self._reading.start()

    @property
    def code(self) -> int | None:
        """How it ended, or None while it runs."""
        return self._process.poll()

    @property
    def first(self) -> int | None:
        """Its first process, as the tests' own machine counts: nsenter's child is unshare, and that one's child is it."""
        found = self._process.pid
        for _ in range(2):
            children = Path(f"/proc/{found}/task/{found}/children")
            with suppress(OSError):
                if not (words := children.read_text("ascii").split()):
                    return None
                found = int(words[0])
        return found

    def run(self, command: Sequence[str], seconds: float) -> Ended:
        """A command inside it, as kubelet's probes are."""
        if not (first := self.first):
            return Ended(-1, "container not running")
        environment = Path(f"/proc/{first}/environ").read_bytes().split(b"\0")
        variables = dict(line.split(b"=", 1) for line in environment if b"=" in line)
        enter = ["nsenter", "--target", str(first), "--all", "--root", "--wd"]
        try:
            done = subprocess.run(
                [*enter, *command],
                capture_output=True,
                timeout=seconds,
                check=False,
                env=variables or {b"PATH": PATH.encode()},
            )
        except subprocess.TimeoutExpired:
            return Ended(124, f"command timed out: {list(command)} timed out after {seconds:.0f}s")
        return Ended(done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace"))

    def kill(self) -> None:
        """Ends it with all it started."""
        with suppress(ProcessLookupError):
            if self.code is None and (first := self.first):
                os.kill(first, 9)
        until(lambda: self.code is not None, "the end of a container")
        self._reading.join(5)

    def _read(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        assert self._process.stdout
        with file.open("w", encoding="utf-8") as written, suppress(OSError):
            for raw in self._process.stdout:
                moment = datetime.now(UTC)
                line = raw.decode("utf-8", "replace").rstrip("\n")
                self.log.lines.append((moment, line))
                written.write(f"{moment:%Y-%m-%dT%H:%M:%S.%f}000Z stdout F {line}\n")
                written.flush()


def _join(cgroup: str) -> None:
    """So that whoever looks at a process knows its pod."""
    for folder in CGROUPS:
        if (folder / "cgroup.procs").exists():
            (folder / cgroup).mkdir(parents=True, exist_ok=True)
            (folder / cgroup / "cgroup.procs").write_text("0", "ascii")
            return
