"""Which names say that their value is a secret, and which values are none even then: only a closed list is plain."""

from __future__ import annotations

import re

from calivet.redaction.spans import MARK
from calivet.search.expressions import expression

# What stands before `key` in the name of a key that opens something; `key` alone is any key of any map.
OPENING_KEYS = (
    "api|access|secret|private|encryption|signing|shared|account|auth|authentication|master|session|storage|license"
    "|subscription|certificate|client|hmac|aes|ssh|deploy|consumer|preshared|pre[-_.]?shared|wrapping|unseal|recovery"
    "|application|md5"
)
CHINESE_NAMES = (
    dict.fromkeys(("密码", "密碼", "口令"), "password")
    | dict.fromkeys(("令牌", "授权码", "授權碼"), "token")
    | dict.fromkeys(("密钥", "密鑰", "密匙", "秘钥", "私钥"), "key")
    | dict.fromkeys(("凭证", "凭据", "憑證", "憑據"), "credential")
    | dict.fromkeys(("团体字", "團體字"), "community")
)
_CHINESE = "|".join(CHINESE_NAMES)
# For the scanner and for cutting lines; `kind_of` then looks at the name as a whole.
LONG_SECRET_WORDS = (
    r"pass(?:w(?:or)?d|wort|phrase|code)?|pwd|psk|token|jwt|secret|credentials?|creds?|conn(?:ection)?[-_.]?str(?:ing)?"
    rf"|(?:{OPENING_KEYS})[-_.]?key|etcdctl_user|bearer|{_CHINESE}"
)
SECRET_WORDS = rf"{LONG_SECRET_WORDS}|pw"
ENDINGS = (
    r"[-_.]?(?:\d{1,3}|id|value|data|base64|base|b64|pem|hash|md5|sha\d{1,3}|crypt|encrypted|plain|text|old|new|值)"
)
# Wherever one of those is, one of these is, and in a log each of them is rare.
WIDE_HINT = (
    rf"pass|pwd|pw(?:{ENDINGS})?(?:[\s\\\"'(（,}}#:=：＝是为為]|$)|psk|token|jwt|secret|cred|conn[-_.]?str|connection[-_.]?str|etcdctl_user|bearer|"
    rf"{_CHINESE}|{'|'.join(f'{opening}[-_.]?key' for opening in OPENING_KEYS.split('|'))}"
)

_HUMP = expression(r"(?<=[a-z0-9])(?=[A-Z])")
_SIGN = expression(r"[-.]")
_CHINESE_NAME = expression(rf"(?:{_CHINESE})$")
_ENDING = expression(rf"(?:{ENDINGS.replace('[-_.]', '_')})+$")
# Short words count only as words of their own, or behind one that tells whose password it is: `bypass` is none.
OWNERS = (
    "admin|ansible|auth|bind|db|ftp|http|key|ldap|login|mail|mongo|mysql|my|pg|postgres|proxy|redis|require|root|smtp|ssh|store"
    "|sudo|user|vnc"
)
_KINDS = tuple(
    (kind, expression(pattern))
    for kind, pattern in (
        ("password", rf"pass(?:w(?:or)?d|wort|phrase|code)$|(?:^|_)(?:{OWNERS})?_?(?:pass|pwd|psk|pw)$"),
        ("token", r"token$|(?:^|_)(?:jwt|bearer)$"),
        ("key", rf"(?:^|_)(?:[a-z]*_?(?:{OPENING_KEYS.replace('[-_.]', '_')}))_?key$"),
        ("secret", r"secret$"),
        ("credential", r"credentials?$|(?:^|_)creds?$|conn(?:ection)?_?str(?:ing)?$|^etcdctl_user$"),
    )
)
# Fields that name the object which holds the secret, in Kubernetes and in charts.
_REFERENCE = expression(
    r"(?:^|_)(?:token|pull|image_pull|tls|ca|cert|certs|etcd|existing|bootstrap|login|auth|cni|typha|registry)_?secret$"
    r"|^(?:[a-z]+_)?secret$|credentials?$|creds?$"
)
# `client_secret` is the secret itself.
_ITSELF = expression(
    r"(?:client|shared|app|api|jwt|session|cookie|hmac|signing|encryption|webhook|access_?key|oidc|oauth2?|consumer|key)"
    r"_?secret$"
)
# A file's path is what these are given, although a key could stand there too.
_KEY_FILE = expression(r"(?:client|etcd|server|peer|tls|private|ssh|certificate|encryption|account|signing)_?key$")
# Tokens that tell where to go on, or which members belong together.
_HARMLESS = expression(r"(?:initial_cluster|page|pagination|next|continue|sync)_?token$")
_IDENTIFIES = expression(r"(?:key|token|secret|pass[a-z]{0,20}|creds?|credentials?|jwt|psk|pwd)_?id$")


