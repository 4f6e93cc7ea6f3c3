"""A program's lines as they were before somebody quoted them in a sentence, or a screen broke them in two.

A message is its program's word wherever it stands: behind "the log says:", in ticks, in bold, in a cell of a table,
in the middle of a Chinese sentence. What is found here is read and searched as output, beside the note that holds it;
the claim still points at the note's own line.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from calivet.evidence.artifact import Artifact
from calivet.evidence.cutting.command_lines import CHINESE, is_bare_command, is_chinese, is_sentence
from calivet.evidence.cutting.output_shapes import CERTAIN, FAILURES, LOG_HEAD
from calivet.evidence.cutting.pieces import split_paragraphs
from calivet.evidence.cutting.prompts import read_prompt
from calivet.evidence.decoding.long_lines import FAILURE
from calivet.search.expressions import expression, find_lines_with

MOST_LINES = 8
"""Lines that one message was broken into."""


# Cells of a row stand apart; a sentence may end with two blanks.
_CELLS = expression(r"[^.:;!?] {2,}\S|\t")


def join_broken(lines: list[str], width: int) -> list[str]:
    """The first line as it was before a screen of this width broke it; none where it was not broken.

    Where words were kept whole the break took a blank; else only where the line is not full.
    """
    stop = 1
    while stop < min(len(lines), MOST_LINES) and was_broken(lines[stop - 1], lines[stop], width):
        stop += 1
    if stop == 1:
        return []
    parts = [lines[0].rstrip(), *(line.strip() for line in lines[1:stop])]
    hard = parts[0]
    for above, below, part in zip(lines, lines[1:stop], parts[1:], strict=False):
        hard += part if len(above) == width and not below[:1].isspace() else f" {part}"
    return list(dict.fromkeys([" ".join(parts), hard]))


def was_broken(above: str, below: str, width: int) -> bool:
    """The next word would not have fitted, and what follows has no head of its own and is no row, key or command."""
    text = below.strip()
    if not text or text[0] in "|+{}#$>*" or len(above) + 1 + len(text.split(maxsplit=1)[0]) <= width:
        return False
    if CERTAIN.match(text) or LOG_HEAD.match(text) or _CELLS.search(text) or is_chinese(text):
        return False
    return not (is_bare_command(text) or read_prompt(below))


_HIDDEN = r"(?:[xX]{1,3}|\*{1,3}|#{1,3}|__?)"
_WORDS = "masked|redacted|hidden|removed|ip|IP"
_WORD = rf"(?:\[(?:{_WORDS})\]|<(?:{_WORDS}|[a-z-]{{1,16}}-ip)>|\*{{3,12}}(?=[:/]))"
_MASKED = expression(
    rf"(?<![\w.*])(?:(?:\d{{1,3}}|{_HIDDEN})\.){{3}}(?:\d{{1,3}}|{_HIDDEN})(?![\w*]|\.\w)"
    rf"|(?<=[ /\[(@=\"]){_WORD}(?=[:/ ,\])\"]|$)"
)
_HINTS = ("x.", "X.", "*", "#.", "_.", "ed]", "en]", "ip]", "IP]", "ed>", "en>", "ip>", "IP>")
"""One of these is in every such line; to look for them costs far less than the expression."""
_HIDDEN_PART = expression(_HIDDEN)
_MOST_LINES = 3_000
STAND_IN = "10"
"""For a hidden part: it fits at every place of an address."""


def fill_masks(artifact: Artifact) -> Artifact | None:
    """The lines with such addresses, made whole; None where there are none."""
    if len(artifact.lines) > _MOST_LINES:
        return None
    found = [(index, line) for index, line in find_lines_with(_HINTS, artifact.lines) if _is_masked(line)]
    if not found:
        return None
    return Artifact(
        artifact.name,
        artifact.number(found[0][0]),
        [_MASKED.sub(lambda mask: _fill(mask[0]), line) for _, line in found],
        host=artifact.host,
        command=artifact.command,
        prose=artifact.prose,
        order=artifact.order,
        numbers=[artifact.number(index) for index, _ in found],
    )


def _is_masked(line: str) -> bool:
    return any(_fill(mask[0]) != mask[0] for mask in _MASKED.finditer(line))


def _fill(mask: str) -> str:
    parts = mask.split(".")
    if len(parts) != 4:
        return ".".join([STAND_IN] * 4)
    return ".".join(STAND_IN if _HIDDEN_PART.fullmatch(part) else part for part in parts)


SHORTEST = 12
SHORTEST_MARKED = 8
LONGEST = 2_000
"""Characters of a line that are looked at: a sentence is shorter, and so is a message that somebody quotes."""
_BROKEN_AT = 30
_WIDEST = 300
"""A screen that breaks lines is about as wide as this."""
_MOST_SEARCHED = 400
"""Lines: what people paste from such a screen is short, and logs that come as files are not broken."""

# What people put around a message: ticks, bold, tags, the quotation marks of both languages.
_MARKED = expression(
    r"(?P<ticks>`{1,2})(?P<code>[^`]{8,1500})(?P=ticks)|\*\*(?P<bold>[^*]{8,1500})\*\*"
    r"|<(?:code|b|strong|kbd)>(?P<html>[^<]{8,1500})</|“(?P<curly>[^“”]{8,1500})”|[「『](?P<corner>[^「」『』]{8,1500})[」』]"
)
_ITEM = expression(r"\s*(?:[-*+•]|\d{1,2}[.)、]|>)\s+(?P<rest>\S.{7,})$")
_TABLE_ROW = expression(r"\s*\|(?:[^|]{0,1500}\|){1,12}\s*$")
# Words that announce what a program says; behind them and a colon its own words begin.
_LEAD_IN = expression(
    r"(?i:.{0,120}?\b(?:logs?|errors?|messages?|says?|said|shows?|showed|prints?|printed|reports?|reported|outputs?"
    r"|following|events?|reason|is|are|was|with|saw|see|seeing|get|getting|got|like|this|that|these|below|here|found"
    r"|complains?|describe|status|issue|warning|from|in|of|on)(?: ?\([^)]{0,40}\))?)"
    r" ?(?::|->|=>|\u2014|\u2013)\s+(?P<rest>\S.{11,})$"
)
_CHINESE_LEAD_IN = expression(
    r"[^:：]{0,60}[\u3400-\u9fff][^\u3400-\u9fff:：]{0,12}[:：]\s*(?P<rest>[^\u3400-\u9fff]{8,})$"
)
# Between Chinese characters people use letters only for names, and for what they copied.
_FOREIGN = expression(r"[^\u3400-\u9fff。，、；？！]{12,1500}")
_FULL_WIDTH = str.maketrans("：（）［］｛｝＝／＂＇．－＿＜＞｜，；！？“”‘’", ":()[]{}=/\"'.-_<>|,;!?\"\"''")
# Nobody writes these in a sentence of one's own.
_MACHINE_WORDS = expression(
    rf"dial (?:tcp|udp|unix)\b|listen (?:tcp|udp)\b|rpc error: code|code = \w+ desc = |x509: |exit (?:status|code) \d"
    rf"|\b(?:error|err|msg|level)=|\.go[: ]\d+|\[(?:ERROR|WARNING|FATAL|PANIC|INFO)\]|: (?:{FAILURES})"
    r"|\b(?:Get|Post|Put|Patch) \\?\"?https?://|is forbidden: User|panic: |is not ready: |probe (?:failed|errored): "
    r"|Failed to create pod sandbox|networkPlugin cni failed|bind: |plugin type=\\?\"|\b\w+ failed \((?:add|delete)\): "
)
_CHAIN = expression(r"[\w)\]\"'-]: [\w\"'\[(]")
_FAULT = expression(
    r"(?i:not (?:supported|found|ready|permitted|allowed|exist|available|established|live|running|within|enabled)"
    r"|no longer|already|conflict|mismatch|incompatible|too (?:many|old|long|small)|must be|can only|no space|not an? "
    r"|does(?:n't| not)|is down|unknown|unauthorized|bad |wrong|missing|lost|drop|reject|retry|stuck|limit|insufficient"
    r"|out of|different|unsupported|incorrect|no more than|exhausted|refus|terminat|back-?off|in use|shared mount"
    r"|unhealthy|timeout)"
)
# The author says that it is not there.
_ABSENT = expression(
    r"(?i:(?:\b(?:no|not|never|without|n't|instead of|rather than|free of|neither|nor|isn't|any)\b[^.:]{0,24}"
    r"|(?:没有|没看到|未见|未出现|不再|而不是|不是|并无|无|看不到)[^，。：]{0,8})$)"
)
_SENTENCE = expression(r"(?:[^。！？!?.]|[.](?!\s+[A-Z\"`]|$)|[?!](?!\s|$))+[。！？!?.]?")
# Somebody speaks of a message that nobody has seen here: asks what it means, quotes a manual, thinks ahead.
_REFERRED = expression(
    r"(?i:what (?:does|is|do)\b.{0,80}\bmean|meaning of|release notes|changelog|as a known (?:problem|issue)"
    r"|(?:docs?|documentation|manual|guide|faq)\b.{0,30}\b(?:says?|mentions?|lists?|describes?|shows?)"
    r"|\bif (?:you|we|i|it|they) (?:ever )?(?:sees?|gets?|finds?|prints?|says?|shows?)\b"
    r"|\bwould (?:we |you |one )?(?:see|print|say|show|notice)\b"
    r"|\b(?:he|she|they|someone|somebody) once (?:had|saw|got|hit)\b"
    r"|是什么意思|什么含义|怎么理解|发布说明|已知问题|文档(?:里|中|上)?(?:提到|说|写)|如果(?:出现|看到|遇到|报))"
)


def restore_lines(artifact: Artifact) -> Artifact | None:
    """What programs say in this note, or said in one line before it was broken; None where nothing was found."""
    if artifact.numbers:
        return None
    found = list(_list_quoted(artifact.lines) if artifact.prose else _list_unbroken(artifact.lines))
    if not found:
        return None
    return Artifact(
        artifact.name,
        artifact.number(found[0][0]),
        [text for _, text in found],
        host=artifact.host,
        order=artifact.order,
        numbers=[artifact.number(index) for index, _ in found],
    )


def keep_messages(restored: Artifact) -> Artifact | None:
    """Those of the lines that complain or report: a setting that an author names may be the cure as well."""
    kept = [index for index, text in enumerate(restored.lines) if is_message(text)]
    if not kept:
        return None
    return replace(
        restored,
        first=restored.number(kept[0]),
        lines=[restored.lines[index] for index in kept],
        numbers=[restored.number(index) for index in kept],
    )


def find_quotations(line: str) -> list[str]:
    """The words of programs in a line that a person wrote."""
    line = line[:LONGEST]
    if len(line) < SHORTEST:
        return []
    spans = list(_list_marked(line)) or list(_list_unmarked(line))
    reported = (one for one in spans if not is_referred(line, one[0]))
    texts = (_clean(text) for start, text in reported if not _ABSENT.search(line[max(0, start - 40) : start]))
    return list(dict.fromkeys(text for text in texts if len(text) >= SHORTEST_MARKED))


def is_referred(line: str, place: int) -> bool:
    """Whether the author speaks of what stands at this place rather than reports it, as far as the sentence tells."""
    around = next((one for one in _SENTENCE.finditer(line) if one.start() <= place < one.end()), None)
    return around is not None and _REFERRED.search(around[0]) is not None


def is_message(text: str) -> bool:
    """A complaint or a log line rather than a name, a setting or a command."""
    if len(text) < SHORTEST or " " not in text.strip() or _is_command(text):
        return False
    headed = CERTAIN.match(text) or LOG_HEAD.match(text)
    return bool(headed or FAILURE.search(text) or _FAULT.search(text) or _CHAIN.search(text))


def _is_command(text: str) -> bool:
    return is_bare_command(text.strip()) or read_prompt(text.strip()) is not None


def _list_marked(line: str) -> Iterator[tuple[int, str]]:
    for found in _MARKED.finditer(line):
        text = next(found[name] for name in ("code", "bold", "html", "curly", "corner") if found[name])
        if not _is_command(text):
            yield found.start(), text
    if _TABLE_ROW.match(line):
        yield 0, line
        cells = [cell.strip(" *`") for cell in line.split("|")]
        yield 0, "   ".join(cells).strip()
        yield from ((line.index(cell), cell) for cell in cells if is_message(cell))


def _list_unmarked(line: str) -> Iterator[tuple[int, str]]:
    """Behind a lead-in, between Chinese words, or the whole sentence where it holds what only programs say."""
    item = _ITEM.match(line)
    if item and not CHINESE.search(line) and (not is_sentence(item["rest"]) or _MACHINE_WORDS.search(line)):
        if not _is_command(item["rest"]):
            yield item.start("rest"), item["rest"]
    elif lead := _CHINESE_LEAD_IN.match(line):
        if not _is_command(lead["rest"]):
            yield lead.start("rest"), lead["rest"]
    elif CHINESE.search(line):
        yield from ((found.start(), found[0]) for found in _FOREIGN.finditer(line) if is_message(found[0]))
    elif (lead := _LEAD_IN.match(line)) and is_message(lead["rest"]):
        yield lead.start("rest"), lead["rest"]
    elif found := _MACHINE_WORDS.search(line):
        yield found.start(), line


def _clean(text: str) -> str:
    return text.translate(_FULL_WIDTH).strip(" \t*`:,;.|>\"'-") if not text.isascii() else text.strip(" \t*`,;|>")


def _list_quoted(lines: list[str]) -> Iterator[tuple[int, str]]:
    for start, stop in split_paragraphs(lines):
        found = [(index, text) for index in range(start, stop) for text in find_quotations(lines[index])]
        yield from found
        if stop - start > 1:
            yield from _list_across(lines[start:stop], start)
        elif not found and not is_sentence(lines[start]) and not _is_command(lines[start]):
            yield start, lines[start].strip()


def _list_across(lines: list[str], first: int) -> Iterator[tuple[int, str]]:
    """A message that goes on in the next lines of its paragraph."""
    width = max(map(len, lines))
    for index, line in enumerate(lines[:-1]):
        if index and was_broken(lines[index - 1], line, width):
            continue
        opened = line.count("`") % 2 or line.count("**") % 2
        around = [text.strip() for text in lines[index : index + MOST_LINES]]
        for joined in join_broken(lines[index : index + MOST_LINES], width) or ([" ".join(around)] if opened else []):
            own = (text for text in find_quotations(joined) if not any(text in part for part in around))
            yield from ((first + index, text) for text in own)


def _list_unbroken(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Lines that a screen broke and that complain of something, as they were."""
    width = max(map(len, lines))
    if not _BROKEN_AT <= width <= _WIDEST or len(lines) > _MOST_SEARCHED:
        return
    rest = False
    for index, line in enumerate(lines[:-1]):
        is_rest, rest = rest, False
        if len(line) < _BROKEN_AT or is_rest or not was_broken(line, lines[index + 1], width):
            continue
        if not _is_command(line):
            rest = True
            joined = join_broken(lines[index : index + MOST_LINES], width)
            yield from ((index, text) for text in joined if _is_complaint(text))


def _is_complaint(line: str) -> bool:
    return bool(LOG_HEAD.search(line) or FAILURE.search(line) or CERTAIN.match(line))
