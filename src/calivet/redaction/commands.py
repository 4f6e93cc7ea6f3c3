"""The table of secrets on command lines that no name gives away: an option of one letter does, or the place."""

from __future__ import annotations

from msgspec import Struct

from calivet.redaction.marks import ANY_MARK
from calivet.redaction.secrets import Shape

# Other arguments, as few as there are and as many as anybody writes.
BETWEEN = r"(?:.{0,400}?\s)??"
# One argument of a shell, or the part of it behind a user's name. A mark is one too: what follows it is not meant.
ARGUMENT = rf"(?:'(?P<secret>[^']+)'|\"(?P<double>[^\"]+)\"|(?P<bare>(?:{ANY_MARK}|[^\s'\"|;&<>])+))"
AFTER_USER = r"(?:'[^':]+:(?P<secret>[^']+)'|\"[^\":]+:(?P<double>[^\"]+)\"|[^\s'\":]+:(?P<bare>[^\s'\"|;&]+))"
AFTER_PERCENT = r"[\"']?[^\s%]+%(?P<secret>[^\s\"']+)"
COOKIE = r"[\"']?(?P<secret>[\w.%-]+=[^\"'\s]+)"


class Option(Struct, frozen=True):
    """A program, and the option behind which it takes a secret."""

    program: str
    option: str
    value: str = ARGUMENT
    kind: str = "password"

    def shape(self) -> Shape:
        """As a row of the table of secrets."""
        hint = rf"(?:{self.program})\s.*(?:{self.option})"
        return Shape(self.kind, hint, rf"\b(?:{self.program})\s{BETWEEN}(?:{self.option}){self.value}")


OPTIONS = (
    Option("sshpass", r"-p\s*"),
    Option(r"mysql[\w-]*|mariadb[\w-]*", "-p"),
    Option("curl|http|https|xh", r"-\w*u\s*|--user[= ]", AFTER_USER),
    Option("curl", r"-U\s*|--proxy-user[= ]", AFTER_USER),
    Option("curl", r"-b\s*|--cookie[= ]", COOKIE, kind="cookie"),
    Option("login", r"-p\s*"),
    Option("etcdctl", r"--user[= ]|-u\s*|user add\s+", AFTER_USER),
    Option("crictl|ctr|podman|skopeo", r"(?:--creds|--user|-u|--src-creds|--dest-creds)[= ]", AFTER_USER),
    Option("redis-cli", r"-a\s+"),
    Option(r"ldap\w+", r"-w\s*"),
    Option("ipmitool", r"-P\s*"),
    Option("tcpdump", r"-M\s*"),
    Option("smbclient", r"-U\s*", AFTER_PERCENT),
    Option(r"snmp\w+", r"-c\s*", kind="community"),
    Option("openssl", r"-k\s+(?:pass:)?|-pass(?:in|out|word)?\s+pass:"),
    Option("htpasswd", r"-\w*b\w*\s+(?:-\w+\s+)*\S+\s+(?:\S+\s+)?"),
)
ECHOED = r"(?:echo|printf)\s+(?:-\w+\s+)?"
READS_ONE = r"(?:sudo\s+(?:-\w+\s+)*?-\w*S|(?:sudo\s+)?passwd\b|[^|]{0,200}--(?:password|token)-stdin|base64\b)"

COMMANDS = (
    *(option.shape() for option in OPTIONS),
    # What is piped into a program that reads a password.
    Shape("password", r"\|\s*(?:sudo\s+)?chpasswd", rf"\b{ECHOED}[\"']?[\w.-]+:(?P<secret>[^\s\"'|]+)"),
    Shape("password", r"passwd.*<<<", r"passwd\b.*<<<\s*[\"']?(?:[\w.-]+:)?(?P<secret>[^\s\"']+)"),
    Shape(
        "password",
        r"(?:echo|printf)\s.*\|.*(?:sudo|passwd|-stdin|base64)",
        rf"\b{ECHOED}(?:'(?P<secret>[^']+)'|\"(?P<double>[^\"$]+)\"|(?P<bare>[^\s'\"$|]+))\s*\|\s*{READS_ONE}",
    ),
    Shape(
        "secret",
        r"create\s.*secret\s.*--from-literal",
        r"--from-literal[= ][\"']?[\w.-]+=(?:'(?P<secret>[^']+)'|(?P<bare>[^\s'\"]+))",
    ),
    Shape("certificate-key", r"--certificate-key", r"--certificate-key[= ]+[\"']?(?P<secret>[0-9a-f]{16,})"),
    Shape("token", r"--discovery-token[= ]", r"--discovery-token[= ]+[\"']?(?P<secret>[^\s\"'-][^\s\"']+)"),
)
