"""A copy of the tree in which the guides for newcomers are walked, step by step."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.project.scripts import ROOT

PYTEST = "-m pytest -q -p no:cacheprovider -p no:xdist"


def list_steps(guide: str) -> list[str]:
    """The commands of a guide in order, without their remarks."""
    blocks = re.findall(r"```sh\n(.*?)```", guide, re.DOTALL)
    return [step for block in blocks for line in block.splitlines() if (step := line.partition("  #")[0].strip())]


def list_files(guide: str) -> Iterator[tuple[str, str, str]]:
    """What a guide has its reader write: the path, `python` for a new file or `diff` for a change, and the text."""
    for found in re.finditer(r"^`(\S+)`:\n\n```(python|diff)\n(.*?)```", guide, re.DOTALL | re.MULTILINE):
        yield found[1], found[2], found[3]


class Walk:
    """The copy, and what can be done in it."""

    def __init__(self, root: Path, parts: Iterable[str]) -> None:
        self.root = root
        for part in ["src", "scripts", "tests", "pyproject.toml", *parts]:
            (root / part).parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / part, root / part)
        self.before = set(root.rglob("*"))

    @property
    def new(self) -> set[str]:
        """The files that were not there when the walk began."""
        files = (path for path in set(self.root.rglob("*")) - self.before if path.is_file())
        return {str(path.relative_to(self.root)) for path in files}

    def run(self, command: str) -> tuple[int, str]:
        """The exit code of Python with these arguments, and all that was said. Caches go elsewhere."""
        done = subprocess.run(
            [sys.executable, *shlex.split(command)],
            cwd=self.root,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            env=os.environ
            | {
                "PYTHONPATH": str(self.root / "src"),
                "PYTHONDONTWRITEBYTECODE": "",
                "PYTHONPYCACHEPREFIX": f"{self.root}-bytecode",
            },
        )
        return done.returncode, done.stdout + done.stderr

    def take(self, step: str, targets: dict[str, list[str]]) -> tuple[int, str]:
        """A command of a guide; `targets` says what stands for a target of make."""
        commands = targets.get(step, [re.sub(r"^calivet ", "-m calivet ", step)])
        results = [self.run(command) for command in commands]
        return max((code for code, _ in results), default=0), "\n".join(said for _, said in results)

    def write(self, path: str, kind: str, text: str) -> None:
        """A file of a guide: new, or with the lines that its diff adds after the one that it shows."""
        file = self.root / path
        if kind == "python":
            assert not file.exists(), path
            file.write_text(text, "utf-8")
            return
        after, *added = text.splitlines()
        place = after.removeprefix(" ")
        assert all(line.startswith("+") for line in added), text
        before = file.read_text("utf-8")
        assert before.count(f"{place}\n") == 1, f"{path} has no single line {place!r}"
        lines = "".join(f"{line[1:]}\n" for line in added)
        file.write_text(before.replace(f"{place}\n", f"{place}\n{lines}"), "utf-8")
