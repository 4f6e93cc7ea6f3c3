"""Text that is no evidence of this cluster: manuals, source code, definitions of resources, and our own reports.

They speak of every fault there is. What is recognised here is named and set aside; nothing in it is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from calivet.evidence.artifact import Document, Line, Reference
from calivet.evidence.instructions import instructs_reader, is_story, is_tutorial
from calivet.search.expressions import expression

HEAD = 400
"""Lines that are looked at."""

REPORT, CATALOGUE, LABEL, MANUAL, SOURCE, NOTES = "report", "catalogue", "label", "manual", "source", "release-notes"


def recognize_reference(document: Document) -> Reference | None:
    """What it is, where it is no evidence; None for all else. A log too long to keep is always a log."""
    if document.numbers or document.whole:
        return None
    head = [line for line in document.lines[:HEAD] if line.strip()]
    if (_CODE_NAME.search(document.name) and any(map(_CODE.match, head))) or _is_template(document.name, head):
        return Reference(Line(document.name, document.lines.index(head[0]) + 1, head[0].strip()), SOURCE)
    for kind, fits in _KINDS if head else ():
        if fits(head):
            return Reference(Line(document.name, document.lines.index(head[0]) + 1, head[0].strip()), kind)
    return None


_JSON_REPORT = expression(r'^\{?\s*"schema": 1,|^\{"schema":1,"calivet":')
_REPORT_LINES = (
    expression(r"^## calivet: \S.* · "),
    expression(r"^<testsuites name=\"calivet\""),
    expression(r"^# HELP calivet_"),
    expression(r"^<title>calivet\b"),
    expression(r"^\s*\"name\": \"calivet\","),
)
_REPORT_PARTS = expression(r"^ ?[✗✓·] (?:nodes|calico-node|BGP|datastore|runtime|节点|数据存储|容器运行时) {2,}")


_VERDICT = expression(r"^(?:FAULT|HEALTHY|CANNOT TELL YET|发现故障|正常|证据不足)  \S")


def _is_report(head: Sequence[str]) -> bool:
    """As calivet writes them; the text form by its verdict, or by its list of parts."""
    top = head[:40]
    if _JSON_REPORT.match(head[0] if head else "") or any('"calivet": "' in line for line in top[:3]):
        return any('"verdict"' in line for line in top[:5])
    if sum(_REPORT_PARTS.match(line) is not None for line in top[:12]) >= 3:
        return True
    if any(_VERDICT.match(line) for line in top[:6]):
        return True
    return any(shape.match(line) for shape in _REPORT_LINES for line in top)


_CAUSE_KEYS = expression(r"^(?:- )?(id|layer|signs|leads_to|mistaken_for|verify|against|explain):")
_ENTRY_KEYS = expression(r"^(?:- |  )(id|traces|trace|why|title|leads_to|kinds|ask):")


_TABLE_KEYS = expression(r"^- \{id: [\w-]{1,60}, words: \[|^  risk: (?:safe|disruptive|dangerous)$")


def _is_catalogue(head: Sequence[str]) -> bool:
    causes = {found[1] for line in head if (found := _CAUSE_KEYS.match(line))}
    entries = {found[1] for line in head if (found := _ENTRY_KEYS.match(line))}
    tables = sum(_TABLE_KEYS.match(line) is not None for line in head)
    counted = [line.strip() for line in head[:8]]
    if (
        tables >= 3
        or head[0].startswith('{"causes":["')
        or ('"causes": {' in counted and any(line.startswith('"reports": ') for line in counted))
    ):
        return True
    patterns = any(line.lstrip(" -").startswith(("pattern:", "computed:", "run:")) for line in head)
    return len(causes) >= 4 or ("id" in entries and len(entries) >= 2 and patterns)


_LABEL_KEYS = expression(r"^(cause|also|all|herrings|sufficient|why|lang|nodes|source):")


_PHRASE = expression(r"^- \{lang: \w{2}, kind: \w{4,10}, text: '")


def _is_label(head: Sequence[str]) -> bool:
    if sum(_PHRASE.match(line) is not None for line in head) * 2 > len(head):
        return True
    keys = {found[1] for line in head if (found := _LABEL_KEYS.match(line))}
    return "cause" in keys and len(keys) >= 2 and len(head) <= 40


_PLAY = expression(r"^\s*-? ?(hosts|tasks|roles|handlers|groups|rules|alert|expr|annotations):")
_ALERTING, _PLAYING = {"groups", "rules", "alert", "expr"}, {"hosts", "tasks"}
_MARKED_HEADING, _FENCE = expression(r"^#{2,6} \S"), expression(r"^\s{0,6}```")


def _is_automation(head: Sequence[str]) -> bool:
    """A playbook or alerting rules: they name the faults that they look for."""
    if sum(_MARKED_HEADING.match(line) is not None for line in head) > 1 and any(map(_FENCE.match, head)):
        return False  # an article that shows some
    keys = {found[1] for line in head if (found := _PLAY.match(line))}
    return keys >= _ALERTING or (keys >= _PLAYING and any(line.startswith("- hosts:") for line in head))


_CODE = expression(
    r"^\s*(?:func |package \w+$|import \(|return\b|}\s*(?:else\b.*)?$|def \w+\(|class \w+[(:]|from \w[\w.]* import |"
    r"if .*[{:]$|for .*[{:]$|case .*:$|switch .*\{|type \w+ (?:struct|interface)|#include |using |public |private |"
    r"const |var |let |//|/\*|\*/|@\w+|elif |else:|try:|except\b|with .*:$|self\.\w+|[\w.]+ :?= .*[({]$|"
    r"fn |impl |pub |"
    # What is wanted of a cloud, which nobody may have made.
    r"(?:resource|data|module|variable|provider|output) \"[\w-]+\"[^{]{0,80}\{)"
)
_CODE_NAME = expression(r"\.(?:py|go|rs|java|kt|c|cc|cpp|h|ts|tsx|js|rb|cs|php|lua|pl|tf|hcl)$")
_CODE_HEAD = expression(
    r"^(?:package [a-z]\w*$|#!.*\b(?:python|node|ruby|perl)|from __future__ import |diff --git a/|(?://|#) Copyright)"
)


_TEMPLATE_NAME = expression(r"\.(?:j2|jinja2?|tmpl|tpl|gotmpl|erb)$")
_TEMPLATE_STEP = expression(r"^\s*\{%-? ?(?:if|for|set|else|elif|endif|endfor|include|macro|block)\b")


def _is_template(name: str, head: Sequence[str]) -> bool:
    """What a file is made from, which may never have been made: by its name, or by steps of a template's language."""
    if _TEMPLATE_NAME.search(name):
        return bool(head)
    return sum(_TEMPLATE_STEP.match(line) is not None for line in head) >= 2


