"""What a release publishes beside its files: the parts of it that need no minutes to build."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import calivet
from tests.project.scripts import ROOT, SCRIPTS, shared


def load(name: str) -> Any:
    """A script as a module."""
    loader = SourceFileLoader(name.replace("-", "_"), str(SCRIPTS / name))
    spec = spec_from_loader(loader.name, loader)
    assert spec
    module = module_from_spec(spec)
    with mock.patch.object(sys, "path", [str(SCRIPTS), *sys.path]), mock.patch.object(sys, "dont_write_bytecode", True):
        loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def release() -> Any:
    return load("build-release")


@pytest.fixture
def dist(release, tmp_path) -> Path:
    (tmp_path / "calivet-linux-amd64").write_bytes(b"a program")
    release.write_chart(tmp_path)
    release.write_notes(tmp_path, evaluate=False)
    release.write_sums(tmp_path)
    return Path(tmp_path)


def test_the_chart_is_what_helm_would_pack(dist):
    with tarfile.open(dist / f"calivet-chart-{calivet.__version__}.tgz") as chart:
        names = set(chart.getnames())
    assert {"calivet/Chart.yaml", "calivet/values.yaml", "calivet/files/clusterrole.yaml"} <= names


def test_notes_hold_the_changes_and_the_figures(dist):
    notes = (dist / "notes.md").read_text("utf-8")
    assert notes.startswith(f"# calivet {calivet.__version__}\n")
    assert "- `calivet diagnose` names the root cause" in notes
    assert "| part | what | calivet |" in notes


def test_sums_are_those_that_sha256sum_checks(dist):
    checked = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=dist, capture_output=True, check=False
    )
    assert checked.returncode == 0
    assert len(checked.stdout.splitlines()) == 3
    (dist / "calivet-linux-amd64").write_bytes(b"another program")
    assert subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=dist, capture_output=True, check=False).returncode


@pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("go"), reason="needs a checkout, and Go")
def test_provenance_names_every_file_and_every_lock(release, dist):
    release.write_provenance(dist, ["amd64"])
    told = json.loads((dist / "provenance.json").read_text("utf-8"))
    named = {subject["name"]: subject["digest"]["sha256"] for subject in told["subject"]}
    compute_sum = shared("packing").compute_sum
    assert named == {path.name: compute_sum(path) for path in dist.iterdir() if path.name != "provenance.json"}
    materials = {one["name"] for one in told["predicate"]["buildDefinition"]["resolvedDependencies"]}
    assert materials == {"sources", *release.LOCKS}


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")
def test_a_signature_holds_for_these_bytes_alone(release, dist, tmp_path_factory):
    key, public = (tmp_path_factory.mktemp("keys") / name for name in ("key.pem", "key.pub"))
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True, capture_output=True)
    subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True)
    (dist / "provenance.json").write_text("{}")
    release.sign(dist, key)
    assert verifies(dist / "SHA256SUMS", public)
    (dist / "SHA256SUMS").write_text("other sums")
    assert not verifies(dist / "SHA256SUMS", public)


def verifies(file: Path, public: Path) -> bool:
    command = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", str(public), "-in", str(file)]
    return not subprocess.run([*command, "-sigfile", f"{file}.sig"], capture_output=True, check=False).returncode


def test_offline_only_the_files_that_are_there_may_be_installed(tmp_path):
    offline = load("build-offline")
    own = tmp_path / "calivet-9-py3-none-any.whl"
    own.write_text("calivet")
    (tmp_path / "strange.whl").write_text("no file of the lock")
    text = offline.list_requirements(own, tmp_path)
    assert text == f"calivet=={calivet.__version__} --hash=sha256:{shared('packing').compute_sum(own)}\n"


def test_the_image_points_at_what_it_holds(tmp_path):
    image = load("build-image")
    root = tmp_path / "root"
    (root / "tmp").mkdir(parents=True)
    (root / "program").write_text("text")
    layer, content = image.make_layer(root)
    configuration = image.make_configuration("amd64", content)
    manifest = image.Blob("manifest.v1+json", b"{}")
    archive = tmp_path / "image.tar"
    image.write_layout({"amd64": manifest}, [layer, configuration], archive)
    with tarfile.open(archive) as tar:
        held = {name: (tar.extractfile(name) or archive.open("rb")).read() for name in tar.getnames()}
    digests = {name.removeprefix("blobs/sha256/") for name in held if name.startswith("blobs/")}
    assert {one.digest.partition(":")[2] for one in (layer, configuration, manifest)} < digests
    index = json.loads(held["index.json"])["manifests"][0]
    assert index["annotations"]["io.containerd.image.name"] == f"localhost/calivet:{calivet.__version__}"
    assert index["digest"].removeprefix("sha256:") in digests
