"""Tells a person's sentences from a program's lines, English and Chinese."""

from __future__ import annotations

import re

from calivet.evidence.expressions import expression

# So much of a line is enough to judge it by.
SEEN = 400

FUNCTION_WORDS = frozenset(
    (
        "the a an this that these those there here it its they them their he she his her you your i me my"
        " mine we us our is are was were be been being am has have had do does did can cannot could will would"
        " should shall may might must and or but so because since although though if then than when while"
        " whenever until unless whether as of in on at to from for with without by about into onto over under"
        " between after before during against among not no only also still just even again same other another"
        " any all every each both some none never always often which who whom whose what why how where very"
        " too more most less few many much now already yet don't doesn't didn't isn't aren't wasn't can't"
        " won't couldn't it's that's there's"
    ).split()
)
FIRST_PERSON = frozenset("i i'm i've i'd i'll my mine me we we're we've we'd we'll our ours us".split())
WORD = expression(r"(?<![\w-])[A-Za-z]+(?:['’][a-z]+)?(?![\w-])")
CHINESE = expression(r"[\u3400-\u9fff]")
CHINESE_MARK = expression(r"[，。；！？、：“”（）]")
TURN = expression(r", (?:but|because|although|so|which)\b")
GREETING = expression(
    r"(?:hi|hello|dear|thanks|thank you|thx|regards|best regards|cheers|any ideas?|please help)\b", re.IGNORECASE
)
# Two of these in a list with commas: somebody describes a setup.
VERSION = expression(r"(?<![\w.])v?\d{1,4}\.\d{1,3}(?:\.\d{1,3})?(?![\w.]*\.\d)")
INLINE_CODE = expression(r"(?<!`)`[^`]{1,120}`(?!`)")
# Words inside these are quoted from a program.
QUOTED = expression(r"`[^`]*`|\"[^\"]*\"|'[^']*'|https?://\S+")


def is_chinese(line: str) -> bool:
    """Chinese makes up a good part of the line, or marks it as a sentence."""
    seen = line[:SEEN]
    signs = len(CHINESE.findall(seen))
    if not signs or CHINESE_MARK.search(seen):
        return signs > 0
    return signs > 1 and signs >= len(WORD.findall(seen))


def is_sentence(line: str) -> bool:
    """Reads like something a person wrote."""
    if is_chinese(line):
        return True
    words = _words(line)
    links = sum(word in FUNCTION_WORDS for word in words)
    if len(words) >= 4 and (links >= 2 or (links == 1 and line.rstrip().endswith((".", ":", "!", "?")))):
        return True
    return _is_inventory(line, words)


def is_surely_written(line: str) -> bool:
    """No program says it this way: the first person, a question, an announcement, code in ticks, many small words."""
    if is_chinese(line) or GREETING.match(line):
        return True
    words = _words(line)
    if _is_inventory(line, words):
        return True
    links = sum(word in FUNCTION_WORDS for word in words)
    if len(words) < 3 or not links:
        return False
    if not FIRST_PERSON.isdisjoint(words) or links >= 7 or (links >= 3 and TURN.search(line[:SEEN])):
        return True
    if links >= 3 and line[0].islower() and words[0] in FUNCTION_WORDS:
        return True
    return links >= 2 and (line.rstrip().endswith((":", "?")) or bool(INLINE_CODE.search(line[:SEEN])))


def _is_inventory(line: str, words: list[str]) -> bool:
    return len(words) >= 4 and line.count(", ") >= 2 and len(VERSION.findall(line[:SEEN])) >= 2


def _words(text: str) -> list[str]:
    return [word.replace("’", "'").lower() for word in WORD.findall(QUOTED.sub(" ", text[:SEEN]))]