_SHELL = expression(r"^#! ?/\S*(?:/env )?(?:ba|da|k|z|a)?sh\b")


def _is_source(head: Sequence[str]) -> bool:
    """By what its lines are, which prompts and logs are not like; a whole script of a shell says what it is."""
    if _SHELL.match(head[0]) and not _shows_observed(head):
        return True
    if len(head) < 10:
        return False
    share = sum(_CODE.match(line) is not None for line in head) / len(head)
    return share > (0.15 if any(_CODE_HEAD.match(line) for line in head[:20]) else 0.3)


_VERSION_HEAD = expression(
    r"^(?:#+ |\*\*)?\[?v?\d+\.\d+(?:\.\d+)?\]?(?:\*\*)?(?: |$|\()|^#+ (?:Changelog|Release notes)", re.IGNORECASE
)
_CHANGE = expression(
    r"^\s*[-*] .*(?:#\d{2,6}\b|\(@[\w-]+\)|\[[a-z-]+ #\d+\])|^\s*[-*] (?:Fix(?:ed|es)?|Add(?:ed|s)?|Support) "
)


_NOTES_TITLE = expression(
    r"^(?:#+ |\*\*)?.{0,40}(?:release notes|changelog|what'?s new|发布说明|版本说明|更新日志)", re.IGNORECASE
)
_NOTES_HEADING = expression(
    r"^#{1,5} (?:bug ?fixes|fixe[ds]|known (?:issues|limitations)|breaking changes|(?:new )?features|enhancements"
    r"|deprecations|新特性|新增功能|已知问题|(?:问题|缺陷)修复)\s*$",
    re.IGNORECASE,
)
_BULLET = expression(r"^\s*[-*•] ")


