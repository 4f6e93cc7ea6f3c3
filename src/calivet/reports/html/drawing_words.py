"""The words of the drawings in both languages."""

from __future__ import annotations

from calivet.catalogue.words import Words

WORDS: dict[str, Words] = {
    "map": Words("Nodes and the BGP sessions between them", "节点及其 BGP 会话"),
    "sick": Words("sick", "异常"),
    "well": Words("healthy", "正常"),
    "unseen": Words("not seen", "未见到状态"),
    "peer": Words("peer that is not a node", "非节点对端"),
    "peers": Words("Peers that are not nodes", "非节点对端（路由反射器、交换机等）"),
    "up": Words("session up", "会话已建立"),
    "down": Words("session down", "会话未建立"),
    "half": Words("session up at one end only", "仅一端显示会话已建立"),
    "nodes.count": Words("{count} nodes", "{count} 个节点"),
    "nodes.summary": Words("Nodes: {count} ({states}).", "节点 {count} 个（{states}）。"),
    "sessions.summary": Words("BGP sessions seen: {count} ({states}).", "见到 BGP 会话 {count} 个（{states}）。"),
    "sessions.none": Words("No BGP session was seen.", "未见到 BGP 会话。"),
    "sick.count": Words("{count} sick", "{count} 个异常"),
    "well.count": Words("{count} healthy", "{count} 个正常"),
    "unseen.count": Words("{count} not seen", "{count} 个未见到状态"),
    "up.count": Words("{count} up", "{count} 个已建立"),
    "down.count": Words("{count} down", "{count} 个未建立"),
    "half.count": Words("{count} up at one end only", "{count} 个仅一端显示已建立"),
    "up.hidden": Words("Sessions that are up are counted, not drawn.", "已建立的会话只计数，不画线。"),
    "folded": Words(
        "Numbers after a name: sessions of this node that are not up, of all that were seen; too many to draw.",
        "节点名后的数字：该节点未正常建立的会话数/见到的会话总数；数量过多，未逐条画线。",
    ),
    "folded.rays": Words(
        "Numbers after a name: sessions of this node that are not up, of all that were seen; point at it to see them.",
        "节点名后的数字：该节点未正常建立的会话数/见到的会话总数；将鼠标移到节点上或用键盘选中即可看到连线。",
    ),
    "zone.none": Words("Zone not known", "可用区未知"),
    "zone.all": Words("All nodes", "全部节点"),
    "zone.others": Words("{count} other zones", "其他 {count} 个可用区"),
    "more": Words("and {count} more", "另有 {count} 个"),
    "within": Words("{bad} of {all} sessions not up", "{all} 个会话中 {bad} 个未正常建立"),
    "between": Words(
        "Sessions between zones: not up, of all that were seen", "可用区之间的会话：未正常建立数 / 见到总数"
    ),
    "table": Words("As a table", "以表格查看"),
    "table.nodes": Words("Nodes", "节点"),
    "table.sessions": Words("Sessions, as each end sees them", "会话（按各端所见）"),
    "table.left": Words("{count} rows are left out: the least telling ones.", "省略了 {count} 行次要内容。"),
    "node": Words("Node", "节点"),
    "state": Words("State", "状态"),
    "zone": Words("Zone", "可用区"),
    "address": Words("Address", "地址"),
    "agent": Words("calico-node", "calico-node"),
    "causes": Words("Findings", "相关根因"),
    "place": Words("Seen in", "出处"),
    "sees": Words("Sees", "对端"),
    "info": Words("In BIRD's words", "BIRD 原文"),
    "since": Words("Since", "自"),
    "sees.title": Words("{node} sees {other}: {info}", "{node} 看 {other}：{info}"),
    "timeline": Words("What happened when", "事件时间线"),
    "timeline.summary": Words("Entries: {count}, {range}.", "共 {count} 条，{range}。"),
    "cluster": Words("Cluster", "集群"),
    "others": Words("{count} other nodes", "其他 {count} 个节点"),
    "tracks.more": Words("{count} other things", "其他 {count} 类"),
    "event": Words("event", "事件"),
    "restart": Words("restart", "重启"),
    "sign": Words("line in a log", "日志"),
    "harmless": Words("harmless", "无害"),
    "condition": Words("condition", "状态变化"),
    "proof": Words("speaks for a finding", "根因的证据"),
    "fine": Words("hollow: nothing wrong", "空心：正常变化"),
    "lasting": Words("again and again, or lasting", "反复出现或持续"),
    "mixed": Words("several things", "多类合并"),
    "happenings": Words("{count} happenings", "共 {count} 次"),
    "from.to": Words("{start} to {end}", "{start} 至 {end}"),
    "times": Words("×{count}", "×{count}"),
    "zone.of": Words("Times are {zone}.", "时间为 {zone}。"),
    "zone.unsaid": Words(
        "Times as the evidence writes them; it does not name their zone.", "时间按证据原文，证据未注明时区。"
    ),
    "before": Words("Times count back from when the evidence was taken.", "时间为距取证时刻的时长。"),
    "assumed": Words(
        "Ages were counted back from the latest time seen, since nothing tells when they were printed.",
        "证据未注明输出时刻，相对时间按所见的最晚时间倒推。",
    ),
    "left_out": Words(
        "{count} more happenings are left out: too many, or by a clock that is plainly wrong.",
        "另有 {count} 条未列出（数量过多，或其时钟明显有误）。",
    ),
    "ago": Words("{span} before", "{span}前"),
    "now": Words("evidence taken", "取证时"),
    "time": Words("Time", "时间"),
    "where": Words("Where", "位置"),
    "kind": Words("Kind", "类别"),
    "what": Words("What", "内容"),
    "count": Words("Count", "次数"),
}


def word(key: str, language: str, **values: object) -> str:
    """The word for this key, filled in; whole numbers get their thousands apart."""
    filled = {name: f"{value:,}" if isinstance(value, int) else str(value) for name, value in values.items()}
    return WORDS[key].fill(filled).read(language)


def listed(parts: list[str], language: str) -> str:
    """A short list in one line."""
    return ("、" if language == "zh" else ", ").join(parts)
