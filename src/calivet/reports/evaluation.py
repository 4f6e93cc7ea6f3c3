"""The evaluation's figures as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from calivet.evaluation import Score, Summary
from calivet.reports.layout.wording import label
from calivet.reports.layout.wrapping import clean_line, pad_text

Word = Callable[..., str]


def write_evaluation(scores: list[Score], summary: Summary, language: str) -> str:
    """A row for each miss, the reliability table, and the figures at the end."""

    def word(key: str, **values: object) -> str:
        return label(key, language, **values)

    parts = (_list_misses(scores, word, language), _write_reliability(summary, word), _write_figures(summary, word))
    return "\n".join(line for part in parts for line in part) + "\n"


def _list_misses(scores: list[Score], word: Word, language: str) -> Iterator[str]:
    missed = [one for one in scores if not one.right or one.herring or one.false_alarm or one.false_healthy]
    if not missed:
        return
    width = max(len(one.case) for one in missed)
    yield word("trial.misses")
    for one in missed:
        marks = (
            ("trial.herring", one.herring),
            ("trial.false", one.false_alarm),
            ("trial.falsehealthy", one.false_healthy),
        )
        notes = [word(key) for key, holds in marks if holds]
        notes += [word("trial.near")] if one.in_three and not one.right else []
        notes += [word("trial.missing", causes=", ".join(one.missing))] if one.missing else []
        notes += [word("trial.failed", why=clean_line(one.failed.read(language)))] if one.failed else []
        sure = f" {one.confidence:.2f}" if one.confidence is not None else ""
        extra = f"  ({'; '.join(notes)})" if notes else ""
        yield f"  {one.case:{width}}  {word('trial.said', expected=one.expected, first=one.first)}{sure}{extra}"
    yield ""


def _write_reliability(summary: Summary, word: Word) -> Iterator[str]:
    yield word("trial.reliability")
    for bucket in summary.reliability:
        share = f"{bucket.right / bucket.answers:5.0%}" if bucket.answers else "    -"
        low, high = f"{bucket.low:.2f}", f"{bucket.high:.2f}"
        key = "trial.bucket.one" if bucket.answers == 1 else "trial.bucket"
        yield f"  {word(key, low=low, high=high, answers=f'{bucket.answers:4d}', share=share)}"
    yield ""


def _write_figures(summary: Summary, word: Word) -> Iterator[str]:
    def share(count: int, of: int) -> str:
        return f"{count}/{of}" + (f" ({count / of:.1%})" if of else "")

    rows = [
        ("trial.first", share(summary.first, summary.cases)),
        ("trial.three", share(summary.in_three, summary.cases)),
        ("trial.herrings", str(summary.herrings)),
        ("trial.alarms", share(summary.false_alarms, summary.no_finding_cases)),
        ("trial.falsehealthies", share(summary.false_healthy, summary.sick_cases)),
        (
            "trial.healthy",
            word(
                "trial.two",
                one=share(summary.called_healthy, summary.healthy_cases),
                other=f"{word('trial.open')} {summary.left_open}",
            ),
        ),
        (
            "trial.abstained",
            word(
                "trial.two",
                one=summary.abstained,
                other=f"{word('trial.helped')} {share(summary.useful_next, summary.insufficient_cases)}",
            ),
        ),
        ("trial.nodes", share(summary.nodes_right, summary.cases)),
    ]
    for key, figure in rows:
        yield f"{pad_text(word(key), 16)} {figure}"
