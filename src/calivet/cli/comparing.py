"""diff: two diagnoses side by side, for change windows and after a fix."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

from calivet.catalogue.words import Words
from calivet.cli.answering import diagnosed
from calivet.cli.complaining import complain
from calivet.cli.exits import BY_VERDICT, USAGE, CalivetError
from calivet.cli.gathering import gathered
from calivet.cli.knowledge import known_causes
from calivet.comparison.compare import compare
from calivet.comparison.comparison import Comparison
from calivet.comparison.side import NewerDiagnosisError, NotADiagnosisError, Side, decode_side, read_side

STDIN = "-"
HEAD, LARGEST_DIAGNOSIS = 64, 256 << 20
"""Bytes: in which a JSON object begins, and beyond which no diagnosis goes."""
TWICE = Words("only one of the two can be standard input", "标准输入只能用于其中一个")
NO_DIAGNOSIS = Words(
    "{path}: written by calivet, but not a diagnosis that can be compared ({why}); 'diagnose -o json' writes one",
    "{path}：是 calivet 的输出，但不是可以比较的诊断结果（{why}）；请用 'diagnose -o json' 生成",
)
NEWER = Words(
    "{path}: written by calivet {version}, which is newer than this one",
    "{path}：由更新版本的 calivet {version} 生成，本版本无法读取",
)
NOTHING = Words(
    "{path}: {why}; what can be compared is a diagnosis ('diagnose -o json'), a bundle or evidence",
    "{path}：{why}；可以比较的是诊断结果（'diagnose -o json'）、诊断包或证据",
)


def run_diff(options: argparse.Namespace) -> int:
    """`calivet diff OLD NEW`: the exit code says how NEW stands."""
    if options.old == options.new == STDIN:
        complain(TWICE.read(options.lang))
        return USAGE
    old, new = _side(options.old, options), _side(options.new, options)
    sys.stdout.write(_rendered(compare(old, new), options))
    return BY_VERDICT[new.verdict]


def _side(path: str, options: argparse.Namespace) -> Side:
    """A diagnosis as it was written, or the diagnosis of evidence."""
    piped = sys.stdin.buffer.read() if path == STDIN else b""
    try:
        if side := read_side(piped or _text(path)):
            return side
    except NotADiagnosisError as failure:
        raise CalivetError(NO_DIAGNOSIS.fill({"path": path, "why": str(failure)}).read(options.lang)) from None
    except NewerDiagnosisError as failure:
        raise CalivetError(NEWER.fill({"path": path, "version": str(failure)}).read(options.lang)) from None
    return _diagnosed(path, piped, options)


def _text(path: str) -> bytes:
    """What stands in a file that may be a diagnosis; whether it can be read at all is found out when it is gathered."""
    file = Path(path)
    try:
        if not file.is_file():
            return b""
        with file.open("rb") as opened:
            head = opened.read(HEAD)
            return head + opened.read(LARGEST_DIAGNOSIS) if b"{" in head else b""
    except (OSError, ValueError):
        return b""


def _diagnosed(path: str, piped: bytes, options: argparse.Namespace) -> Side:
    from calivet.reports.machine import to_json
    from calivet.reports.reasons import reason

    haul = gathered([path], options, stdin=io.BytesIO(piped))
    if not haul.artifacts:
        why = reason(haul.unreadable[0].why, options.lang) if haul.unreadable else "-"
        raise CalivetError(NOTHING.fill({"path": path, "why": why}).read(options.lang))
    return decode_side(to_json(diagnosed(haul, options), options.lang).encode())


def _rendered(compared: Comparison, options: argparse.Namespace) -> str:
    titles = {cause.id: cause.title for cause in known_causes(options.causes).causes.values()}
    if options.output == "json":
        from calivet.reports.comparison_json import comparison_json
        from calivet.reports.comparison_parts import Telling

        return comparison_json(compared, Telling(titles, options.lang).title)
    from calivet.reports.comparison_text import comparison_markdown, comparison_text

    if options.output == "md":
        return comparison_markdown(compared, titles, options.lang)
    from calivet.cli.terminal import layout

    return comparison_text(compared, titles, layout(options))
