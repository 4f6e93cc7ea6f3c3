"""What the probe of a node was to show and did not: for want of permission, of time, or of a node."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.catalogue.words import Words
from calivet.facts.host import CommandRun, NodeProbe, NodeProbeEnd
from calivet.facts.listing import listed
from calivet.facts.picture import Picture
from calivet.facts.strangers import strangers
from calivet.reasoning.diagnosis import NotSeen

_ROOT = ("root", "0")
_NOT_ROOT = Words("only root may read it", "只有 root 可以读取")
_CUT = Words("the output of the probe ends early", "探查的输出不完整")
_LATE = Words("no answer in time", "没有及时应答")
_STRANGER = Words(
    "so it is no node of a cluster, and nothing on it was judged", "因此它不是集群节点，其上的情况未作判断"
)
_LONGEST = 40


def unseen(picture: Picture) -> Iterator[NotSeen]:
    """For each probe what is missing from it."""
    ended = {end.at.artifact for end in picture.all(NodeProbeEnd)}
    for probe in picture.all(NodeProbe):
        host = probe.host or "localhost"
        if probe.user not in _ROOT:
            who = probe.user
            what = Words(
                f"what root alone may read on {host} (the probe ran as {who})",
                f"{host} 上仅 root 可读的内容（探查以 {who} 运行）",
            )
            yield NotSeen(what, _NOT_ROOT)
        if probe.at.artifact not in ended:
            yield NotSeen(Words(f"the rest of the probe of {host}", f"{host} 探查的其余部分"), _CUT)
        if late := [run.command[:_LONGEST] for run in picture.on(probe.host, CommandRun) if _is_late(run)]:
            shown = listed(late)
            yield NotSeen(Words(f"{shown} on {host} (no answer)", f"{host} 上的 {shown}（没有应答）"), _LATE)
    for host in sorted(strangers(picture)):
        what = Words(f"any trace of kubelet or Calico on {host}", f"{host} 上 kubelet 或 Calico 的任何痕迹")
        yield NotSeen(what, _STRANGER)


def _is_late(run: CommandRun) -> bool:
    """Tests of ports are answers also where nothing answers."""
    return (run.timed_out or run.skipped) and "/dev/tcp/" not in run.command and not run.command.startswith("nc ")
