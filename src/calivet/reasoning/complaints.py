"""What the author complains of: a state that looks good does not contradict somebody whose network fails.

A sentence complains where it names something of the network and says that it fails, in any order. It does not where it
reassures, tells what somebody else believes, or quotes a message; and what is over is no complaint.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Note, Remark
from calivet.readers.remarks import is_tabular
from calivet.search.expressions import expression


def join_lines(lines: str) -> str:
    """One alternation of all that stands on these lines."""
    return "|".join(line.strip() for line in lines.strip().splitlines())


_SUBJECT_EN = join_lines(r"""
    pods?|workloads?|containers?|sandbox\w*|applications?|apps?|nodes?|workers?|hosts?|masters?|vms?|racks?|zones?
    sites?|clusters?|services?|svc|networks?|networking|connections?|connectivity|communication|traffic|packets?
    requests?|tunnels?|vxlan|ipip|wireguard|routes?|routing|peers?|peering|sessions?|bgp|network ?polic\w+|egress
    internet|dns|coredns|kube-dns|ingress\w*|nodeports?|cluster ?ips?|load ?balancers?|api ?server|webhooks?
    metrics-server|latency|throughput|bandwidth|performance|arp|gateways?|mtu|tcp|udp|tls|ipv[46]|interfaces?
    customers?|users?|clients?|front-?ends?|back-?ends?|websites?|deployments?|dashboard|kubelets?|kube-controllers\S*
    calico\S*|felix|typha|bird|cni|health ?checks?|probes?|curl|pings?|telnet
