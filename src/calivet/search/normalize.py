"""Lines that differ only in numbers and identifiers have one normal form, and most patterns are in all of them or none.

In a normal form a stand-in takes the place of every digit, and another one that of every character of an identifier:
the id of a container, a UUID, an address of Ethernet or IPv6, the end of a name that a machine made up. Nothing changes
its length. Whether a pattern is in all lines of a form, or in none, two variants of the pattern tell: one takes a
stand-in wherever some of what it stands for would fit, the other one only where all of it would. Where they disagree,
the line itself has to tell. So whatever is levelled here, the answer stays the same.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from calivet.search.expressions import compile_kept, expression

ESCAPE_OR_CLASS = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]"
_BRACKET_OR_BAR = expression(rf"{ESCAPE_OR_CLASS}|[()|]")
_FLAGS = expression(r"\(\?[aiLmsux]+\)")
_BLANK = expression(ESCAPE_OR_CLASS)
_BLANKS = r" \t\r\f\v"
_BOUNDED = expression(r"(?<!\\)\{(\d+),\d*\}")


def split_alternatives(pattern: str) -> list[str]:
    """What stands between its outermost bars; all of it where flags at its head hold for all of it."""
    if _FLAGS.match(pattern):
        return [pattern]
    bars, depth = [-1], 0
    for token in _BRACKET_OR_BAR.finditer(pattern):
        depth += (token[0] == "(") - (token[0] == ")")
        if token[0] == "|" and not depth:
            bars.append(token.start())
    return [pattern[bar + 1 : end] for bar, end in pairwise([*bars, len(pattern)])]


def extend_gaps(pattern: str) -> str:
    """Bounded gaps (`.{0,40}`) as unbounded: that makes it many times cheaper for Hyperscan to compile.

    And blanks that do not reach into the next line: where they do, Hyperscan overlooks matches of other patterns.
    """
    unbounded = _BOUNDED.sub(lambda bounds: "*" if bounds[1] == "0" else "+", pattern)
    return _BLANK.sub(lambda piece: _keep_within_line(piece[0]), unbounded)


def _keep_within_line(piece: str) -> str:
    if piece == r"\s":
        return f"[{_BLANKS}]"
    return piece.replace(r"\s", _BLANKS) if piece[0] == "[" and piece[1] != "^" else piece


# Letters to `re`, as what they stand for, of no case, and in no line of ASCII. A normal form is text in Latin-1.
ANY, DIGIT = "ª", "º"
_DIGITS, _LETTERS = "0123456789", "abcdefghijklmnopqrstuvwxyz"
_STANDS_FOR = {ANY: _DIGITS + _LETTERS, DIGIT: _DIGITS}


def _make_table(alike: str, stand_in: str, more: dict[str, str] | None = None) -> bytes:
    table = dict.fromkeys(alike, stand_in) | (more or {})
    return bytes.maketrans("".join(table).encode("latin-1"), "".join(table.values()).encode("latin-1"))


_LEVEL_DIGITS = _make_table(_DIGITS, DIGIT)
_LEVEL_DIGITS_AND_CASE = _make_table(_DIGITS, DIGIT, {letter.upper(): letter for letter in _LETTERS})
_LEVEL_ALL = _make_table(_LETTERS + DIGIT, ANY)
# Behind what may stand before it, because that is found fast: hexadecimal digits, those of a UUID or an address in
# groups, or what is drawn from digits and consonants. The letter is for network interfaces, such as cali0a1b2c3d4e5.
_IDENTIFIER = expression(
    rb"""[-"=(:/i](?:[a-f\xba]{8,}+(?:(?:-[a-f\xba]{4}){3}-[a-f\xba]{12})?(?![a-z])"""
    rb"""|[a-f\xba]{1,4}(?::[a-f\xba]{0,4}){3,}|[b-df-hj-np-tv-xz\xba]{5,}+(?![a-z:]))"""
)
_NUMBER = f"{DIGIT}:-".encode("latin-1")

_TOKEN = expression(
    rf"(?P<other>^\(\?i\)|\(\?P<\w+>|\(\?:|\((?!\?)|\{{\d*,?\d*\}}|\\[bBAZ]|[)|*+?^$])"
    rf"|(?P<odd>\(\?|\\[0-9xuUN])"
    rf"|(?P<character>{ESCAPE_OR_CLASS}|.)",
    re.DOTALL,
)
_IGNORES_CASE = "(?i)"
_CAPITAL = expression(r"(?<!\\)[A-Z]")


