"""The live cluster for the commands that ask it: connect, collect, and say clearly where that ends."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from calivet.catalogue.words import Words
from calivet.cli.ahead import import_ahead
from calivet.cli.complaining import complain
from calivet.cli.exits import CalivetError
from calivet.cli.interrupting import ending_early
from calivet.cli.program import called
from calivet.cli.progress import Progress, Silence
from calivet.evidence.artifact import Unreadable

if TYPE_CHECKING:
    from calivet.live.collecting import Collected
    from calivet.live.connection import Access, Connection

NOTHING = Words("nothing could be read from {server}: {why}", "未能从 {server} 读到任何内容：{why}")
EMPTY = Words("the cluster has neither nodes nor pods", "集群中没有节点，也没有 Pod")
NOTHING_ALLOWED = Words(
    "this user may read nothing that a diagnosis needs on {server}; '{program} access' shows what is missing, "
    "'{program} access --role' prints the role to ask an administrator for",
    "当前用户无权读取 {server} 上诊断所需的任何内容；'{program} access' 列出缺少的权限，"
    "'{program} access --role' 输出可请管理员授予的角色",
)
ANSWER_SO_FAR = Words("interrupted: the answer is from what has arrived so far", "已中断：以下结论仅依据已取得的内容")


def access(options: argparse.Namespace) -> Access:
    """What the user said about the cluster and himself."""
    from calivet.live.connection import Access

    return Access(
        kubeconfig=options.kubeconfig,
        context=options.context,
        timeout=options.request_timeout,
        impersonate=options.impersonate,
        groups=tuple(options.groups),
    )


def connection(options: argparse.Namespace) -> Connection:
    """A connection as kubectl would make it; nothing is asked yet."""
    from calivet.live.connection import connect
    from calivet.live.trouble import ConfigError

    try:
        return connect(access(options))
    except ConfigError as error:
        raise CalivetError(str(error)) from None


def collect(
    options: argparse.Namespace, progress: Progress | Silence | None = None, *, needed: bool = True
) -> Collected:
    """What the cluster tells; fails only where it tells nothing at all, and nothing else will do."""
    from calivet.live.collecting import Collected, Collector, Scope

    shown = progress or Progress(options.lang)
    try:
        made = connection(options)
    except CalivetError as failure:
        if needed or options.kubeconfig or options.context:
            raise
        return Collected(failed=[Unreadable("cluster", str(failure))])
    collector = Collector(made, Scope(tuple(options.node), options.since), shown)
    import_ahead()
    with ending_early(collector.interrupt):
        collected = collector.collect()
    shown.finish()
    if needed and not any(document.name in TELLING for document in collected.documents):
        raise CalivetError(_nothing(collected, options.lang))
    if collected.interrupted:
        complain(ANSWER_SO_FAR.read(options.lang))
    return collected


TELLING = ("nodes.txt", "pods.txt")
"""Without either there is nothing to diagnose."""


def _nothing(collected: Collected, language: str) -> str:
    from calivet.reports.reasons import reason

    first = next(
        (item for item in collected.failed if item.what.startswith("nodes.txt")), next(iter(collected.failed), None)
    )
    why = reason(first.why, language) if first else EMPTY.read(language)
    if first and first.why.startswith("forbidden"):
        return NOTHING_ALLOWED.fill({"server": collected.server, "program": called()}).read(language)
    return NOTHING.fill({"server": collected.server, "why": why}).read(language)
