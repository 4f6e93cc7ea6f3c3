"""What holds for every computed sign, whoever wrote it."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from calivet.catalogue.model import Strength
from calivet.signs.computed import collect_computed_signs
from calivet.signs.sign_detector import prepare_detector
from tests.facts.drawing import nodes, picture_of, pods, sightings

DEMOS = Path(str(files("calivet") / "demos"))
DOCUMENTS = [path.read_text("utf-8").splitlines() for path in sorted(DEMOS.glob("*/evidence/**/*")) if path.is_file()]
WELL = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12", "birch-3 Ready 10.71.0.13") + pods(
    *(f"calico-node-2bs6{number} 1/1 Running 0 90d 10.71.0.1{number} birch-{number}" for number in (1, 2, 3)),
    *(f"etcd-birch-{number} 1/1 Running 0 90d 10.71.0.1{number} birch-{number}" for number in (1, 2, 3)),
    "coredns-78fcd69978-5vq7l 1/1 Running 0 90d 10.244.12.66 birch-1",
)


def test_no_evidence_no_sign():
    assert [sign for sign in collect_computed_signs() if sightings(sign, "")] == []


def test_a_healthy_cluster_shows_no_sign_of_a_fault():
    picture = picture_of(WELL)
    seen = {sign for sign, compute in collect_computed_signs().items() if list(compute(picture))}
    catalogue, _ = prepare_detector()
    signs = (sign for cause in catalogue.causes.values() for sign in cause.signs if sign.strength is not Strength.WEAK)
    faults = {sign.computed for sign in signs}
    assert seen & faults == set()


PIECES = st.tuples(st.sampled_from(DOCUMENTS), st.integers(0, 200), st.integers(1, 60))


@settings(max_examples=60)
@given(st.lists(PIECES, min_size=1, max_size=5))
def test_torn_evidence_is_survived_and_every_sign_points_at_a_line(pieces):
    lines = [line for document, start, length in pieces for line in document[start : start + length]]
    picture = picture_of({"torn.txt": "\n".join(lines)})
    places = ((artifact, index) for artifact in picture.artifacts for index in range(len(artifact.lines)))
    known = {(artifact.name, artifact.first + index) for artifact, index in places}
    for sign, compute in collect_computed_signs().items():
        for seen in compute(picture):
            assert (seen.line.artifact, seen.line.number) in known, sign
            assert all(isinstance(value, str) and value != "None" for value in seen.values.values()), (
                sign,
                seen.values,
            )
