"""The fixed words of the page in both languages, beside those that all reports share."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.reports.labels import LABELS

PAGE_WORDS: dict[str, Words] = {
    "skip": Words("Skip to the answer", "跳到诊断结果"),
    "contents": Words("On this page", "本页内容"),
    "components": Words("The parts of the cluster", "集群各组件"),
    "good": Words("fine", "正常"),
    "bad": Words("not fine", "异常"),
    "unknown": Words("not known", "未知"),
    "about": Words("What this is", "这是什么问题"),
    "and_more": Words("and {count} more", "等，另有 {count} 个"),
    "first": Words("Run this first", "请先执行"),
    "settles": Words("would settle", "可确认"),
    "colon": Words(": ", "："),
    "semicolon": Words("; ", "；"),
    "comma": Words(", ", "、"),
    "chain.line": Words("From the cause to what was seen", "从根因到现象"),
    "chain.cause": Words("root cause", "根因"),
    "chain.effect": Words("effect", "影响"),
    "chain.symptom": Words("symptom", "现象"),
    "chain.seen": Words("seen", "已看到"),
    "chain.inferred": Words("follows from it", "由此推断"),
    "copy": Words("Copy", "复制"),
    "copied": Words("Copied", "已复制"),
    "copy.failed": Words("Select it by hand", "请手动选择"),
    "undo.line": Words("To undo it", "回退方法"),
    "lines.title": Words("The lines in their surroundings", "证据原文与上下文"),
    "lines.hint": Words(
        "Each line that a claim rests on, as it stands in its document; the links at its end lead back to the claims.",
        "每条结论所依据的原文及其上下文；行尾的链接可跳回对应的结论。",
    ),
    "line.skipped": Words("1 line left out", "省略 1 行"),
    "lines.skipped": Words("{count} lines left out", "省略 {count} 行"),
    "back": Words("back to {claim}", "回到 {claim}"),
    "back.effect": Words("effect", "影响"),
    "back.maybe": Words("possible", "可能"),
    "back.aside": Words("set aside", "已排除"),
    "map": Words("Nodes and their BGP sessions", "节点与 BGP 会话"),
    "timeline": Words("Timeline", "时间线"),
    "fact": Words("What differs", "差异项"),
    "sick.nodes": Words("Sick nodes", "异常节点"),
    "well.nodes": Words("Healthy nodes", "正常节点"),
    "besides": Words("For completeness", "其他信息"),
    "document": Words("Document", "文件"),
    "span": Words("Lines", "行号"),
    "kind": Words("Recognised as", "识别为"),
    "footer": Words(
        "Written by calivet {version}. This page is complete in itself and loads nothing.",
        "由 calivet {version} 生成。本页自成一体，不加载任何外部内容。",
    ),
}


def word(key: str, language: str, **values: object) -> str:
    """The word for this key, filled in; numbers with their thousands apart."""
    filled = {name: f"{value:,}" if isinstance(value, int) else str(value) for name, value in values.items()}
    return (PAGE_WORDS.get(key) or LABELS[key]).fill(filled).read(language)
