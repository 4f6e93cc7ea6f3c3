"""Finds out how bytes were meant to be read as text, or that they are no text at all.

Traditional Chinese characters become the simplified ones that the catalogue is written in, one for one. Only what
authors write is turned, and quoted so; programs print no such characters. The table holds the characters that people
write about machines and networks with, not the language.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

from calivet.evidence.sources.stream import CHUNK, Stream
from calivet.search.expressions import expression

SAMPLE = 1 << 16
BINARY_MAGIC = (
    b"\x7fELF",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"%PDF",
    b"\xca\xfe\xba\xbe",
    b"SQLite format 3",
    b"\xd4\xc3\xb2\xa1",
    b"\xa1\xb2\xc3\xd4",
    b"\x0a\x0d\x0d\x0a",
    b"LPKSHHRH",
    b"\xed\xab\xee\xdb",
)
WIDE_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
# Neither white space nor what terminals send: tab, newline, return, backspace, bell, form feed, escape.
CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\b\a\f\v\x1b") | {127})
FIRST_OF_THREE_BYTES = "\u0800"
HIGH = expression(rb"[\x80-\xff]+")
# GB 2312, the plane that nearly all Chinese text keeps to.
CHINESE = expression(rb"(?:[\xa1-\xf7][\xa1-\xfe])+")


def is_binary(data: bytes) -> bool:
    """Programs, images, captures: too many control characters for text. Logs with holes of NULs are text."""
    if data.startswith(BINARY_MAGIC):
        return True
    sample = data.lstrip(b"\0")[:SAMPLE]
    if data.startswith(tuple(WIDE_MARKS)) or _detect_utf16_without_mark(sample):
        return False
    if 10 * sample.count(0) > len(sample) and b"\n" not in sample:
        return True
    sample = sample.replace(b"\0", b"")
    return len(sample.translate(None, CONTROLS)) < 0.95 * len(sample)


def to_text(data: bytes) -> str:
    """The text, with a replacement character for each byte that fits nothing."""
    if encoding := detect_utf16(data):
        return data.decode(encoding, "replace").removeprefix("\ufeff")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return (
            decode_by_line(data, chinese=is_chinese(data)) if CHINESE.search(data) else data.decode("utf-8", "replace")
        )


def detect_utf16(data: bytes) -> str | None:
    """The kind of UTF-16 that this begins with, by its mark or by its NULs."""
    sample = data[:SAMPLE]
    marked = WIDE_MARKS.get(sample[:2]) if _may_be_wide(sample) else None
    return marked or _detect_utf16_without_mark(sample)


def is_chinese(data: bytes) -> bool:
    """Whether there is Chinese in its old encoding, seen where UTF-8 fails first."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as failure:
        return _is_chinese(data[max(0, failure.start - SAMPLE // 2) : failure.start + SAMPLE])
    return False


def decode_by_line(data: bytes, *, chinese: bool) -> str:
    """Text of several writers, some of which may have written Chinese in its old encoding, or most of them."""
    return "\n".join(_decode_line(line, chinese=chinese) for line in data.split(b"\n"))


def _decode_line(line: bytes, *, chinese: bool) -> str:
    """Two Chinese characters can happen to be valid UTF-8, but only as letters that stand in no Chinese log."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("gb18030" if chinese or _is_chinese(line) else "utf-8", "replace")
    is_likely = not chinese or text.isascii() or max(text) >= FIRST_OF_THREE_BYTES
    return text if is_likely else line.decode("gb18030", "replace")


def _may_be_wide(sample: bytes) -> bool:
    """A UTF-16 line end has a NUL in it, so two stray bytes before plain text are no mark."""
    return b"\0" in sample or b"\n" not in sample


def _detect_utf16_without_mark(sample: bytes) -> str | None:
    """ASCII in UTF-16 has a NUL in every second byte, always on the same side."""
    half = len(sample) // 2
    if half < 2:
        return None
    first, second = sample[0 : 2 * half : 2].count(0), sample[1 : 2 * half : 2].count(0)
    if max(first, second) < 0.2 * half or min(first, second) > 0.1 * max(first, second):
        return None
    return "utf-16-be" if first > second else "utf-16-le"


def _is_chinese(sample: bytes) -> bool:
    """A damaged UTF-8 text loses few characters; Chinese in its old encoding, read as UTF-8, loses nearly all."""
    high = sum(len(run) for run in HIGH.findall(sample))
    text = sample.decode("utf-8", "replace")
    lost, kept = text.count("\ufffd"), sum(character > "\x7f" for character in text)
    if lost < 0.2 * kept:
        return False
    return sum(len(run) for run in CHINESE.findall(sample)) >= 0.8 * high


def transcode_utf16(head: bytes, stream: Stream, encoding: str) -> Stream:
    """UTF-16, of which the head has been read already."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    ready = decoder.decode(head).removeprefix("\ufeff").encode()

    def pull(size: int) -> bytes:
        nonlocal ready
        while not ready and (chunk := stream.read(CHUNK)):
            ready = decoder.decode(chunk).encode()
        ready = ready or decoder.decode(b"", final=True).encode()
        taken, ready = ready[:size], ready[size:]
        return taken

    return Stream(pull)


def transcode_gb18030(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """GB 18030, at least for the most part, in blocks of whole lines."""
    for block in blocks:
        yield block if block.isascii() else decode_by_line(block, chinese=True).encode("utf-8", "replace")


_PAIRS = (
    "網网絡络節节點点機机動动無无連连問问題题現现狀状態态啟启時时間间錯错誤误鏡镜證证書书內内導导緒绪檢检測测際际認认為为這这個个們们說说"
    "從从當当後后來来會会對对應应該该還还沒没開开關关閉闭設设處处於于發发過过運运維维務务訪访衝冲沖冲廣广協协議议報报錄录誌志記记執执參参"
    "數数據据庫库儲储檔档資资讀读寫写權权遠远環环變变換换載载裝装組组擬拟線线緩缓護护複复雜杂單单雙双兩两幾几萬万級级結结構构繼继續续終终"
    "總总歸归類类別别則则規规劃划範范圍围區区塊块條条項项順顺頻频須须預预領领頭头顯显額额飛飞驗验驅驱體体與与舉举譯译讓让請请調调試试詢询"
    "話话誰谁課课諸诸語语許许訊讯計计訂订訓训討讨詳详謝谢識识負负費费賬账質质購购車车軟软較较輸输轉转輪轮辦办適适選选遞递遲迟遺遗鄰邻釋释"
    "鏈链鐘钟鎖锁鍵键長长門门閾阈閒闲陸陆隊队階阶隨随險险隱隐離离難难電电靜静響响頁页願愿餘余駐驻驟骤麼么齊齐佔占倉仓偵侦偽伪僅仅優优價价"
    "億亿儘尽凍冻創创勢势匯汇卻却嗎吗嘗尝嚴严圖图團团場场壓压壞坏夠够夾夹學学實实審审專专尋寻屆届屬属帳帐帶带幀帧幫帮廢废彈弹強强徑径復复"
    "恆恒慮虑慣惯憑凭擁拥擇择擴扩擾扰攔拦攜携敗败斷断暫暂曉晓東东極极標标樣样樹树橋桥歷历殘残毀毁氣气決决減减準准滿满潰溃濾滤爭争獨独獲获"
    "畫画異异監监盤盘確确碼码礎础種种稱称穩稳筆笔簡简籤签純纯約约紅红細细絕绝給给統统經经綁绑綜综綠绿緊紧編编練练縮缩繞绕聯联聽听脫脱腳脚"
    "腦脑臨临舊旧華华著着蓋盖虛虚號号術术補补裡里裏里製制見见視视覺觉觀观觸触鏽锈軌轨顆颗貼贴遷迁憶忆繫系係系鑰钥彙汇牆墙墻墙訊讯殺杀潔洁"
    "隸隶髒脏疊叠倆俩漢汉瀏浏灣湾獎奖療疗癥症眾众矯矫驛驿礙碍禍祸竄窜競竞紛纷純纯絲丝綫线緣缘縣县繳缴纜缆聞闻聲声肅肃脹胀膽胆薦荐藍蓝蘋苹"
)
_TABLE = str.maketrans(dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True)))


def simplify(text: str) -> str:
    """The text with simplified characters, as long as it was."""
    return text if text.isascii() else text.translate(_TABLE)
