"""A host's clock: `date`, `timedatectl`, `chronyc tracking`, `ntpstat`, `ntpdate`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Scalar, Setting
from calivet.facts.times import parse_time
from calivet.readers.command import find_output_start, search_command
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import FRONT, SPEAKER, find_subjects
from calivet.search.expressions import expression

_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH_FIRST = r"(?P<month>[A-Z][a-z]{2}) +(?P<day>\d{1,2})"
_DAY_FIRST = r"(?P<day_first>\d{1,2}) (?P<month_second>[A-Z][a-z]{2}) (?P<year_early>\d{4})"
_DATE = expression(
    rf"^\s*{SPEAKER}{_DAY},? +(?:{_MONTH_FIRST}|{_DAY_FIRST}) +(?P<time>\d\d:\d\d:\d\d) *(?P<half>[AP]M)?"
    r" *(?P<zone>[A-Z]{2,5}|[+-]\d{2,4})?(?: +(?P<year>\d{4}))?\s*$"
)
# The default layout alone on a line is known even where nothing says that `date` printed it.
_DEFAULT_LAYOUT = expression(rf"^\s*{_DAY} [A-Z][a-z]{{2}} +\d{{1,2}} \d\d:\d\d:\d\d [A-Z]{{2,5}} \d{{4}}\s*$")
_CHINESE_DATE = expression(
    rf"^\s*{SPEAKER}(\d{{4}})年\s*(\d{{1,2}})月\s*(\d{{1,2}})日\s*星期\S\s*(\d\d:\d\d:\d\d)\s*([A-Z]{{2,5}})?\s*$"
)
_ISO_DATE = expression(rf"^\s*{SPEAKER}(?P<time>\d{{4}}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*(?: ?[+-]\d\d:?\d\d| UTC)?)\s*$")
_ASKED_DATE = expression(r"(?:(?:^|[;&|'\"(]|\bsudo|--)\s*|\bssh\s(?:.{0,200}\W)?)date\b")
# With these, `date` writes another moment than the present one.
_OTHER_MOMENT = expression(r"\bdate\s(?:[^;|&]*\s)?(?:-[uR]*[dr]\b|--date|--reference)|\bdate\s[^;|&]*@\d")
_UNIVERSAL = expression(r"^\s*Universal time:\s+(?:[A-Z][a-z]{2} )?(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)")
_UTC_NAMES = frozenset(("UTC", "GMT", "+00", "+0000"))


def _parse_offset(found: re.Match[str]) -> Scalar:
    """Seconds that the host is ahead of the reference; a slow clock is behind."""
    return float(found[1]) * (-1 if found[2] == "slow" else 1)


_STATEMENTS: tuple[tuple[re.Pattern[str], str, Callable[[re.Match[str]], Scalar]], ...] = (
    (
        expression(r"^\s*(?:System clock|NTP) synchronized: (yes|no)\s*$"),
        "synchronized",
        lambda found: found[1] == "yes",
    ),
    (expression(r"^\s*Leap status\s+: (Normal|Not synchronised)"), "synchronized", lambda found: found[1] == "Normal"),
    (expression(r"^\s*(un)?synchronised(?: to |$|\s)"), "synchronized", lambda found: found[1] is None),
    (expression(r"^\s*System time\s+: ([\d.]+) seconds (slow|fast) of NTP time"), "offset", _parse_offset),
    (expression(r"\bntpdate\[\d+\]: .*\boffset ([+-]?[\d.]+) sec"), "offset", lambda found: -float(found[1])),
)


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """What the tools state, and the time itself where `date` was asked or its own layout stands alone on a line."""
    reading = Reading()
    machines = find_subjects(artifact)
    if search_command(artifact, _OTHER_MOMENT):
        return reading
    for index in anchors:
        if index < find_output_start(artifact):
            continue
        line = artifact.lines[index]
        key, value, speaker = _parse_statement(line) or _parse_time(artifact, line)
        if key is not None:
            host = machines.at(index, speaker)
            reading.facts.append(Setting(at=artifact.at(index), host=host, program="clock", key=key, value=value))
            reading.claim(index, index + 1)
    return reading


def _parse_statement(line: str) -> tuple[str, Scalar, None] | None:
    for pattern, key, value in _STATEMENTS:
        if found := pattern.search(line):
            try:
                return key, value(found), None
            except ValueError:
                return None
    return None


def _parse_time(artifact: Artifact, line: str) -> tuple[str | None, Scalar, str | None]:
    if found := _UNIVERSAL.match(line):
        return "time", f"{found[1].replace(' ', 'T')}+00:00", None
    if (found := _ISO_DATE.match(line)) and search_command(artifact, _ASKED_DATE):
        moment = parse_time(found["time"].replace(" UTC", "Z"))
        return ("time", moment.isoformat(), found["speaker"]) if moment else (None, None, None)
    trusted = search_command(artifact, _ASKED_DATE) or (artifact.command is None and _DEFAULT_LAYOUT.match(line))
    if trusted and (found := _DATE.match(line)):
        return _format_moment(_split_date(found), found)
    if found := _CHINESE_DATE.match(line):
        return _format_moment((f"{found[2]}-{found[3]}-{found[4]} {found[5]}", "%Y-%m-%d %H:%M:%S", found[6]), found)
    return None, None, None


def _split_date(found: re.Match[str]) -> tuple[str, str, str | None]:
    month, day = found["month"] or found["month_second"], found["day"] or found["day_first"]
    words = f"{found['year'] or found['year_early']} {month} {day} {found['time']} {found['half'] or ''}".strip()
    return words, "%Y %b %d %I:%M:%S %p" if found["half"] else "%Y %b %d %H:%M:%S", found["zone"]


def _format_moment(words: tuple[str, str, str | None], found: re.Match[str]) -> tuple[str | None, Scalar, str | None]:
    """The time as ISO text; zone names other than UTC mean different zones in different countries and are left out."""
    try:
        moment = datetime.strptime(words[0], words[1])
    except ValueError:
        return None, None, None
    if words[2] in _UTC_NAMES:
        moment = moment.replace(tzinfo=UTC)
    return "time", moment.isoformat(), found["speaker"]


READER = Reader(
    kind="clock",
    anchor=expression(
        rf"^{FRONT}(?:{_DAY},? .*\d\d:\d\d:\d\d|\d{{4}}年"
        r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*(?: ?[+-]\d\d:?\d\d| UTC)?\s*$"
        r"|(?:System clock |NTP )synchronized:|(?:un)?synchronised|(?:Universal|System) time\s*:|Leap status\s+:)"
        r"|^.*ntpdate\["
    ),
    read=read,
)
