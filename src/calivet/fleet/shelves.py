"""Where bundles lie: each archive and each folder of evidence on a shelf is one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from calivet.evidence.bundle import MANIFEST
from calivet.evidence.names import is_clutter

ARCHIVES = tuple(".tar .tgz .tzst .tbz2 .txz .zip".split()) + tuple(
    f".tar.{packed}" for packed in ("gz", "zst", "bz2", "xz")
)
CASE = "expect.yaml"
"""The label of a case; the evidence lies beside it, and the label is none."""
EVIDENCE = "evidence"


class NoSuchPathError(Exception):
    """Something that was named is not there."""


def find_bundles(paths: Iterable[str]) -> Iterator[str]:
    """The bundles that these paths name or hold, each once."""
    seen: set[Path] = set()
    for given in paths:
        path = Path(given)
        if not path.exists():
            raise NoSuchPathError(given)
        for bundle in _on_shelf(path) if path.is_dir() else [path]:
            if (real := bundle.resolve()) not in seen:
                seen.add(real)
                yield str(bundle)


def _on_shelf(folder: Path) -> Iterator[Path]:
    """A folder that holds nothing but loose files is a bundle itself, and so is what says that it is one."""
    archives, folders, loose = _sorted(folder)
    if {MANIFEST, CASE} & {file.name for file in loose} or not (archives or folders):
        yield _evidence(folder)
        return
    yield from archives
    for inner in folders:
        inner_archives, _, inner_loose = _sorted(inner)
        if inner_archives and not inner_loose:
            yield from _on_shelf(inner)
        else:
            yield _evidence(inner)


def _evidence(folder: Path) -> Path:
    return folder / EVIDENCE if (folder / CASE).is_file() else folder


def _sorted(folder: Path) -> tuple[list[Path], list[Path], list[Path]]:
    """Archives, folders and other files; what cannot be looked into is a bundle that fails later, with its reason."""
    try:
        entries = sorted(entry for entry in folder.iterdir() if not is_clutter(entry.name))
    except OSError:
        return [], [], []
    folders = [entry for entry in entries if entry.is_dir() and not entry.is_symlink()]
    files = [entry for entry in entries if entry.is_file()]
    archives = [file for file in files if file.name.lower().endswith(ARCHIVES)]
    return archives, folders, [file for file in files if file not in archives]