def _is_release_notes(head: Sequence[str]) -> bool:
    """By a version and the form of its changes; or by its title, where it is a list and shows nothing observed."""
    changes = sum(_CHANGE.match(line) is not None for line in head)
    if changes >= 5 and changes > len(head) / 4 and any(_VERSION_HEAD.match(line) for line in head):
        return True
    written = [line for line in head if line.strip()]
    bullets = sum(_BULLET.match(line) is not None for line in written)
    is_titled = any(_NOTES_TITLE.match(line) or _NOTES_HEADING.match(line) for line in written[:2])
    return is_titled and bullets >= 3 and bullets * 2 >= len(written) and not _shows_observed(head)


_SYMPTOM_HEAD = expression(
    r"现象|症状|问题|报错|告警|\b(?:(?:ts)?symptoms?|problem|error|alert|what you see|message|s[ií]ntomas?|problema)\b",
    re.IGNORECASE,
)
_CAUSE_HEAD = expression(r"原因|根因|원인|причин|\b(?:(?:ts)?causes?|reasons?|means?|meaning|causa)\b", re.IGNORECASE)
_CURE_HEAD = expression(
    r"处理|解决|措施|方案|动作|操作|対処|해결|решени|"
    r"\b(?:fix|solution|action|remedy|what to do|resolution|(?:ts)?resolve|response|soluci[oó]n)\b",
    re.IGNORECASE,
)
_ROW = expression(r"^\s*\|.*\|\s*$")
FEWEST_ROWS = 3


def _is_runbook(head: Sequence[str]) -> bool:
    """Mostly a table of symptoms, causes and cures, and nothing that was observed: it tells of what may be."""
    written = [line for line in head if line.strip()]
    rows = [line for line in written if _ROW.match(line)]
    if len(rows) < FEWEST_ROWS + 2 or len(rows) * 2 < len(written) or _shows_observed(head):
        return False
    columns = [
        any(kind.search(cell) for cell in rows[0].split("|")) for kind in (_SYMPTOM_HEAD, _CAUSE_HEAD, _CURE_HEAD)
    ]
    return sum(columns) >= 2


_TITLE = expression(r"^(?:#{1,6} |\*\*|【|\{: ?|[一二三四五六七八九十]、|\d{1,2}[.、] ?)?[^.。|]{2,40}[:：]?$")


def _is_about_one_fault(head: Sequence[str]) -> bool:
    """An article with a heading for the cause and one for the cure: its author states a cause, as in a report."""
    titles = [line for line in head if _TITLE.match(line)]
    return all(any(kind.search(title) for title in titles) for kind in (_CAUSE_HEAD, _CURE_HEAD))


