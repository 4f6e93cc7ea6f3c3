"""Cuts a stretch of text at its prompts and headers: what a terminal showed, and what stands between."""

from __future__ import annotations

from calivet.evidence.cutting.command_lines import is_sentence
from calivet.evidence.cutting.output_shapes import is_plainly_output
from calivet.evidence.cutting.pieces import Mode, Piece, cut_by_host, find_inner_command
from calivet.evidence.cutting.probe_output import cut_probe, find_probes
from calivet.evidence.cutting.prompts import (
    Opening,
    continue_command,
    read_bare_command,
    read_header,
    read_prompt,
    read_two_line_prompt,
)
from calivet.evidence.cutting.prose import find_end_of_output, split_prose
from calivet.evidence.decoding.line_prefixes import peel

Mark = tuple[int, Opening]
COMMENT = "# "


def cut_session(lines: list[str], mode: Mode) -> list[Piece]:
    """The pieces of this text, in order; together they hold every line that is not blank."""
    pieces: list[Piece] = []
    behind = 0
    for start, stop in find_probes(lines):
        pieces += [piece.shift(behind) for piece in _cut_typed(lines[behind:start], mode)]
        pieces += [piece.shift(start) for piece in cut_probe(lines[start:stop])]
        behind = stop
    return pieces + [piece.shift(behind) for piece in _cut_typed(lines[behind:], mode)]


def _cut_typed(lines: list[str], mode: Mode) -> list[Piece]:
    """What somebody typed and was answered, and wrote around it."""
    marks = _find_marks(lines, mode)
    first = marks[0][0] if marks else len(lines)
    pieces = split_prose(lines[:first], mode, before_command=bool(marks))
    above: Opening | None = None
    label: str | None = None
    for number, (index, opening) in enumerate(marks):
        stop = marks[number + 1][0] if number + 1 < len(marks) else len(lines)
        label = label if opening.command else opening.label or label
        shared = _share_host(opening, above) if opening.inherits else opening
        above = above if opening.inherits else opening
        found = _cut_closing(lines, index, stop, opening, pieces, mode) if _does_close(opening) else None
        pieces += found if found is not None else _cut_section(lines, index, stop, shared, mode, opening.label or label)
    return pieces


def _find_marks(lines: list[str], mode: Mode) -> list[Mark]:
    marks: list[Mark] = []
    index = 0
    while index < len(lines):
        opening = _read_opening(lines, index, mode)
        if opening:
            opening = continue_command(lines, index, opening)
            marks.append((index, opening))
        index += opening.lines if opening else 1
    first = marks[0][0] if marks else len(lines)
    return _find_bare_marks(lines[:first], mode) + marks


def _read_opening(lines: list[str], index: int, mode: Mode) -> Opening | None:
    """In Markdown, ornaments mean headings and bold words; only what no one writes by hand counts there."""
    line = lines[index]
    if not line or line.isspace():
        return None
    if mode is Mode.PROSE and line.startswith("#"):
        return None
    if opening := read_prompt(line) or read_two_line_prompt(lines, index):
        return opening
    opening = read_header(lines, index)
    if mode is not Mode.PROSE:
        return opening
    return opening if opening and (opening.inherits or line.startswith("==>")) else None


def _find_bare_marks(lines: list[str], mode: Mode) -> list[Mark]:
    """Only before the first prompt: a command line at the head of a paragraph, with output under it."""
    marks: list[Mark] = []
    for index, line in enumerate(lines):
        leads = not index or not lines[index - 1].strip() or (bool(marks) and marks[-1][0] == index - 1)
        if leads and (opening := read_bare_command(line)):
            below = next((text for text in lines[index + 1 : index + 4] if text.strip()), "")
            if mode is Mode.OUTPUT or (below and not is_sentence(below)) or is_plainly_output(below):
                marks.append((index, continue_command(lines, index, opening)))
    return marks


def _share_host(opening: Opening, above: Opening | None) -> Opening:
    """One host's part of the output of a command that ran on several."""
    command = opening.command or (find_inner_command(above.command) if above else None)
    return Opening(command, opening.host, opening.label, opening.lines, inherits=True)


def _does_close(opening: Opening) -> bool:
    return opening.command is None and opening.label is None and not opening.inherits


def _cut_closing(
    lines: list[str], index: int, stop: int, opening: Opening, pieces: list[Piece], mode: Mode
) -> list[Piece] | None:
    """An empty prompt is the last line of what stands above it; what follows belongs to no command."""
    if not pieces or pieces[-1].prose:
        return None
    body = index + opening.lines
    pieces[-1].lines += lines[pieces[-1].stop : index] + _dedent_output(lines[index:body], opening.indent)
    rest = split_prose(lines[body:stop], mode, before_command=True)
    for piece in rest:
        piece.host = None if piece.prose else opening.host
    return [piece.shift(body) for piece in rest]


def _cut_section(
    lines: list[str], index: int, stop: int, opening: Opening, mode: Mode, label: str | None
) -> list[Piece]:
    """The opening with its output, and what the author says behind it."""
    body = index + opening.lines
    end = body + find_end_of_output(lines[body:stop], mode)
    output = _dedent_output(lines[body:end], opening.indent)
    if lines[index].startswith(COMMENT):
        output = _uncomment_output(output)
    pieces = _cut_output(_dedent_output(lines[index:body], opening.indent), output, opening)
    for piece in pieces:
        piece.label = label
    after = split_prose(lines[end:stop], mode, before_command=True)
    return [piece.shift(index) for piece in pieces] + [piece.shift(end) for piece in after]


def _cut_output(head: list[str], output: list[str], opening: Opening) -> list[Piece]:
    whole = Piece(0, head, command=opening.command, host=opening.host)
    if shares := cut_by_host(opening.command, output):
        return [whole, *(share.shift(len(head)) for share in shares)]
    peeled = peel(output)
    if len(peeled.pods) > 1:
        stops = [at for at, _ in peeled.pods[1:]] + [len(output)]
        parts = zip(peeled.pods, stops, strict=True)
        whole.lines = head + peeled.lines[: peeled.pods[0][0]]
        return [whole, *(Piece(len(head) + at, peeled.lines[at:end], command=pod) for (at, pod), end in parts)]
    whole.lines = head + peeled.lines
    return [whole]


def _dedent_output(output: list[str], indent: int) -> list[str]:
    """Where the prompt is indented, so is its output: by the same columns or, badly pasted, not at all."""
    blank = " " * indent
    if not indent or not all(line.startswith(blank) for line in output if line.strip()):
        return output
    return [line[indent:] if line.strip() else line for line in output]


def _uncomment_output(output: list[str]) -> list[str]:
    """In a configuration file, command and output may both be comments."""
    shown = 0
    while shown < len(output) and output[shown].startswith(COMMENT):
        shown += 1
    return [line.removeprefix(COMMENT) for line in output[:shown]] + output[shown:]
