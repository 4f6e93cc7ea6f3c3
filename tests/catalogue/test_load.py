"""What is wrong with a catalogue file is said with file, key and line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from calivet.catalogue.load import CatalogueError, load_catalogue, read_shipped_files
from calivet.signs.sign_detector import SignDetector

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-cause.md"
(EXAMPLE,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


def load(text, name="example-fault.yaml"):
    catalogue = load_catalogue(read_shipped_files() | {name: text.encode()})
    SignDetector(catalogue)
    return catalogue


def complaint(text, name="example-fault.yaml"):
    with pytest.raises(CatalogueError) as caught:
        load(text, name)
    return str(caught.value)


def test_the_page_for_newcomers_holds_a_whole_cause():
    cause = load(EXAMPLE).causes["example-fault"]
    assert cause.title.zh
    assert len(cause.signs) == 4


def line_of(text, words):
    return next(number for number, line in enumerate(text.splitlines(), 1) if words in line)


def test_an_unknown_key_is_named_with_its_line():
    text = EXAMPLE.replace("  strength: strong", "  strenght: strong")
    said = complaint(text)
    assert said.startswith(f"example-fault.yaml:{line_of(text, 'strenght')}:") or "against" in said
    assert "strenght" in said or "strength" in said


def test_a_wrong_value_is_named_with_its_line():
    text = EXAMPLE.replace("risk: safe", "risk: fine")
    said = complaint(text)
    assert said.startswith(f"example-fault.yaml:{line_of(text, 'risk: fine')}:")
    assert "fine" in said


def test_broken_yaml_is_named_with_its_line():
    assert re.match(r"example-fault\.yaml:\d+: not valid YAML", complaint(EXAMPLE.replace("signs:", "signs: [", 1)))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("leads_to: [calico-node-crash-loop]", "leads_to: [moon-phase]", "moon-phase"),
        ("ask: [kubelet-journal]", "ask: [oracle]", "oracle"),
        (r"frobnicator (?P<name>\S+) not found", "frobnicator (unclosed", "pattern is not valid"),
        (r"frobnicator (?P<name>\S+) not found", "(?=look)ahead", "not usable"),
        ("cause: kubelet-swap-on", "cause: unheard-of", "unheard-of"),
        ("on {nodes}.", "on {planet}.", "planet"),
    ],
)
def test_what_does_not_fit_together_is_named(old, new, says):
    said = complaint(EXAMPLE.replace(old, new))
    assert says in said
    assert "example-fault" in said


def test_a_file_is_named_after_its_cause():
    assert "example-fault.yaml" in complaint(EXAMPLE, name="other.yaml")


def test_yaml_runs_no_code(tmp_path):
    planted = tmp_path / "planted"
    text = (
        EXAMPLE
        + f"\nextra: !!python/object/apply:pathlib.Path.touch [!!python/object/apply:pathlib.Path ['{planted}']]\n"
    )
    assert "tags are not allowed" in complaint(text)
    assert not planted.exists()