_MAN_HEADING = expression(
    r"^(?:NAME|SYNOPSIS|DESCRIPTION|OPTIONS|EXAMPLES?|SEE ALSO|EXIT STATUS|FILES|ENVIRONMENT|AUTHORS?)$"
)
_MAN_TITLE = expression(r"^[A-Za-z][\w.-]{1,30}\(\d\w?\)(?:\s|$)")
_OWN_PAGE = expression(r"^`[a-z0-9-]+` · (?:layer|层)[:：]")
_LINK_TO_PAGE = expression(r"\]\([\w./-]+\.md\)")
OWN_NAME = 4
"""Lines with our name: a page about calivet, and not about a cluster."""
_FRONT_MATTER = expression(r"^(title|description|sidebar_label|sidebar_position|canonical_url|slug|weight): ")
# A post has these too; it may tell of somebody's own trouble.
_POST = expression(r"^(?:date|author|authors|tags|categories|layout): ?")
# What the source of a documentation site has: its components and the names that it fills in.
_PAGE_SOURCE = expression(r"^import \{?[\w, ]{1,80}\}? from ['\"]@|\$\[\w{1,30}\]|\{\{[<%] ?\w")
_HEADING = expression(r"^#{1,4} \S|^[=~-]{4,}$")
# A list of the page's own headings, and headings that ask.
_CONTENTS = expression(r"^\s*(?:[-*+]|\d{1,2}\.) {1,4}\[[^\]]{1,90}\]\(#")
FEWEST_CONTENTS = 5
_ASKING = expression(r"^#{1,6} .{6,}[?？]\s*$")
# A list of messages, each under a heading of its own: what may befall anybody.
_QUOTING = expression(
    r"^(?:#{1,6} |\*\*)(?:\d{1,3}[.、)）:：]? ?|[QE]\d{1,2}[.:：]? ?)?.{0,60}"
    r"(?:`[^`]{12,}`|\"[^\"]{12,}\"|\b(?:error|fail(?:s|ed|ure)|cannot)\b|报错|失败|错误|无法|不通|一直"
    r"|不生效|断网|异常|超时|丢包|起不来|(?:CrashLoop|ImagePull)BackOff|NotReady|\bPending\b)",
    re.IGNORECASE,
)
_FAQ = expression(
    r"^(?:#{1,6} |[一二三四五六七八九十]{1,2}、).{0,12}"
    r"(?:(?:常见|高频|典型)(?:[\w/、 -]{0,16}?)(?:问题|错误|故障|异常)|\bFAQ\b|Frequently asked"
    r"|Common (?:errors|problems|issues))",
    re.IGNORECASE,
)
FEWEST_QUOTING = 4
_PLACEHOLDER = expression(
    r"<[a-z][a-z_ -]*(?:name|ip|node|pod|address|namespace|version|file|cidr)[a-z_ -]*>|\{\{ ?\w+", re.IGNORECASE
)
_ADDRESSES_READER = expression(
    r"\byou(?:r|'ll|'re)?\b|\bcheck (?:that|whether|if)\b|\b(?:ensure|verify|make sure) that\b|"
    r"\bfor more information\b|\bsee (?:the|also)\b|\brunbook\b|\bescalate\b|"
    r"请(?:检查|确认|参考|执行)|如果(?:您|你)|注意：|参见",
    re.IGNORECASE,
)
# What only somebody's cluster has: times, generated names, prompts of a machine.
_OBSERVED = expression(
    r"\d\d:\d\d:\d\d|[a-z0-9]-[bcdfghjklmnpqrstvwxz2456789]{5}\b|"
    r"^\S{0,99}@\S{1,99}[:~ ].{0,200}[#$] |^\[\S{1,99}@\S{1,99} .{0,99}\][#$]"
)


def _shows_observed(head: Sequence[str]) -> bool:
    observed = sum(_OBSERVED.search(line) is not None for line in head)
    return observed * 20 >= len(head)


_SYMPTOMS = expression(r"^#{1,6} ?(?:故障|问题)?现象(?:描述|说明)?\s*$").match
# What trackers ask a reporter for.
_TICKET = expression(
    r"^#{1,6} ?(?:Expected Behaviou?r|Current Behaviou?r|Actual Behaviou?r|Steps to Reproduce|Your Environment"
    r"|What happened|问题描述|复现步骤|期望结果|实际结果)",
    re.IGNORECASE,
)


def _has_front_matter(head: Sequence[str]) -> bool:
    """A page of a documentation site, and not somebody's post."""
    if head[0] != "---":
        return False
    keys = {found[1] for line in head[:8] if (found := _FRONT_MATTER.match(line))}
    return bool(keys - {"title"}) and not any(_POST.match(line) for line in head[:12])


