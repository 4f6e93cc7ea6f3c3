"""Secrets that a name gives away: `password: x`, `TOKEN=x`, `"apiKey": "x"`, `--token x`, `密码是 x`, in any text.

A name, a sign, and a value in the grammar of what surrounds it: a string in quotes, a line of YAML or of an
environment, an element of a map or of a query, a word of a command line or of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from calivet.redaction.secrets.below import BLOCK, find_below, find_rest_of_quoted, find_wrapped_below
from calivet.redaction.secrets.quoting import CHINESE, GOES_ON, OpenQuotes, Value, find_newline, read_quoted, read_word
from calivet.redaction.secrets.values import (
    CHINESE_NAMES,
    ENDINGS,
    SECRET_WORDS,
    WIDE_HINT,
    find_kind,
    is_chinese,
    is_innocent,
    is_plain,
    looks_random,
)
from calivet.redaction.spans import Finder, Span, build_spans
from calivet.search.expressions import expression

_CHINESE = "|".join(CHINESE_NAMES)
WHOSE = r"(?:\s?[(（][^()（）]{1,40}[)）])?"
# What a Chinese sentence may set a value in, and what it says where a password is another one now.
BRACKETS = "“「『【"
CLOSERS = dict(zip(BRACKETS, "”」』】", strict=True))
CHANGED = r"[已被]?(?:改|设|設|换|換|重置|重設|修改|更改|设置|設置|设定|變更|变更|更新)[了]?[成为為到]"
ALL = "都|均|全|统一|統一"
HINT = (
    rf"(?i)(?:{SECRET_WORDS})(?:{ENDINGS})?(?:\\{{0,9}}[\"'])?{WHOSE}\*{{0,2}}\s{{0,40}}(?:[:=：＝→]|-{{1,2}}>|(?:{ALL})?(?:是|为|為)|is[\s:：])"
    rf"|(?:{_CHINESE})(?:[\s!-~{BRACKETS}]|{CHANGED})"
    rf"|-[\w.-]{{0,60}}(?:{SECRET_WORDS})(?:{ENDINGS})?\s{{1,40}}[^\s-]"
)
# The name's end and the sign. The rest of the name is found by going back, which no line makes slow.
CORE = expression(
    rf"(?:(?:{SECRET_WORDS})(?:{ENDINGS})?(?![A-Za-z0-9_-])|(?:{_CHINESE}))(?P<quote>\\{{0,9}}[\"'])?{WHOSE}"
    r"(?P<sign>\*{0,2}\s{0,40}(?:=>|:=|-{1,2}>|→|[:=：＝](?!=[\s\"']))\*{0,2}\s{0,200}"
    rf"|\s{{0,40}}(?:(?:{ALL})?[是为為]|{CHANGED})[:：]?\s{{0,40}}"
    rf"|\s{{1,40}}is:?\s{{1,40}}|\s{{0,9}}(?=[{BRACKETS}])|\s{{1,40}}(?!-)|(?<=[\u3400-\u9fff])(?=[!-~]))"
    # What a language writes before a string: YAML's type, Python's letter and triple quotes, how Rust and Go show one.
    r"(?:!{1,2}(?:binary|str|vault|secret|env|sub|ref|reference)\s{1,20}|[bur](?=[\"'])|\"\"(?=\")|''(?=')|(?:Some|Secret|SecretString)\((?=[\"'])"
    r"|\(string\)\s(?:\(len=\d{1,6}\)\s)?(?=[\"']))?",
    re.IGNORECASE | re.ASCII,
)
BACKWARDS = expression(r"[A-Za-z0-9_.-]{0,80}")
LONGEST_NAME = 80
KEY_OF_WORDS = expression(r"[\w .-]{0,40}")
# A field of its own: nothing but blanks, a list's dash or the opening of a map stands before it on the line.
# What a Chinese name is of: the account's, the database's.
_QUALIFIED = expression(r"[\u3400-\u9fff]{0,12}$")
FIELD = expression(r"\s*(?:[-+?*>|]\s+|export\s+|set\s+|[$#]\s+|declare\s+-x\s+)*(?:\\{0,9}[\"'`]|\*\*|\{)?\s*")
TO_FILL_IN = expression(r"<[a-z][\w './:-]{0,80}>", re.IGNORECASE)
VARIABLE = expression(r"[A-Z_][A-Z0-9_]*")
BLANKS = expression(r"\s+")
COLUMNS = expression(r"\s{2,}")
EMPTY = expression(r"\s*$")
COMMENT = expression(r"\s#")
NEWLINE = expression(r"\\{1,15}[nrt][ \\nrt-]{0,40}$")
BEHIND = expression(r"[\s,;)\]}\"'|<]*$|[,;)\]}|]")
# What a test prints that went well.
VERDICT = "PASS"
# Behind these words a colon goes on with what went wrong.
COMPLAINT = expression(
    r"fail|error|cannot|can't|unable|invalid|denied|missing|could ?n[o']t|expired|refused|forbidden|\bnot\b|\bno\b"
    r"|wrong|unauth|while|reading|pars|\bfor\b|失败|错误|无法",
    re.IGNORECASE,
)
BEFORE = 80
# Right behind a Chinese word: shorter than this it may be what the sentence goes on with, as an algorithm's name.
SHORTEST_WITHOUT_SIGN = 8
# What stands between the elements of a query or of a connection's description stands in none of them.
SEPARATORS = {";": ";", "&": "&", "?": "&"}


class Named(Struct, frozen=True):
    """A name that says secret, and the sign behind it."""

    line: str
    start: int
    end: int
    """Where the value begins."""
    name: str
    kind: str
    sign: str
    quote: str
    """Around the name alone, as JSON has it."""
    is_option: bool

    @property
    def is_field(self) -> bool:
        """Nothing of its own stands before it on the line, or behind a newline that is written out."""
        head = self.line[: self.start]
        if self.sign.strip(" *") in (":", "：", "=", "＝"):
            head = head[: len(head) - len(_QUALIFIED.search(head)[0])]  # type: ignore[index] # matches everything
        return bool(FIELD.fullmatch(head)) or bool(NEWLINE.search(head[-BEFORE:]))

    @property
    def has_rest(self) -> bool:
        """A value there may hold blanks: in YAML, in an `ini` file, in what `env` prints."""
        if self.is_option or self.quote:
            return False
        return "=" not in self.sign or self.sign.startswith(" ") or bool(VARIABLE.fullmatch(self.name))


def find(lines: Sequence[str], hits: Sequence[int]) -> Iterator[Span]:
    """Every name on these lines that says secret, with the value that follows it there or on the lines below."""
    for index in hits:
        line, at = lines[index], 0
        quotes = OpenQuotes(line)
        while core := CORE.search(line, at):
            named = _find_named(line, core, at)
            at = core.end()
            if named and (EMPTY.match(line, at) or BLOCK.match(line, at)):
                if named.sign.strip():
                    yield from find_below(lines, index, named.kind)
            elif named:
                value = _read_value(named, quotes)
                if _is_secret(named, value):
                    yield from _build_value_spans(lines, index, named, value)
                    at = max(at, value.stop)


def _find_named(line: str, core: re.Match[str], after: int) -> Named | None:
    start = _start_of_name(line, core.start(), after)
    quote = core["quote"] or ""
    end = core.start("quote") if quote else core.start("sign")
    if quote:
        start = _start_of_key(line, start, quote)
        if start < 0:
            return None
    name = re.split(r"[(（]", line[start:end], maxsplit=1)[0].strip()
    kind = find_kind(name)
    is_option = line.endswith("-", 0, start)
    if kind is None or name == VERDICT or line.endswith("@", 0, start):
        return None
    if not core["sign"].strip() and not is_option and not is_chinese(name):
        return None
    return Named(line, start, core.end(), name, kind, core["sign"], quote, is_option)


def _start_of_name(line: str, core: int, after: int) -> int:
    """Going back over what names are made of; two dashes begin an option, also one that is glued to another word."""
    first = max(after, core - LONGEST_NAME)
    if (dashes := line.rfind("--", first, core)) >= 0:
        first = dashes + 2
    backwards = BACKWARDS.match(line[first:core][::-1])
    start = core - (backwards.end() if backwards else 0)
    while start < core and line[start] in "-.":
        start += 1
    if line[start : start + 1] in ("n", "r", "t") and line.endswith("\\", 0, start) and start < core:
        start += 1  # a newline that is written out
    return start


def _start_of_key(line: str, start: int, quote: str) -> int:
    """Where a key in quotes begins, also one of several words; -1 where the quote belongs to something else."""
    opening = line.rfind(quote, max(0, start - LONGEST_NAME), start)
    if opening < 0 or not KEY_OF_WORDS.fullmatch(line, opening + len(quote), start):
        return -1
    return start


def _read_value(named: Named, quotes: OpenQuotes) -> Value:
    """By the grammar of what surrounds it."""
    line, start = named.line, named.end
    limit = quotes.limit(start)
    if start >= limit:
        return Value(start, start)
    if closer := CLOSERS.get(line[start]):
        stop = line.find(closer, start, limit)
        return Value(start + 1, stop if stop > 0 else limit, quoted=True, closed=stop > 0)
    quoted = read_quoted(line, start)
    if quoted and not GOES_ON.match(line, quoted.stop):
        return quoted
    if limit < len(line):
        limit = find_newline(line, start, limit)
    if named.is_field and named.has_rest:
        return Value(start, _end_of_rest(named, limit))
    if to_fill_in := TO_FILL_IN.match(line, start, limit):
        return Value(start, to_fill_in.end())
    before = line[named.start - 1 : named.start]
    return read_word(line, start, limit, ends=",}]" if named.quote else SEPARATORS.get(before, ""))


def _end_of_rest(named: Named, limit: int) -> int:
    """The value has the rest of the line to itself, up to a comment."""
    line, stop = named.line, limit
    for end in (CHINESE, COMMENT) if "=" not in named.sign else (CHINESE,):
        if found := end.search(line, named.end, stop):
            stop = found.start()
    rest = line[named.end : stop].rstrip()
    if "{" in line[: named.start] or "[" in line[: named.start]:
        return read_word(line, named.end, stop).stop
    return named.end + len(rest.removesuffix(","))


def _is_secret(named: Named, value: Value) -> bool:
    text = named.line[value.start : value.stop]
    if named.line[value.start - 1] in CLOSERS:
        return bool(text) and not CHINESE.search(text) and not is_innocent(text, named.name, named.kind)
    if not named.sign and len(text) < SHORTEST_WITHOUT_SIGN:
        return False
    if not text or is_innocent(text, named.name, named.kind, quoted=value.quoted):
        return False
    if not value.quoted and " " in text and any(is_plain(end.split(text, 1)[0]) for end in (BLANKS, COLUMNS)):
        return False
    return _is_setting(named, value) or looks_random(text)


def _is_setting(named: Named, value: Value) -> bool:
    """The line has the form of a setting, rather than of a sentence in which the word occurs."""
    sign = named.sign
    if sign.strip(" *") in ("->", "-->", "→"):
        return False
    if named.is_option or "=" in sign or "＝" in sign or named.quote:
        return True
    if ":" not in sign and "：" not in sign:
        goes_on = CHINESE.match(named.line, value.stop)
        return "is" not in sign.lower() and bool(sign.strip()) and not (goes_on and goes_on[0].isalpha())
    if named.is_field or not sign.endswith(" "):
        return True
    if COMPLAINT.search(named.line, max(0, named.start - BEFORE), named.start):
        return False
    return value.quoted or bool(BEHIND.match(named.line, value.stop))


def _build_value_spans(lines: Sequence[str], index: int, named: Named, value: Value) -> Iterator[Span]:
    line, kind = lines[index], named.kind
    text = line[value.start : value.stop]
    if value.quoted and not value.closed:
        yield Span(index, value.start, value.stop, kind, text)
        yield from find_rest_of_quoted(lines, index, line[named.end : value.start], kind)
    elif text.isdigit() and not value.quoted:
        yield Span(index, value.start, value.stop, kind, text, named.quote)
    else:
        pieces = [(index, value.start, value.stop), *find_wrapped_below(lines, index, value.start, value.stop)]
        yield from build_spans(kind, pieces, lines)


FINDER = Finder(HINT, find, WIDE_HINT)
