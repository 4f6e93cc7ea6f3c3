"""Runs labelled cases, compares each diagnosis with its label, and sums them up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec import Struct, field

from calivet.engines.engine import Engine, Failure, OwnFiles, Work, load_knowledge, run_each_once
from calivet.evidence.gather import gather
from calivet.evidence.safe_yaml import YamlError, load_yaml
from calivet.messages.message import Message, MessageError, make_verbatim, message
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import HEALTHY, Diagnosis
from calivet.redaction.redactor import Redactor

LABEL = "expect.yaml"
NONE = "none"
"""Whatever is wrong is not calivet's to name: no finding may be asserted."""
UNKNOWN = "unknown"
"""Something is wrong: the verdict must not be healthy."""


class Expect(Struct):
    """The label of a case. Unknown keys are allowed: corpora may note more than calivet reads."""

    cause: str
    """An id of the catalogue, `healthy`, `none` or `unknown`."""
    also: list[str] = field(default_factory=list)
    all: list[str] = field(default_factory=list)
    herrings: list[str] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    sufficient: bool = True
    why: str = ""

    @property
    def accepted(self) -> set[str]:
        """Every fair answer."""
        return {self.cause, *self.also}


class Case(Struct):
    """A case on disk."""

    name: str
    folder: Path
    expect: Expect


class CaseError(MessageError):
    """A folder that is not a usable case."""


def load_cases(root: Path) -> list[Case]:
    """All cases below a folder, by name; or the one that the folder itself is."""
    found = sorted(root.glob(f"*/{LABEL}")) or sorted(root.glob(LABEL))
    if not root.is_dir():
        raise CaseError(message("engine.no_folder", folder=str(root)))
    if not found:
        raise CaseError(message("engine.no_cases", folder=str(root), pattern=f"*/{LABEL}"))
    return [load_case(path) for path in found]


def load_case(path: Path) -> Case:
    """The case with this label."""
    try:
        expect = msgspec.convert(load_yaml(path.read_bytes()), Expect)
    except (OSError, YamlError, msgspec.ValidationError) as error:
        raise CaseError(make_verbatim(f"{path}: {error}")) from None
    return Case(path.parent.name, path.parent, expect)


class Score(Struct, frozen=True):
    """One case, judged."""

    case: str
    expected: str
    sufficient: bool
    first: str
    """What calivet put first: a cause, or its verdict where it named none."""
    confidence: float | None
    """Of the first finding; None where nothing was asserted."""
    right: bool
    """The first answer is a fair one; for a case that only narrows down, the cause is among the first three.

    For `healthy` and `none`: nothing is asserted. For `unknown`: it is not called healthy.
    """
    in_three: bool
    herring: bool
    false_alarm: bool
    """Something is asserted where nothing is to be."""
    abstained: bool
    useful_next: bool
    missing: list[str]
    """Causes that had to be among the findings and are not."""
    nodes_right: bool
    false_healthy: bool = False
    """It is called healthy though something is wrong."""
    called_healthy: bool = False
    failed: Message | None = None
    """Why there is no answer at all, where calivet failed on the case."""


_NO_CAUSE = (HEALTHY, NONE, UNKNOWN)
_NO_FINDING = (HEALTHY, NONE)


def score(case: Case, diagnosis: Diagnosis) -> Score:
    """Compare."""
    expect = case.expect
    names_cause = expect.cause not in _NO_CAUSE
    asserted = [finding.cause.id for finding in diagnosis.findings]
    candidates = [candidate.cause.id for candidate in diagnosis.candidates] if names_cause else []
    ranked = asserted + candidates
    in_three = bool(expect.accepted & set(ranked[:3])) if names_cause else _respects(expect.cause, diagnosis)
    missing = [cause for cause in expect.all if cause not in asserted]
    named = {node for finding in diagnosis.findings for node in finding.nodes}
    called_healthy = diagnosis.verdict == HEALTHY
    false_healthy = called_healthy and expect.cause not in _NO_FINDING
    return Score(
        case=case.name,
        expected=expect.cause,
        sufficient=expect.sufficient,
        first=ranked[0] if ranked else diagnosis.verdict,
        confidence=diagnosis.findings[0].confidence if diagnosis.findings else None,
        right=_is_right(case, diagnosis, ranked, in_three) and not missing and not false_healthy,
        in_three=in_three,
        herring=bool(ranked) and ranked[0] in expect.herrings,
        false_alarm=expect.cause in _NO_FINDING and bool(asserted),
        abstained=not asserted and names_cause,
        useful_next=bool(diagnosis.next),
        missing=missing,
        nodes_right=not names_cause or not expect.nodes or not asserted or bool(named & set(expect.nodes)),
        false_healthy=false_healthy,
        called_healthy=called_healthy,
    )


