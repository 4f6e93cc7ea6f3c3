"""A reader that nothing calls for would be silently inert."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import calivet.readers
from calivet.readers.anchors import ANCHORS, COMMANDS, OF_NOTES, READERS
from calivet.readers.read import load_reader
from calivet.readers.reader import NOWHERE

ROOM = Path(calivet.readers.__path__[0])
MAKERS = ("Reader", "read_statements")


def is_maker(node: ast.AST) -> bool:
    """Whether a reader is made here."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS


def find_made(path: Path) -> list[str]:
    """The readers that a module makes, by its own name and theirs; one without a name of its own cannot be called."""
    tree = ast.parse(path.read_text("utf-8"))
    module = ".".join(path.relative_to(ROOM).with_suffix("").parts)
    made = [ast.unparse(node.targets[0]) for node in tree.body if isinstance(node, ast.Assign) and is_maker(node.value)]
    assert len(made) == sum(map(is_maker, ast.walk(tree))), f"{module} makes a reader that has no name"
    return [f"{module}.{name}" for name in made]


def test_every_reader_is_known():
    made = [name for path in ROOM.glob("*/*.py") for name in find_made(path)]
    assert sorted(READERS) == sorted(made), "run scripts/generate-anchors"


@pytest.mark.parametrize("name", READERS)
def test_it_is_called_for_by_what_it_says_itself(name):
    reader = load_reader(name)
    assert (reader.anchor is NOWHERE) == (name not in ANCHORS)
    assert ANCHORS.get(name, NOWHERE.pattern) == reader.anchor.pattern
    assert COMMANDS.get(name) == (reader.command.pattern if reader.command else None)
    assert (name in OF_NOTES) == reader.notes
    assert name in ANCHORS or name in COMMANDS


def test_the_flags_of_an_expression_are_not_lost():
    """What is written down is the pattern alone."""
    for name in READERS:
        reader = load_reader(name)
        for pattern in (reader.anchor, reader.command):
            assert pattern is None or not pattern.flags & 2, name
