"""node: look at the machine that calivet runs on and diagnose it on the spot, or print the script for another one."""

from __future__ import annotations

import argparse
import sys

from calivet.catalogue.words import Words
from calivet.cli.answering import answer
from calivet.cli.exits import HEALTHY, CalivetError
from calivet.cli.program import called
from calivet.evidence.gather import gather

LOOKING = Words("looking at this machine, for {seconds} s at most", "正在查看本机，最多 {seconds} 秒")
NOT_LINUX = Words(
    "a node runs Linux, and this machine does not; '{program} node --print-script' prints the script to run on one",
    "节点运行的是 Linux，而本机不是；'{program} node --print-script' 可输出在节点上运行的脚本",
)


def run_node(options: argparse.Namespace) -> int:
    """`calivet node [--print-script]`."""
    if options.print_script:
        from calivet.node.script import script

        sys.stdout.write(script())
        return HEALTHY
    if not sys.platform.startswith("linux"):
        raise CalivetError(NOT_LINUX.fill({"program": called()}).read(options.lang))
    from calivet.node.running import probe_here

    sys.stderr.write(f"calivet: {LOOKING.fill({'seconds': f'{options.total:.0f}'}).read(options.lang)}\n")
    probed = probe_here(options.total)
    haul = gather([], more=[probed.document] if probed.document else [])
    haul.unreadable += [probed.failure] if probed.failure else []
    return answer(haul, options)
