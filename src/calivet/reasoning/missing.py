"""What a good diagnosis usually rests on and this evidence does not hold."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.facts.calico import BgpPeer, LogSpan
from calivet.facts.kubernetes import Event, Node
from calivet.facts.listing import listed
from calivet.facts.picture import Picture
from calivet.reasoning.diagnosis import NotSeen
from calivet.reasoning.unseen import unseen

_NOT_THERE = Words("not in the evidence", "证据中没有")


def not_seen(picture: Picture) -> list[NotSeen]:
    """Places that were not read; nothing is concluded from them."""
    sick = listed(sorted(picture.sick_nodes))
    of_en, of_zh = (f" of {sick}", f"（{sick}）") if sick else ("", "")
    wanted = [
        (not picture.all(Node), Words("the list of nodes", "节点列表")),
        (not picture.pods("calico-node"), Words("the calico-node pods", "calico-node Pod 列表")),
        (not picture.all(Event), Words("events of calico-node", "calico-node 的事件")),
        (not picture.all(LogSpan), Words(f"the log of calico-node{of_en}", f"calico-node 日志{of_zh}")),
        (not _has(picture, "journal"), Words(f"the kubelet journal{of_en}", f"kubelet 日志{of_zh}")),
        (not picture.all(BgpPeer), Words("BGP sessions (calicoctl node status)", "BGP 会话（calicoctl node status）")),
    ]
    return [*unseen(picture), *(NotSeen(what, _NOT_THERE) for absent, what in wanted if absent)]


def _has(picture: Picture, kind: str) -> bool:
    return any(kind in artifact.kinds for artifact in picture.artifacts)
