"""The guides for a reader and for a report format, walked in a copy of the tree with the example that they show."""

from __future__ import annotations

from tests.project.guide_walk import PYTEST, Walk, list_files, list_steps
from tests.project.scripts import ROOT

# What the targets of make run, as far as it looks at the example.
CHECKS = ["-m ruff format --check {files}", "-m ruff check {files}"]


def walk_guide(name: str, walk: Walk, targets: dict[str, list[str]]) -> dict[str, str]:
    """Everything that the guide says is written, then every command that it names; what each command said."""
    guide = (ROOT / "docs" / name).read_text("utf-8")
    files = list(list_files(guide))
    for path, kind, text in files:
        walk.write(path, kind, text)
    python = " ".join(path for path, _, _ in files if path.endswith(".py"))
    targets |= {"make lint": [check.format(files=python) for check in CHECKS], "make check": [], "make test": []}
    said = {}
    for step in list_steps(guide):
        code, said[step] = walk.take(step, targets)
        assert code == 1 if step.startswith("calivet demo") else code in (0, 2), f"{step}\n{said[step]}"
    return said


def test_the_guide_for_a_reader(tmp_path):
    walk = Walk(tmp_path, [])
    (tmp_path / "status.txt").write_text("frobnicator main is ready\nfrobnicator spare is gone\n")
    tests = [f"{PYTEST} tests/readers/test_frobctl.py tests/readers/test_anchors.py"]
    said = walk_guide(
        "adding-a-reader.md",
        walk,
        {"make generate": ["scripts/generate-anchors"], "make test ARGS=tests/readers": tests},
    )
    assert "frobctl-status" in said["calivet diagnose -v status.txt"]


def test_a_reader_that_was_not_made_known_fails_a_test(tmp_path):
    walk = Walk(tmp_path, [])
    for path, kind, text in list_files((ROOT / "docs/adding-a-reader.md").read_text("utf-8")):
        walk.write(path, kind, text)
    code, said = walk.run(f"{PYTEST} tests/readers/test_anchors.py -k every_reader_is_known")
    assert (code, "run scripts/generate-anchors" in said) == (1, True)


def test_the_guide_for_a_report_format(tmp_path):
    walk = Walk(tmp_path, ["docs/formats.md"])
    said = walk_guide("adding-a-report-format.md", walk, {})
    assert said["calivet demo three-at-once -o csv"].startswith("calivet,fault\n")
    everywhere = "tests/cli/test_formats.py tests/evidence/test_reference_text.py -k 'lists_every_format or csv'"
    for chosen in ("tests/reports/test_spreadsheet.py", everywhere):
        code, told = walk.run(f"{PYTEST} {chosen}")
        assert code == 0, told