def normalize_digits(line: bytes, *, caseless: bool) -> bytes:
    """A line of ASCII with its digits alike, and in lower case unless case matters."""
    return line.translate(_LEVEL_DIGITS_AND_CASE if caseless else _LEVEL_DIGITS)


def normalize_identifiers(levelled: bytes) -> bytes:
    """The normal form of a line whose digits are alike."""
    return _IDENTIFIER.sub(_normalize_identifier, levelled)


def _normalize_identifier(found: re.Match[bytes]) -> bytes:
    """All but what stands before it. A number or a time is none: whoever asks for digits finds them there."""
    before, text = found[0][:1], found[0][1:]
    return before + text.translate(_LEVEL_ALL) if text.strip(_NUMBER) else found[0]


def fit_pattern(pattern: str, *, caseless: bool, surely: bool) -> str | None:
    """The variant that is in a normal form if the pattern surely is in all its lines, or else if it may be in some.

    None where that cannot be told from the pattern's text.
    """
    flags = re.IGNORECASE if caseless or pattern.startswith(_IGNORES_CASE) else 0
    pieces: list[str] = []
    for token in _TOKEN.finditer(pattern):
        if token["odd"]:
            return None
        if token["other"]:
            pieces.append(token[0])
        else:
            pieces.append(_fit_character(token[0], flags, caseless=caseless, surely=surely))
    return "".join(pieces)


@cache
def _fit_character(token: str, flags: int, *, caseless: bool, surely: bool) -> str:
    """What matches one character, so that it takes the right stand-ins too; in lower case no flag is needed."""
    taken = _list_characters_taken(token, flags)
    fits = all if surely else any
    wanted = {one for one, every in _STANDS_FOR.items() if fits(character in taken for character in every)}
    if caseless and len(token) == 1:
        token = token.lower()
    elif caseless and _CAPITAL.search(token):
        token = f"(?i:{token})"
    if more := wanted - taken:
        added = "".join(sorted(more))
        token = f"[{token}{added}]" if len(token) == 1 else f"(?:{token}|[{added}])"
    if less := taken.intersection(_STANDS_FOR) - wanted:
        token = f"(?:(?![{''.join(sorted(less))}]){token})"
    return token


def _list_characters_taken(token: str, flags: int) -> set[str]:
    """Of those that matter here."""
    compiled = compile_kept(token, flags)
    return {character for character in (*_STANDS_FOR[ANY], *_STANDS_FOR) if compiled.match(character)}


# Signs that the words of this field are written with in Taiwan and Hong Kong, and how China writes them.
_TRADITIONAL = (
    "網連無節點權證書過錯誤導開關閉設為佔預認識別標籤縮擴環題決處復現發應啟動執檔記錄衝請輸壞損遺殘卻還這個們來時間對"
    "從後與並該將於實際變換創資訊號區協議衛層級範圍屬類組機櫃雲監視測試圖單規則鏈結構調離線傳遞遠達總給經義務體載備儲"
    "擁頻絡絕緒終維護統獨雙寫讀滿夠內滅鎖鑰驗簽邏輯報響當檢診斷隨訪問項頁須順額長歷邊運轉軟臺灣賴丟棄擋攔壓負驅鏡掛異"
    "補釋舊參數據庫鄰進沒獲兩讓繼續嘗場優佈廣匯尋頭條麼樣"
)
_SIMPLIFIED = (
    "网连无节点权证书过错误导开关闭设为占预认识别标签缩扩环题决处复现发应启动执档记录冲请输坏损遗残却还这个们来时间对"
    "从后与并该将于实际变换创资讯号区协议卫层级范围属类组机柜云监视测试图单规则链结构调离线传递远达总给经义务体载备储"
    "拥频络绝绪终维护统独双写读满够内灭锁钥验签逻辑报响当检诊断随访问项页须顺额长历边运转软台湾赖丢弃挡拦压负驱镜挂异"
    "补释旧参数据库邻进没获两让继续尝场优布广汇寻头条么样"
)
_TO_SIMPLIFIED = str.maketrans(_TRADITIONAL, _SIMPLIFIED)


def simplify(text: str) -> str:
    """The same text of the same length, with the signs of traditional Chinese as they are written in China."""
    return text if text.isascii() else text.translate(_TO_SIMPLIFIED)