def _respects(label: str, diagnosis: Diagnosis) -> bool:
    """Whether the answer keeps to a label that names no cause."""
    return diagnosis.verdict != HEALTHY if label == UNKNOWN else not diagnosis.findings


def score_unjudged(case: Case, why: Message) -> Score:
    """A case that calivet failed on: an answer that is missing is not a right one."""
    return Score(
        case=case.name,
        expected=case.expect.cause,
        sufficient=case.expect.sufficient,
        first="-",
        confidence=None,
        right=False,
        in_three=False,
        herring=False,
        false_alarm=False,
        abstained=False,
        useful_next=False,
        missing=[],
        nodes_right=False,
        failed=why,
    )


def _is_right(case: Case, diagnosis: Diagnosis, ranked: list[str], in_three: bool) -> bool:
    if case.expect.cause in _NO_CAUSE:
        return in_three
    if not case.expect.sufficient:
        return in_three and bool(diagnosis.next)
    return bool(ranked) and ranked[0] in case.expect.accepted


class Judging(Struct, frozen=True):
    """From a case's folder to its score as JSON."""

    own: OwnFiles = ()

    def __call__(self, folder: str) -> bytes:
        """Diagnose, compare."""
        case = load_case(Path(folder) / LABEL)
        catalogue, watch = load_knowledge(self.own)
        evidence = gather([str(case.folder / "evidence")], matcher=watch.output, redactor=Redactor())
        return msgspec.json.encode(score(case, diagnose(evidence, catalogue, watch)))


BUCKETS = (0.6, 0.7, 0.8, 0.9, 0.95, 1.01)


class Bucket(Struct, frozen=True):
    """Answers given with a confidence in this range, and how many of them were right."""

    low: float
    high: float
    answers: int
    right: int


class Summary(Struct, frozen=True):
    """Figures over all cases."""

    cases: int
    first: int
    in_three: int
    herrings: int
    abstained: int
    false_alarms: int
    no_finding_cases: int
    """Cases in which nothing may be asserted: `healthy` and `none`."""
    false_healthy: int
    sick_cases: int
    """All others: in none of them may it be called healthy."""
    called_healthy: int
    left_open: int
    healthy_cases: int
    useful_next: int
    insufficient_cases: int
    nodes_right: int
    reliability: list[Bucket]


def evaluate(cases: Sequence[Case], engine: Engine, work: Work, progress: Callable[[str], None]) -> list[Score]:
    """The score of every case, in the order of the cases, whichever was ready first."""
    by_folder = {str(case.folder): case for case in cases}
    scores: dict[str, Score] = {}
    with closing(run_each_once(engine, work, by_folder)) as found:
        for folder, outcome in found:
            case = by_folder[folder]
            scores[folder] = (
                score_unjudged(case, outcome.why) if isinstance(outcome, Failure) else _decode_score(outcome)
            )
            progress(case.name)
    return [scores[folder] for folder in by_folder]


def _decode_score(outcome: bytes) -> Score:
    return msgspec.json.decode(outcome, type=Score)


def summarize_scores(scores: list[Score]) -> Summary:
    """The figures that a release is judged by."""
    open_cases = [one for one in scores if not one.sufficient]
    healthy = [one for one in scores if one.expected == HEALTHY]
    no_finding = sum(one.expected in (HEALTHY, NONE) for one in scores)
    return Summary(
        cases=len(scores),
        first=sum(one.right for one in scores),
        in_three=sum(one.in_three for one in scores),
        herrings=sum(one.herring for one in scores),
        abstained=sum(one.abstained for one in scores),
        false_alarms=sum(one.false_alarm for one in scores),
        no_finding_cases=no_finding,
        false_healthy=sum(one.false_healthy for one in scores),
        sick_cases=len(scores) - no_finding,
        called_healthy=sum(one.called_healthy for one in healthy),
        left_open=sum(not one.called_healthy and not one.false_alarm and not one.failed for one in healthy),
        healthy_cases=len(healthy),
        useful_next=sum(one.useful_next for one in open_cases),
        insufficient_cases=len(open_cases),
        nodes_right=sum(one.nodes_right for one in scores),
        reliability=_compute_reliability(scores),
    )


def _compute_reliability(scores: list[Score]) -> list[Bucket]:
    """Over all cases whose label tells whether a finding is right."""
    scores = [one for one in scores if one.expected != UNKNOWN]
    buckets = []
    for low, high in pairwise(BUCKETS):
        inside = [one for one in scores if one.confidence is not None and low <= one.confidence < high]
        buckets.append(Bucket(low, min(high, 1.0), len(inside), sum(one.right for one in inside)))
    return buckets
