"""The fixed words of reports in both languages; a test holds the keys together."""

from __future__ import annotations

from calivet.catalogue.words import Words

LABELS: dict[str, Words] = {
    "fault": Words("FAULT", "发现故障"),
    "healthy": Words("HEALTHY", "正常"),
    "insufficient": Words("CANNOT TELL YET", "证据不足"),
    "fault.one": Words("1 root cause found", "找到 1 个根因"),
    "fault.many": Words("{count} independent root causes found", "找到 {count} 个相互独立的根因"),
    "healthy.line": Words("Calico was seen at work and nothing is wrong with it", "已看到 Calico 的状态，未发现问题"),
    "insufficient.some": Words(
        "the evidence narrows it down but does not prove a cause", "现有证据只能缩小范围，还不能确定根因"
    ),
    "insufficient.none": Words("nothing in the evidence points to a known cause", "证据中没有指向已知原因的迹象"),
    "confidence": Words("confidence {percent}%", "置信度 {percent}%"),
    "repaired": Words("later seen repaired in this evidence", "证据后段显示已恢复"),
    "nodes": Words("nodes", "节点"),
    "evidence": Words("Evidence", "证据"),
    "chain": Words("Chain", "因果链"),
    "explains": Words("Explains", "由此引起"),
    "fix": Words("Fix", "处理"),
    "verify": Words("Check", "验证"),
    "expect": Words("expect", "预期"),
    "undo": Words("undo", "回退"),
    "candidates": Words("Possible causes, most likely first", "可能的原因（按可能性排序）"),
    "contrast": Words("What sets the sick nodes apart", "异常节点与正常节点的差异"),
    "sick": Words("sick", "异常"),
    "well": Words("healthy", "正常"),
    "next": Words("Look at next", "下一步取证"),
    "separates": Words("tells apart", "可区分"),
    "set_aside": Words("Set aside as harmless", "已排除的无害信息"),
    "not_seen": Words("Not seen", "未见到的证据"),
    "unreadable": Words("Could not be read", "无法读取"),
    "replaced": Words("Replaced before it was shown", "显示前已替换的敏感信息"),
    "sources": Words("Recognised", "识别结果"),
    "times": Words("{count} times", "{count} 次"),
    "note": Words("in the author's words", "作者自述"),
    "more": Words("… and {count} more; -v shows all", "……另有 {count} 条（-v 显示全部）"),
    "proof": Words("proof", "铁证"),
    "strong": Words("strong", "强"),
    "fair": Words("fair", "中"),
    "weak": Words("weak", "弱"),
    "against": Words("against", "反证"),
    "safe": Words("safe", "安全"),
    "disruptive": Words("disruptive", "有影响"),
    "dangerous": Words("dangerous", "高风险"),
    "cluster": Words("on the cluster", "在集群上"),
    "node": Words("on the node", "在节点上"),
    "manual": Words("by hand", "手工"),
    "unrecognised": Words("unrecognised lines: {count}", "{count} 行未识别"),
    "lines": Words("lines", "行"),
    "layer": Words("layer", "层"),
    "layer.host": Words("host", "主机（host）"),
    "layer.runtime": Words("runtime", "容器运行时（runtime）"),
    "layer.kubelet": Words("kubelet", "kubelet 服务"),
    "layer.api": Words("api", "API server 与数据存储（api）"),
    "layer.install": Words("install", "安装（install）"),
    "layer.identity": Words("identity", "节点身份（identity）"),
    "layer.bgp": Words("bgp", "BGP 路由（bgp）"),
    "layer.felix": Words("felix", "Felix 与数据面（felix）"),
    "layer.ipam": Words("ipam", "地址管理（ipam）"),
    "layer.underlay": Words("underlay", "底层网络（underlay）"),
    "what": Words("What it is", "是什么"),
    "shows": Words("How it shows", "如何表现"),
    "speaks_against": Words("What speaks against it", "反证"),
    "mistaken": Words("Mistaken for", "容易混淆"),
    "leads_to": Words("Leads to", "导致"),
    "settle": Words("What would settle it", "如何确认"),
    "references": Words("References", "参考"),
    "md.state": Words("state of each part", "各组件状态"),
    "md.weaker": Words("further evidence for: {title}", "更多证据：{title}"),
    "md.left_out": Words(
        "Left out so that a ticket takes it: {parts}. `-o json` has everything.",
        "为不超出工单的长度限制，略去：{parts}。完整内容见 `-o json`。",
    ),
    "diff.counts": Words(
        "{fixed} fixed, {new} new, {remaining} remaining, {unseen} not seen any more",
        "已修复 {fixed}，新出现 {new}，仍存在 {remaining}，不再出现 {unseen}",
    ),
    "diff.fixed": Words("Fixed", "已修复"),
    "diff.new": Words("New", "新出现"),
    "diff.remaining": Words("Remaining", "仍然存在"),
    "diff.unseen": Words("Not seen any more, but nothing shows that it is fixed", "不再出现，但没有证据表明已经修复"),
    "diff.components": Words("Parts whose state changed", "状态有变化的组件"),
    "diff.candidates": Words("Possible causes that changed", "可能原因的变化"),
    "diff.unrelated": Words(
        "The two have no node in common: are they of the same cluster?", "两者没有相同的节点：确认来自同一个集群吗？"
    ),
    "diff.same": Words("nothing changed", "没有变化"),
    "diff.was_possible": Words("held possible before, {percent}%", "此前只是可能原因，置信度 {percent}%"),
    "diff.still_possible": Words("still possible, {percent}%", "仍有可能，置信度 {percent}%"),
    "diff.followed": Words("before, a consequence of: {title}", "此前是“{title}”的后果"),
    "diff.follows": Words("now a consequence of: {title}", "现在是“{title}”的后果"),
    "diff.joined": Words("joined: {nodes}", "新增节点：{nodes}"),
    "diff.left": Words("left: {nodes}", "不再涉及的节点：{nodes}"),
    "diff.confidence": Words("confidence {before}% → {after}%", "置信度 {before}% → {after}%"),
    "diff.unnamed": Words("not named", "未列出"),
    "diff.not_seen": Words("not seen", "未见到"),
    "trial.misses": Words("misses", "未答对的案例"),
    "trial.said": Words("expected {expected}, said {first}", "应为 {expected}，回答 {first}"),
    "trial.herring": Words("herring", "误导项排第一"),
    "trial.false": Words("false alarm", "误报"),
    "trial.near": Words("in first three", "在前三之内"),
    "trial.missing": Words("missing {causes}", "缺少 {causes}"),
    "trial.reliability": Words(
        "reliability: of the answers given with this confidence, so many were right",
        "可靠性：给出该置信度的回答中，答对的比例",
    ),
    "trial.bucket": Words(
        "{low} to {high}  {answers} answers  {share} right", "{low} 至 {high}  {answers} 个回答  答对 {share}"
    ),
    "trial.first": Words("right first", "首位答对"),
    "trial.three": Words("in first three", "前三命中"),
    "trial.herrings": Words("herring first", "误导项居首"),
    "trial.alarms": Words("false alarms", "误报"),
    "trial.abstained": Words("abstained", "未下结论"),
    "trial.helped": Words("open cases with a next step", "只能缩小范围的案例给出下一步"),
    "trial.nodes": Words("node named", "节点指认正确"),
}


def percent(confidence: float) -> int:
    """Never a hundred: nothing is that sure."""
    return min(99, round(confidence * 100))


def label(key: str, language: str, **values: object) -> str:
    """The word for this key, filled in; numbers with the commas that both languages put between thousands."""
    written = {name: f"{value:,}" if isinstance(value, int) else str(value) for name, value in values.items()}
    return LABELS[key].fill(written).read(language)
