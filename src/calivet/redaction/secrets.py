"""The table of secrets that are known by their own looks, or by the few words around them on their line."""

from __future__ import annotations

import re
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
    r"(?:^|\s)(?:bindpw|rootpw|rootbindpw|olcrootpw|requirepass|masterauth|auth_pass)"
    r"|^\s*(?:password|passwd|enable secret)"
)
TO_QUOTE = r"[^\"'\\\]\n]+"
HEADER = r"(?i)\bauthorization\\{0,9}[\"']?\s*[:=]\s*[\[\"'\\]*"
IN_A_QUERY = (
    r"(?i)[?&;](?:amp;)?(?:sig|signature|code"
    r"|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential))="
)
# Forges and clouds mark their tokens with a beginning of their own: GitHub, GitLab, Slack, Vault, OpenShift, Google,
# Azure, npm, PyPI, Stripe, DigitalOcean, Docker, Grafana, Tailscale, Hugging Face, OpenAI, SendGrid.
TOKENS = (
    *(r"gh[pousr]_[A-Za-z0-9]{20,}", r"github_pat_\w{20,}"),
    *(r"gl(?:pat|dt|rt|ptt|soat|cbt|imt|agent|ffct|oas|ft)-[\w.-]{20,}", r"(?:xox[abeoprs]|xapp)-[\w-]{10,}"),
    *(r"hv[sbr]\.[\w-]{20,}", r"s\.[A-Za-z0-9]{24}\b", r"sha256~[\w-]{43}"),
    *(r"ya29\.[\w.-]{20,}", r"AIza[\w-]{35}", r"GOCSPX-[\w-]{20,}", r"[\w.~-]{3}8Q~[\w.~-]{30,36}"),
    *(r"npm_[A-Za-z0-9]{30,}", r"pypi-[\w-]{80,}", r"[rs]k_live_\w{20,}", r"dop_v1_\w{40,}", r"dckr_pat_[\w-]{20,}"),
    *(r"glsa_\w{30,}", r"tskey-[a-z]+-\w+-\w+", r"hf_[A-Za-z0-9]{30,}", r"sk-(?:proj-|ant-)?\w{20,}"),
    r"SG\.[\w-]{16,}\.[\w-]{16,}",
)
AWS_KEY = r"A(?:KI|SI|BI|CC)A[A-Z0-9]{16}"

SHAPES = (
    # Headers of HTTP.
    Shape(
        "authorization",
        r"(?i)authorization(?:\\*[\"'])?\s*[:=]",
        rf"{HEADER}(?:(?:basic|bearer|token|apikey|negotiate|ntlm)\s+(?P<secret>{WORD})"
        rf"|(?:digest|aws4-hmac-sha256|hawk|signature)\s+(?P<long>{TO_QUOTE}))",
    ),
    Shape("authorization", r"(?i)authorization(?:\\*[\"'])?\s*[:=]", rf"{HEADER}(?P<secret>{WORD})", random=True),
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
    Shape("signature", IN_A_QUERY, rf"{IN_A_QUERY}(?P<secret>[^&\s\"'\\<>]+)", random=True),
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
    *(Shape("token", token, rf"(?<![A-Za-z0-9])(?P<secret>{token})") for token in TOKENS),
    Shape("aws-key", AWS_KEY, rf"(?<![A-Za-z0-9])(?P<secret>{AWS_KEY})(?![A-Za-z0-9])"),
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
    Shape("password", r"password\s+\\*\"", r"\bpassword\s+\\{0,9}\"(?P<secret>.+?)\\{0,9}\"\s*;"),
    Shape(
        "password",
        r"(?i)neighbor\s+\S+\s+password\s",
        rf"(?i)\bneighbor\s+\S+\s+password\s+(?:\d\s+)?(?P<secret>{WORD})",
    ),
    Shape(
        "password",
        r":\s*(?:PSK|EAP|XAUTH)\s",
        rf":\s*(?:PSK|EAP|XAUTH)\s+(?:\\{{0,9}}\"(?P<secret>[^\"\\]+)|(?P<bare>{WORD}))",
    ),
    Shape(
        "password",
        rf"(?i)(?:{DIRECTIVES})\s",
        rf"(?i)(?:{DIRECTIVES})\s+(?:\d\s+)?[\"']?(?P<secret>{WORD})[\"']?\s*;?$",
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
        r"(?i)\b(?:r[ow]community6?|trapcommunity|snmp-server community|com2sec6?\s+\S+\s+\S+)\s+"
        rf"[\"']?(?P<secret>{WORD})",
    ),
)


def finder(shape: Shape) -> Finder:
    """The shape as a finder."""
    # Chinese is written around words without blanks, and must not be taken for a part of them.
    exact = expression(shape.shape, re.ASCII)

    def find(lines: Sequence[str], index: int) -> Iterator[Span]:
        for found in exact.finditer(lines[index]):
            group = found.lastgroup or "secret"
            text = found[group]
            if not is_plain(text) and (looks_random(text) or not shape.random):
                yield Span(index, *found.span(group), shape.kind, text)

    return Finder(shape.hint, find)
