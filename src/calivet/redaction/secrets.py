"""The table of secrets that are known by their own looks, or by the few words around them on their line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from calivet.evidence.expressions import expression
from calivet.redaction.finding import Finder, Span
from calivet.redaction.secret_names import WORDS as NAMES
from calivet.redaction.values import is_plain, looks_random


class Shape(Struct, frozen=True):
    """One kind of secret."""

    kind: str
    hint: str
    """For the scanner: simple, and never narrower than the shape."""
    shape: str
    """The group `secret` is what must not be shown."""
    random: bool = False
    """What is found must also look random: the words around it occur in ordinary text too."""


WORD = r"[^\s\"'`\\,;<>]+"
# Settings that have nothing but a blank before their value.
DIRECTIVES = (
    "bindpw|rootpw|rootbindpw|olcrootpw|requirepass|masterauth|auth_pass|password|passwd|enable (?:password|secret)"
)
TO_QUOTE = r"[^\"'\\\]\n]+"

SHAPES = (
    # Headers of HTTP.
    Shape(
        "authorization",
        r"(?i)authorization(?:\\*[\"'])?\s*[:=]",
        r"(?i)\bauthorization\\*[\"']?\s*[:=]\s*[\[\"'\\]*(?:(?:basic|bearer|token|apikey|negotiate|ntlm)\s+(?P<secret>"
        + WORD
        + r")|(?:digest|aws4-hmac-sha256|hawk|signature)\s+(?P<long>"
        + TO_QUOTE
        + "))",
    ),
    Shape(
        "authorization",
        r"(?i)authorization(?:\\*[\"'])?\s*[:=]",
        r"(?i)\bauthorization\\*[\"']?\s*[:=]\s*[\[\"'\\]*(?P<secret>" + WORD + ")",
        random=True,
    ),
    Shape("token", r"(?i)bearer[ :=]", rf"(?i)\bbearer[ :=]+[\"']?(?P<secret>{WORD})", random=True),
    Shape(
        "cookie",
        r"(?i)cookie(?:\\*[\"'])?\s*[:=]",
        rf"(?i)\b(?:set-)?cookie\\*[\"']?\s*[:=]\s*[\[\"'\\]*(?P<secret>[\w.%-]+={TO_QUOTE})",
    ),
    # Addresses of services.
    Shape(
        "password",
        r":\/\/[^\s\/@:]*:[^\s]*@",
        r"://[^\s/@:\"'\[\]<>]{0,200}:(?!\d{1,5}(?:[/?#,;:]|$))(?P<secret>[^\s\"'`,]{0,400}[^\s\"'`,/])@(?=[\w.\[(%$<{-])",
    ),
    Shape(
        "token",
        r":\/\/[^\s\/@:]*@",
        r"://(?P<secret>[A-Za-z0-9_~.-]{20,})@(?=\w)",
        random=True,
    ),
    Shape("password", r"@(?:tcp|unix)\(", r"(?<![\w.-])[\w.-]{1,80}:(?P<secret>[^\s\"'`]{1,400})@(?:tcp|unix)\("),
    Shape(
        "signature",
        r"(?i)[?&;](?:amp;)?(?:sig|signature|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential)|code)=",
        r"(?i)[?&;](?:amp;)?(?:sig|signature|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential)|code)="
        r"(?P<secret>[^&\s\"'\\<>]+)",
        random=True,
    ),
    Shape("webhook", r"hooks\.slack\.com/", r"hooks\.slack\.com/(?:services|workflows)/(?P<secret>[\w/]+)"),
    Shape("webhook", r"webhook\.office\.com/", r"webhook\.office\.com/webhookb2/(?P<secret>[\w@/-]+)"),
    # Kubernetes and those around it.
    Shape(
        "bootstrap-token",
        r"[a-z0-9]{6}\.[a-z0-9]{16}",
        r"(?<![\w./-])(?P<secret>[a-z0-9]{6}\.(?=[a-z0-9]*\d)[a-z0-9]{16})(?![\w-]|\.\w)",
    ),
    Shape("node-token", r"K10[0-9a-f]+::", r"\bK10[0-9a-f]{16,}::(?:[\w.-]+:)?(?P<secret>[\w.-]+)(?![\w.:-])"),
    Shape(
        "token",
        r"(?:token|kubeconfig)-[\w-]+:[a-z0-9]{40}",
        r"\b(?:token|kubeconfig)-[\w-]{1,80}:(?P<secret>[a-z0-9]{40,})",
    ),
    Shape("token", r"sha256~[\w-]{43}", r"\b(?P<secret>sha256~[\w-]{43})"),
    # Clouds and forges: each marks its tokens with a beginning of its own.
    Shape(
        "aws-key",
        r"A(?:KI|SI|BI|CC)A[A-Z0-9]{16}",
        r"(?<![A-Za-z0-9])(?P<secret>A(?:KI|SI|BI|CC)A[A-Z0-9]{16})(?![A-Za-z0-9])",
    ),
    Shape("token", r"gh[pousr]_[A-Za-z0-9]{20}", r"(?P<secret>gh[pousr]_[A-Za-z0-9]{20,})"),
    Shape("token", r"github_pat_", r"(?P<secret>github_pat_\w{20,})"),
    Shape(
        "token",
        r"gl[a-z]{2,6}-[\w-]{20}",
        r"\b(?P<secret>gl(?:pat|dt|rt|ptt|soat|cbt|imt|agent|ffct|oas|ft)-[\w.-]{20,})",
    ),
    Shape("token", r"xox[abeoprs]-|xapp-", r"\b(?P<secret>(?:xox[abeoprs]|xapp)-[\w-]{10,})"),
    Shape(
        "token",
        r"hv[sbr]\.[\w-]{20}|\bs\.[A-Za-z0-9]{24}",
        r"\b(?P<secret>hv[sbr]\.[\w-]{20,}|s\.(?=\w*\d)[A-Za-z0-9]{24}\b)",
    ),
    Shape("token", r"ya29\.|AIza|GOCSPX-", r"\b(?P<secret>ya29\.[\w.-]{20,}|AIza[\w-]{35}|GOCSPX-[\w-]{20,})"),
    Shape("token", r"8Q~", r"(?<![\w.~-])(?P<secret>[\w.~-]{3}8Q~[\w.~-]{30,36})"),
    Shape(
        "token",
        r"(?:npm_|pypi-|sk_live_|rk_live_|dop_v1_|dckr_pat_|glsa_|tskey-|hf_|sk-)[\w-]{16}",
        r"\b(?P<secret>(?:npm_|pypi-|sk_live_|rk_live_|dop_v1_|dckr_pat_|glsa_|tskey-|hf_|sk-)(?=[\w-]*\d)[\w-]{16,})",
    ),
    Shape("token", r"SG\.[\w-]{16}", r"\b(?P<secret>SG\.[\w-]{16,}\.[\w-]{16,})"),
    Shape("private-key", r"(?i)AGE-SECRET-KEY-1", r"(?i)(?P<secret>AGE-SECRET-KEY-1[a-z0-9]{20,})"),
    # Files of their own kind.
    Shape(
        "hash",
        r"\$(?:2[abxy]?|1|5|6|7|y|gy|apr1|argon2[a-z]*|scrypt)\$[^\s$:]{2}",
        r"(?P<secret>\$(?:2[abxy]?|1|5|6|7|y|gy|apr1|argon2[a-z]{0,2}|scrypt)\$[\w./$=,+-]{16,})",
    ),
    Shape("hash", r"\{S?S?HA\d*\}|\{CRYPT\}", r"(?P<secret>\{(?:S?SHA\d*|CRYPT)\}[\w./$+=]{12,})"),
    Shape(
        "docker-auth",
        r"(?i)auth(?:\\*[\"'])?\s*[:=]\s*(?:\\*[\"'])?[A-Za-z0-9+/]{8}",
        r"(?i)(?<![\w-])auth\\*[\"']?\s*[:=]\s*\\*[\"'](?P<secret>[A-Za-z0-9+/]{8,}={0,2})\\*[\"']",
    ),
    Shape(
        "private-key",
        r"\t[A-Za-z0-9+/]{43}=\t[A-Za-z0-9+/]{43}=\t\d",
        r"\t(?P<secret>[A-Za-z0-9+/]{43}=)\t[A-Za-z0-9+/]{43}=\t\d",
    ),
    Shape("password", r"password\s+\"", r"\bpassword\s+\"(?P<secret>.+)\"\s*;"),
    Shape(
        "password",
        r"(?i)neighbor\s+\S+\s+password\s",
        rf"(?i)\bneighbor\s+\S+\s+password\s+(?:\d\s+)?(?P<secret>{WORD})",
    ),
    Shape(
        "password", r":\s*(?:PSK|EAP|XAUTH)\s", rf":\s*(?:PSK|EAP|XAUTH)\s+(?:\"(?P<secret>[^\"]+)\"|(?P<bare>{WORD}))"
    ),
    Shape(
        "password",
        rf"(?i)^\s*(?:{DIRECTIVES})\s",
        rf"(?i)^\s*(?:{DIRECTIVES})\s+(?:\d\s+)?[\"']?(?P<secret>{WORD})[\"']?\s*;?$",
    ),
    Shape("password", r"(?i)passw(?:or)?d\s+\S", rf"(?i)\bpassw(?:or)?d\s+[\"']?(?P<secret>{WORD})", random=True),
    Shape(
        "secret",
        rf"(?i)<[\w.:-]*(?:{NAMES})\s*>[^<]",
        rf"(?i)<[\w.:-]*(?:{NAMES})\s*>(?P<secret>[^<>]+)</",
    ),
    Shape("password", r"(?i)login\s+\S+\s+password\s", rf"(?i)\blogin\s+\S+\s+password\s+(?P<secret>{WORD})"),
    Shape(
        "community",
        r"(?i)r[ow]community6?\s|trapcommunity\s|snmp-server community\s|com2sec6?\s",
        r"(?i)\b(?:r[ow]community6?|trapcommunity|snmp-server community|com2sec6?\s+\S+\s+\S+)\s+[\"']?(?P<secret>"
        + WORD
        + ")",
    ),
)


def finder(shape: Shape) -> Finder:
    """The shape as a finder."""
    exact = expression(shape.shape)

    def find(lines: Sequence[str], index: int) -> Iterator[Span]:
        for found in exact.finditer(lines[index]):
            group = found.lastgroup or "secret"
            text = found[group]
            if not is_plain(text) and (looks_random(text) or not shape.random):
                yield Span(index, *found.span(group), shape.kind, text)

    return Finder(shape.hint, find)
