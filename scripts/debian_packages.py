"""The Debian packages of which the interpreter inside the binary is made: as locked, fetched with apt, checked.

apt takes them from the mirrors that this machine has in its own sources, or from DEBIAN_MIRROR, and checks Debian's
signature; their sums are those of the lock file. A mirror keeps only the newest version of a package: where a locked
one is gone, `scripts/lock-debian` locks the newest.
"""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from packing import ROOT, compute_sum

LOCK = ROOT / "requirements" / "debian.toml"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
ARCHITECTURES = ("amd64", "arm64")


class FetchError(Exception):
    """A package that cannot be had as it is locked."""


class Package(NamedTuple):
    """One locked package."""

    name: str
    version: str
    sha256: str


def read_suite() -> str:
    """The release of Debian that they come from."""
    return str(tomllib.loads(LOCK.read_text(encoding="utf-8"))["suite"])


def read_lock(architecture: str) -> list[Package]:
    """The packages for an architecture."""
    table = tomllib.loads(LOCK.read_text(encoding="utf-8"))[architecture]
    return [Package(name, entry["version"], entry["sha256"]) for name, entry in table.items()]


class Apt:
    """apt with lists and a cache of its own: nothing of this machine's is changed."""

    def __init__(self, folder: Path, suite: str, architecture: str) -> None:
        """Fetch the lists."""
        self._folder = folder
        for name in ("state/lists/partial", "cache/archives/partial"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        lines = [f"deb [signed-by={KEYRING}] {address} {name} main\n" for address, name in find_mirrors(suite)]
        (folder / "sources.list").write_text("".join(lines), encoding="utf-8")
        settings = {
            "Dir::State": folder / "state",
            "Dir::State::status": "/dev/null",
            "Dir::Cache": folder / "cache",
            "Dir::Etc::sourcelist": folder / "sources.list",
            "Dir::Etc::sourceparts": "-",
            "Dir::Etc::main": "-",
            "Dir::Etc::parts": "-",
            "APT::Architecture": architecture,
            "APT::Architectures": architecture,
            "APT::Sandbox::User": "root",
        }
        self._options = [f"-o{name}={value}" for name, value in settings.items()]
        self.run("apt-get", "-qq", "update")

    def run(self, program: str, *arguments: str) -> str:
        """What it prints."""
        command = [program, *self._options, *arguments]
        done = subprocess.run(command, cwd=self._folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise FetchError(done.stderr.strip() or f"{program} failed")
        return done.stdout

    def find_newest(self, names: list[str]) -> list[Package]:
        """As the mirror has them now."""
        shown = self.run("apt-cache", "show", "--no-all-versions", *names)
        found = {}
        for entry in shown.split("\n\n"):
            fields = dict(re.findall(r"^(Package|Version|SHA256): (\S+)", entry, re.MULTILINE))
            if fields:
                found[fields["Package"]] = Package(fields["Package"], fields["Version"], fields["SHA256"])
        return [found[name] for name in names]

    def fetch(self, packages: list[Package]) -> list[Path]:
        """The files, checked against their locked sums."""
        try:
            self.run("apt-get", "-qq", "download", *(f"{package.name}={package.version}" for package in packages))
        except FetchError as error:
            raise FetchError(f"{error} (where the mirror has newer versions only: scripts/lock-debian)") from None
        files = {compute_sum(file): file for file in self._folder.glob("*.deb")}
        if strange := [package.name for package in packages if package.sha256 not in files]:
            raise FetchError(f"not the sum that {LOCK.name} has: {', '.join(strange)}")
        return [files[package.sha256] for package in packages]


def find_mirrors(suite: str) -> list[tuple[str, str]]:
    """Addresses and suites: of Debian itself and of its security updates."""
    given = os.environ.get("DEBIAN_MIRROR")
    command = ["apt-get", "indextargets", "--format", "$(LABEL) $(REPO_URI)"]
    shown = f"Debian {given}" if given else subprocess.run(command, capture_output=True, text=True, check=True).stdout
    known = dict(re.findall(r"^(Debian(?:-Security)?) (\S+)", shown, re.MULTILINE))
    if "Debian" not in known:
        raise FetchError("apt's sources here name no mirror of Debian: set DEBIAN_MIRROR to the address of one")
    # Where apt has none for the updates, they lie beside the mirror.
    updates = known.get("Debian-Security", f"{known['Debian'].rstrip('/')}-security")
    return [(known["Debian"], suite), (updates, f"{suite}-security")]


def unpack(files: Iterable[Path], folder: Path) -> None:
    """The content of all these packages, into one folder."""
    for file in files:
        subprocess.run(["dpkg-deb", "--extract", str(file), str(folder)], check=True)
