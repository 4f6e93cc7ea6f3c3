"""A machine of the lab: namespaces of its own for network, files, processes and name, gone with the tests that made it."""

from __future__ import annotations

import subprocess
from pathlib import Path

FIRST_PROCESS = Path(__file__).with_name("machine.sh")
APART = ("--mount", "--net", "--uts", "--ipc", "--pid", "--fork", "--kill-child")
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
}
PATIENCE = 300.0
"""Seconds for one command: only ever reached when something is broken."""


class MachineError(Exception):
    """A machine, or a command on it, did not do what the lab needs; says what was printed."""


class Machine:
    """Runs from its making until `close`, or until the process that made it ends, however it ends."""

    def __init__(self, name: str, images: Path | None = None) -> None:
        """With a folder of images it has them too, as /images, and cannot write to them."""
        self.name = name
        self._first = subprocess.Popen(
            ["unshare", *APART, "sh", FIRST_PROCESS, name, *([images] if images else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT,
            # Ctrl-C is for the tests, which then close this in order.
            start_new_session=True,
        )
        self.pid = int(self._answer())
        """Of its first process, as the tests' own machine counts."""

    def tell(self, line: str) -> None:
        """Has the first process do this line of shell; what it starts in the background lives as long as the machine."""
        assert self._first.stdin
        self._first.stdin.write(f"{line}\n")
        self._first.stdin.flush()
        self._answer()

    def run(self, *command: str, text: str | None = None) -> str:
        """The output of a command on this machine, which must succeed."""
        done = self.attempt(*command, text=text)
        if done.returncode:
            raise MachineError(f"{' '.join(command)} on {self.name}: {done.stdout}{done.stderr}")
        return done.stdout

    def attempt(self, *command: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
        """The same, for a command that may fail."""
        return subprocess.run(
            ["nsenter", "--target", str(self.pid), "--all", "--root", "--wd", *command],
            input=text or "",
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
            env=ENVIRONMENT,
        )

    def wire(self, commands: str) -> None:
        """Runs these lines of `ip` in the machine's network, where the numbers of processes are the tests' own."""
        enter = ["nsenter", "--target", str(self.pid), "--net", "ip", "-batch", "-"]
        done = subprocess.run(enter, input=commands, capture_output=True, text=True, check=False, timeout=PATIENCE)
        if done.returncode:
            raise MachineError(f"ip on {self.name}: {done.stderr}")

    def file(self, path: str) -> Path:
        """The machine's file of this absolute path, as the tests can open it."""
        return Path(f"/proc/{self.pid}/root{path}")

    def write(self, path: str, text: str) -> None:
        """Puts a file there, with the folders it needs."""
        self.file(path).parent.mkdir(parents=True, exist_ok=True)
        self.file(path).write_text(text, "utf-8")

    def close(self) -> None:
        """Ends it with all it runs; may be called again."""
        self._first.communicate()

    def _answer(self) -> str:
        assert self._first.stdout
        if line := self._first.stdout.readline():
            return line
        raise MachineError(f"{self.name} does not run: {self._first.communicate()[1]}")
