"""Which lines of a text without commands are the author's own words."""

from __future__ import annotations

from calivet.evidence.cutting.command_lines import is_chinese, is_sentence, is_surely_written
from calivet.evidence.cutting.output_shapes import is_likely_output, is_plainly_output
from calivet.evidence.cutting.pieces import Mode, Piece, split_paragraphs
from calivet.evidence.cutting.quotations import was_broken
from calivet.search.expressions import expression

COMMENT = expression(r"\s*(?:#{1,3}|//|;;?|--)\s?(?=\S)")
# Comments that programs write into their files.
MACHINE_COMMENT = expression(
    r"\s*(?:#+|//|;+) ?"
    r"(?:Generated|Completed|Table|Warning: |Managed|Please|Source:|This file|Do not|DO NOT|Auto|Created"
    r"|HELP \w|TYPE \w|-|=|\*)"
)
STRUCTURED = expression(r"\s*(?:- )?[\w./\"-]+:(?: |$)|\s*- \S+$|\s*[\[\]{}]|\s*[\w.\[\]-]+ ?= ?\S")
HEADING = expression(r"#{1,6} \S")
LABEL = expression(r"[\w.@ -]{1,40}[:：]\s*$")
SHORT = 12
SCREEN = 60
"""A screen that breaks lines is at least so wide."""

# True: the author's words. False: output. None: cannot be said from the line alone.
Verdict = bool | None


def split_prose(lines: list[str], mode: Mode, *, before_command: bool = False) -> list[Piece]:
    """Cuts lines that no prompt or header explains into the author's words and output, in turns."""
    verdicts: list[Verdict] = [None] * len(lines)
    spans = list(split_paragraphs(lines))
    for start, stop in spans:
        verdicts[start:stop] = _judge(lines[start:stop], mode)
    _judge_comments(lines, spans, verdicts, mode, before_command=before_command)
    _settle(lines, spans, verdicts, mode)
    return _build_pieces(lines, verdicts)


def is_comment(line: str) -> bool:
    """A remark behind a comment mark, by a person."""
    found = COMMENT.match(line)
    return found is not None and not MACHINE_COMMENT.match(line) and is_sentence(line[found.end() :])


def is_label(line: str) -> bool:
    """A name with a colon, alone between blank lines: what follows comes from there."""
    return bool(LABEL.match(line))


def _judge(paragraph: list[str], mode: Mode) -> list[Verdict]:
    if mode is Mode.OUTPUT:
        chinese = all(is_chinese(line) and not is_plainly_output(line) for line in paragraph)
        return [chinese or None] * len(paragraph)
    if len(paragraph) == 1 and is_label(paragraph[0]):
        return [True]
    if len(paragraph) > 2 and _is_structured(paragraph):
        return [False] * len(paragraph)
    verdicts = [_judge_line(line, mode) for line in paragraph]
    for index in range(1, len(verdicts)):
        # The rows of a table are what its first line is.
        if paragraph[index].lstrip()[:1] == "|" and paragraph[index - 1].lstrip()[:1] in {"|", "+"}:
            verdicts[index] = verdicts[index - 1]
    width = max(map(len, paragraph))
    for index in range(1, len(verdicts)):
        if (
            verdicts[index - 1] is False
            and width >= SCREEN
            and was_broken(paragraph[index - 1], paragraph[index], width)
        ):
            verdicts[index] = False
    for index in range(1, len(verdicts) - 1):
        sandwiched = verdicts[index - 1] is False and verdicts[index + 1] is False
        if sandwiched and not is_surely_written(paragraph[index]):
            verdicts[index] = False
    return _spread_verdicts(verdicts)


def _judge_line(line: str, mode: Mode) -> Verdict:
    if is_plainly_output(line):
        return False
    if COMMENT.match(line) and mode is Mode.EITHER:
        return None
    if is_surely_written(line):
        return True
    if mode is Mode.PROSE and HEADING.match(line):
        return True
    likely = is_likely_output(line)
    if is_sentence(line) and not likely:
        return True
    return False if likely and mode is Mode.EITHER else None


def _is_structured(paragraph: list[str]) -> bool:
    """YAML, JSON or TOML: most lines are keys or brackets, and some are nested."""
    fitting = sum(bool(STRUCTURED.match(line)) and not is_chinese(line) for line in paragraph)
    nested = sum(line.startswith(("  ", "\t")) and not line.lstrip().startswith(("- ", "* ")) for line in paragraph)
    return fitting >= 0.7 * len(paragraph) and nested >= 2


