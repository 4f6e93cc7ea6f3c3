"""The programs that calivet is compared with: where they are, how they are called, which version they are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from bench.contest import Competitor

HERE = Path(__file__).parent
TOOLS = HERE.parent / "build" / "bench-tools" / "bin"
"""What scripts/bench-tools built."""

# Each reads an archive to nothing, by itself or after what stands here.
DECOMPRESSORS: dict[str, tuple[list[str], ...]] = {
    "tar.gz": (["pigz", "-dc"], ["gzip", "-dc"], ["igzip", "-dc"], ["bsdtar", "-xOf"], ["7zz", "x", "-so"]),
    "tar.zst": (["zstd", "-dc"], ["bsdtar", "-xOf"], ["7zz", "x", "-so"]),
    "zip": (["unzip", "-p"], ["bsdtar", "-xOf"], ["7zz", "x", "-so"]),
}
_ASKED = {"igzip": "-V", "unzip": "-v", "7zz": "i"}
_VERSION = re.compile(r"\d+(?:\.\d+)+")
SCANNERS = ("searchkit", "insights-core")

# As calivet searches: whatever the case, with nothing in a user's configuration. The limits let rg build its automaton
# whole, without which it would be far slower.
_RG = ["-c", "-i", "--no-config", "--no-ignore", "--regex-size-limit", "2G", "--dfa-size-limit", "2G"]


def program(name: str) -> str | None:
    """Where it is; one that was built for the benchmark comes first."""
    return shutil.which(name, path=f"{TOOLS}{os.pathsep}{os.environ.get('PATH', os.defpath)}")


def missing(*names: str) -> list[str]:
    """A remark about those that are not there, if any."""
    absent = [name for name in names if not (_library(name) if name in SCANNERS else program(name))]
    return [f"not installed and left out: {', '.join(absent)}"] if absent else []


def ripgrep(patterns: Path, logs: Path, *, cores: int = 0) -> Competitor | None:
    """`rg -c -f PATTERNS LOGS`; None where it is not installed."""
    found = program("rg")
    if not found:
        return None
    return Competitor(
        "rg", [found, *_RG, *(["-j", str(cores)] if cores else []), "-f", str(patterns), str(logs)], (0, 1)
    )


def searchkit(patterns: Path, logs: Path) -> Competitor | None:
    """The scanner of hotsos."""
    return _python("searchkit", patterns, logs)


def insights(patterns: Path, logs: Path) -> Competitor | None:
    """A parser of insights-core with a scanner for each pattern."""
    return _python("insights-core", patterns, logs)


def _python(name: str, patterns: Path, logs: Path) -> Competitor | None:
    if not _library(name):
        return None
    script = HERE / "others" / f"with_{name.partition('-')[0]}.py"
    return Competitor(name, [sys.executable, str(script), str(patterns), str(logs)])


def decompressors(kind: str, archive: Path) -> list[Competitor]:
    """Those that are installed, for this kind of archive."""
    calls = [(call, program(call[0])) for call in DECOMPRESSORS[kind]]
    return [Competitor(" ".join(call), [found, *call[1:], str(archive)]) for call, found in calls if found]


def write_patterns(path: Path) -> str:
    """The catalogue's patterns as calivet looks for them in logs, one a line; returns what had to be left out.

    What rg does not take is left out for all, so that all search for the same.
    """
    from calivet.signs.sign_detector import prepare_detector

    wanted = {_without_names(str(item.what.pattern)) for item in prepare_detector()[1].output.items}
    taken = sorted(filter(_is_taken, wanted))
    path.write_text("\n".join(taken) + "\n", "utf-8")
    return f"{len(wanted)} patterns, of which rg does not take {len(wanted) - len(taken)}"


def versions() -> dict[str, str]:
    """Of everything that may take part and is there."""
    found = {"Python": sys.version.split()[0]}
    needed = [re.split(r"[^\w.-]", each)[0] for each in metadata.requires("calivet") or [] if "extra ==" not in each]
    found |= {name: version for name in ("calivet", *needed, *SCANNERS) if (version := _library(name))}
    names = ["rg", *(call[0] for calls in DECOMPRESSORS.values() for call in calls)]
    return found | {name: _version(place) for name in dict.fromkeys(names) if (place := program(name))}


def _library(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _version(place: str) -> str:
    asked = subprocess.run(
        [place, _ASKED.get(Path(place).name, "--version")], capture_output=True, text=True, check=False
    )
    number = _VERSION.search(asked.stdout + asked.stderr)
    return number[0] if number else "unknown"


def _without_names(pattern: str) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


def _is_taken(pattern: str) -> bool:
    place = program("rg")
    if place is None:
        return True
    return subprocess.run([place, "-i", "-e", pattern, os.devnull], capture_output=True, check=False).returncode < 2
