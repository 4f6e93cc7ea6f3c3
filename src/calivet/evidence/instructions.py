"""Does a text tell a reader what to do and what holds in general, or does somebody tell of his own cluster?

A page that was copied without its headings, or a tutorial with the output of its steps, shows settings and faults of
nobody's. What sets it apart is how its sentences speak.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from calivet.search.expressions import expression

FEWEST = 3
"""Sentences that instruct, below which nothing is known of a text."""
FEWEST_OF_TUTORIAL = 12
FEWEST_OF_LECTURE = 2
FEWEST_OF_PAGE = 8
SHARE = 6
"""One sentence in so many instructs, in English; Chinese pages say it more often."""
SHARE_ZH = 3
FEWEST_OF_TEACHER = 14
SHARE_OF_TEACHER = 4
MORE_OFTEN = 1.5
"""Who instructs so much more often than he tells of himself teaches."""
STORY = 20
"""Up to one sentence in so many may tell of somebody himself."""
STORY_ZH = 12
PROSE = 10
"""Below one sentence in so many lines it is no page but output with remarks."""

# Whole sentences, not settings, rows or output.
_SENTENCE = expression(r"^\s{0,12}(?:[-*•]|\d{1,3}[.)])?\s{0,4}[A-Z`\"'(\[][^{}=;$]{25,}")
_INSTRUCTS = expression(
    r"\byou(?:r|'ll|'re|rself)?\b|\bcheck (?:that|whether|if)\b|\b(?:ensure|verify|make sure)\b|"
    r"\bfor more information\b|\bsee (?:the|also)\b|\bfor (?:details|example)\b|\bnext steps?\b|"
    r"\bfollow(?:ing)? (?:these|the) (?:steps?|command|example)|\bbefore you begin\b|\bprerequisites?\b|"
    r"\b(?:this|these) (?:page|guide|tutorial|section|article|document|how-to|topic|command|example|steps?)\b|"
    r"\bis (?:only )?(?:supported|required|recommended)\b|\bcan be (?:used|configured|enabled|set|found)\b|"
    r"\bby default\b|\bmust be\b|\boptional(?:ly)?\b|\bwe recommend\b|\bnote that\b|\bdeprecated\b",
    re.IGNORECASE,
)
_OWN_STORY = expression(
    r"\bI\b(?![./-])|\bI'(?:m|ve|d|ll)\b|\b[Mm]y\b(?!-)|\b(?:[Tt]hanks|[Aa]nyone)\b|please help|"
    r"\b[Ww]e(?:'ve|'re| (?:have|had|see|saw|are seeing|were|got|ran|tried|noticed|found|hit|observed|did))\b|"
    r"\b[Oo]ur (?:clusters?|nodes?|pods?|environment|setup|production|team)|\b[Aa]ny (?:ideas?|help|suggestions?)|"
    r"我|咱|笔者|本人|遇到|排查|发现|报错|求助|请教|请问|记录一下|今天|昨天|客户|踩坑"
)

_SENTENCE_ZH = expression(r"(?:[^|`\u4e00-\u9fff]{0,20}[\u4e00-\u9fff]){8}")
_STEP_ZH = (
    r"^\s{0,12}(?:[-*•]|\d{1,3}[.、)）])?\s{0,4}(?:查看|确认|检查|计算|释放|执行|使用|添加|修改|创建|登录|下载|安装|配置|设置|编辑|启动|重启"
    r"|运行|部署|验证|开启|关闭|选择|点击|打开|导入|获取|测试|应用|更新|删除|进入|准备|生成|拷贝|复制)"
)
# "We" of a teacher and his reader.
_TOGETHER_ZH = r"我们(?:可以|需要|首先|先|来|将|把|再|使用|通过|接下来|看|也|要)"
_INSTRUCTS_ZH = expression(
    _STEP_ZH + "|" + _TOGETHER_ZH + r"|本页|本文|本章|本节|本篇|该文档|下文|上文"
    r"|(?:可以|需要|建议|必须|应|应该|应当)(?:使用|通过|先|将|在|为|是|确保|选择|配置|修改|设置|安装)"
    r"|如果(?:您|你|需要|想|要|不|没有|是|使用|存在)|正常情况下|默认|请(?:参考|参阅|查看|确认|检查|执行|注意|先|确保)"
    r"|更多.{0,10}(?:详情|信息|参见|参考|内容)|注意(?:：|:|事项)|参[见考](?:：|:| )|如下(?:图|所示|命令|配置)?[：:]"
    r"|步骤|接下来|首先|然后|最后|其次|支持|用于|主要|分为|包括|是一[个种款]|优点|缺点|原理|模式下|概述|简介|前[提置]条件"
)
_OWN_STORY_ZH = expression(
    _TOGETHER_ZH.replace("我们(?:", "我(?!们(?:", 1)
    + r")|咱|笔者|本人|遇到|排查|发现|报错|求助|请教|请问|记录一下|今天|昨天|客户|踩坑"
    r"|故障现象|问题现象|问题描述|环境信息|解决(?:了|方法|办法|方案|过程)|恢复(?:了|正常)|导致|异常|起不来|不通|失败了"
    r"|原因(?:是|：|:)|根因|\bI\b|\bmy\b"
)


class _Style(Struct, frozen=True):
    """How many sentences a text has, how many of them instruct, and how many tell of somebody himself."""

    sentences: int
    instructing: int
    own: int
    share: int
    story: int

    @property
    def is_page(self) -> bool:
        """Whether it instructs, and nobody tells of himself but in passing."""
        is_instructing = self.instructing >= FEWEST and self.instructing * self.share >= self.sentences
        return is_instructing and self.own * self.story <= self.sentences


_STORY_TITLE = expression(
    r"踩坑|填坑|采坑|记一次|一次.{0,30}(?:排查|故障|问题|经历|过程)|复盘"
    r"|(?:问题|故障|异常|错误)(?:的)?(?:排查|处理|解决|定位|分析|调查)?(?:的)?(?:记录|过程|实录|经过)"
    r"|\bpost-?mortem\b|\b(?:how|why) (?:I|we|our|my)\b",
    re.IGNORECASE,
)
_TITLE = expression(r"^(?:#{1,3} |title: )")
_OF_A_GUIDE = expression(r"指南|手册|思路|大全|汇总|常见|教程|搭建|安装|部署指导|\bguides?\b", re.IGNORECASE)
TITLES = 10
"""Lines among which a title stands."""


def is_story(lines: Sequence[str]) -> bool:
    """Whether its title says that somebody tells what befell him."""
    titles = [line for line in lines[:TITLES] if _TITLE.match(line)]
    return any(_STORY_TITLE.search(line) and not _OF_A_GUIDE.search(line) for line in titles)


def _judge(lines: Sequence[str]) -> _Style:
    """By its Chinese sentences where it has any number of them."""
    sentences = [line for line in lines if _SENTENCE_ZH.match(line)]
    if len(sentences) > FEWEST:
        own = sum(_OWN_STORY_ZH.search(line) is not None for line in sentences)
        told = sum(_INSTRUCTS_ZH.search(line) is not None for line in sentences)
        return _Style(len(sentences), told, own, SHARE_ZH, STORY_ZH)
    sentences = [line for line in lines if _SENTENCE.match(line)]
    own = sum(_OWN_STORY.search(line) is not None for line in lines)
    told = sum(_INSTRUCTS.search(line) is not None for line in sentences)
    return _Style(len(sentences), told, own, SHARE, STORY)


def instructs_reader(lines: Sequence[str]) -> bool:
    """Whether it reads like a page of documentation."""
    style = _judge(lines)
    return style.is_page and style.sentences * PROSE >= len(lines)


def is_tutorial(lines: Sequence[str]) -> bool:
    """Whether it reads like one in spite of the output that it shows: it is long, and nobody speaks of himself."""
    style = _judge(lines)
    return instructs_reader(lines) and style.sentences >= FEWEST_OF_TUTORIAL and style.own == 0


_SYMPTOM_OF = expression(r"\W{0,12}(?:\d[\d.]{0,6})?\W{0,4}(?:问题|故障|错误)?(?:现象|症状|表现)\W{0,4}(?:[:：]|$)")
_CAUSE_OF = expression(
    r"\W{0,12}(?:\d[\d.]{0,6})?\W{0,4}(?:问题|故障|根本|可能)?(?:原因|根因)(?:分析)?\W{0,4}(?:[:：]|$)"
)
FEWEST_FAULTS = 5
"""Faults that are told one after the other, each with its symptom or its cause: nobody has so many at once."""


def lists_faults(lines: Sequence[str]) -> bool:
    """Whether a Chinese text goes through many faults under labels of the same names: known issues, questions."""
    return any(sum(map(bool, map(label.match, lines))) >= FEWEST_FAULTS for label in (_SYMPTOM_OF, _CAUSE_OF))


def is_lecture(lines: Sequence[str]) -> bool:
    """Whether it is long, instructs now and then, and nobody speaks of himself, whatever it tells of faults."""
    style = _judge(lines)
    is_impersonal = style.sentences >= FEWEST_OF_TUTORIAL and style.instructing >= FEWEST_OF_LECTURE
    return instructs_reader(lines) or (is_impersonal and style.own == 0)


def instructs_most(lines: Sequence[str]) -> bool:
    """Whether it instructs a reader more often than anybody tells of himself in it."""
    style = _judge(lines)
    return style.sentences >= FEWEST_OF_PAGE and style.instructing > style.own


def teaches(lines: Sequence[str]) -> bool:
    """Whether a Chinese text instructs a reader more than it tells what befell anybody, whatever output it shows.

    What it shows are examples, and what it names may be.
    """
    if lists_faults(lines):
        return True
    style = _judge(lines)
    is_long = style.share == SHARE_ZH and style.sentences >= FEWEST_OF_TEACHER
    is_instructing = style.instructing * SHARE_OF_TEACHER >= style.sentences
    return is_long and is_instructing and style.instructing > MORE_OFTEN * style.own and not is_story(lines)
