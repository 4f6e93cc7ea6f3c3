"""Any bytes in, an answer or one clear error out: every way in, fed with dirty text and damaged files."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calivet.catalogue.load import SHIPPED
from calivet.readers.anchors import READERS
from tests.fuzz.dirt import damaged, dirt, stretches, texts
from tests.fuzz.seeds import PROBE, api, diagnosis, manifest, packed
from tests.fuzz.targets import TARGETS, reported_text

UNHURRIED = [HealthCheck.too_slow, HealthCheck.data_too_large]
# `make fuzz` looks longer, and is led by the code that it reaches.
MANY, SOME, FEW = (settings(max_examples=count, suppress_health_check=UNHURRIED) for count in (40, 20, 6))


@MANY
@given(dirt())
def test_whatever_is_pasted_is_answered_in_every_format(data: bytes) -> None:
    TARGETS["whole"](data)


@MANY
@given(dirt())
def test_so_is_a_log_that_goes_through_the_sieve(data: bytes) -> None:
    TARGETS["sieve"](data)


@SOME
@given(st.lists(st.tuples(texts(2), st.sampled_from(["a.log", "b/c.yaml", "alder.json", "calivet-manifest.json"]))))
def test_so_are_several_documents_of_whatever_names(files: list[tuple[str, str]]) -> None:
    reported_text({name: text for text, name in files})


@MANY
@given(dirt())
def test_no_secret_is_shown_whatever_stands_around_it(data: bytes) -> None:
    TARGETS["redaction"](data)


@MANY
@given(dirt())
def test_no_line_is_cut_twice(data: bytes) -> None:
    TARGETS["segmenter"](data)


@pytest.mark.parametrize("module", READERS)
@FEW
@given(st.data())
def test_every_reader_takes_any_text(module: str, data: st.DataObject) -> None:
    TARGETS["readers"](bytes([READERS.index(module)]) + data.draw(dirt()))


@MANY
@given(damaged(st.sampled_from(sorted(packed().values()))))
def test_a_damaged_archive(data: bytes) -> None:
    TARGETS["archives"](data)


@SOME
@given(damaged(st.sampled_from([path.read_bytes() for path in sorted(SHIPPED.rglob("c*.yaml"))])) | dirt())
def test_a_damaged_cause_file(data: bytes) -> None:
    TARGETS["catalogue"](data)


@MANY
@given(damaged(st.builds(lambda text: PROBE + text.encode("utf-8", "replace") + PROBE, stretches())))
def test_a_damaged_answer_of_the_probe(data: bytes) -> None:
    TARGETS["probe"](data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts(1),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts(1), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def with_another_value(draw: st.DrawFn, whole: bytes) -> bytes:
    """The same JSON, in which one value is another than it was."""
    tree = msgspec.json.decode(whole)
    node, key = tree, draw(st.sampled_from(sorted(tree)))
    while isinstance(node[key], dict | list) and node[key] and draw(st.booleans()):
        node = node[key]
        key = draw(st.sampled_from(sorted(node))) if isinstance(node, dict) else 0
    node[key] = draw(JSON)
    return msgspec.json.encode(tree)


@SOME
@given(damaged(st.just(diagnosis())) | with_another_value(diagnosis()) | dirt())
def test_a_diagnosis_to_compare(data: bytes) -> None:
    TARGETS["diagnosis"](data)


@SOME
@given(damaged(st.just(manifest())) | with_another_value(manifest()) | dirt())
def test_a_manifest_that_a_stranger_wrote(data: bytes) -> None:
    TARGETS["manifest"](data)


@SOME
@given(damaged(st.just(api())) | dirt())
def test_answers_of_an_api_server(data: bytes) -> None:
    TARGETS["api"](data)


@FEW
@given(stretches())
def test_a_longer_line_costs_no_more_than_its_length(text: str) -> None:
    TARGETS["growth"](text.encode("utf-8", "replace"))
