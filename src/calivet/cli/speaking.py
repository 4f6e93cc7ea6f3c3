"""The language that calivet speaks: as it is told, else as the system is set."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import pairwise

LANGUAGES = ("en", "zh")
_OPTION = "--lang"


def spoken(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> str:
    """The language, known before the arguments are parsed: help and usage errors are said in it too."""
    told = [word.removeprefix(f"{_OPTION}=") for word in arguments if word.startswith(f"{_OPTION}=")]
    told += [value for option, value in pairwise(arguments) if option == _OPTION]
    return next((word for word in told if word in LANGUAGES), None) or of_system(environment)


def of_system(environment: Mapping[str, str] = os.environ) -> str:
    """Chinese of whichever country, script and encoding, zh_CN.UTF-8 or zh-Hans, is zh; everything else is English."""
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    first = next(filter(None, names), "").lower()
    return "zh" if first == "zh" or first[:3] in ("zh_", "zh-", "zh.") else "en"
