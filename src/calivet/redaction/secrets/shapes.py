"""The tables of secrets that are known by their own looks or the few words around them, in text and on routers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from calivet.redaction.secrets.quoting import Value, read_word
from calivet.redaction.secrets.values import CHINESE_NAMES, is_plain, looks_random
from calivet.redaction.secrets.values import SECRET_WORDS as NAMES
from calivet.redaction.spans import Finder, build_line_finder
from calivet.search.expressions import expression

Read = Callable[[str, int], Value]


class Shape(Struct, frozen=True):
    """One kind of secret."""

    kind: str
    hint: str
    """For the scanner: simple, and never narrower than the shape."""
    shape: str
    """The group `secret` is what must not be shown; without it, the value that follows is."""
    random: bool = False
    """What is found must also look random: the words around it occur in ordinary text too."""
    read: Read = read_word


# Forges and clouds mark their tokens with a beginning of their own: GitHub, GitLab, Slack, Vault, OpenShift, Google,
# Azure, npm, PyPI, Stripe, DigitalOcean, Docker, Atlassian, New Relic, Shopify, Databricks, Grafana, Tailscale,
# Hugging Face, SendGrid, Telegram.
TOKENS = (
    *(r"gh[pousr]_[A-Za-z0-9]{20,}", r"github_pat_\w{20,}"),
    *(r"gl(?:pat|dt|rt|ptt|soat|cbt|imt|agent|ffct|oas|ft)-[\w.-]{20,}", r"(?:xox[abeoprs]|xapp)-[\w-]{10,}"),
    *(r"hv[sbr]\.[\w-]{20,}", r"s\.[A-Za-z0-9]{24}\b", r"sha256~[\w-]{43}"),
    *(r"ya29\.[\w.-]{20,}", r"AIza[\w-]{35}", r"GOCSPX-[\w-]{20,}", r"[\w.~-]{3}8Q~[\w.~-]{30,36}"),
    *(r"npm_[A-Za-z0-9]{30,}", r"pypi-[\w-]{80,}", r"[rs]k_live_\w{20,}", r"dop_v1_\w{40,}", r"dckr_pat_[\w-]{20,}"),
    *(r"ATATT3[\w=-]{40,}", r"NRAK-[A-Z0-9]{27}", r"shp(?:at|ss|ca|pa)_[0-9a-f]{32}", r"dapi[0-9a-f]{32}"),
    *(r"glsa_\w{30,}", r"tskey-[a-z]{1,20}-\w{1,40}-\w+", r"hf_[A-Za-z0-9]{30,}"),
    r"SG\.[\w-]{16,80}\.[\w-]{16,}",
    r"\d{8,10}:AA[\w-]{33}",
)
AWS_KEY = r"A(?:KI|SI|BI|CC)A[A-Z0-9]{16}"
CURVE_KEY = r"[A-Za-z0-9+/]{43}="
_AUTH, _AUTH_VALUE = "[Aa][Uu][Tt][Hh]", r"[\"'\\:=\s]{0,39}[A-Za-z0-9+/]{8}"
IN_A_QUERY = (
    r"(?i)[?&;](?:amp;)?(?:sig|signature|code"
    r"|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential))="
)
# Settings that have nothing but a blank before their value.
DIRECTIVES = (
    r"(?:^|\s)(?:bindpw|rootpw(?:\s--\w{1,12})?|rootbindpw|olcrootpw|requirepass|masterauth|auth_pass|wpa-psk)"
    r"|^\s{0,99}(?:password|passwd|enable secret)"
)

# Programs and languages that are told a secret where no name with a sign stands before it.
TOLD = (
    (
        r"(?i)config(?:ure)?\s{1,9}(?:--\S{1,40}\s{1,9})?set\s",
        rf"(?i)\bconfig(?:ure)?\s{{1,9}}(?:--\S{{1,40}}\s{{1,9}})?set\s{{1,9}}\S{{0,99}}(?:{NAMES})\s{{1,9}}",
    ),
    (
        r"mc\s{1,9}(?:alias|config)\s",
        r"\bmc\s{1,9}(?:alias|config)\s.{0,9}\b(?:set|add)\s{1,9}\S{1,80}\s{1,9}http\S{1,200}\s{1,9}\S{1,80}\s{1,9}",
    ),
    (
        r"rabbitmqctl\s",
        r"\brabbitmqctl\s.{0,40}\b(?:add_user|change_password|authenticate_user)\s{1,9}\S{1,80}\s{1,9}",
    ),
    (
        r"(?i)identified\s{1,9}(?:with|by)\s",
        r"(?i)\bidentified\s{1,9}(?:with\s{1,9}\S{1,80}\s{1,9})?(?:by|as)\s{1,9}(?:password\s{1,9})?(?=[\"'])",
    ),
    (r"(?i)password\(\s?[\"']", r"(?i)\bpassword\(\s?(?=[\"'])"),
    (r"(?i)ConvertTo-SecureString\s", r"(?i)\bConvertTo-SecureString\s{1,9}(?:-String\s{1,9})?(?=[\"'])"),
    (
        rf"(?i)^\s{{0,40}}(?:set)?env\s{{1,9}}\w{{0,80}}(?:{NAMES})\s",
        rf"(?i)^\s{{0,40}}(?:set)?env\s{{1,9}}\w{{0,80}}(?:{NAMES})\s{{1,9}}",
    ),
    (r":\d{1,5}> ?AUTH\s", r":\d{1,5}> ?AUTH\s{1,9}(?:\w{1,80}\s{1,9})?(?=\S+\s*$)"),
    (r"stats\s{1,9}auth\s", r"\bstats\s{1,9}auth\s{1,9}[^\s:]{1,80}:"),
    (r"addauth\s", r"\baddauth\s{1,9}digest\s{1,9}[^\s:]{1,80}:"),
    (r"cache_peer\s", r"\bcache_peer\s.{0,200}?\blogin=[^\s:]{1,80}:"),
    (r"openssl\s{1,9}passwd\s", r"\bopenssl\s{1,9}passwd\s{1,9}(?:-\S{1,40}\s{1,9}){0,5}(?=[^-\s|])"),
    (r"jdbc:oracle:", r"\bjdbc:oracle:\w{1,9}:[^\s/@]{1,80}/(?P<secret>[^\s/@]+)@"),
    (r"sqlplus\s", r"\bsqlplus\s{1,9}(?:-\S{1,40}\s{1,9}){0,5}[^\s/@]{1,80}/(?P<secret>[^\s@]+)"),
)
"""The hint and the shape of each."""

SHAPES = (
    Shape("signature", IN_A_QUERY, rf"{IN_A_QUERY}(?P<secret>[^&\s\"'\\<>]+)", random=True),
    # Hooks: whoever knows their address may write there.
    Shape("webhook", r"hooks\.slack\.com/", r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[\w/]+)"),
    Shape("webhook", r"webhook\.office\.com/", r"webhook\.office\.com/webhookb2/(?P<secret>[\w@/-]+)"),
    Shape(
        "webhook",
        r"/open-apis/bot/",
        r"(?:feishu\.cn|larksuite\.com|larkoffice\.com)/open-apis/bot/(?:v2/)?hook/(?P<secret>[\w-]+)",
    ),
    Shape(
        "webhook",
        r"weixin\.qq\.com/",
        r"qyapi\.weixin\.qq\.com/[\w/.-]{0,80}\?(?:[\w&=.-]{0,80}&)?key=(?P<secret>[\w-]+)",
    ),
    Shape(
        "webhook", r"dingtalk\.com/", r"dingtalk\.com/robot/\w{1,20}\?(?:[\w&=.-]{0,80}&)?access_token=(?P<secret>\w+)"
    ),
    Shape("webhook", r"api/webhooks/", r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/(?P<secret>[\w-]+)"),
    Shape("webhook", r"telegram\.org/bot", r"telegram\.org/(?:file/)?bot(?P<secret>\d+:[\w-]+)"),
    # Kubernetes and those around it.
    Shape(
        "bootstrap-token",
        r"\.[a-z0-9]{16}\b",
        r"(?<![\w./-])(?P<secret>[a-z0-9]{6}\.(?=[a-z]{0,15}\d)[a-z0-9]{16})(?![\w-]|\.\w)",
    ),
    Shape("node-token", r"K10[0-9a-f]{16}", r"\bK10[0-9a-f]{16,}::(?:[\w.-]{1,80}:)?(?P<secret>[\w.-]+)(?![\w.:-])"),
    Shape(
        "token",
        r"(?:token|kubeconfig)-[\w-]{1,80}:[a-z0-9]{40}",
        r"\b(?:token|kubeconfig)-[\w-]{1,80}:(?P<secret>[a-z0-9]{40,})",
    ),
    *(Shape("token", token, rf"(?<![A-Za-z0-9])(?P<secret>{token})") for token in TOKENS),
    Shape(
        "token",
        r"sk-[\w-]{20}",
        r"(?<![A-Za-z0-9])(?P<secret>sk-(?:proj-|ant-|svcacct-|or-v1-|admin-)?(?=[\w-]{0,60}(?:\d|[a-z][A-Z]))[\w-]{20,})",
    ),
    Shape("aws-key", AWS_KEY, rf"(?<![A-Za-z0-9])(?P<secret>{AWS_KEY})(?![A-Za-z0-9])"),
    Shape("access-key", r"LTAI[A-Za-z0-9]{12}", r"(?<![A-Za-z0-9])(?P<secret>LTAI[A-Za-z0-9]{12,30})(?![A-Za-z0-9])"),
    Shape("access-key", r"AKID[A-Za-z0-9]{32}", r"(?<![A-Za-z0-9])(?P<secret>AKID[A-Za-z0-9]{32})(?![A-Za-z0-9])"),
    Shape("key", r"(?:^|[^A-Za-z])SK=", r"(?:^|[^A-Za-z])SK="),
    Shape(
        "key",
        r"(?:^|[^A-Za-z])SK\\{0,9}[\"']?\s{0,9}[:=：]",
        r"(?:^|[^A-Za-z])SK\\{0,9}[\"']?\s{0,9}[:=：]\s{0,9}",
        random=True,
    ),
    Shape("ceph-key", r"AQ[A-D][A-Za-z0-9+/]{35}==", r"(?<![A-Za-z0-9+/])(?P<secret>AQ[A-D][A-Za-z0-9+/]{35}==)"),
    Shape("unseal-key", r"(?i)(?:unseal|recovery) key \d", r"(?i)\b(?:unseal|recovery) key \d{1,3}\s{0,9}[:=]\s{0,9}"),
    Shape("private-key", r"(?i)AGE-SECRET-KEY-1", r"(?i)(?P<secret>AGE-SECRET-KEY-1[a-z0-9]{20,})"),
    # Files of their own kind.
    Shape(
        "hash",
        r"\$(?:2[abxy]?|1|5|6|7|8|9|y|gy|apr1|argon2[a-z]{0,2}|scrypt)\$[^\s$:]{2}",
        r"(?P<secret>\$(?:2[abxy]?|1|5|6|7|8|9|y|gy|apr1|argon2[a-z]{0,2}|scrypt)\$[\w./$=,+-]{12,})",
    ),
    Shape("hash", r"\{S?S?HA\d{0,3}\}|\{CRYPT\}", r"(?P<secret>\{(?:S?SHA\d{0,3}|CRYPT)\}[\w./$+=]{12,})"),
    Shape(
        "docker-auth",
        # Spelt out in halves that are each cheaper to look for than `auth`, which is in every Unauthorized.
        rf"{_AUTH}[\"'\\ ]{_AUTH_VALUE}|{_AUTH}[:=\t\xa0]{_AUTH_VALUE}",
        r"(?i)(?<![\w-])auth\\{0,9}[\"']?\s{0,9}[:=]\s{0,9}\\{0,9}[\"'](?P<secret>[A-Za-z0-9+/]{8,}={0,2})\\{0,9}[\"']",
    ),
    # WireGuard's dump: the interface's own key, and what a peer shares with it.
    Shape(
        "private-key",
        rf"=\s{{1,9}}{CURVE_KEY}",
        rf"(?<![\w+/])(?P<secret>{CURVE_KEY})\s{{1,9}}{CURVE_KEY}\s{{1,9}}\d{{1,5}}\s{{1,9}}(?:off|0x)",
    ),
    Shape(
        "preshared-key",
        rf"=\s{{1,9}}{CURVE_KEY}",
        rf"{CURVE_KEY}\s{{1,9}}(?P<secret>{CURVE_KEY})\s{{1,9}}(?:\(none\)|[\d.\[\]:a-f]{{2,50}}:\d)",
    ),
    Shape(
        "key",
        r"(?:auth|auth-trunc|enc|aead)\s{1,9}\S{1,60}\s{1,9}0x[0-9a-f]{16}",
        r"\b(?:auth|auth-trunc|enc|aead)\s{1,9}\S{1,60}\s{1,9}(?P<secret>0x[0-9a-f]{16,})",
    ),
    Shape("password", r":\s{0,9}(?:PSK|EAP|XAUTH)\s", r":\s{0,9}(?:PSK|EAP|XAUTH)\s{1,9}"),
    Shape("password", rf"(?i)(?:{DIRECTIVES})\s", rf"(?i)(?:{DIRECTIVES})\s{{1,40}}(?:\d\s{{1,9}})?(?=\S+\s*;?$)"),
    Shape(
        "token", r"vault\s{1,9}login\s", r"\bvault\s{1,9}login\s{1,9}(?:-\S{1,80}\s{1,9}){0,5}(?=[^-\s])", random=True
    ),
    Shape("password", r"send\s{1,9}\"", r"\bsend\s{1,9}(?:--\s)?\"(?P<secret>[^\"\\\s]+)\\[rn]", random=True),
    Shape(
        "password",
        r"(?i)passw(?:or)?d for ",
        r"(?i)\bpassw(?:or)?d for '?[\w.@-]{1,80}'?:\s{1,9}(?=\S+\s*$)",
        random=True,
    ),
    Shape("password", r"(?i)passw(?:or)?d\s{1,40}\S", r"(?i)\bpassw(?:or)?d\s{1,40}", random=True),
    Shape(
        "secret",
        rf"(?i)<[\w.:-]{{0,80}}(?:{NAMES})\s{{0,9}}>[^<]",
        rf"(?i)<[\w.:-]{{0,80}}(?:{NAMES})\s{{0,9}}>(?P<secret>[^<>]+)</",
    ),
    Shape(
        "password", r"(?i)login\s{1,9}\S{1,80}\s{1,9}password\s", r"(?i)\blogin\s{1,9}\S{1,80}\s{1,9}password\s{1,9}"
    ),
    # XML, HTML and property lists: the name in one element or attribute, the value in the next.
    Shape(
        "secret",
        rf"(?i)(?:{NAMES})[\"']\s{{1,9}}value\s?=",
        rf"(?i)(?:name|key)\s?=\s?[\"'][\w.:-]{{0,80}}(?:{NAMES})[\"']\s{{1,9}}value\s?=\s?(?=[\"'])",
    ),
    Shape(
        "secret",
        rf"(?i)(?:{NAMES})\s{{0,9}}[:：]?</",
        rf"(?i)<(?:name|key|t[dh]|dt)>[\w .:-]{{0,80}}(?:{NAMES})\s{{0,9}}[:：]?</\w{{1,4}}>\s{{0,40}}"
        r"<(?:value|string|td|dd)>(?P<secret>[^<>]+)<",
    ),
    *(Shape("password", hint, shape) for hint, shape in TOLD),
    # In Chinese the account often stands between the word and the value.
    Shape(
        "password",
        rf"(?:{'|'.join(CHINESE_NAMES)})\S{{0,12}}[:：]",
        rf"(?:{'|'.join(CHINESE_NAMES)})[^\s:：，。,A-Za-z0-9]{{0,6}}[:：]\s{{0,9}}",
        random=True,
    ),
)


def build_shape_finder(shape: Shape) -> Finder:
    """The shape as a finder."""
    # Chinese is written around words without blanks, and must not be taken for a part of them.
    exact = expression(shape.shape, re.ASCII)

    def find(line: str) -> Iterator[tuple[int, int, str]]:
        for found in exact.finditer(line):
            start, stop = found.span("secret") if "secret" in found.re.groupindex else shape.read(line, found.end())[:2]
            text = line[start:stop]
            if text and not is_plain(text) and (looks_random(text) or not shape.random):
                yield start, stop, shape.kind

    return build_line_finder(shape.hint, find)


# Whether what follows is plain or encrypted makes no difference here: most of these ciphers can be turned back.
FORM = r"(?:(?:irreversible-)?cipher|simple|plain(?:-text)?|ascii-text|hash|encrypted|sha\d{0,3}|\d{1,2})"
OF = r"(?:password|authentication-mode|pre-shared-key|key-string|community|secret|shared-key|key|md5|hmac-\w{1,12})"

DEVICES = (
    Shape(
        "password",
        r"(?i)password\s{1,9}(?:md5|hash|encrypted|sha\d{0,3})\s",
        r"(?i)\bpassword\s{1,9}(?:md5|hash|encrypted|sha\d{0,3})\s{1,9}(?!md5|sha\d)(?=\S+\s*;?$)",
    ),
    Shape(
        "password", r"(?i)(?:isakmp|ikev[12])\s{1,9}key\s", r"(?i)\b(?:isakmp|ikev[12])\s{1,9}key\s{1,9}(?:\d\s{1,9})?"
    ),
    Shape(
        "password",
        r"(?i)(?:snmp-server\s{1,9}user|createuser)\s",
        r"(?i)\b(?:snmp-server\s{1,9}user\s.{0,120}?\bauth|createuser\s{1,9}\S{1,80})\s{1,9}(?:md5|sha\S{0,8})\s{1,9}",
    ),
    Shape(
        "password",
        r"(?i)snmp-server\s{1,9}user\s.{0,200}\bpriv\s",
        r"(?i)\bsnmp-server\s{1,9}user\s.{0,200}?\bpriv\s{1,9}(?:3?des|aes(?:\s{1,9}\d{1,3})?)\s{1,9}",
    ),
    Shape(
        "password",
        r"(?i)neighbor\s{1,9}\S{1,80}\s{1,9}password\s",
        rf"(?i)\bneighbor\s{{1,9}}\S{{1,80}}\s{{1,9}}password\s{{1,9}}(?:{FORM}\s{{1,9}})?",
    ),
    Shape(
        "password",
        r"(?i)peer\s{1,9}\S{1,80}\s{1,9}password\s",
        rf"(?i)\bpeer\s{{1,9}}\S{{1,80}}\s{{1,9}}password\s{{1,9}}(?:{FORM}\s{{1,9}})?",
    ),
    Shape(
        "password",
        r"(?i)(?:cipher|simple|plain|ascii-text)\s{1,9}\S",
        rf"(?i)\b{OF}(?:\s{{1,9}}[\w-]{{1,20}}){{0,3}}\s{{1,9}}(?:(?:irreversible-)?cipher|simple|plain|ascii-text)\s{{1,9}}",
    ),
    Shape(
        "password",
        r"(?i)(?:authentication|message-digest|pre-shared|shared|server)-key\s",
        rf"(?i)\b(?:authentication|message-digest|pre-shared|shared|server)-key\s{{1,9}}"
        rf"(?:(?:\d{{1,3}}\s{{1,9}}md5|{FORM})\s{{1,9}}){{0,2}}(?!{FORM}\s)",
    ),
    Shape("password", r"(?i)md5\s{1,9}\d{1,3}\s{1,9}key\s", r"(?i)\bmd5\s{1,9}\d{1,3}\s{1,9}key\s{1,9}"),
    Shape("password", r"(?i)key-string\s", rf"(?i)\bkey-string\s{{1,9}}(?:{FORM}\s{{1,9}})?"),
    Shape(
        "password",
        r"(?i)tacacs|radius",
        r"(?i)\b(?:tacacs|radius)(?:-server|\+)?\s.{0,80}?\b(?:key|secret)\s{1,9}(?:\d\s{1,9})?",
    ),
    Shape(
        "password",
        r"(?i)username\s{1,9}\S{1,80}\s.{0,40}(?:secret|password)\s",
        rf"(?i)\busername\s{{1,9}}\S{{1,80}}\s.{{0,40}}?(?:secret|password)\s{{1,9}}(?:{FORM}\s{{1,9}})?",
    ),
    # BIRD takes any sign between its quotes, quotes too, and complains: then the line must still show where it ends.
    Shape(
        "password",
        r"password\s{1,9}\\{0,9}\"",
        r"\bpassword\s{1,9}\\{0,9}\"(?P<secret>[^\n;]{1,400}?)\\{0,9}\"\s{0,9};",
    ),
    Shape("password", r"password\s{1,9}\\{0,9}\"", r"\bpassword\s{1,9}(?=\\{0,9}\"[^;]{0,400}$)"),
    Shape(
        "community",
        r"(?i)r[ow]community6?\s|trapcommunity\s|snmp(?:-server)? community\s|com2sec6?\s|snmp-agent community",
        r"(?i)\b(?:r[ow]community6?|trapcommunity|snmp(?:-server)? community|com2sec6?\s{1,9}\S{1,80}\s{1,9}\S{1,80}"
        rf"|snmp-agent community\s{{1,9}}(?:read|write))\s{{1,9}}(?:{FORM}\s{{1,9}})?",
    ),
)
