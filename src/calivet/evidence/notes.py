"""Finds the author's remarks among the lines under a command."""

from __future__ import annotations

from calivet.evidence.expressions import expression
from calivet.evidence.pieces import Mode, paragraphs
from calivet.evidence.prose import is_comment, is_label
from calivet.evidence.shapes import is_likely_output, is_plainly_output
from calivet.evidence.words import is_chinese, is_sentence, is_surely_written

# Programs that speak Chinese begin with their own name, with the date, or with one of these words.
PROGRAM_SAYS = expression(
    r"[\w./-]+[:：] ?|\S*[\[(（]|\d{4} ?年|\s"
    r"|已|正在|没有可用|完毕|完成|总用量|总计|总下载|警告|错误|无法|未|找不到|来自|往返|最短"
)
MARKUP = expression(r"#{1,6} \S|(?:[-*+]|\d{1,2}[.)]) \S|!?\[[^\]]+\]\(|<[a-z/!]")


def end_of_output(lines: list[str], mode: Mode) -> int:
    """How many of the lines under a command are its output; what follows is not."""
    for start, stop in paragraphs(lines):
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
    return _before_last_remarks(lines)


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


def _before_last_remarks(lines: list[str]) -> int:
    """Remarks may also follow the output directly, before the next prompt or the end."""
    end = len(lines)
    while end and (not lines[end - 1].strip() or is_comment(lines[end - 1]) or _is_chinese_remark(lines[end - 1])):
        end -= 1
    return end
