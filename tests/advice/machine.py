"""A machine that is made up, on which commands are pasted as they are printed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

# The machine is a folder: ssh and sudo run things in it, and all others note how they were called.
SSH = '#!/bin/sh\nshift\nexec sh -c "$*"\n'
SUDO = '#!/bin/sh\nexec "$@"\n'
NOTED = '#!/bin/sh\nprintf "%s\\n" "${{0##*/}} $*" >> {folder}/called\n'


class Machine(Struct, frozen=True):
    """Where commands are pasted; what they would find below / is below its folder."""

    folder: Path
    alone: bool = False
    """No program of the machine that the tests run on is found by its name."""

    def has(self, name: str, script: str) -> None:
        """A program, as this shell script."""
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(NOTED.format(folder=self.folder) + script.removeprefix("#!/bin/sh\n"), "utf-8")
        path.chmod(0o755)

    def borrow(self, names: Iterable[str]) -> None:
        """Programs of the machine that the tests run on; those that it has."""
        for name in names:
            if found := shutil.which(name):
                (self.folder / "bin" / name).symlink_to(found)

    def write(self, path: str, text: str) -> Path:
        """A file."""
        file = self.folder / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def paste(self, command: str) -> str:
        """As somebody would, in bash; what is printed."""
        for place in ("/etc/", "/root/"):
            (self.folder / place.strip("/")).mkdir(exist_ok=True)
            command = command.replace(place, f"{self.folder}{place}")
        programs = str(self.folder / "bin")
        done = subprocess.run(
            [shutil.which("bash") or "bash", "-c", command],
            cwd=self.folder,
            env={"PATH": programs if self.alone else f"{programs}:/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        return done.stdout

    def list_called(self, program: str = "") -> list[str]:
        """How it was called; without a name, how all of them were."""
        file = self.folder / "called"
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        return [line for line in lines if line.startswith(f"{program} ".lstrip())]

    def forget(self) -> None:
        """How anything was called."""
        (self.folder / "called").unlink(missing_ok=True)


def make_machine(folder: Path, *, alone: bool = False) -> Machine:
    """One that can be reached."""
    made = Machine(folder, alone)
    made.has("ssh", SSH)
    made.has("sudo", SUDO)
    return made
