"""Commands that print a secret, and announcements of one: what stands alone on the lines after them is hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calivet.evidence.expressions import expression
from calivet.evidence.prompts import prompt
from calivet.redaction.finding import Finder, Span
from calivet.redaction.values import is_plain

KIND = "printed-secret"
# What hashes, parses or counts its input prints nothing of it.
HARMLESS = (
    r"openssl\s+(?:x509|verify|s_client|rsa|pkey)|sha\d*sum|md5sum|wc\b|jq\s|-o\s*(?:yaml|json|name|wide)\b|grep\s+-c"
)
TELLING = (
    r"get\s+secrets?[ /].*(?:jsonpath|template|custom-columns)",
    r"kubectl\s.*create\s+token\s",
    r"kubeadm\s+(?:token\s+(?:create|generate|list)|certs\s+certificate-key|init\s+phase\s+upload-certs)",
    r"certificate key:?\s*$",
    r"wg\s+(?:genkey|genpsk|show\s.*(?:private|preshared)-keys?)",
    r"openssl\s+rand\s",
    r"cat\s+\S*(?:token|passw(?:or)?d|secret|\.pass|\.pgpass|key)\s*$",
    r"base64\s+(?:-d|--decode|-D)\s*(?:$|[|;&])",
    r"ecr\s+get-login-password|get-access-token|print-(?:access|identity)-token",
    r"echo\s+\"?\$\{?\w*(?:PASS|TOKEN|SECRET|KEY)\w*\}?\"?\s*$",
    r"vault\s+(?:read|kv\s+get)\s.*-field",
)
HARMLESS_LINE = expression(HARMLESS)
WORD_ALONE = expression(r"\s*(?P<secret>[^\s:<]{6,})\s*$")
DUMP = expression(r"[0-9a-f]{7,8}:?\s+(?P<secret>(?:[0-9a-f]{2,4}\s+)+.*)$")
# The prompt comes on the same line where the secret has no newline of its own.
BEFORE_PROMPT = expression(r"(?P<secret>[^\s@:]{6,200}?)(?=\[?[\w.-]{1,64}@[\w.-]{1,64}[ :][^#$]{0,80}[#$])")
LINES = 12
FRAME = "-----"


def find(lines: Sequence[str], index: int) -> Iterator[Span]:
    """The words that stand alone under this line, up to the next prompt."""
    if HARMLESS_LINE.search(lines[index]):
        return
    for number in range(index + 1, min(len(lines), index + LINES)):
        line = lines[number]
        found = DUMP.match(line) or WORD_ALONE.match(line) or BEFORE_PROMPT.match(line)
        if found and not is_plain(found["secret"]) and FRAME not in line:
            yield Span(number, *found.span("secret"), KIND, found["secret"])
        if prompt(line):
            return


FINDER = Finder("|".join(TELLING), find)
