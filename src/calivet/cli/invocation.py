"""How calivet was called: by which name, and in which language it is to speak.

Ctrl-C may come while any module is half loaded, and this is asked for then: it needs only what every interpreter has
loaded already.
"""

import os
import sys
from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LANGUAGES = ("en", "zh")
_OPTION = "--lang"


def find_program_name() -> str:
    """Its own name, or that of a plugin of kubectl: hints can be typed as they stand."""
    return "kubectl calivet" if os.path.basename(sys.argv[0]).startswith("kubectl-") else "calivet"  # noqa: PTH119


def find_language(arguments: "Sequence[str]", environment: "Mapping[str, str]" = os.environ) -> str:
    """As calivet is told, else as the system is set; help and usage errors are said in it too."""
    told = [word.removeprefix(f"{_OPTION}=") for word in arguments if word.startswith(f"{_OPTION}=")]
    told += [value for option, value in pairwise(arguments) if option == _OPTION]
    return next((word for word in told if word in LANGUAGES), None) or find_system_language(environment)


def find_system_language(environment: "Mapping[str, str]" = os.environ) -> str:
    """Chinese of whichever country, script and encoding, zh_CN.UTF-8 or zh-Hans, is zh; everything else is English."""
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    first = next(filter(None, names), "").lower()
    return "zh" if first == "zh" or first[:3] in ("zh_", "zh-", "zh.") else "en"