def find_kind(name: str) -> str | None:
    """The kind of secret that a value of this name is, if the name says so."""
    if chinese := _CHINESE_NAME.search(name):
        return CHINESE_NAMES[chinese[0]]
    plain = _normalize_name(name)
    if _HARMLESS.search(plain) or (_IDENTIFIES.search(plain) and "access" not in plain):
        return None
    plain = _ENDING.sub("", plain)
    return next((kind for kind, ending in _KINDS if ending.search(plain)), None)


def is_chinese(name: str) -> bool:
    """Whether a Chinese word says that it is a secret."""
    return bool(_CHINESE_NAME.search(name))


def may_refer(name: str) -> bool:
    """The field may name the object that holds the secret: no variable of an environment does."""
    if chinese := _CHINESE_NAME.search(name):
        return CHINESE_NAMES[chinese[0]] == "credential"
    plain = _normalize_name(name)
    return name != name.upper() and bool(_REFERENCE.search(plain)) and not _ITSELF.search(plain)


def may_be_file(name: str) -> bool:
    """The field may name the file that holds the secret."""
    return bool(_KEY_FILE.search(_normalize_name(name)))


def _normalize_name(name: str) -> str:
    return _SIGN.sub("_", _HUMP.sub("_", name)).lower().strip("_")


