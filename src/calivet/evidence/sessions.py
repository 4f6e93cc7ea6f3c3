"""Cuts a stretch of text at its prompts and headers: what a terminal showed, and what stands between."""

from __future__ import annotations

from calivet.evidence.fanout import by_host, inner_command
from calivet.evidence.headers import header
from calivet.evidence.heads import peel
from calivet.evidence.notes import end_of_output
from calivet.evidence.openings import Opening
from calivet.evidence.pieces import Mode, Piece
from calivet.evidence.probes import cut_probe, probes
from calivet.evidence.prompts import bare_command, continued, prompt, two_line_prompt
from calivet.evidence.prose import split_prose
from calivet.evidence.shapes import is_plainly_output
from calivet.evidence.words import is_sentence

Mark = tuple[int, Opening]
COMMENT = "# "


def cut_session(lines: list[str], mode: Mode) -> list[Piece]:
    """The pieces of this text, in order; together they hold every line that is not blank."""
    pieces: list[Piece] = []
    behind = 0
    for start, stop in probes(lines):
        pieces += [piece.moved(behind) for piece in _typed(lines[behind:start], mode)]
        pieces += [piece.moved(start) for piece in cut_probe(lines[start:stop])]
        behind = stop
    return pieces + [piece.moved(behind) for piece in _typed(lines[behind:], mode)]


def _typed(lines: list[str], mode: Mode) -> list[Piece]:
    """What somebody typed and was answered, and wrote around it."""
    marks = _marks(lines, mode)
    first = marks[0][0] if marks else len(lines)
    pieces = split_prose(lines[:first], mode, before_command=bool(marks))
    above: Opening | None = None
    label: str | None = None
    for number, (index, opening) in enumerate(marks):
        stop = marks[number + 1][0] if number + 1 < len(marks) else len(lines)
        label = label if opening.command else opening.label or label
        shared = _share(opening, above) if opening.inherits else opening
        above = above if opening.inherits else opening
        found = _closing(lines, index, stop, opening, pieces, mode) if _closes(opening) else None
        pieces += found if found is not None else _section(lines, index, stop, shared, mode, opening.label or label)
    return pieces


def _marks(lines: list[str], mode: Mode) -> list[Mark]:
    marks: list[Mark] = []
    index = 0
    while index < len(lines):
        opening = _opening(lines, index, mode)
        if opening:
            opening = continued(lines, index, opening)
            marks.append((index, opening))
        index += opening.lines if opening else 1
    first = marks[0][0] if marks else len(lines)
    return _bare_marks(lines[:first], mode) + marks


def _opening(lines: list[str], index: int, mode: Mode) -> Opening | None:
    """In Markdown, ornaments mean headings and bold words; only what no one writes by hand counts there."""
    line = lines[index]
    if not line or line.isspace():
        return None
    if mode is Mode.PROSE and line.startswith("#"):
        return None
    if opening := prompt(line) or two_line_prompt(lines, index):
        return opening
    opening = header(lines, index)
    if mode is not Mode.PROSE:
        return opening
    return opening if opening and (opening.inherits or line.startswith("==>")) else None


def _bare_marks(lines: list[str], mode: Mode) -> list[Mark]:
    """Only before the first prompt: a command line at the head of a paragraph, with output under it."""
    marks: list[Mark] = []
    for index, line in enumerate(lines):
        leads = not index or not lines[index - 1].strip() or (bool(marks) and marks[-1][0] == index - 1)
        if leads and (opening := bare_command(line)):
            below = next((text for text in lines[index + 1 : index + 4] if text.strip()), "")
            if mode is Mode.OUTPUT or (below and not is_sentence(below)) or is_plainly_output(below):
                marks.append((index, continued(lines, index, opening)))
    return marks


def _share(opening: Opening, above: Opening | None) -> Opening:
    """One host's part of the output of a command that ran on several."""
    command = opening.command or (inner_command(above.command) if above else None)
    return Opening(command, opening.host, opening.label, opening.lines, inherits=True)


def _closes(opening: Opening) -> bool:
    return opening.command is None and opening.label is None and not opening.inherits


def _closing(
    lines: list[str], index: int, stop: int, opening: Opening, pieces: list[Piece], mode: Mode
) -> list[Piece] | None:
    """An empty prompt is the last line of what stands above it; what follows belongs to no command."""
    if not pieces or pieces[-1].prose:
        return None
    body = index + opening.lines
    pieces[-1].lines += lines[pieces[-1].stop : index] + _dedented(lines[index:body], opening.indent)
    rest = split_prose(lines[body:stop], mode, before_command=True)
    for piece in rest:
        piece.host = None if piece.prose else opening.host
    return [piece.moved(body) for piece in rest]


def _section(lines: list[str], index: int, stop: int, opening: Opening, mode: Mode, label: str | None) -> list[Piece]:
    """The opening with its output, and what the author says behind it."""
    body = index + opening.lines
    end = body + end_of_output(lines[body:stop], mode)
    output = _dedented(lines[body:end], opening.indent)
    if lines[index].startswith(COMMENT):
        output = _uncommented(output)
    pieces = _output(_dedented(lines[index:body], opening.indent), output, opening)
    for piece in pieces:
        piece.label = label
    after = split_prose(lines[end:stop], mode, before_command=True)
    return [piece.moved(index) for piece in pieces] + [piece.moved(end) for piece in after]


def _output(head: list[str], output: list[str], opening: Opening) -> list[Piece]:
    whole = Piece(0, head, command=opening.command, host=opening.host)
    if shares := by_host(opening.command, output):
        return [whole, *(share.moved(len(head)) for share in shares)]
    peeled = peel(output)
    if len(peeled.pods) > 1:
        stops = [at for at, _ in peeled.pods[1:]] + [len(output)]
        parts = zip(peeled.pods, stops, strict=True)
        whole.lines = head + peeled.lines[: peeled.pods[0][0]]
        return [whole, *(Piece(len(head) + at, peeled.lines[at:end], command=pod) for (at, pod), end in parts)]
    whole.lines = head + peeled.lines
    return [whole]


def _dedented(output: list[str], indent: int) -> list[str]:
    """Where the prompt is indented, so is its output: by the same columns or, badly pasted, not at all."""
    blank = " " * indent
    if not indent or not all(line.startswith(blank) for line in output if line.strip()):
        return output
    return [line[indent:] if line.strip() else line for line in output]


def _uncommented(output: list[str]) -> list[str]:
    """In a configuration file, command and output may both be comments."""
    shown = 0
    while shown < len(output) and output[shown].startswith(COMMENT):
        shown += 1
    return [line.removeprefix(COMMENT) for line in output[:shown]] + output[shown:]
