"""The bills of materials: valid, complete and the same in every run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tests.project.scripts import ROOT, run, shared

LOCKS = ("run", "dev")


@pytest.fixture(scope="module")
def bills(tmp_path_factory) -> Path:
    folder: Path = tmp_path_factory.mktemp("sbom")
    assert run("make-sbom", folder)[0] == 0
    return folder


@pytest.mark.parametrize("lock", LOCKS)
def test_it_fits_the_published_schema(bills, lock):
    text = (bills / f"{lock}.cdx.json").read_text("utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None


def test_same_locks_same_bytes(bills, tmp_path):
    run("make-sbom", tmp_path, PYTHONHASHSEED="7", TZ="UTC")
    for path in bills.iterdir():
        assert path.read_bytes() == (tmp_path / path.name).read_bytes()


@pytest.mark.parametrize("lock", LOCKS)
def test_it_lists_all_that_is_locked(bills, lock):
    bill = json.loads((bills / f"{lock}.cdx.json").read_text("utf-8"))
    listed = {
        (each["name"], each["version"]): {found["content"] for found in each["externalReferences"][0]["hashes"]}
        for each in bill["components"]
    }
    locked = shared("locked").pins(ROOT / "requirements" / f"{lock}.txt")
    assert listed == {(pin.name, pin.version): set(pin.hashes) for pin in locked}


def test_what_runs_has_a_licence_and_its_place_in_the_graph(bills):
    bill = json.loads((bills / "run.cdx.json").read_text("utf-8"))
    assert all(each["licenses"] for each in bill["components"])
    needs = {each["ref"]: each.get("dependsOn", []) for each in bill["dependencies"]}
    assert {name.partition("@")[0] for name in needs["calivet"]} >= {"pkg:pypi/hyperscan", "pkg:pypi/msgspec"}
    assert {each["bom-ref"] for each in bill["components"]} == {ref for refs in needs.values() for ref in refs}


@pytest.mark.parametrize("lock", LOCKS)
def test_it_names_no_registry(bills, lock):
    bill = json.loads((bills / f"{lock}.cdx.json").read_text("utf-8"))
    del bill["$schema"]
    assert "://" not in json.dumps(bill)
