"""Which values cannot be secrets: what is left alone although a name before it says password or token."""

from __future__ import annotations

import re

from calivet.evidence.expressions import expression
from calivet.redaction.marks import MARK
from calivet.redaction.secret_names import may_refer

# Values that no secret has, whatever the name before them says.
PLAIN = expression(
    r"|null|nil|none|true|false|yes|no|on|off|n/a"
    r"|[-~_.:]+|0x[0-9a-f]{1,8}|\d+ bytes"
    # What another program has masked, or a reader is to fill in.
    r"|(?:[\w.-]+:)?[x*•.#]+|(?:-+ ?)?(?:redacted|removed|masked|censored|hidden)(?: ?-+)?"
    r"|<[^<>]*>?|\([^()]*\)?|\[[^\[\]]*\]?"
    # A variable, a call, a template, a format; the beginning of something nested, or of what awk is to do; a path.
    r"|[a-z_][\w.]*\(.*|\$\w+\)?|\$[({].*|/?\{.*|%[-+#0-9.]*[a-z]|%\(.*|[|>][-+\d]*|\\+n?"
    r"|(?:~|\.{1,2}|[a-z]:|file:/{0,2}|@|//)?[/\\][a-z.~][\w.@~/\\-]*",
    re.IGNORECASE,
)
PLACEHOLDER = expression(r"(?:THE|YOUR|MY|SOME)_[A-Z_]+")
# What is said of a secret, and how a sentence about one goes on.
WORDS = frozenset(
    (
        "expired invalid missing required valid unknown ok set unset disabled enabled present absent provided optional"
        " unauthorized forbidden failed failure error denied auto default empty ignored incorrect rejected revoked"
        " wrong flag flags option options argument arguments parameter is was are and or the a an to for in from of"
        " with by must has have not will would should can cannot could may does did if when where that which as on at"
        " needs file files auth authentication authorization request response review reviews controller cache watcher"
        " signer string bytes read write update create get list watch delete patch generated rotated updated created"
        " deleted found refresh expiry expires expiration accepted used using based same again twice via before after"
        " into never"
    ).split()
)
# The name of an object in Kubernetes, also with its namespace.
OBJECT_NAME = expression(r"(?:[a-z0-9.-]+/)?(?:[a-z]+|[a-z0-9]+(?:[.-][a-z0-9]+)+)")
# A word with a colon or a setting behind it, a URL, a version, an amount, a call, words in one.
NOT_RANDOM = expression(
    r".*:|\w[\w.-]*[:=][^=].*|\w+://.*|v?\d+(?:\.\d+)+\S*|\d{1,5}|\d+(?:\.\d+)?(?:[nmuµ]?s|[mhdw]|[KMGT]i?B?|%)"
    r"|0x[0-9a-f]+|.*[()].*|[A-Z]?[a-z]+(?:[A-Z][a-z]+)*"
)
DIGIT_OR_SIGN = expression(r"[\d!@#$%^&*+=~?]")
LETTER = expression(r"[A-Za-z]")
SHORTEST = 6
# Shorter numbers switch something on, or count something; longer ones may be anybody's password.
FLAG = 4
AMOUNT = 8


def is_plain(value: str) -> bool:
    """No secret, whatever the name before it says."""
    value = value.strip()
    told = MARK.fullmatch(value) or PLAIN.fullmatch(value) or PLACEHOLDER.fullmatch(value)
    return bool(told) or value.lower().rstrip(".,;:!") in WORDS


def is_object_name(value: str) -> bool:
    """Rather the name of an object that holds the secret."""
    return bool(OBJECT_NAME.fullmatch(value))


def is_innocent(value: str, name: str, kind: str) -> bool:
    """No secret although the name says so: nothing, a reference to where it is kept, or a small number."""
    if is_plain(value) or (is_object_name(value) and may_refer(name, kind)):
        return True
    return value.isdigit() and len(value) < (FLAG if kind == "password" else AMOUNT)


def looks_random(value: str) -> bool:
    """What a sentence would not go on with: needed where only a word before it hints at a secret."""
    if (
        len(value) < SHORTEST
        or MARK.search(value)
        or is_plain(value)
        or is_object_name(value)
        or NOT_RANDOM.fullmatch(value)
    ):
        return False
    return bool(DIGIT_OR_SIGN.search(value) and (LETTER.search(value) or len(value) > SHORTEST))
