"""What a terminal shows: taken out of text that comes in, and made harmless in all that is printed or written."""

from __future__ import annotations

from calivet.search.expressions import expression

# In this order: titles, other strings, colours and cursor movements, character sets and single commands.
ESCAPES = expression(
    r"\x1b(?:"
    r"\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)"
    r"|[PX^_][^\x1b\n]{0,400}\x1b\\"
    r"|\[[0-?]{0,40}[ -/]{0,4}[@-~]"
    r"|[ -/]{1,2}[0-~]"
    r"|[0-Z\\^-~]"
    r"|\[[0-?]{0,40}|\]?"
    r")"
)
# The same colours after a logger wrote the escape character out, or a paste lost it.
WRITTEN_OUT = expression(r"(?:\^\[|#033|\\u001[bB]|\\x1[bB]|\\033|\\e)\[[0-9;]{0,20}[mKGHJ]")
ORPHAN = expression(r"\[(?:[0-9]{1,2}(?:;[0-9]{1,3}){0,4})?m(?!\])")
# Whoever switches a colour on switches it off again, in one of these ways.
COLOUR_OFF = ("[0m", "[0;")

# What the eye does not see, and the blanks that web pages use in place of spaces.
INVISIBLE = expression("[\x80-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")
BLANK = expression("[\xa0\u2000-\u200a\u202f\u205f\u3000]")
NEWLINES = expression(r"\r+\n")

# Keeps tab, newline, return, backspace, and the two characters that frame escapes.
DROPPED = bytes(set(range(32)) - set(b"\t\n\r\b\a\x1b") | {127})


def strip_controls(text: str) -> str:
    """Drops control characters; bytes do this far faster than text."""
    data = text.encode("utf-8", "replace")
    kept = data.translate(None, DROPPED)
    return text if len(kept) == len(data) else kept.decode("utf-8")


def strip_escapes(text: str) -> str:
    """Drops terminal sequences, written in whichever way, and then the bells."""
    if "\x1b" in text:
        text = ESCAPES.sub("", text)
    if any(off in text for off in COLOUR_OFF):
        text = ORPHAN.sub("", WRITTEN_OUT.sub("", text))
    return text.replace("\a", "")


def replace_blanks(text: str) -> str:
    """Turns every kind of blank into a space and drops the invisible characters."""
    if text.isascii():
        return text
    return BLANK.sub(" ", INVISIBLE.sub("", text))


def to_lines(text: str) -> list[str]:
    """Splits at newlines of every system; a lone return rewrites its line, as it does on a terminal."""
    if "\r" in text:
        text = NEWLINES.sub("\n", text).rstrip("\r")
        if text.count("\r") > text.count("\n"):
            text = text.replace("\r", "\n")
    lines = text.split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    if "\r" in text:
        lines = [_keep_last_written(line) if "\r" in line else line for line in lines]
    if "\b" in text:
        lines = [_apply_backspaces(line) if "\b" in line else line for line in lines]
    return lines


def _keep_last_written(line: str) -> str:
    return next((part for part in reversed(line.split("\r")) if part.strip()), "")


def _apply_backspaces(line: str) -> str:
    kept: list[str] = []
    for character in line:
        if character != "\b":
            kept.append(character)
        elif kept:
            kept.pop()
    return "".join(kept)


# What acts on a terminal or cannot be seen: control characters, and marks that hide, join or turn the writing around.
_HIDDEN = expression(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e007f]"
)


def show(text: str) -> str:
    """The text with all such characters written out; new lines and tabs stay."""
    return _HIDDEN.sub(lambda found: repr(found[0])[1:-1], text) if _HIDDEN.search(text) else text


def show_in_json(text: str) -> str:
    """The same for JSON, in which such characters stand only inside of strings: it still says the same."""
    return _HIDDEN.sub(lambda found: _escape(found[0]), text) if _HIDDEN.search(text) else text


def _escape(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[index]:02x}{units[index + 1]:02x}" for index in range(0, len(units), 2))
