"""What the author says beside a good state, where it is not plainly content with it.

"Healthy" is a claim, and nobody can list all words for what may go wrong. The ways in which people say that all is
well, hand over a record, ask for something or describe what they have are few. So a sentence is read in two steps: is
there any word of trouble in it, whatever of; and if not, is it one of those few? Whatever else somebody writes above
a table of ready pods may be a complaint: it is quoted, and the cluster is not called healthy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from calivet.facts.fact import Note, Remark
from calivet.readers.remarks import is_printed, is_tabular
from calivet.reasoning.complaints import (
    BRACKETS,
    LONGEST,
    QUESTION,
    QUOTED,
    REASSURING,
    SENTENCE,
    SOLVED,
    SUBJECT_OF,
    WHY,
    join_lines,
)
from calivet.search.expressions import expression

_CASE = re.IGNORECASE | re.ASCII
TROUBLE = expression(
    r"(?<![\w-])(?:"
    + join_lines(r"""
    not|never|none|nor|neither|cannot|nowhere|\w{2,6}n['’]t|cant|dont|doesnt|isnt|wont|didnt|arent|couldnt|unable
    nothing else
    no (?:\w+ )?(?:connect\w*|routes?|networks?|traffic|response|internet|answers?|repl(?:y|ies)|access|ips?|address\w*)
    no (?:endpoints?|way|longer|more \w+|idea|clue|luck|logs?|one can|packets?|such)|(?:does|do|did) nothing
    nothing (?:works?|gets?|happens|comes|arrives|answers?|helps?)|fail\w*|error\w*|exception\w*|panic\w*|broke\w*
    break\w*|drop(?:s|ped|ping)?|los(?:es?|ing|s|t)|flap\w*|stuck|h[au]ngs?|hanging|crash\w*|keeps? \w+ing|loop\w*
    lag\w*|slow\w*|(?:re)?start(?:s|ing) (?:again|over|every|all)|tim(?:es?|ed|ing)[- ]?out|time-?outs?|unreachable
    inaccessible|refused|resets?|intermittent\w*|sporadic\w*|unstable|disconnect\w*|notready|unhealthy|degrad\w*|down
    blackhol\w*|den(?:y|ied)|block\w*|duplicat\w*|unavailable|ignor\w*|bypass\w*|disap+ear\w*|vanish\w*|corrupt\w*
    reject\w*|stall\w*|fr[eo]+z\w*|unresponsive|misrout\w*|mis[- ]?config\w*|leak\w*|grow\w*|increas\w*|ris(?:es|ing)
    climb\w*|high(?:er)?|huge|massive|excessive\w*|too \w+|ContainerCreat\w*|CrashLoop\w*|Terminating|ImagePull\w*
    way too|spik\w*|jump(?:s|ed)?|delay\w*|latency|jitter|retrans\w*|interrupt\w*|die[sd]?|dying|dead
    kill(?:s|ed|ing)?|gone|missing|lack\w*|undefined|unknown|unusual\w*|unexpected\w*|weird\w*|strange\w*|odd(?:ly)?
    suspicious\w*|wrong\w*|funny|incorrect\w*|mismatch\w*|inconsisten\w*|random\w*|sudden\w*|sometimes|other times
    occasional\w*|often|half|only|except|alone|isolat\w*|quiet|silent\w*|stale|orphan\w*|waits?|waiting|forever
    endless\w*|instead|still|despite|although|though|worse|bad(?:ly)?|poor\w*|terrible|annoying|trouble\w*|problem\w*
    issues?|bugs?|regress\w*|outages?|incidents?|conflict\w*|overlap\w*|deadlock\w*|overload\w*|saturat\w*|exhaust\w*
    ran out|runs? out|runs? into|out of|full|evict\w*|oom\w*|throttl\w*|(?:can|has|have|does|did) any(?:one|body)
    help\w*|urgent\w*|any(?:one|body) (?:else|have|has|know\w*|seen|see\w*)|asap|confus\w*|puzzl\w*|mystery
    mysterious\w*|struggl\w*|impossible|hard to|ha[ds] to|forced|blank|empty|gaps?|stop(?:s|ped)
    every (?:other|second|third|few|minute|hour|day|time)|takes? (?:over |about |around |up to |more than )?\d+
    50[0234]s?|[1-9]\d?(?:\.\d+)? ?% (?:of|packets?|loss)|complain\w*|why|how come|leftover\w*|unbalanced|uneven\w*
    asymmetric\w*|flood\w*|storms?|would expect|expected (?:to|that)|should (?:be|not|have|go|see)|pending
    different(?:ly)?|another|expire[sd]?|invalid|denial|unauthori[sz]ed|red|(?:falls?|fell) (?:over|apart|back|off)
    somehow|whenever|started to|no such host|more than|since then|ever since|and since|until|something|somewhere
    (?:was|were) (?:\w+ )?(?:fine|ok\w*|good|stable|healthy|normal|well) (?:on|in|with|under|before|until|last)
    used to (?:work|be)|unless|nobody|workarounds?|(?:went|goes?) dark|offline
    (?:severity|priority|urgency): ?(?!none|low)\w+
    linger\w*|each other's|(?:have|take) a look|pil(?:es?|ing) up|frequent\w*
""")
    + r")(?![\w-])",
    _CASE,
)
TROUBLE_ZH = expression(
    join_lines(r"""
    不|没|未|无|卡|慢|断|丢|掉|挂|死|崩|乱|坏|错|失|漏|堵|拒|拦|阻|怪|奇|疑|难|差|重置|延迟|延时|时延|超时|超\d|涨|飙
    消耗|占用|大量|过多|过高|转圈|很久|好久|半天|许久|只有|只能|仅|有时|偶尔|经常|频繁|突然|时好时坏|一会儿|间歇|随机
    概率|求|指点|帮|请教|救|为什么|为何|怎么|咋|哪里|冲突|重复|异常|故障|问题|中断|抖动|波动|反复|循环|残留|脏|杀|驱逐
    耗尽|满|爆|退化|下降|降低|往下|升高|增长|翻倍|告急|紧急|投诉|影响|恶化|严重|才能|才可以|又开始|又出现|再次|\d ?%
    全是|重连|倍|每次|老是|总是|一直(?![都很也]?(?:正常|稳定|健康|好))|意外|线索|撞|长时间|耗时|[极较很太过偏特别][低高慢长大小差]|特别长|持续|还在|增加
    泄|受限|非[Rr]|[45]0\d|(?<![供备待留为便])以后|之后(?!的)|以来|踢|瘫
""")
)
# All is well, this was done, this is wanted, this is what there is.
CONTENT = expression(
    join_lines(r"""
    \b(?:fine|ok|okay|healthy|normal\w*|ready|good|green|well|clean|steady|stable|available|established|correct|smooth\w*)\b
    \b(?:works?|worked|working now|pass(?:es|ed)?|succe\w+|up and running|everything answers)\b
    \b(?:identical|unchanged|running)\b
    \bas (?:it should|designed|expected|planned|agreed|before|usual|requested|discussed)\b|\bjust for the\b
    \b(?:came|is|are) back\b|\b(?:come|came) up\b
    \b(?:finished|complet(?:ed?|ion)|done|installed|upgraded|updated|migrated|moved)\b
    \b(?:replaced|rebooted|drained|handed over|joined)\b
    \b(?:added|removed|renewed|patch(?:ed|es|ing)|switched|tested|verified|checked|closed|closing)\b
    \b(?:compared|configured|executed)\b
    \b(?:upgrade|update|migration|maintenance|rollout|installation) (?:from|to|of|on|done|went|took|\d)|\brolled out\b
    ^\W*[A-Z]\w+ed\b|\btook \d+ (?:s|min)\w*|\b(?:here (?:is|are|comes?)|attach(?:ed|ing)|following|collected|taken)\b
    \b(?:we|I) (?:run|use|have (?:an?|two|three|the|\d)|want|plan|would like|need this)\b
    \b(?:we|I) (?:are|am) (?:evaluating|planning|preparing|using)\b
    ^\W*(?:this|the|our|calico) (?:cluster |environment |platform |output )?(?:is (?:the|our|an?|for|what|before))\b
    ^\W*(?:this|the|our|calico) (?:cluster |environment |platform |output )?(?:has|carries|hosts|serves|runs|goes)\b
    \b(?:these are|those are|consists of|on purpose|by design|thanks|thank you|hello|hi|regards|dear|curious|subject)\b
    ^\W*please (?:add|enable|give|grant|create|send|provide|approve|find|renew|attach)\b|^\W*next(?: steps?| up)?[:：]
    ^\W*(?:use|run|see|try|type)\b.{0,40}? (?:to|for)\b|^\W*(?:exercise|task|example|step|question) \d
    \b(?:see|talk to) you\b|\bhave a (?:nice|good)\b|\bgood (?:night|morning|evening|weekend)\b|\bcheers\b
    \balso\b|\b(?:above|below)(?=\W*$)|\bbelow (?:is|are)\b|\b\d+ (?:nodes?|workers?|masters?|servers?|machines?)\b
    \b(?:data ?plane|encapsulation|data ?store|backend|mode|cni|plugin) is\b|^\W*[A-Z]\w+: .{0,12}\d
    \b[A-Z]{2,6}-\d{2,}\b|\b(?:journal(?:ctl)?|dmesg) shows?\b|正常|成功(?!率)|通过|完成|完毕|就绪|健康|良好|稳定|顺利
    平稳|符合预期|达到预期|已(?:按|交付|续期|升级|打完|更新|关闭)|归档|备查|存档|留档|留底|如下|见下|验收|附件|附当前
    仅供|感谢|谢谢|您好|你好|申请|计划|拟于|提供|请(?:审阅|查收|协助开通)
    """),
    _CASE,
)
# Things that are handed over: they count where nothing is said to happen.
RECORD = expression(
    join_lines(r"""
    \b(?:overview|listing|snapshot|summary|inventory|assets?|comparison|ticket|reference|archive|audit|documentation|proof)\b
    \b(?:handover|hand-over|acceptance|inspection|baseline|checklist|onboarding|training|screenshot|presentation|review|demo)\b
    \b(?:outputs?|state|status|list|dump|reports?|request|change|facts|material|check|hardware|lab|plan(?:ned)?|scheduled)\b
    \b(?:weekly|monthly|quarterly|annual|routine|nightly|daily)\b
    ^\W*(?:no|without) \w
    \b(?:versions?|environment|setup|configuration|settings?)\b|\b(?:details|logs?|lines|entries|records?)\b|巡检|材料
    汇总|日报|周报|月报|报告|记录|说明|盘点|资产|清单|列表|台账|工单|快照|变更|交接|培训|演练|演示|开通|基线|拓扑|架构
    规划|例行|例会|目录|概况|现状|审计|升级|迁移|扩容|缩容|部署|安装|检查|测试|验证|上线|环境|版本|信息|状态|对比|数据
    用于|整理|共有?\d|\d ?个节点|\d ?台|插件[:：]|参数
    """),
    _CASE,
)
# Something is said to happen.
HAPPENS = expression(
    r"\b(?:is|are|was|were|be|been|has|have|had|does?|did|will|would|can|could|may|might|must)\b"
    r"|\b(?:gets?|got|sees?|saw|takes?|took|goes|went|come|comes|came|makes?|made|keeps?|kept|leaves?|left|needs?|gives?|gave)\b"
    r"|\b(?:finds?|found|sends?|sent|reach(?:es)?|answers?|lands?|joins?|ends?|runs?|ran|starts?|turns?|turned|becomes?|falls?)\b"
    r"|\b\w+s (?:the|an?|my|our|its|their|your|all|each|every|no|any|it|them|us)\b|[了就都才能被把得着过让使]|会(?!议)",
    _CASE,
)
# Somebody else believes it, it is asked or wished for, or a condition.
NOT_OWN = expression(
    join_lines(r"""
    ^\W*(?:and |or )?(?:if|in case|once|should)\b|\b(?:would like|should (?:we|I|it)|before we|make sure)\b
    (?<!not )(?<!n't )\b(?:works?|working) (?:well|again|now)|harmless|\b(?:seems?|appears?) to work
    \b(?:nobody|no one|no users?|no customers?|users? do not)(?: \w+){0,2} (?:complain|notic|report|mention)\w*
    \b(?:nobody|no one|no users?|no customers?)(?: \w+){0,2} (?:affect|miss)\w*
    do(?:es)? ?n[o'’]t (?:affect|complain|notice|seem to)
    \b(?:teams?|colleagues?|manager|vendor|he|she|they|someone|devs?|developers?|ops) (?:says?|said)\b
    \b(?:claims?|thinks?|believes?|asks?|asked|suspects?|blames?|worried|unsure|wonder\w*)\b
    ^\W*please (?:confirm|add|enable|give|grant|create|open|send|provide|attach|review)\b
    ^\W*please (?:renew|remove|delete|update|note|find)\b
    \b(?:(?:many|several|these|issue|forum) threads?|forums?|articles?|flagged|scanner|auditor|feels? right)\b
    (?:没人|无人)(?:反馈|投诉|报障|抱怨|反映|说)|业务正常|一切正常|均正常|都正常|正常的|不影响|认为|觉得|怀疑|担心
    说是|要求|如果|是否|会不会|要不要
    """),
    _CASE,
)
# Who speaks of lines that a program writes tells what he read; what they mean is asked of the lines themselves.
OF_MESSAGES = expression(
    r"\b(?:this|these|the following|some|two|those) (?:log )?(?:lines?|messages?|entry|entries|warnings?|errors?)\b"
    r"|\b(?:warnings?|(?:the|log|warning|harmless) messages?|alert(?:s|ing|ed)?(?!:)|log ?lines?)\b"
    r"|\berrors? in (?:\S+ ){0,3}logs?\b"
    r"|\b(?:log|logs|journal) (?:of \S+ |volume )?(?:is|are) (?:full|flooded)|\b\d+ lines (?:per|an?|each)\b"
    r"|日志里.{0,8}(?:WARN|ERR|警告|告警)|(?:告警|报警)(?:规则|信息|复盘|配置|阈值|短信)",
    _CASE,
)
# What was agreed is as it is to be, all of it.
_AGREED = expression(
    r"(?:^|, |\bjust )as (?:agreed|planned|designed|requested|intended|documented|ordered)\b|按(?:约定|规划|设计|要求)",
    _CASE,
)
# The author's own verdict on the whole.
ALL_WELL = expression(
    r"\b(?:everything|all)(?: else)? (?:works|(?:is|looks) (?:fine|good|ok\w*|working|healthy|green))\b"
    r"|\bcluster (?:works|is (?:fine|ok\w*|healthy))\b|\bno (?:user |visible |noticeable )?impact\b"
    r"|(?:一切|功能[都均]?|业务[都均]?|集群[都均]?|服务[都均]?|全部|[都均])(?:是|运行)?正常|没有故障|没有任何(?:故障|影响)",
    _CASE,
)
MESSAGE = expression(
    r"\b(?:logs?|logged|messages?|events?|errors?|warn\w*)\b|日志|报错|事件|里有 ?[A-Z]\w*", re.IGNORECASE
)
# A ticket's end: what stands before it is over.
_CLOSED = expression(
    r"\bclosing\W*$|\b(?:ticket|case|incident|issue|INC\S*) (?:is |was |has been )?(?:closed|resolved)\b"
    r"|(?:工单|问题)已?(?:关闭|解决)|结单|关单",
    _CASE,
)
# How questions begin, or end; a title with a question mark is a statement in doubt.
_HEAD_OF_QUESTION = (
    r"^\W*(?:(?:and|or|so|but|then|please|also|hi|hello|ask|question\S*)\W+)*"
    r"(?:is|are|was|were|do|does|did|can|could|should|shall|will|would|has|have|had|may|which|what|when|where|who|whose|how)\b"
)
_BEGINS_TO_ASK = expression(_HEAD_OF_QUESTION, _CASE)
ASKS = expression(
    rf"{_HEAD_OF_QUESTION}|吗|呢|是否|是不是|会不会|要不要|哪|几|多少|什么|能否|有没有|可否",
    _CASE,
)


FEW_WORDS, FEW_CHARACTERS = 3, 5
"""A heading or a greeting is no longer."""
FEW_SENTENCES = 3
MANY_WORDS, MANY_CHARACTERS = 6, 9
"""Who lists programs with their versions needs no more words for each."""
LONGEST_WORD = 20
_LATIN_WORD = expression(r"[A-Za-z][\w'’-]*", re.ASCII)
_OTHER_SCRIPT = expression(r"[^\x00-\u02ff\u2000-\u303f\uff00-\uff0f]")
_COMMAND = expression(r"[$>%|] ?\S|# ?(?:sudo |\.?/|[a-z]+ (?:-|\S+ -|get |describe |logs |exec |node |status |show ))")
_OPTION = expression(r"(?<!\S)--?[A-Za-z][\w-]*(?:=\S+)?")
_CLAUSE = expression(
    r"[,，](?!\S)|，|,(?=[\u3400-\u9fff])|\b(?:but|however|yet|whereas)\b|但是?|却|然而|不过", re.IGNORECASE | re.ASCII
)
_HEADING = expression(r"(?:[A-Z][\w-]*|the|our|this) (?:[\w-]+ )?(?:for|of) [\w -]+[.:]?$")
_VERSION = expression(r"(?<![\d.])\d+\.\d+(?:\.\d+)?(?![\d.])")


def find_open_remark(words: Iterable[Note | Remark]) -> Note | Remark | None:
    """The first of the author's lines that is not plainly content; of what may be a program's, only on the network."""
    words = list(words)
    closed = [index for index, one in enumerate(words) if _CLOSED.search(one.text[:LONGEST])]
    words = words[closed[-1] :] if closed else words
    # What little somebody writes above a table is what he has to say.
    is_brief = sum(len(SENTENCE.findall(one.text[:LONGEST])) for one in words) <= FEW_SENTENCES
    return next((one for one in words if _is_open(one, is_brief=is_brief)), None)


def _is_open(one: Note | Remark, *, is_brief: bool) -> bool:
    quoted = QUOTED.sub(_keep_word, _OPTION.sub(" ", one.text[:LONGEST]))
    spoken = " ".join(BRACKETS.sub(" ", quoted).split())
    is_output = is_tabular(spoken) if isinstance(one, Note) else is_printed(spoken)
    if _COMMAND.match(spoken) or is_output:
        return False
    if not isinstance(one, Note) and not _names_network(spoken):
        return False
    is_reassured = ALL_WELL.search(spoken) is not None
    for sentence in SENTENCE.finditer(spoken):
        clauses = [clause.strip() for clause in _CLAUSE.split(sentence[0])]
        if is_reassured:  # what a message means where all is well is asked of the message
            clauses = [clause for clause in clauses if not _is_of_message(clause)]
        asked = spoken[sentence.end() : sentence.end() + 1] in QUESTION
        if clauses and _is_sentence_open(sentence[0], clauses, is_brief=is_brief, asked=asked):
            return True
    return False


def _is_of_message(clause: str) -> bool:
    """Whether it tells of a message, and beside that of no trouble."""
    return MESSAGE.search(clause) is not None and not _tells_of_trouble(MESSAGE.sub(" ", clause))


def _is_sentence_open(sentence: str, clauses: list[str], *, is_brief: bool, asked: bool) -> bool:
    """Whether it holds a word of trouble; or, where it states something, none by which people show content."""
    if OF_MESSAGES.search(sentence) or SOLVED.search(sentence):
        return False
    if asked and not WHY.search(sentence) and ASKS.search(clauses[-1]):
        # Of several questions in a sentence the last one tells that they are questions.
        clauses = [clause for clause in clauses[:-1] if not _BEGINS_TO_ASK.match(clause)]
    if any(map(_tells_of_trouble, clauses)):
        return True
    if _AGREED.search(sentence) or _is_inventory(clauses) or not (is_brief or _names_network(sentence)):
        return False
    is_content = any(map(_shows_content, clauses))
    # What is said in passing beside a word of content needs more words to be news.
    words, characters = (MANY_WORDS, MANY_CHARACTERS) if is_content else (FEW_WORDS, FEW_CHARACTERS)
    return any(_states_something(clause, words, characters) and not _shows_content(clause) for clause in clauses)


def _tells_of_trouble(clause: str) -> bool:
    """Somebody else's trouble, a wish or a condition is none."""
    if NOT_OWN.search(clause):
        return False
    left = REASSURING.sub(" ", clause)
    return TROUBLE.search(left) is not None or (not left.isascii() and TROUBLE_ZH.search(left) is not None)


def _shows_content(clause: str) -> bool:
    if any(words.search(clause) for words in (CONTENT, REASSURING, NOT_OWN)):
        return True
    return RECORD.search(clause) is not None and not HAPPENS.search(clause)


def _states_something(clause: str, words: int, characters: int) -> bool:
    """Whether it has more words, or more characters of another script, than these, and is no lead-in or version."""
    latin = len(_LATIN_WORD.findall(clause))
    if latin <= MANY_WORDS and (clause.endswith((":", "：")) or (clause.isascii() and _VERSION.search(clause))):
        return False
    return latin > words or len(_OTHER_SCRIPT.findall(clause)) > characters


def _is_inventory(clauses: list[str]) -> bool:
    """Things one after the other, or a heading: no room in it to say what they do."""
    sizes = [len(_LATIN_WORD.findall(clause)) for clause in clauses if clause.isascii()]
    if not sizes or len(sizes) < len(clauses):
        return False
    is_heading = len(clauses) == 1 and sizes[0] <= MANY_WORDS and _HEADING.match(clauses[0]) is not None
    return is_heading or (len(clauses) > FEW_WORDS and max(sizes) <= FEW_WORDS + 1)


def _names_network(text: str) -> bool:
    return any(subject.search(text) for subject in SUBJECT_OF.values())


def _keep_word(quotation: re.Match[str]) -> str:
    """A single word in quotation marks is the author's own; what is longer somebody else said."""
    words = quotation[0][1:-1]
    return " " if " " in words or len(words) > LONGEST_WORD else words
