"""What comes from others is locked, named, used and licensed; the checks that say so find what they should."""

from __future__ import annotations

from importlib.metadata import Distribution
from pathlib import Path

import pytest

from tests.project.scripts import run, shared


@pytest.fixture
def project(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "requirements").mkdir()
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["PyYAML>=6"]\n[project.optional-dependencies]\ndev = ["pytest"]\n'
    )
    (tmp_path / "src" / "module.py").write_text("def late():\n    import json\n    import yaml\n")
    (tmp_path / "requirements" / "run.txt").write_text(f"pyyaml==6.0.3 \\\n    --hash=sha256:{'0' * 64}\n    # via x\n")
    return tmp_path


def test_all_is_well(project):
    code, said = run("check-requirements", project)
    assert (code, said) == (0, "every requirement is locked with hashes, named and used\n")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("thing==1.0", "run.txt: thing has no hash"),
        (f"thing==1.0 --hash=md5:{'0' * 32}", "run.txt: thing has no hash"),
        (f"thing==1.0 --hash=sha256:{'0' * 63}", "run.txt: thing has no hash"),
        (f"thing>=1.0 --hash=sha256:{'0' * 64}", "run.txt: thing>=1.0 is not pinned to one version"),
        (f"thing==1.* --hash=sha256:{'0' * 64}", "run.txt: thing==1.* is not pinned to one version"),
        (f"thing @ https://example.org/t.whl --hash=sha256:{'0' * 64}", "run.txt: thing is not pinned"),
        ("--extra-index-url https://example.org", "run.txt: --extra-index-url is not pinned"),
    ],
)
def test_a_requirement_that_could_be_filled_with_another_file(project, line, says):
    with (project / "requirements" / "run.txt").open("a") as lock:
        lock.write(f"{line}\n")
    code, said = run("check-requirements", project)
    assert code == 1
    assert said.startswith(says)


def test_an_import_that_is_not_named(project):
    (project / "src" / "other.py").write_text("from msgspec.json import decode\nimport unheard_of\nimport pytest\n")
    code, said = run("check-requirements", project)
    assert code == 1
    assert said.splitlines() == [
        f"{name}: src/ imports it, pyproject.toml does not name it" for name in ("msgspec", "pytest", "unheard-of")
    ]


def test_a_name_that_nothing_imports(project):
    (project / "src" / "module.py").write_text("import json\n")
    assert run("check-requirements", project) == (1, "pyyaml: pyproject.toml names it, src/ does not import it\n")


def distribution(folder: Path, *fields: str, name: str = "thing") -> Distribution:
    path = folder / f"{name}-1.dist-info"
    path.mkdir()
    (path / "METADATA").write_text("\n".join([f"Name: {name}", "Version: 1", *fields]) + "\n")
    return Distribution.at(path)


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        (["License-Expression: MIT OR Apache-2.0"], "MIT OR Apache-2.0"),
        (["License: Apache 2.0"], "Apache-2.0"),
        (["License: whatever", "Classifier: License :: OSI Approved :: MIT License"], "MIT"),
        (["Classifier: License :: OSI Approved :: BSD License"], "LicenseRef-BSD"),
        (
            [
                "Classifier: License :: OSI Approved :: MIT License",
                "Classifier: License :: OSI Approved :: BSD License",
            ],
            None,
        ),
        (["License: ask the author"], None),
        ([], None),
    ],
)
def test_what_the_metadata_says(tmp_path, fields, found):
    assert shared("licensing").licence(distribution(tmp_path, *fields)) == found


def test_what_was_reviewed_comes_first(tmp_path):
    given = distribution(tmp_path, "License-Expression: GPL-3.0-only", name="Jinja2")
    assert shared("licensing").licence(given) == "BSD-3-Clause"


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("GPL-3.0-only OR MIT AND AGPL-3.0-only", False),
        ("MIT AND (GPL-3.0-only OR BSD-3-Clause)", False),
        ("GPL-2.0-only WITH Classpath-exception-2.0", False),
    ],
)
def test_which_licences_may_be_taken(expression, allowed):
    assert shared("licensing").is_allowed(expression) is allowed


def test_every_reviewed_entry_is_allowed_and_has_its_reason():
    licensing = shared("licensing")
    for name, entry in licensing.rules()["reviewed"].items():
        assert licensing.is_allowed(entry["licence"]), name
        assert len(entry["why"]) > 20, name


def test_what_a_lock_file_says(tmp_path):
    lock = tmp_path / "lock.txt"
    lock.write_text(
        f"A.b==1 \\\n    --hash=sha256:{'a' * 64} \\\n    --hash=sha256:{'b' * 64}\n    # via\n    #   -c run.txt\n"
        f"    #   one\n    #   T_wo (pyproject.toml)\n\n# Unsafe:\nc==2 --hash=sha256:{'c' * 64}\n    # via a-b\n"
    )
    first, second = shared("locked").pins(lock)
    assert first == ("a-b", "1", ("a" * 64, "b" * 64), ("one", "t-wo"))
    assert second == ("c", "2", ("c" * 64,), ("a-b",))