def _spread_verdicts(verdicts: list[Verdict]) -> list[Verdict]:
    """Lines that tell nothing follow the line before them; at the head of the paragraph, the line after them."""
    known = next((verdict for verdict in verdicts if verdict is not None), None)
    spread = []
    for verdict in verdicts:
        known = known if verdict is None else verdict
        spread.append(known)
    return spread


def _judge_comments(
    lines: list[str], spans: list[tuple[int, int]], verdicts: list[Verdict], mode: Mode, *, before_command: bool
) -> None:
    """Remarks stand at the head of a text or before a command; comments elsewhere belong to a file's content."""
    if mode is Mode.PROSE or not spans:
        return
    for index in range(spans[0][0], spans[0][1]):
        if not is_comment(lines[index]):
            break
        verdicts[index] = True
    if before_command:
        for index in reversed(range(spans[-1][0], spans[-1][1])):
            if not is_comment(lines[index]):
                break
            verdicts[index] = True


def _settle(lines: list[str], spans: list[tuple[int, int]], verdicts: list[Verdict], mode: Mode) -> None:
    """Decides what is still open by the paragraphs around it."""
    alone = mode is Mode.EITHER and not any(map(is_surely_written, lines))
    for number, (start, stop) in enumerate(spans):
        before = verdicts[spans[number - 1][1] - 1] if number else None
        after = verdicts[spans[number + 1][0]] if number + 1 < len(spans) else None
        default = before if before is not None and mode is Mode.EITHER else mode is Mode.PROSE
        for index in range(start, stop):
            if verdicts[index] is None:
                verdicts[index] = default
        doubtful = alone or False in {before, after}
        if mode is Mode.EITHER and stop - start == 1 and doubtful and _is_short_statement(lines[start]):
            verdicts[start] = False


def _is_short_statement(line: str) -> bool:
    """Programs, too, say things like `The daemon is running`, where nothing shows a person at work."""
    own = is_surely_written(line) or is_label(line) or COMMENT.match(line)
    return len(line.split()) <= SHORT and not own


def _build_pieces(lines: list[str], verdicts: list[Verdict]) -> list[Piece]:
    pieces: list[Piece] = []
    for index, line in enumerate(lines):
        prose = bool(verdicts[index])
        if not line or line.isspace():
            continue
        if pieces and pieces[-1].prose == prose:
            pieces[-1].lines.extend(lines[pieces[-1].stop : index + 1])
        else:
            pieces.append(Piece(index, [line], prose))
    return pieces


# Programs that speak Chinese begin with their own name, with the date, or with one of these words.
PROGRAM_SAYS = expression(
    r"[\w./-]+[:：] ?|\S*[\[(（]|\d{4} ?年|\s"
    r"|已|正在|没有可用|完毕|完成|总用量|总计|总下载|警告|错误|无法|未|找不到|来自|往返|最短"
)
MARKUP = expression(r"#{1,6} \S|(?:[-*+]|\d{1,2}[.)]) \S|!?\[[^\]]+\]\(|<[a-z/!]")


def find_end_of_output(lines: list[str], mode: Mode) -> int:
    """How many of the lines under a command are its output; what follows is not."""
    for start, stop in split_paragraphs(lines):
        paragraph = lines[start:stop]
        if start and (_is_note(paragraph) or (mode is Mode.PROSE and _is_markdown(paragraph))):
            return start
        if all(_is_chinese_remark(line) for line in paragraph):
            return start
        if mode is not Mode.OUTPUT:
            # Notes without any markup go from output to words and on without a blank line.
            for index in range(start + 1, stop):
                if _is_chinese_remark(lines[index]):
                    return index
    return _find_last_remarks(lines)


def _is_note(paragraph: list[str]) -> bool:
    if any(is_plainly_output(line) for line in paragraph):
        return False
    if len(paragraph) == 1 and (is_comment(paragraph[0]) or is_label(paragraph[0])):
        return True
    return any(map(is_surely_written, paragraph)) and all(
        is_sentence(line) or not is_likely_output(line) for line in paragraph
    )


def _is_markdown(paragraph: list[str]) -> bool:
    first = paragraph[0]
    return bool(MARKUP.match(first)) or (is_sentence(first) and not is_plainly_output(first))


def _is_chinese_remark(line: str) -> bool:
    return is_chinese(line) and not PROGRAM_SAYS.match(line) and not is_plainly_output(line) and len(line.strip()) > 3


def _find_last_remarks(lines: list[str]) -> int:
    """Remarks may also follow the output directly, before the next prompt or the end."""
    end = len(lines)
    while end and (not lines[end - 1].strip() or is_comment(lines[end - 1]) or _is_chinese_remark(lines[end - 1])):
        end -= 1
    return end
