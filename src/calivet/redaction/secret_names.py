"""Names that say that their value is a secret."""

from __future__ import annotations

import re

from calivet.evidence.expressions import expression

# What stands before `key` in the name of a key that opens something; `key` alone is any key of any map.
OPENING_KEYS = (
    "api|access|secret|private|encryption|signing|shared|account|auth|master|session|storage|license|subscription"
    "|certificate|client|hmac|aes|ssh|deploy|consumer|preshared|pre[-_.]?shared|wrapping|unseal|recovery|application|md5"
)
# For the scanner and for cutting lines; `kind_of` then looks at the name as a whole.
WORDS = (
    r"pass(?:w(?:or)?d|wort|phrase|code)?|pwd|pw|psk|token|jwt|secret|credentials?|creds?|conn(?:ection)?[-_.]?str(?:ing)?"
    rf"|(?:{OPENING_KEYS})[-_.]?key|etcdctl_user|bearer|密码|口令"
)
ENDINGS = r"[-_.]?(?:\d{1,3}|id|value|data|base64|base|b64|pem|hash|md5|sha\d{1,3}|crypt|encrypted|plain|text|old|new)"

_HUMP = expression(r"(?<=[a-z0-9])(?=[A-Z])")
_SIGN = expression(r"[-.]")
_ENDING = expression(rf"(?:{ENDINGS.replace('[-_.]', '_')})+$")
# Short words count only as words of their own: `bypass` and `compass` are none.
_KINDS = tuple(
    (kind, expression(pattern))
    for kind, pattern in (
        (
            "password",
            r"pass(?:w(?:or)?d|wort|phrase|code)$|(?:^|_)(?:pass|pwd|psk)$|(?:^|_|bind|root|user|admin)pw$|密码$|口令$",
        ),
        ("token", r"token$|(?:^|_)(?:jwt|bearer)$"),
        ("key", rf"(?:^|_)(?:[a-z]*_?(?:{OPENING_KEYS.replace('[-_.]', '_')}))_?key$"),
        ("secret", r"secret$"),
        ("credential", r"credentials?$|(?:^|_)creds?$|conn(?:ection)?_?str(?:ing)?$|^etcdctl_user$"),
    )
)
# Fields of this kind may as well name the object that holds the secret.
REFERRING = frozenset(("secret", "credential"))
# `client_secret` is the secret itself.
_ITSELF = expression(r"client_?secret$|token_?secret_?key$|shared_?secret$|app_?secret$")
# Tokens that tell where to go on, or which members belong together.
_HARMLESS = expression(r"(?:initial_cluster|page|pagination|next|continue|sync)_?token$")
_IDENTIFIES = expression(r"(?:key|token|secret|pass\w*|creds?|credentials?|jwt|psk|pwd)_?id$")


def kind_of(name: str) -> str | None:
    """The kind of secret that a value of this name is, if the name says so."""
    plain = _SIGN.sub("_", _HUMP.sub("_", name)).lower().strip("_")
    if _HARMLESS.search(plain) or (_IDENTIFIES.search(plain) and "access" not in plain):
        return None
    plain = _ENDING.sub("", plain)
    return next((kind for kind, ending in _KINDS if ending.search(plain)), None)


def may_refer(name: str, kind: str) -> bool:
    """A value that looks like an object's name then is one."""
    return kind in REFERRING and not _ITSELF.search(_SIGN.sub("_", _HUMP.sub("_", name)).lower())


SECRET_NAME = expression(rf"[\w.-]{{0,80}}?(?:{WORDS})(?:{ENDINGS})?", re.IGNORECASE)
