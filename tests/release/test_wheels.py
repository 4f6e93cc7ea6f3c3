"""Every locked dependency is there ready-made, with a hash of the lock, for each system and Python that is supported."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.project.scripts import ROOT, shared
from tests.project.test_release import load

SUPPORTED = re.findall(r":: Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text("utf-8"))


@pytest.mark.usefixtures("dist")
@pytest.mark.parametrize("platform", list(shared("wheels").PLATFORMS))
def test_nothing_has_to_be_compiled(platform, tmp_path):
    for python in SUPPORTED:
        folder = tmp_path / python
        try:
            shared("wheels").download_wheels(platform, python, folder)
        except subprocess.CalledProcessError:
            pytest.fail(f"a locked package has no wheel for {platform} and Python {python}: see above")
        assert len(list(folder.iterdir())) >= 8


def test_the_offline_bundle_is_for_every_python():
    assert list(load("build-offline").PYTHONS) == SUPPORTED
