"""Why a place was not read: by what became of the commands that would have shown it."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.host import CommandRun, NodeProbeEnd
from calivet.preflight.host import Host
from calivet.preflight.requirement import Result, passes, unchecked

NO_CLUSTER = Words("no cluster told anything", "没有得到集群的信息")
NOTHING_THERE = Words("the probe found nothing here that would tell", "探测没有发现可供判断的内容")
NOT_TOLD = Words("the cluster did not tell", "集群没有给出相关信息")
CUT = Words("the probe's output is not complete", "探测的输出不完整")
SILENT = Words("{command} did not answer within {seconds} s", "{command} 在 {seconds} 秒内没有应答")
REFUSED = Words(
    "{command} ended with code {code}, and the probe did not run as root",
    "{command} 以代码 {code} 结束，且探测不是以 root 运行的",
)
FAILED = Words("{command} ended with code {code}", "{command} 以代码 {code} 结束")
SKIPPED = Words("{command} was not tried, for want of time", "时间不够，没有尝试 {command}")
ABSENT = Words("{program} is not installed", "未安装 {program}")
UNKNOWN_WORDS = Words("{command} printed nothing that tells", "{command} 的输出没有说明这一点")
_LONGEST = 60


def not_read(host: Host, asked: str) -> Result:
    """Of several commands that might have told, the one that came nearest to it."""
    runs = [run for run in host.all(CommandRun) if expression(asked).search(run.command)]
    if not runs:
        return unchecked(NOTHING_THERE if host.is_whole else CUT)
    silent = next((run for run in runs if run.timed_out), None)
    if silent:
        return unchecked(SILENT, silent.at, command=_short(silent.command), seconds=f"{silent.seconds or 0:.0f}")
    failed = next((run for run in runs if run.exit), None)
    if failed:
        says = FAILED if host.is_root else REFUSED
        return unchecked(says, failed.at, command=_short(failed.command), code=str(failed.exit))
    printed = next((run for run in runs if run.exit == 0), None)
    if printed:
        return unchecked(UNKNOWN_WORDS, printed.at, command=_short(printed.command))
    if all(run.skipped for run in runs):
        return unchecked(SKIPPED, runs[0].at, command=_short(runs[0].command))
    return unchecked(ABSENT, runs[0].at, program=runs[0].command.split()[0])


def answered(host: Host, asked: str, *codes: int) -> CommandRun | None:
    """A command that ran to its end; where nothing found is an answer too, its code is named."""
    runs = (run for run in host.all(CommandRun) if expression(asked).search(run.command))
    return next((run for run in runs if not run.timed_out and run.exit in (0, *codes)), None)


def run_at(host: Host, line: Line) -> CommandRun | None:
    """The command that printed a line: its end is the first one behind it."""
    return next((run for run in host.all(CommandRun) if run.at.number > line.number), None)


def not_there(host: Host, asked: str) -> Result:
    """The probe lists a directory where there is one, so that its end says that there was none."""
    missing = not_read(host, asked)
    end = next(iter(host.all(NodeProbeEnd)), None)
    return passes(end.at) if end and host.is_whole and missing.line is None else missing


def _short(command: str) -> str:
    return command if len(command) <= _LONGEST else command[:_LONGEST] + "…"