# Whatever the name before it says, and whether it is quoted or not. Each has both its ends, so that no part of a
# password is taken for one.
PLAIN = expression(
    r"|null|nil|none|undefined|true|false|yes|no|on|off|n/a"
    r"|[-~_.:]{1,8}|0x[0-9a-f]{1,8}|\d+ bytes|\d{1,5}(?:ms|[smhd])|(?:\d{1,3}[hms]){2,3}"
    # What another program has masked, or a reader is to fill in.
    r"|(?:[\w.-]{1,80}:)?(?:x+|\*+|•+|\.+|#+)"
    r"|(?:-+ ?)?[<\[(]?(?:redacted|removed|masked|censored|hidden)[>\])]?(?: ?-+)?"
    r"|<[a-z][\w '\"./:,=|-]*>|\([a-z][a-z ]*\)|\[[a-z ]*\]"
    # A variable, a template, a format; where a document, a command or a file is named.
    r"|\$\{\w+\}|\$\(.*|\{\{ ?[.$\w][^{}]*(?:\}\}.*)?|%[-+#0-9.]*[a-z]|%\(\w+\)\w|\{\.[\w.\[\]*]+\}|[a-z][a-z+.-]{1,20}://[^@]*"
    r"|(?:file:/{0,2}|@)?/(?:etc|var|run|opt|home|root|usr|srv|tmp|mnt|data|host|proc|sys|dev|boot|certs?|secrets?"
    r"|pki|calico[\w-]*|node-certs|typha-ca|config|app|workspace|github|vagrant|snap)(?:/[\w.@~-]*)*"
    r"|(?:~|\.{1,2})(?:/[\w.@~-]*)+|[a-z]:\\\w[\w.\\ -]*\.\w{1,5}",
    re.IGNORECASE,
)
VARIABLE = expression(r"\$(?:[A-Z_][A-Z0-9_]*|[a-z_][a-z0-9_]*)\)?")
# What is written in no quotes may be a program's words: a call, something nested, what awk is to do, a cut line.
CODE = expression(
    r"[a-z_][\w.]*\([\w\"', .]*\)[;,]?|\[\]\S*|&?(?:[a-z]\w*)?\{\}?|&?(?:[a-z]+\.)?[A-Z]?[a-z]*\{[A-Za-z]{2,}\w*:.*\}"
    r"|map\[.*|/\{print.*|\\+n?|[{\[(]"
    r"|\{\\*[\"'].*|\{\s.*|\[\\*[\"{].*",
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
        " into never object secret token password bearer basic jwt rsa base64 timeout eof unable unsupported"
        " verification malformed signature permission access see this it no"
    ).split()
)
# The name of an object in Kubernetes, also with its namespace; a UUID and a run of random letters are none.
OBJECT_NAME = expression(r"(?:[a-z0-9.-]{1,80}/)?(?:[a-z]{1,15}|[a-z0-9]+(?:[.-][a-z0-9]+)+)")
UUID = expression(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
# A word with a colon or a setting behind it, a URL, a version, an amount, a call, words in one.
NOT_RANDOM = expression(
    r"[a-z][a-z_.-]{2,}[:=][^=]*|\w+://.*|v?\d+(?:\.\d+)+\S*|\d{1,5}|\d+(?:\.\d+)?(?:[nmuµ]?s|[mhdw]|[KMGT]i?B?|%)"
    r"|0x[0-9a-f]+|\w+\(\w*\)|[A-Za-z]+(?:[/.-][A-Za-z]+)+[?!]?"
)
WORDS_IN_ONE = expression(r"[a-z]*(?:[A-Z]{1,5}[a-z]{2,})*[A-Z]{0,5}[?!]?|[A-Z]+")
WORD = expression(r"[A-Z]?[a-z]{2,}")
VOWEL = expression(r"[aeiouyAEIOUY]")
LETTERS_OF_WORDS = 12
DIGIT_OR_SIGN = expression(r"[\d!@#$%^&*+=~?]")
LETTER = expression(r"[A-Za-z]")
SHORTEST = 6
# Shorter numbers switch something on, or count something; longer ones may be anybody's password.
FLAG = 4
AMOUNT = 8


def is_plain(value: str, *, quoted: bool = False) -> bool:
    """No secret, whatever the name before it says."""
    value = value.strip()
    if MARK.fullmatch(value) or PLAIN.fullmatch(value) or PLACEHOLDER.fullmatch(value) or VARIABLE.fullmatch(value):
        return True
    return (not quoted and bool(CODE.fullmatch(value))) or value.lower().rstrip(".,;:!") in WORDS


def is_object_name(value: str) -> bool:
    """Rather the name of an object that holds the secret."""
    return bool(OBJECT_NAME.fullmatch(value)) and not UUID.fullmatch(value)


def is_innocent(value: str, name: str, kind: str, *, quoted: bool = False) -> bool:
    """No secret although the name says so: nothing, a reference to where it is kept, or a small number."""
    if is_plain(value, quoted=quoted) or (may_refer(name) and is_object_name(value)):
        return True
    if value.startswith("/") and value.endswith((".key", ".pem", ".crt")):
        return True
    if may_be_file(name) and value.startswith("/") and value.count("/") > 1:
        return value == value.lower()
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
    if WORDS_IN_ONE.fullmatch(value) and all(VOWEL.search(word) for word in WORD.findall(value)):
        return False
    has_sign = DIGIT_OR_SIGN.search(value) and (LETTER.search(value) or len(value) > SHORTEST)
    return bool(has_sign) or (len(value) >= LETTERS_OF_WORDS and value.isalpha())
