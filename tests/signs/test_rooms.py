"""Computed signs look at facts alone, and none of them is forgotten."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

from calivet.signs.computed import collect_computed_signs, list_sign_modules

MODULES = list_sign_modules()
TREES = {name: ast.parse(Path(str(import_module(name).__file__)).read_text("utf-8")) for name in MODULES}
MOST_FILES = 30


def imported(tree: ast.Module) -> set[str]:
    """The modules that it takes something from."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {str(node.module)} | {f"{node.module}.{name.name}" for name in node.names}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found


@pytest.mark.parametrize("name", MODULES)
def test_a_sign_parses_no_text(name):
    """That is a reader's work, or, for the words of a fact, the facts'."""
    taken = imported(TREES[name])
    assert not [one for one in taken if one in ("re", "calivet.search.expressions") or "calivet.readers" in one]
    assert "calivet.evidence.artifact.Artifact" not in taken
    touched = {node.attr for node in ast.walk(TREES[name]) if isinstance(node, ast.Attribute)}
    assert "lines" not in touched
    assert not [
        ast.unparse(node)
        for node in ast.walk(TREES[name])
        # The probe of a node tells how its own commands ended, and a loop which it was.
        if isinstance(node, ast.Attribute) and node.attr == "command" and ast.unparse(node.value) not in ("run", "loop")
    ]


def test_the_check_sees_what_it_looks_for():
    tree = ast.parse("import re\nfrom calivet.evidence.artifact import Artifact\nfrom calivet.readers import command")
    assert {"re", "calivet.evidence.artifact.Artifact", "calivet.readers"} <= imported(tree)


def written_signs(tree: ast.Module) -> set[str]:
    """The public functions from the facts alone to sightings."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.returns]
    return {
        function.name
        for function in functions
        if not function.name.startswith("_")
        and function.returns
        and ast.unparse(function.returns) == "Iterator[Sighting]"
        and len(function.args.args) == 1
    }


@pytest.mark.parametrize("name", MODULES)
def test_no_sign_is_forgotten(name):
    module = import_module(name)
    listed = {compute.__name__ for compute in getattr(module, "SIGNS", {}).values()}
    written = written_signs(TREES[name])
    elsewhere = {one.rpartition(".")[2] for other in MODULES for one in imported(TREES[other]) if name in one}
    called = {node.id for node in ast.walk(TREES[name]) if isinstance(node, ast.Name)} - listed
    assert written - listed - elsewhere - called == set()
    assert getattr(module, "SIGNS", {}).items() <= collect_computed_signs().items()


def test_no_folder_is_a_heap():
    folders = {Path(str(import_module(name).__file__)).parent for name in MODULES}
    folders |= {folder.parent for folder in folders}
    assert [folder.name for folder in folders if len(list(folder.glob("*.py"))) > MOST_FILES] == []