def _is_manual(head: Sequence[str]) -> bool:
    """By marks that only documentation has; else by how it speaks, where it is nobody's ticket."""
    if any(_OWN_PAGE.match(line) for line in head[:6]) or head[0].startswith("<svg"):
        return True
    parts = sum(_MAN_HEADING.match(line) is not None for line in head)
    if parts >= (1 if _MAN_TITLE.match(head[0]) else 3) or any(map(_PAGE_SOURCE.search, head)):
        return True
    if any(_TICKET.match(line) for line in head) or is_story(head) or _tells_of_symptoms(head):
        return False
    if (_is_page(head) or _is_titled_guide(head)) and not _is_about_one_fault(head):
        return True
    if _shows_observed(head):
        return is_tutorial(head) and not _is_about_one_fault(head)
    return _speaks_like_a_manual(head)


def _tells_of_symptoms(head: Sequence[str]) -> bool:
    """A post of which one part tells what was seen, however much of the others instructs."""
    is_post = head[0] == "---" and any(map(_POST.match, head[:12]))
    return is_post and sum(map(bool, map(_SYMPTOMS, head))) == 1


_GUIDE = expression(r"^# [^#]{0,60}(?:指南|手册|教程|速查)")
_TO_TICK = expression(r"^\s*[-*] \[ \] \S")
FEWEST_HEADINGS = 8
FEWEST_TO_TICK = 5


def _is_titled_guide(head: Sequence[str]) -> bool:
    """It calls itself one and has many headings, or is mostly a list of things to look at and to tick off."""
    boxes = sum(_TO_TICK.match(line) is not None for line in head)
    is_titled = any(map(_GUIDE.match, head[:4])) and sum(map(bool, map(_HEADING.match, head))) >= FEWEST_HEADINGS
    return is_titled or (boxes >= FEWEST_TO_TICK and boxes * 3 >= len(head))


def _is_page(head: Sequence[str]) -> bool:
    """It begins with its table of contents, or answers questions under headings."""
    if sum(_CONTENTS.match(line) is not None for line in head) >= FEWEST_CONTENTS:
        return True
    headings = sum(line.startswith("#") and _HEADING.match(line) is not None for line in head)
    asking = sum(_ASKING.match(line) is not None for line in head)
    quoting = sum(_QUOTING.match(line) is not None for line in head)
    is_list = quoting >= FEWEST_QUOTING and quoting * 2 >= headings and not _shows_observed(head)
    return is_list or (asking >= 3 and asking * 2 >= headings)


def _speaks_like_a_manual(head: Sequence[str]) -> bool:
    """It has headings or links to pages, and speaks to a reader."""
    if sum("calivet" in line for line in head) >= OWN_NAME:
        return True
    if (_has_front_matter(head) or instructs_reader(head)) and not _is_about_one_fault(head):
        return True
    if sum(_LINK_TO_PAGE.search(line) is not None for line in head) * 2 > len(head):
        return True
    headings = sum(_HEADING.match(line) is not None for line in head)
    if headings >= 3 and any(map(_FAQ.match, head)) and not _is_about_one_fault(head):
        return True
    told = sum(_ADDRESSES_READER.search(line) is not None for line in head)
    gaps = sum(_PLACEHOLDER.search(line) is not None for line in head)
    return headings >= 3 and told + gaps >= 3


_KINDS: tuple[tuple[str, Callable[[Sequence[str]], bool]], ...] = (
    (REPORT, _is_report),
    (CATALOGUE, _is_catalogue),
    (LABEL, _is_label),
    (SOURCE, _is_source),
    (SOURCE, _is_automation),
    (NOTES, _is_release_notes),
    (MANUAL, _is_runbook),
    (MANUAL, _is_manual),
)

_PARTED = re.compile(r"^---\s*(?:#.*)?$")
_DEFINITION = re.compile(r"^kind: [\"']?CustomResourceDefinition\b")


def blank_definitions(lines: list[str]) -> list[str]:
    """The lines without bodies of CustomResourceDefinitions: their descriptions name faults, and state nothing.

    What is blanked keeps its place, so that all other lines keep their numbers.
    """
    if not any(_DEFINITION.match(line) for line in lines):
        return lines
    kept, start = list(lines), 0
    for index in range(len(lines) + 1):
        if index == len(lines) or _PARTED.match(lines[index]):
            if any(_DEFINITION.match(line) for line in lines[start:index]):
                kept[start:index] = [""] * (index - start)
            start = index + 1
    return kept
