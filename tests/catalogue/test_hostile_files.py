"""A catalogue file may come from anyone: it is used as it stands, or refused with one line that names file and line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from calivet.catalogue import patterns
from calivet.catalogue.load import (
    LONGEST,
    SHARED,
    CatalogueError,
    load_catalogue,
    load_ready_catalogue,
    read_shipped_files,
)
from calivet.catalogue.parsing import FILE_BYTES, parse_content
from calivet.catalogue.patterns import (
    FOR_COMMANDS,
    LENGTH,
    STATES,
    count_states,
    find_engine_problem,
    find_pattern_problem,
    list_patterns,
)
from calivet.search.automaton import compile_aside, compile_patterns
from tests.cli.running import calivet

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-cause.md"
(EXAMPLE,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
LAST = len(EXAMPLE.splitlines()) + 1
BESIDE = dict.fromkeys(SHARED, b"[]")
PATTERN = r"frobnicator (?P<name>\S+) not found"
PATTERN_LINE = next(number for number, line in enumerate(EXAMPLE.splitlines(), 1) if PATTERN in line)


def refusal(content: bytes) -> str:
    with pytest.raises(CatalogueError) as caught:
        load_catalogue(BESIDE | {"example-fault.yaml": content})
    said = str(caught.value)
    assert "\n" not in said
    assert len(said) < LONGEST + 50
    return said


def with_pattern(pattern: str) -> bytes:
    return str(EXAMPLE).replace(f"'{PATTERN}'", f"'{pattern}'").encode()


BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))


@pytest.mark.parametrize(
    ("added", "line", "says"),
    [
        (BOMB, LAST, "anchors and aliases are not allowed: a0"),
        ("again: *nowhere\n", LAST, "not valid YAML"),
        ("loop: &loop [*loop]\n", LAST, "recursive"),
        ("explain: !!python/name:os.system\n", LAST, "tags are not allowed"),
        ("explain: !!python/object/new:os.system [true]\n", LAST, "tags are not allowed"),
        ("explain: !own thing\n", LAST, "tags are not allowed: !own"),
        ("explain: !!binary aGVsbG8=\n", LAST, "tags are not allowed"),
        ("deep: " + "[" * 100_000 + "\n", LAST, "nested"),
        ("deep: " + "{a: " * 100_000 + "\n", LAST, "nested"),
        ('title: {en: "\\e]0;owned\\a", zh: x}\n', LAST, r"U\+001B"),
        ('title: {en: "\\u202Eevil", zh: x}\n', LAST, r"U\+202E"),
        ('title: {en: "\\uD800", zh: x}\n', LAST, "not valid YAML|U\\+D800"),
        ("---\nid: second\n", LAST, "not valid YAML"),
        ("{[a]: b}: c\n", LAST, "not valid YAML"),
    ],
)
def test_a_trap_is_refused_with_its_line(added, line, says):
    said = refusal((EXAMPLE + added).encode())
    assert re.match(rf"example-fault\.yaml:{line}: .*(?:{says})", said), said


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"#" * (FILE_BYTES + 1), f"larger than {FILE_BYTES:,} bytes"),
        (b"id: \x00", "not valid YAML"),
        (b"id: \xff\xfe", "not valid YAML"),
        (b"\xff\xfei\x00d\x00", "Expected|not valid YAML"),
        (b"", "Expected"),
        (b"[]", "Expected"),
        (b"id: 2024-99-99", "missing required"),
        (b"id: " + b"9" * 5_000, "missing required"),
        (b"layer: " + b"x" * 500_000, "missing required|x+"),
    ],
)
def test_what_is_no_cause_is_refused(content, says):
    assert re.search(says, refusal(content))


def test_a_long_value_is_not_quoted_whole():
    assert refusal(EXAMPLE.replace("risk: safe", f"risk: {'x' * 100_000}").encode()).endswith("...")


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("x" * (LENGTH + 1), "longer than"),
        ("(unclosed", "not valid"),
        ("(" * 900 + ")" * 900, "nested too deep|not valid|not usable"),
        ("x{99999999999}", "not valid"),
        ("(?:.{999}){999}", f"more than {STATES:,} states"),
        ("(?:(?:(?:a{1,99}){1,99}){1,99}){1,99}", "states"),
        ("(?:a|b|.x){2000}", "states"),
        ("(?=ahead)x", "not usable"),
        ("(?<!behind)x", "not usable"),
        (r"(x)\1", "not usable"),
        (r"[^x]{400}\w{200}", "not usable: Pattern is too large"),
        ("(?:a+)+$", "may never end"),
    ],
)
def test_a_pattern_that_the_engine_cannot_take(pattern, says):
    said = refusal(with_pattern(pattern))
    assert re.match(rf"example-fault\.yaml:{PATTERN_LINE}: example-fault: sign last-words: .*(?:{says})", said), said


@pytest.mark.parametrize("words", ["", "kubelet "])
def test_a_pattern_that_compiles_to_much_is_refused(monkeypatch, words):
    monkeypatch.setattr(patterns, "COMPILED_BYTES", 5_000)
    said = refusal(with_pattern(rf"{words}[0-9a-f]{{200}} \w{{200}}"))
    assert said.endswith("takes more than 5,000 bytes when compiled")


def test_a_question_with_a_broken_pattern_is_named_by_its_line():
    own = "# mine\n- id: mine\n  run: x\n  why: {en: x, zh: x}\n  where: node\n  command: '(unclosed'\n"
    with pytest.raises(CatalogueError, match=r"^questions\.yaml:6: mine: the pattern is not valid"):
        load_ready_catalogue({"questions.yaml": own.encode()})


def test_a_question_with_a_pattern_that_may_never_end_is_named_by_its_line():
    own = "- id: mine\n  run: x\n  why: {en: x, zh: x}\n  where: node\n  command: '(\\w+\\s?)*:'\n"
    with pytest.raises(CatalogueError, match=r"^questions\.yaml:5: mine: the pattern has repeats inside a repeat"):
        load_ready_catalogue({"questions.yaml": own.encode()})


def test_lines_of_a_shared_file_are_those_of_the_users_part():
    own = "# mine\n- id: mine\n  titel: {en: x, zh: x}\n"
    with pytest.raises(CatalogueError, match=r"^effects\.yaml:[23]: "):
        load_ready_catalogue({"effects.yaml": own.encode()})


@given(some.from_regex(r"([a-c.]|\(\?:a\)|\w){1,8}(\{[0-9]{1,3}\})?", fullmatch=True))
def test_repeats_are_counted(pattern):
    assert count_states(pattern) <= 8 * 999
    assert count_states(f"(?:{pattern}){{7}}") == 7 * count_states(pattern)


def test_the_shipped_patterns_are_far_from_the_limits():
    for content in read_shipped_files().values():
        for pattern in re.findall(r"^ *(?:- )?pattern: '(.*)'$", content.decode(), re.MULTILINE):
            assert count_states(pattern.replace("''", "'")) < STATES / 2


def test_the_shipped_patterns_are_taken():
    """Nobody looks at them again when calivet starts."""
    patterns = {one for content in read_shipped_files().values() for one in list_patterns(parse_content(content))}
    assert len(patterns) > 1_000
    assert not [problem for one in patterns if (problem := find_pattern_problem(one.text))]
    compiled = compile_patterns([one.text for one in patterns if one.steps[-1] != FOR_COMMANDS], caseless=True)
    assert all(map(compile_aside, compiled.asides))


def test_what_is_looked_for_itself_is_refused_at_once():
    """Its words are common: it is compiled where they are met, and that would be too late to refuse it."""
    assert find_engine_problem("the .*(?:a.{100}|b.{100})c") == "the pattern is not usable: Pattern is too large."


@given(some.binary(max_size=300) | some.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_are_a_cause_or_one_line(content):
    refusal(content)


def test_the_user_sees_one_line(tmp_path):
    (tmp_path / "example-fault.yaml").write_text(BOMB, encoding="utf-8")
    run = calivet("causes", "--causes", tmp_path)
    assert (run.code, run.out) == (3, "")
    assert run.err == "calivet: example-fault.yaml:1: anchors and aliases are not allowed: a0\n"
