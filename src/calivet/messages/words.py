"""Text in both languages, and the filling-in of names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from calivet.messages.command_line import COMMAND_PLACE, PLACE, fill
from calivet.search.expressions import expression

PROVEN = "proven_"
_DURATION = expression(r"([\d.,]+) (s|min|h|d)")
_NAME = r"[^\s,]{1,253}(?: v\d[^\s,]{0,60})?"
_NAMES = expression(rf"(?P<names>{_NAME}(?:, {_NAME}){{0,60}})(?: \(\+(?P<more>[\d,]+)\))?")
_CHINESE_UNITS = {"s": "秒", "min": "分钟", "h": "小时", "d": "天"}


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """The same text in English and in Chinese."""

    en: str
    zh: str

    def read(self, language: str) -> str:
        """The text in this language."""
        return self.zh if language == "zh" else self.en

    def fill(self, values: Mapping[str, str]) -> Words:
        """The text with its places filled; a place with no value becomes <name>."""
        told = {name: _spell_out(name, value) for name, value in values.items()}
        chinese = fill(self.zh, {name: words.zh for name, words in told.items()})
        return Words(fill(self.en, {name: words.en for name, words in told.items()}), _close_gaps(chinese))

    def tell(self, values: Mapping[str, str]) -> Words:
        """The same for a sentence that people read: what nobody knows is spoken of in general, not as <name>."""
        unknown = Words(_speak_in_general(self.en, values, "en"), _speak_in_general(self.zh, values, "zh"))
        return unknown.fill(values)


_IN_GENERAL = {
    "node": Words("a node", "某个节点"),
    "nodes": Words("the affected nodes", "受影响的节点"),
    "pod": Words("a pod", "某个 Pod"),
    "address": Words("an unknown address", "未知地址"),
}
# Beside another place, or inside a word, it is one form of a name among several.
_ALONE = expression(r"(?P<before>address |地址 ?)?(?<![\w}])\{(?P<name>[a-z_]+)\}(?![\w{])")


def _speak_in_general(template: str, values: Mapping[str, str], language: str) -> str:
    def replace(place: re.Match[str]) -> str:
        name = place["name"]
        if values.get(name) or name not in _IN_GENERAL:
            return place[0]
        told = place["before"] or ""
        return told.rstrip() if told and name == "address" else told + _IN_GENERAL[name].read(language)

    return _ALONE.sub(replace, template)


_CLOSING, _OPENING = "，。；：、！？）”", "（“"


def _close_gaps(text: str) -> str:
    """No space stands between two Chinese characters, behind a mark of theirs that closes, or before one that opens.

    An expression with so many in a class is dear to compile.
    """
    first, *others = text.split(" ")
    closed = first
    for part in others:
        before, after = closed[-1:], part[:1]
        is_beside_mark = bool(before and before in _CLOSING) or bool(after and after in _OPENING)
        between = "" if is_beside_mark or (_is_chinese(before) and _is_chinese(after)) else " "
        closed = f"{closed}{between}{part}"
    return closed


def _is_chinese(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


_OUTCOMES = {
    "refused": Words("refused", "被拒绝"),
    "no-route": Words("no route", "没有路由"),
    "reset": Words("connection reset", "连接被重置"),
    "unresolved": Words("the name does not resolve", "域名无法解析"),
    "timeout": Words("timed out", "超时"),
    "loss": Words("packets lost", "丢包"),
    "error": Words("failed", "失败"),
}
"""How a test of the network ended: facts know it by a word of their own."""


def _spell_out(name: str, value: str) -> Words:
    """A value as it is read in each language."""
    outcome = _OUTCOMES.get(value) if name == "outcome" else None
    return outcome or Words(value, _translate_value(value))


def _translate_value(value: str) -> str:
    """A duration such as `5 min` has a word for its unit, a list of names its own mark; all else stays as it is."""
    if found := _DURATION.fullmatch(value):
        return f"{found[1]} {_CHINESE_UNITS[found[2]]}"
    if ", " in value and (listed := _NAMES.fullmatch(value)):
        more = f"（另有 {listed['more']} 个）" if listed["more"] else ""
        return listed["names"].replace(", ", "、") + more
    return value


def list_places(template: str) -> set[str]:
    """The names of the places in a template."""
    return set(PLACE.findall(template))


def list_command_places(template: str) -> set[str]:
    """The names of the places in a command of the catalogue."""
    return set(COMMAND_PLACE.findall(template))
