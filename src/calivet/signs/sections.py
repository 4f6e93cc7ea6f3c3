"""Which parts of a text tell the author's conclusion: what stands under a heading such as Root cause or 解决方法."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct, field

from calivet.evidence.artifact import Artifact
from calivet.evidence.cutting.command_lines import is_chinese
from calivet.evidence.cutting.output_shapes import is_plainly_output
from calivet.search.expressions import expression
from calivet.search.normalize import simplify


class Part(StrEnum):
    """What a stretch of a text is for."""

    CAUSE = "cause"
    CURE = "cure"
    OTHER = "other"


_HEAD = expression(
    r"\s*(?P<marks>(?:#{1,6}|\*{1,3}|_{2}|【|\[|>|[-•+]|\d{1,2}(?:\.\d{1,2}){0,2}[.、)）:]?(?=\D)|[一二三四五六七八九十]{1,3}[、.．]"
    r"|[(（][一二三四五六七八九十\d]{1,2}[)）])\s*){0,4}(?P<title>.{0,60}?)(?P<end>(?:\s|[*_:：】\]#]|<br ?/?>){0,8})$"
)
_LABEL = expression(r"(?P<label>[^:：。，,;；]{1,24}?)(?:\*{0,2})[:：](?:\*{0,2})\s*(?P<rest>\S.*)$")
# What an author names without standing by it, or advises for another time.
_TENTATIVE = expression(
    r"可能|常见|猜测|怀疑|尝试|试过|预防|建议|优化|规避|最佳|避免|参考"
    r"|\b(?:possible|potential|common|likely|tried|attempt\w*|prevent\w*|best practice\w*|related|suspect\w*)\b",
    re.IGNORECASE,
)
_CAUSE = expression(
    r"原因|根因|成因|根源|结论|根本问题|症结|病根|元凶|问题所在|(?:排查|定位)结果|真相"
    r"|원인|причин|\bcausa(?: ra[ií]z)?\b|\bursache\b|\broot_cause\b"
    r"|\b(?:root )?causes?\b|\bconclusions?\b|\bdiagnosis\b|\bexplanation\b|\bculprit\b",
    re.IGNORECASE,
)
_CURE = expression(
    r"解决|处理|修复|方案|办法|\b(?:re)?solutions?\b|\bresolutions?\b|\bresolved\b|\bfix(?:es|ed)?\b|\bworkarounds?\b"
    r"|\bremed(?:y|ies)\b|\bsolved\b|対処|対策|해결|решени|\bsoluci[oó]n\b|\blösung\b",
    re.IGNORECASE,
)
_SECTION = expression(
    r"现象|背景|环境|排查|分析|验证|总结|参考|描述|原理|介绍|概述|版本|日志|过程|复现|影响|信息|问题|步骤|定位|说明"
    r"|\b(?:symptoms?|environment|expected|current|steps?|versions?|related|summary|context|logs?|background"
    r"|description|references?|verification|details|impact|observations?|analysis)\b",
    re.IGNORECASE,
)
# A section of its own, whatever stands above it.
_BARE_SECTION = expression(
    r"(?:\S{0,4}(?:现象|背景|环境|排查|验证|总结|参考|描述|原理|介绍|概述|版本|日志|过程|复现|影响|信息|步骤|定位|说明)){1,2}\S{0,2}"
    r"|[A-Za-z ]{3,40}"
)
_HASHES = expression(r"\s*(?P<hashes>#{1,6})\s")
_LINK = expression(r"\[(?P<words>[^\]]{1,60})\]\([^)]{0,300}\)")
LONGEST_HEADING = 400
LONGEST_ROW = 1_000
COLUMNS = 2
LONGEST_TITLE = 14
"""Chinese signs, or three times as many other characters: longer lines are sentences."""
_CHINESE = expression(r"[\u3400-\u9fff]")


_HELPED = expression(
    r"\s*(?:(?:and |after )?(?:this|that|which|it) (?:makes?|made|did|fix\w*|solv\w*|resolv\w*|work\w*|help\w*)"
    r"|(?:然后|之后|这样|于是)?(?:就|问题)(?:好了|正常了|可以了|解决|通了|恢复))",
    re.IGNORECASE,
)
# "I fixed it by running the following:" announces that what stands below is the cure.
_ANNOUNCES_CURE = expression(
    r"\b(?:fix|solution|workaround) (?:for (?:this|that|it|me|us) )?(?:is|was) to\b.{0,120}[:：]\s*$|"
    r"\b(?:fix(?:ed|es)?|solv(?:ed?|es)|resolv(?:ed?|es)|helped|worked)\b.{0,80}\b(?:by|following|below|with)\b.{0,80}[:：]\s*$"
    r"|(?:解决|修复|恢复|处理)(?:了|(?:方法|办法|方案)?(?:是|为)?)?[:：]\s*$"
    r"|(?:解决|修复|恢复|处理)[^。]{0,30}(?:如下|以下|下面)[^。]{0,20}[:：]\s*$",
    re.IGNORECASE,
)
# A section of its own for one fault, in which an order is what to do about it.
_TROUBLE = expression(
    r"无法|不能|失败|报错|错误|异常|起不来|启动不了|不通|不就绪|未就绪|一直(?:处于|重启|卡)|卡在|超时"
    r"|(?:通信|通讯|网络|互通|互访|连通|访问|启动|解析|丢包)(?:的)?问题"
)
_ORDER = expression(
    r"(?:\s*(?:[-*•]\s|\d{1,2}[.、)）]\s?)?|.{4,80}，(?=需要|必须))(?:需要|必须|可以|直接|请|手动|那就|于是)?(?:我们)?(?:去)?"
    r"(?:在[^，。]{1,16}[里中上内])?(?:修改|编辑|增加|添加|新增|指定|设置|更换|替换|升级|回退|降级|重装|卸载|删除|关闭|开启"
    r"|打开|放行|放开|放通|开放)"
)
FEW_LINES = 6
MOST_PASTED = 400
"""Lines of what somebody pasted and wrote remarks into; longer ones are files."""
# An item of a list that is nothing but a heading.
_BARE_HEADING = expression(
    r"(?:问题|故障|具体|最终|根本)?(?:原因|根因|处理|解决|修复)(?:方法|办法|方案|过程|分析|措施|步骤)?"
    r"|(?:root )?cause|resolution|solution|fix|workaround",
    re.IGNORECASE,
)
_ITEM = expression(r"\s*(?:[-*•+]|\d{1,2}[.、)）])\s*\S")
MANY_ITEMS = 3
"""A list as long as this under a heading that announces the cause names what may be wrong, not what was."""


class _Heading(Struct, frozen=True):
    part: Part
    level: int
    """0 where no mark tells."""
    rest: bool = False
    """Whether words of the section stand behind it."""


LONGEST_ANALYSIS = 10
"""Lines under a heading such as 原因分析 that give the cause; longer ones tell how it was looked for."""
_ANALYSIS = expression(r"分析|排查|过程|\banalysis\b", re.IGNORECASE)


class _Analysis(Struct):
    """What somebody wrote under a heading that announces how he looks for the cause."""

    is_open: bool = False
    lines: list[tuple[list[Part], int]] = field(default_factory=list)

    def add(self, parts: list[Part], words: str) -> None:
        """One more line; where there are too many, none of them states the cause as such."""
        if not self.is_open or not words.strip() or parts[-1] is not Part.CAUSE:
            return
        self.lines.append((parts, len(parts) - 1))
        for part, index in self.lines if len(self.lines) > LONGEST_ANALYSIS else ():
            part[index] = Part.OTHER


def list_parts(artifacts: Sequence[Artifact]) -> dict[int, list[Part]]:
    """For each artifact, by its order, the part that each of its lines belongs to."""
    parts: dict[int, list[Part]] = {}
    name, part, level, is_announced, is_trouble = None, Part.OTHER, 0, False, False
    analysis = _Analysis()
    for artifact in artifacts:
        if artifact.name != name:
            name, part, level, is_announced, is_trouble = artifact.name, Part.OTHER, 0, False, False
            analysis = _Analysis()
        if not artifact.prose and not has_remarks(artifact):
            parts[artifact.order] = [Part.CURE if is_announced else part] * len(artifact.lines)
            is_announced = False
            continue
        own = parts[artifact.order] = []
        for line in artifact.lines:
            # Among a program's words a hash begins a comment.
            words = simplify(line if artifact.prose else line.lstrip("# ") if is_remark(line) else "")
            heading = _read_heading(words)
            if heading and part is Part.CAUSE and _is_sub_label(words, heading):
                heading = None
            if heading and not (heading.part is Part.OTHER and level and heading.level > level):
                part, level = heading.part, heading.level
                analysis = _Analysis(is_open=part is Part.CAUSE and _ANALYSIS.search(line) is not None)
                is_trouble = bool(level) and part is Part.OTHER and _TROUBLE.search(line) is not None
            elif is_trouble and part is Part.OTHER and _ORDER.match(words):
                part = Part.CURE
            own.append(_find_part_of_row(line) if line.lstrip().startswith("|") else part)
            analysis.add(own, words)
        _mark_what_helped(artifact, own)
        is_announced = bool(_ANNOUNCES_CURE.search(artifact.lines[-1][-LONGEST_HEADING:]))
    return parts


def _is_sub_label(line: str, heading: _Heading) -> bool:
    """Whether a line only says what the next ones of a section are about: 版本兼容性问题：."""
    return (
        heading.part is Part.OTHER
        and not heading.level
        and line.rstrip().endswith((":", "："))
        and not _TENTATIVE.search(line)
        and not _BARE_SECTION.fullmatch(line.strip(" \t*-•:："))
    )


def read_labelled_row(line: str) -> str | None:
    """What a row of a table tells as the cause or the cure; any other row is told by the heads of its columns."""
    label, words = _split_row(line)
    return words if words and _find_part(label) is not Part.OTHER else None


def _find_part_of_row(line: str) -> Part:
    return _find_part(_split_row(line)[0])


def _split_row(line: str) -> tuple[str, str]:
    """Of a table of two columns, in which the first says what the second is: | **Cause** | the disk was full |."""
    cells = line[:LONGEST_ROW].strip().strip("|").split("|")
    label, words = (cell.strip(" *_") for cell in cells) if len(cells) == COLUMNS else ("", "")
    return (label, words) if len(label) <= LONGEST_TITLE else ("", "")


def is_remark(line: str) -> bool:
    """Whether an author's words stand among a program's, as a comment in what was pasted."""
    return is_chinese(line) and not is_plainly_output(line)


def has_remarks(artifact: Artifact) -> bool:
    """Whether it is short enough to have been pasted by hand, and somebody wrote between its lines."""
    return len(artifact.lines) <= MOST_PASTED and any(not line.isascii() and is_remark(line) for line in artifact.lines)


def _mark_what_helped(artifact: Artifact, parts: list[Part]) -> None:
    """What stands right before "that makes it work" is the cure."""
    for index, line in enumerate(artifact.lines):
        if _HELPED.match(line):
            for before in range(max(0, index - FEW_LINES), index):
                parts[before] = Part.CURE if parts[before] is Part.OTHER else parts[before]


def find_guides(artifacts: Sequence[Artifact], parts: dict[int, list[Part]]) -> set[str]:
    """The names of texts that list many causes under one heading."""
    items = Counter(
        artifact.name
        for artifact in artifacts
        if artifact.prose
        for line, part in zip(artifact.lines, parts[artifact.order], strict=True)
        if part is Part.CAUSE and _ITEM.match(line)
    )
    return {name for name, count in items.items() if count >= MANY_ITEMS}


def _read_heading(line: str) -> _Heading | None:
    if len(line) > LONGEST_HEADING or not line.strip():
        return None
    line = _LINK.sub(r"\g<words>", line)
    found = _HEAD.match(line)
    if found and (heading := _judge_title(line, found)):
        return heading
    bare = line.lstrip(" \t#*-•>【[0123456789.、)（(").strip()
    label = _LABEL.match(bare)
    if label and _is_short(label["label"]) and (part := _find_part(label["label"])) is not Part.OTHER:
        return _Heading(part, 0, rest=True)
    return None


def _judge_title(line: str, found: re.Match[str]) -> _Heading | None:
    title, marks = found["title"].strip(), found["marks"] or ""
    hashes = _HASHES.match(line)
    level = len(hashes["hashes"]) if hashes else 0
    if not title or re.search(r"[。！？；]|[.!?;] ", title):
        return None
    part = _find_part(title) if _is_short(title) else Part.OTHER
    is_marked = bool(level) or (line.strip().startswith(("**", "__", "【")) and bool(found["end"].strip()))
    is_item = marks.strip().startswith(("-", "•", "+"))
    if is_marked:
        return _Heading(part, level)
    if (is_item and not _BARE_HEADING.fullmatch(title)) or not _is_short(title):
        return None
    is_known = part is not Part.OTHER or bool(_SECTION.search(title)) or bool(_TENTATIVE.search(title))
    is_plain = "，" not in title and "," not in title
    return _Heading(part, level) if is_known and is_plain else None


def _find_part(title: str) -> Part:
    if _TENTATIVE.search(title):
        return Part.OTHER
    if _CAUSE.search(title):
        return Part.CAUSE
    return Part.CURE if _CURE.search(title) else Part.OTHER


def _is_short(title: str) -> bool:
    chinese = len(_CHINESE.findall(title))
    return chinese + (len(title) - chinese) / 3 <= LONGEST_TITLE


_CONCLUDES = expression(
    r"最终(?:发现|定位|确认|查明|排查)|最后(?:发现|定位|确认|查明)|原因(?:是|为|在于|就是|竟)|根因(?:是|为|在于)|根源(?:是|在于)|罪魁|祸首"
    r"|问题(?:就)?(?:出)?在|问题就是|原来(?:是)?|才发现|(?:后来|结果|最终)(?:才|又)?发现|(?:经|经过)(?:排查|分析|定位|检查|确认)|元凶|真凶|症结|病根|发现是|发现原来|果然|查下来|定位到是|确认是|难怪|所以|因此|致使"
    r"|才(?:知道|明白|意识到|反应过来|想起来?|搞清楚|弄明白)|恍然|究其原因|归根(?:结底|到底)|归因于|说到底|锁定(?:为|在|到)"
    r"|(?:就|还|又|正|都|还都)?是[^，。]{1,24}(?:的锅|惹的祸|搞的鬼|捣的鬼|在作怪|在捣乱|害的)"
    r"|(?:排查|分析|定位|调查)(?:后|之后)?发现|由于|因为|导致|引起|造成"
    r"|\bturn(?:ed|s) out\b|root cause|\bcause (?:was|is)\b|culprit|\b(?:problem|issue|reason|cause) (?:was|is)\b"
    r"|\bcaused by\b|\bbecause\b|\bdue to\b|\bfound (?:out )?that\b|\bcaus(?:es|ed|ing)\b|\bleads? to\b|\bled to\b"
    r"|때문|が原因|のため|из-за|потому что|\bdebido a\b|\bporque\b"
    r"|, so\b|\b(?:hence|thus|therefore)\b|\bto blame\b|\bit was (?:a|an|the|our|my)\b"
    r"|\b(?:ultimate|actual|real|underlying|main) (?:cause|reason|problem|issue)\b"
    r"|\b(?:problem|issue|cause|culprit) (?:seems|appears|seemed|appeared|proved|was found) to be\b"
    r"|\b(?:problem|issue|cause|trouble) (?:here )?(?:lies|lay|comes|came)\b|\btrack(?:ed)? (?:it|this|that) down to\b"
    r"|\b(?:my|our|same|a|the) mistake\b|\bboil(?:s|ed) down to\b|\bwas (?:related to|the result of)\b",
    re.IGNORECASE,
)
# The author has found it; what he says beside it explains it.
_FOUND = expression(
    r"(?:原因|问题|真相|根因)(?:就|终于|总算|已经?|也就?)?(?:明确|找到|清楚|清晰|水落石出|定位到|查明|浮出水面)|破案|结案|罪魁|祸首|元凶"
    r"|(?<![没未能有])(?:发现|找到|查到|查出|查明|定位到?|确认)了?(?:主要|根本|真正|具体|最终)?的?(?:问题|原因|根因|根源|症结)(?:所在|了|(?:就|出)?在于?|就?是|$)"
    r"|\broot cause (?:is|was|of)\b|\bculprit\b|\bturn(?:ed|s) out\b|\bfigured (?:it )?out\b"
    r"|\bfound the (?:problem|cause|reason|issue|culprit)\b|\btrack(?:ed)? (?:it|this|that) down to\b",
    re.IGNORECASE,
)
# The author gave it up.
_NOT_FOUND = expression(
    r"(?:没有?|未能?|并未)(?:能)?(?:发现|找到|查到|定位到?|查明)[^。，]{0,8}(?:根因|原因)|(?:根因|原因)(?:未知|不明)|找不到[^。，]{0,6}原因"
    r"|\broot cause (?:is|was|remains) (?:unknown|unclear)\b|\b(?:no idea|don.t know) why\b"
    r"|\b(?:not|n.t) (?:find|found|know) the (?:root )?cause\b",
    re.IGNORECASE,
)
# What would happen, told in general.
_WOULD = expression(
    r"会(?:直接|间接|进而)?(?:导致|引起|造成|使)|\b(?:would|can|may|might) (?:cause|lead)\b", re.IGNORECASE
)
# What stands behind one of these is the consequence; what stands before one of the others.
_LEADS_TO = expression(
    r"导致|引起|造成|使得|致使|所以|因此|\bcaus(?:es|ed|ing)(?! by)\b|\bleads? to\b|\bled to\b|\bresults? in\b"
    r"|\bso (?:that )?\b|\b(?:hence|thus|therefore)\b",
    re.IGNORECASE,
)
_FOLLOWS_FROM = expression(r"是?由于|因为|\bcaused by\b|\bbecause\b|\bdue to\b", re.IGNORECASE)
# Which one of several things it is, or whether it is so, the author leaves open.
_LEFT_OPEN = expression(r"或|可能|也许|\b(?:either|or|maybe|perhaps|possibly|might|may|could)\b", re.IGNORECASE)
_CURES = expression(
    r"(?:问题|从而|即可|就|成功|得以)解决|解决了|解决(?:方法|办法|方案)(?:是|为|就是)|就(?:好了|正常|可以了|通了|恢复|行了|ok\b)"
    r"|(?:后|之后)[^。]{0,12}(?:恢复|正常|成功|解决|ready)|恢复正常"
    r"|\bfix(?:ed|es)\b|\bsolv(?:ed|es)\b|\bresolv(?:ed|es)\b|\b(?:did|does) the trick\b|\bback to normal\b"
    r"|\b(?:fix|solution|workaround|answer) (?:for (?:this|that|it|me|us) )?(?:is|was) to\b"
    r"|\bwork(?:s|ed) (?:again|now|fine)\b|\bworking (?:\w+ ){0,2}(?:again|now)\b"
    r"|\b(?:began|started) (?:to work|working)\b"
    r"|\bno (?:more |further )?(?:problems?|issues?) (?:at all|any ?more|since)\b"
    r"|\bnow works?\b|\bhelped\b|\bcured\b|\brecovered\b|\bvanished\b"
    r"|\bcame (?:up|back)\b|\bwent (?:ready|green|away)\b|\bbrought\b.{0,40}\bback\b"
    r"|\b(?:errors?|problems?|issues?|restarts?|time-?outs?|drops?|warnings?|loss)\b.{0,30} (?:is|are|was|were) gone\b"
    r"|\b(?:is|are|was|were) (?:back|ready again)\b|\b(?:turned|returned to|became) (?:ready|green|running)\b"
    r"|解決し|直った|直りま|動い(?:た|て)|해결(?:되|했|됐|된)|성공|정상(?:적|으로)|помогло|заработал|решил(?:о|а|и)?сь"
    r"|恢复了|恢复$|(?:起来|稳定|就绪|正常|消失|通)了$|变(?:成|为) ?(?:1/1|ready|running)"
    r"|(?:才|终于|总算)(?:好|正常|起来|通|恢复|就绪|启动成功)|搞定|(?:问题|报错|告警|现象)(?:就|随之|也)?消失",
    re.IGNORECASE,
)


class Conclusion(StrEnum):
    """How an author concludes something, from the surest to the least sure."""

    STATED = "stated"
    """Under a heading that announces the cause."""
    SAID = "said"
    """In a sentence that gives it as the cause."""
    CURE = "cure"
    """As what the cure mends."""
    GUIDE = "guide"
    """As one of many causes that may be: no conclusion at all."""
    NONE = ""


def find_conclusion(text: str, part: Part, start: int, end: int) -> Conclusion:
    """How a sentence in this part of a text concludes what stands in it from start to end."""
    if _is_consequence(text, start, end) or _LEFT_OPEN.search(text, start, end):
        return Conclusion.NONE
    if part is Part.CAUSE:
        return Conclusion.STATED
    if _CONCLUDES.search(text) and not _WOULD.search(text):
        return Conclusion.SAID
    return Conclusion.CURE if _CURES.search(text) else Conclusion.NONE


def is_found(text: str) -> bool:
    """Whether an author says that he has found the cause."""
    return _FOUND.search(text) is not None


def find_given_up(artifacts: Sequence[Artifact]) -> int:
    """The line in which the author last says that he does not know the cause; 0 where he knows it after all."""
    lines = [(one.number(index), line) for one in artifacts if one.prose for index, line in enumerate(one.lines)]
    unknown = max((number for number, line in lines if _NOT_FOUND.search(line)), default=0)
    return 0 if any(number >= unknown and is_found(line) for number, line in lines) else unknown


def is_cure(text: str, part: Part) -> bool:
    """Whether a sentence tells what was done about the fault."""
    return part is Part.CURE or _CURES.search(text) is not None


def _is_consequence(text: str, start: int, end: int) -> bool:
    """Whether it is what the author explains, as B is in "A leads to B" and in "B because of A"."""
    leads, follows = _LEADS_TO.search(text), _FOLLOWS_FROM.search(text)
    if leads and start >= leads.end():
        return True
    return follows is not None and end <= follows.start() and not leads


MOST_OF_CURE = 80
"""Lines of what somebody shows as the cure; longer ones are whole manifests, in which most was not changed."""


def list_cure_lines(artifact: Artifact, parts: Sequence[Part]) -> Iterator[int]:
    """The lines in which commands and settings are the cure, or are told with it."""
    if not artifact.prose and len(artifact.lines) > MOST_OF_CURE:
        return
    for index, (line, part) in enumerate(zip(artifact.lines, parts, strict=True)):
        if part is Part.CURE or (artifact.prose and is_cure(line, part)):
            yield index
