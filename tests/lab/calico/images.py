"""What the lab runs of Calico: a folder named by CALICO_NODE, with the roots of a release's images and its manifest."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

VARIABLE = "CALICO_NODE"
NEEDED = (
    "calico.yaml",
    "node/usr/bin/calico-node",
    "node/usr/sbin/bird",
    "node/usr/bin/birdcl",
    "node/usr/sbin/ipset",
    "node/usr/bin/runsvdir",
    "cni/opt/cni/bin/calico",
    "cni/opt/cni/bin/install",
    "kube-proxy/usr/local/bin/kube-proxy",
)


class NoImagesError(Exception):
    """Says what is missing."""


class Images:
    """One release."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.release = folder.name
        if missing := [name for name in NEEDED if not (folder / name).exists()]:
            raise NoImagesError(f"{folder} has no {', '.join(missing)}")

    @property
    def has_controllers(self) -> bool:
        """Whether Calico's controllers can be run too."""
        return (self.folder / "kube-controllers/usr/bin/kube-controllers").exists()

    def objects(self) -> Iterator[dict[str, Any]]:
        """What the release's manifest installs."""
        for item in yaml.load_all((self.folder / "calico.yaml").read_text("utf-8"), yaml.CSafeLoader):
            if item and (item["kind"] != "Deployment" or self.has_controllers):
                yield item


def find_images() -> list[Images]:
    """Every release below the folder that the variable names, or the one that it is."""
    if not (named := os.environ.get(VARIABLE)):
        raise NoImagesError(f"{VARIABLE} names no folder with Calico's images (tests/lab/calico/README.md)")
    folder = Path(named)
    if (folder / "calico.yaml").exists():
        return [Images(folder)]
    return [Images(found.parent) for found in sorted(folder.glob("*/calico.yaml"))]
