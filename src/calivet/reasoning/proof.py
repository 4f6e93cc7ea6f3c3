"""The autodetection method that a fix names, chosen and proven by computing what each node would take by it."""

from __future__ import annotations

import shlex

import msgspec
from msgspec.structs import replace

from calivet.catalogue.model import Step
from calivet.catalogue.words import Words
from calivet.facts.picture import Picture
from calivet.forecast import methods
from calivet.forecast.name_patterns import split
from calivet.forecast.remedy import Remedy, remedy

METHOD = "proven_method"
"""The value by which a step of a fix asks for it."""
SHOWN = 4
_WHY = {
    methods.INTERNAL_IP: Words(
        "takes the address by which Kubernetes knows each node, whatever cards are added later",
        "使用 Kubernetes 登记的节点地址，以后再加网卡也不受影响",
    ),
    methods.RANGE: Words(
        "takes only an address of {argument}, the nodes' own network, whatever the cards are called",
        "只取节点网段 {argument} 内的地址，与网卡名称无关",
    ),
    methods.REACH: Words(
        "takes the address from which each node reaches the router {argument}",
        "取各节点到达网关 {argument} 所用的地址",
    ),
    methods.INTERFACE: Words(
        "takes the card that has the same name on all nodes; a node with other card names would need another method",
        "使用各节点同名的网卡；网卡名称不同的节点需用其他方式",
    ),
    methods.SKIP: Words(
        "passes over the cards that are wrong today; one that is added later may be taken again",
        "跳过目前选错的网卡；以后新增的网卡仍可能被选中",
    ),
}
_PROOF = Words("computed for all {count} nodes: {taken}", "已对全部 {count} 个节点推算：{taken}")
_MORE = Words("{count} more likewise", "其余 {count} 个同理")
# What the operator calls each method; a merge patch has to take out the others.
_OPERATOR = {
    methods.FIRST_FOUND: "firstFound",
    methods.INTERNAL_IP: "kubernetes",
    methods.RANGE: "cidrs",
    methods.REACH: "canReach",
    methods.INTERFACE: "interface",
    methods.SKIP: "skipInterface",
}


def with_proof(steps: list[Step], picture: Picture) -> tuple[list[Step], dict[str, str]]:
    """The steps, with the reason written in where one asks for the method, and what they fill in.

    Nothing is filled in where no method is proven.
    """
    found = remedy(picture.whole)
    if found is None:
        return steps, {}
    why = _reason(found)
    told = [replace(step, why=Words(_put(step.why.en, why.en), _put(step.why.zh, why.zh))) for step in steps]
    return told, {METHOD: shlex.quote(found.method), "proven_patch": _patch(found)}


def _put(text: str, why: str) -> str:
    return text.replace("{proven_why}", why)


def _reason(found: Remedy) -> Words:
    why = _WHY[found.kind].fill({"argument": methods.argument_of(found.method)})
    shown = [f"{node} {one.address} ({one.interface or '?'})" for node, one in list(found.taken.items())[:SHOWN]]
    more = _MORE.fill({"count": str(len(found.taken) - SHOWN)}) if len(found.taken) > SHOWN else None
    count = str(len(found.taken))
    english = _PROOF.fill({"count": count, "taken": ", ".join([*shown, *([more.en] if more else [])])}).en
    chinese = _PROOF.fill({"count": count, "taken": "、".join([*shown, *([more.zh] if more else [])])}).zh
    return Words(f"{why.en}; {english}", f"{why.zh}；{chinese}")


def _patch(found: Remedy) -> str:
    """The inside of nodeAddressAutodetectionV4: this method, and no other."""
    argument = methods.argument_of(found.method)
    values: dict[str, object] = dict.fromkeys(_OPERATOR.values())
    values[_OPERATOR[found.kind]] = {
        methods.INTERNAL_IP: "NodeInternalIP",
        methods.RANGE: split(argument),
    }.get(found.kind, argument)
    return msgspec.json.encode(values).decode().replace("'", r"\u0027")  # it stands in single quotes