""")
_FAILURE_EN = join_lines(r"""
    tim(?:es?|ed|ing)[- ]?out|time-?outs?|unreachable|inaccessible|can(?:no|.?)t|can not|unable|no longer|never \w+
    (?:nobody|no one) can
    fail(?:s|ed|ing|ures?)?|broken|breaks?|broke|drop(?:s|ped|ping)?|los(?:es?|ing|s|t)|flap(?:s|ped|ping)?|stuck
    h[au]ngs?|hanging|crash\w*|restarting|restarts? (?:every|again|all|constantly)|loop(?:s|ing)?|lag(?:s|ging)?
    not (?:work|ready|run|start|respond|reach|resolv|com|establish|connect|able|get|see|forward|rout|propagat)\w*
    not (?:creat\w*|healthy|available|up)|do(?:es)? ?n[o'’]?t \w+|did ?n[o'’]?t \w+|wo(?:n['’]t|uld not)
    is ?n['’]t \w+|are ?n['’]t \w+|refused|resets?|intermittent\w*|sporadic\w*|unstable|slow\w*|disconnect\w*
    no (?:connectivity|route|routes|network|traffic|response|internet|answer|reply)|notready|unhealthy|degraded
    (?:is|are|goes?|went|keeps?) (?:down|away|bad|notready|unhealthy)|stop(?:s|ped)|blackhol\w*|denied|blocked
    (?:0|1)/1|duplicate[sd]?|wrong (?:ip|address|interface|subnet|node)|high latency|packet loss|cut off|in trouble
    complain|issues?|problems?|troubles?|exit(?:s|ed)|unavailable|(?:needs?|requires?) .{0,20}restart\w*|ignored
    bypass\w*|disappear\w*|vanish\w*|corrupt\w*|rejected|stall\w*|freez\w*|frozen|unresponsive|misrouted
    takes? (?:over |about |around |up to |more than )?\d+ ?(?:s|sec\w*|min\w*)|50[0234]s?|spik(?:es?|ing)
    delay(?:s|ed)?
    (?:is|are|was|were|been|gets?|got) (?:\w+ )?killed|oom[- ]?killed
""")
_WHOLE_EN = join_lines(r"""
    nothing (?:works|is working|gets? through)|(?:network|cluster|calico) (?:is )?(?:down|broken|dead)|outage
    not (?:enforced|released|applied|cleaned up|programmed|advertised|assigned)|high (?:cpu|memory|load)
    (?:memory|ip) leaks?|(?:please|pls) help|help (?:needed|wanted|please)
    any (?:hints?|ideas?|help|clues?|suggestions?|pointers?)
""")
_WHOLE_ZH = r"求助|求救|急救|帮忙看|丢包|断网|网络不通|不通了|网络异常|网络故障|起不来|全部?挂了"
_SUBJECT_ZH = join_lines(r"""
    [Pp]od|POD|容器|节点|主机|机器|服务|[Ss]ervice|网络|calico|Calico|BGP|bgp|DNS|dns|域名|[Ii]ngress|NodePort
    nodeport|集群|流量|数据包|大包|小包|连接|通信|互访|隧道|路由|会话|邻居|apiserver|接口|外网|公网|网关|探针|业务
    跨主机|跨节点|ping|curl|telnet|kubelet|coredns|[Ff]elix|BIRD|iptables|端口|请求|访问
""")
_FAILURE_ZH = join_lines(r"""
    不通|无法|失败|丢包|超时|不能|卡住|卡在|挂了|断开|断了|断网|中断|不可用|不了|不到|连不上|起不来|不正常|异常|故障
    未就绪|没有就绪|不稳定|抖动|很慢|变慢|时断时续|时通时不通|不工作|崩溃|拒绝|没有响应|无响应|掉线|闪断|不上|不行
    (?:反复|一直|频繁|不断|不停|循环|老是|总是)地?重启|重启(?:循环|多次|不断)|全挂|都挂|挂掉|就崩|报错|连接不|ping不
    获取不|拿不
""")
_WHOLE_OF = {True: expression(rf"\b(?:{_WHOLE_EN})\b", re.IGNORECASE), False: expression(_WHOLE_ZH)}
SUBJECT_OF = {True: expression(rf"\b(?:{_SUBJECT_EN})\b", re.IGNORECASE), False: expression(_SUBJECT_ZH)}
_FAILURE_OF = {
    True: expression(rf"(?<![\w-])(?:{_FAILURE_EN})(?![\w-])", re.IGNORECASE),
    False: expression(_FAILURE_ZH),
}
"""What fails, and that it fails: a sentence that holds both, in whichever order; in English, or else in Chinese."""
# Nobody misses anything, or somebody else believes it, or it is a wish, a plan or a condition.
NO_COMPLAINT = expression(
    join_lines(r"""
    (?<!not )(?<!n't )\b(?:works?|working) (?:fine|well|as expected|again|now)|harmless
    \b(?:nobody|no one|no users?|no customers?)(?: \w+){0,2} (?:complain|notic|report|mention|affect|miss)\w*
    \b(?:no|without|zero) (?:problems?|issues?|complaints?|errors?|impact|outage)|\b(?:seems?|appears?) to work
    do(?:es)? ?n[o'’]t (?:affect|complain|notice|seem to)|^\W*(?:and |or |but )?(?:if|in case)\b
    \b(?:would|should|before we|expected|make sure)\b
    \b(?:says?|said|claims?|thinks?|believes?|asks?|asked|suspects?|blames?|worried|unsure|wonder\w*)\b
    \b(?:threads?|forums?|articles?|warnings?|messages?|alert\w*|log ?lines?|flagged|scanner|auditor)\b
    没有?.{0,6}(?:反馈|报障|影响|问题|异常|丢包|投诉)|(?:没人|无人)(?:反馈|投诉|报障|抱怨|反映|说)|业务正常|一切正常
    均正常|都正常|正常的|不影响|认为|觉得|怀疑|担心|说是|要求|如果|是否|会不会|要不要|日志里|巡检|告警|报警
    """),
    re.IGNORECASE,
)
_DENIED_ZH = r"(?:无(?!法)|没有?(?!能|法)|未(?!能|知)|不(?=[受再需]|涉及|存在|产生|影响))[^，。,；]{0,4}?"
_TROUBLE_ZH = (
    "(?:丢包|感知|影响|异常|告警|报警|中断|报错|错误|故障|问题|投诉|反馈|报障|变化|变动|变更|误|停机|抖动){1,3}"
)
# Trouble is denied: what is left of the sentence may still tell of some.
REASSURING = expression(
    rf"{_DENIED_ZH}{_TROUBLE_ZH}(?:[^，。,；]{{0,4}}?{_TROUBLE_ZH})?|"
    + join_lines(r"""
    \b(?:no|without|zero|free of)(?: \w+){0,2} (?:problems?|issues?|complaints?|errors?|impact|outages?|downtime)
    \b(?:no|without|zero)(?: \w+){0,2} (?:interrupt\w*|losse?s?|incidents?|alerts?|changes?|findings?|restarts?|drops?)
    \b(?:0|zero|none|no) (?:\w+ )?(?:were |was |are )?(?:\w+ )?(?:failed|failures|errors|lost|dropped)
    \b(?:not|never|un)[- ]?(?:affected|impacted|changed|needed|urgent|used|in use|touched|related)
    \bnothing(?: \w+)? (?:to report|wrong|new|open|reported|special|unusual|changed|failed|suspicious)
    \bhigh(?:ly)?[- ]avail\w+|\bread[- ]only|\b(?:information|info|reference|internal|documentation) only
    \bonly want\w*|\bfail-?over|\bno(?:t)? \w+ (?:are|is) (?:failing|down)
    \berror (?:rate|budget)s? (?:is|are|at) (?:0|zero|low)
    (?:无(?!法)|没有?(?!能|法)|未(?!能|知))[^，。,；]{0,4}?(?:延迟|遗留|重启|波动|风险|新增|待办|待处理)(?:问题|情况|事项)?
    \b(?:before|during|after) the freeze|\b(?:change|code) freeze|\ball (?:is )?quiet|\bfor your help|仅供参考|仅作
    不变|不同|不限|不超过|不低于|不少于|不大于|不涉及|不需要|不用|不停机|无损|无状态|无缝|错峰|死信|断点
    """),
    re.IGNORECASE,
)
BRACKETS = expression(r"\([^()]*\)|（[^（）]*）")
# What works for some does not for the others.
_ONLY_SOME = expression(
    r"\b(?:only works?|works? only|can only (?:be )?(?:reach|access|connect|ping|see)\w*|only reachable)\b"
    r"|只能(?:在|从|访问)",
    re.IGNORECASE,
)
_SOLVED = (
    r"\b(?:(?:is|was|are|got|been) (?:resolved|fixed|solved)|back to normal|recovered)\b"
    r"|已解决|已处理|处理完毕|已恢复|恢复正常|恢复了|问题解决|都好了|已修复"
    r"|(?:巡检|检查|验证|测试)[^，。,;；]{0,6}(?:全部|一切|均|都)已?正常(?:[,，]?(?:记录|情况|结果|信息)?如下)?[。:：]?\s*$"
)
SOLVED = expression(_SOLVED, re.IGNORECASE)
OVER = expression(
    rf"{_SOLVED}|\b(?:now (?:works|fine|ok|healthy)|works? (?:again|now|fine))\b"
    r"|(?<!not )\b(?:ready|healthy|fine|reachable|online) again\b",
    re.IGNORECASE,
)
QUOTED = expression(r"“[^”]*”|\"[^\"]*\"|(?<!\w)'[^']*'|`[^`]*`|「[^」]*」|‘[^’]*’")
SENTENCE = expression(r"(?:[^。！？；!?;.]|\.(?!\s|$))+")
CLAUSE = expression(r"(?:[^,，]|,(?!\s|$))+")
QUESTION = ("?", "？")
# Who asks why something fails says that it fails; who asks whether it does, does not.
WHY = expression(
    r"\b(?:why|how (?:come|to|can|do)|what (?:is|else|am))\b|为什么|为何|怎么|咋|[什啥]么?(?:问题|原因|情况|毛病|鬼)",
    re.IGNORECASE,
)
LONGEST = 2_000
"""Of a paragraph on one line; whoever complains does so at its head."""


def list_words_of_author(picture: ClusterFacts) -> list[Note | Remark]:
    """The notes, and lines beside outputs that nobody's program prints, in the order of the evidence."""
    notes = [note for note in picture.all(Note) if not is_tabular(note.text)]
    return sorted([*notes, *picture.all(Remark)], key=lambda one: picture.order(one.at))


def find_complaint(notes: Iterable[Note | Remark]) -> Note | Remark | None:
    """The last of the author's lines that says that something fails and that no later one calls over."""
    found: Note | Remark | None = None
    for note in notes:
        if OVER.search(note.text[:LONGEST]):
            found = None
        elif complains(note.text):
            found = note
    return found


def tells_of_trouble(picture: ClusterFacts) -> bool:
    """Whether the author complains of something, be it over by now: a note on a fault that was solved does."""
    return any(complains(one.text) for one in list_words_of_author(picture))


def complains(text: str) -> bool:
    """Whether one of its sentences does."""
    spoken = QUOTED.sub(" ", text[:LONGEST])
    for sentence in SENTENCE.finditer(spoken):
        clauses = [clause[0] for clause in CLAUSE.finditer(sentence[0])]
        asked = spoken[sentence.end() : sentence.end() + 1] in QUESTION
        if asked and not WHY.search(sentence[0]):
            clauses.pop()
        if any(_is_complaint(clause, sentence[0]) for clause in clauses):
            return True
    return False


def _is_complaint(clause: str, sentence: str) -> bool:
    clause = REASSURING.sub(" ", clause)
    if _ONLY_SOME.search(clause):
        return True
    if NO_COMPLAINT.search(clause):
        return False
    in_english = any(character.isascii() and character.isalpha() for character in clause)
    return (in_english and _complains_in(clause, sentence, is_english=True)) or (
        not clause.isascii() and _complains_in(clause, sentence, is_english=False)
    )


def _complains_in(clause: str, sentence: str, *, is_english: bool) -> bool:
    """What fails may stand in another clause: "it answers from inside, but from outside it is not reachable".

    The expressions of a language are long and dear to compile, and most people complain in one language.
    """
    if _WHOLE_OF[is_english].search(clause):
        return True
    return bool(_FAILURE_OF[is_english].search(clause) and SUBJECT_OF[is_english].search(sentence))
