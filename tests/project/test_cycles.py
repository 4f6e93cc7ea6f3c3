"""No module needs itself: not even by an import that waits until a function is called."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import calivet

PACKAGE = Path(calivet.__file__).parent


def find_modules() -> dict[str, Path]:
    """The file of each module of the package, by the name that is imported."""
    return {
        ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): file
        for file in PACKAGE.rglob("*.py")
    }


def find_imports(name: str, text: str, modules: Mapping[str, object]) -> set[str]:
    """The modules of the package that this one imports, wherever in its text."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner & modules.keys() or {node.module}
    return (found & modules.keys()) - {name}


def test_nothing_goes_round() -> None:
    modules = find_modules()
    graph = {name: find_imports(name, file.read_text("utf-8"), modules) for name, file in modules.items()}
    assert sum(map(len, graph.values())) > 1000
    TopologicalSorter(graph).prepare()


def test_a_cycle_is_noticed() -> None:
    texts = {"calivet.a": "from calivet import b", "calivet.b": "def f():\n    from calivet.a import g"}
    graph = {name: find_imports(name, text, texts) for name, text in texts.items()}
    with pytest.raises(CycleError):
        TopologicalSorter(graph).prepare()
