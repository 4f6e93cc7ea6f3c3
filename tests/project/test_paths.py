"""Every file and folder of this project that the documentation names is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.project.guide_walk import list_files
from tests.project.scripts import ROOT

PAGES = [
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / f"{name}.md" for name in ("CONTRIBUTING", "SECURITY", "README")),
]
PACKAGE = ROOT / "src" / "calivet"
ROOMS = sorted(path.name for path in PACKAGE.iterdir() if path.is_dir() and not path.name.startswith("_"))
TOP = ("src", "tests", "scripts", "docs", "corpus", "bench", "deploy", "requirements", ".github")
TOPS = tuple(f"{name}/" for name in TOP)
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)")
PATH = re.compile(rf"(?<![\w./~$:<{{-])((?:{'|'.join(map(re.escape, [*TOP, *ROOMS]))})/[\w./<>*{{}},-]*)")
# Where a path begins with a room's name, only what looks like a file of ours or ends with a slash is meant.
OURS = re.compile(r"\.(?:py|yaml|sh|txt)$|/$")
EXAMPLES = {path for page in PAGES for path, kind, _ in list_files(page.read_text("utf-8")) if kind == "python"}


def find_named(text: str) -> Iterator[str]:
    """Paths in code, without the full stop that may follow them."""
    for code in CODE.findall(text):
        for found in PATH.findall(code):
            path = found.rstrip(".,")
            if path.startswith(TOPS) or OURS.search(path):
                yield path


def exists(path: str) -> bool:
    """In the project, or in the package; a part in pointed brackets stands for any name."""
    pattern = re.sub(r"<[^>]*>", "*", path).rstrip("/")
    base = ROOT if path.startswith(TOPS) else PACKAGE
    return any(any(base.glob(one)) for one in expand(pattern))


def expand(pattern: str) -> list[str]:
    """`a/{b,c}` is a/b and a/c."""
    found = re.search(r"\{([^}]*)\}", pattern)
    if not found:
        return [pattern]
    return [pattern.replace(found[0], one) for one in found[1].split(",")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_names_exists(page):
    missing = [path for path in find_named(page.read_text("utf-8")) if path not in EXAMPLES and not exists(path)]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_links_to_exists(page):
    assert [link for link in LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()] == []


def test_paths_are_found_where_they_stand_in_code():
    text = (
        "`readers/host/journal.py`, src/calivet/outside.py, `causes/<layer>/<id>.yaml`\n```sh\nscripts/new-cause x\n```"
    )
    assert list(find_named(text)) == ["readers/host/journal.py", "causes/<layer>/<id>.yaml", "scripts/new-cause"]


def test_a_path_that_is_not_there_is_noticed():
    assert exists("causes/<layer>/clock-skew.yaml")
    assert not exists("causes/<layer>/no-such-cause.yaml")
    assert not exists("src/calivet/no_such_room/")


def test_design_names_many():
    assert len(set(find_named((ROOT / "docs" / "design.md").read_text("utf-8")))) > 15
