"""whatif: what Calico would do after a change, before anyone makes it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from calivet.catalogue.words import Words
from calivet.cli.complaining import complain
from calivet.cli.exits import CANNOT_TELL, FAILED, FAULT, HEALTHY, USAGE
from calivet.cli.gathering import gathered
from calivet.evidence.artifact import Haul

if TYPE_CHECKING:
    from calivet.forecast.changes import Change, ChangeError
    from calivet.forecast.outcome import Outcome

BY_VERDICT = {"fine": HEALTHY, "broken": FAULT, "unclear": CANNOT_TELL}
UNKNOWN_KEY = Words("{key} is nothing that can be tried; possible are {possible}", "无法尝试 {key}；可用：{possible}")
BAD_VALUE = Words("{key} cannot be {value}; possible are {possible}", "{key} 不能是 {value}；可用：{possible}")
BAD_PART = Words(
    "in {key}={value} Calico does not understand {detail}", "{key}={value} 中的 {detail} 无法被 Calico 解析"
)
NOTHING_ASKED = Words(
    "say what to change, as IP_AUTODETECTION_METHOD=kubernetes-internal-ip; possible are {possible}",
    "请指明要修改什么，例如 IP_AUTODETECTION_METHOD=kubernetes-internal-ip；可用：{possible}",
)


def run_whatif(options: argparse.Namespace) -> int:
    """`calivet whatif KEY=VALUE... [PATH...]`: 0 all fine afterwards, 1 something broken, 2 it cannot be told."""
    from calivet.forecast.changes import KEYS, ChangeError, change

    asked = [word for word in options.asked if _is_change(word)]
    try:
        changes = [change(word) for word in asked]
    except ChangeError as error:
        complain(_wrong(error).read(options.lang))
        return USAGE
    if not changes:
        complain(NOTHING_ASKED.fill({"possible": ", ".join(KEYS)}).read(options.lang))
        return USAGE
    haul = _evidence([word for word in options.asked if word not in asked], options)
    return _answer(haul, changes, options)


def _is_change(word: str) -> bool:
    """A file may have any name, also one with a sign of equality in it."""
    return "=" in word and not Path(word).exists()


def _wrong(error: ChangeError) -> Words:
    values = {"key": error.key, "value": error.value or "''", "possible": ", ".join(error.possible)}
    if not error.known:
        return UNKNOWN_KEY.fill(values)
    return (BAD_PART if error.detail else BAD_VALUE).fill(values | {"detail": error.detail})


def _evidence(paths: list[str], options: argparse.Namespace) -> Haul:
    """The files that are named, or the live cluster; and nodes, where asked for."""
    if paths and not (options.ssh or options.ssh_all):
        return gathered(paths, options)
    from calivet.cli.probing import collect

    collected = collect(options, ask_cluster=not paths)
    haul = gathered(paths, options, more=collected.documents)
    haul.unreadable += collected.failed
    return haul


def _answer(haul: Haul, changes: list[Change], options: argparse.Namespace) -> int:
    from calivet.forecast.forecasting import forecast
    from calivet.pipeline import understand
    from calivet.reports.reasons import reason

    for item in haul.unreadable:
        complain(f"{item.what}: {reason(item.why, options.lang)}")
    if not haul.artifacts:
        return FAILED
    picture, _ = understand(haul)
    outcome = forecast(picture, changes)
    sys.stdout.write(_rendered(outcome, options))
    return BY_VERDICT[outcome.verdict]


def _rendered(outcome: Outcome, options: argparse.Namespace) -> str:
    if options.output == "json":
        from calivet.reports.forecast_json import forecast_json

        return forecast_json(outcome, options.lang) + "\n"
    from calivet.cli.terminal import layout
    from calivet.reports.forecast_text import forecast_text

    return forecast_text(outcome, layout(options))
