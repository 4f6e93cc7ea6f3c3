"""Commands that print a secret, and announcements of one: what stands alone on the lines after them is hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calivet.evidence.expressions import expression
from calivet.evidence.prompts import prompt
from calivet.redaction.finding import Finder, Span
from calivet.redaction.margins import behind, margin_of
from calivet.redaction.values import is_plain

KIND = "printed-secret"
# What hashes, parses or counts its input prints nothing of it; nor is what an object is called a secret.
HARMLESS = expression(
    r"openssl\s+(?:x509|verify|s_client|rsa|pkey)|sha\d*sum|md5sum|wc\b|jq\s|-o\s*(?:yaml|json|name|wide)\b|grep\s+-c"
    r"|\.metadata\.(?!.*\.data\b)"
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
WORD_ALONE = expression(r"\s*(?P<secret>[^\s:<]{6,})\s*$")
LONG_NUMBER = expression(r".*\s(?P<secret>[0-9a-f]{32,})\s*$")
DUMP = expression(r"[0-9a-f]{7,8}:?\s+(?P<secret>(?:[0-9a-f]{2,4}\s+)+.*)$")
# The prompt comes on the same line where the secret has no newline of its own.
BEFORE_PROMPT = expression(r"\s*(?P<secret>[^\s@:]{6,200}?)(?=\[?[\w.-]{1,64}@[\w.-]{1,64}[ :][^#$]{0,80}[#$])")
SHAPES = (DUMP, WORD_ALONE, LONG_NUMBER, BEFORE_PROMPT)
LINES = 12
# A certificate begins, which is public, or a key, which has a finder of its own.
FRAME = "-----BEGIN"


def find(lines: Sequence[str], index: int) -> Iterator[Span]:
    """The words that stand alone under this line, up to the next prompt."""
    if HARMLESS.search(lines[index]):
        return
    margin = margin_of(lines, index, index + 1)
    for number, body in behind(lines, range(index + 1, min(len(lines), index + LINES)), margin):
        found = next((found for shape in SHAPES if (found := shape.match(body))), None)
        if FRAME in body:
            return
        if found and not is_plain(found["secret"]):
            start, stop = found.span("secret")
            yield Span(number, start + len(margin), stop + len(margin), KIND, found["secret"])
        if prompt(body.strip()):
            return


FINDER = Finder("|".join(TELLING), find)
