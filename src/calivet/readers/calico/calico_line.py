"""The head of a Calico log line, in every layout and with whatever a log collector put before it."""

from __future__ import annotations

import re

from calivet.evidence.expressions import expression
from calivet.facts.times import parse_time, seconds_between

_OUTER = (
    r"^\s*(?:\[pod/(?P<pod>[^/\]\s]+)/(?P<container>[^\]\s]+)\]\s)?"  # kubectl logs --prefix
    r'(?:\{"log":")?'  # docker's own files
    r"(?:(?:[A-Z][a-z]{2}\s+\d+\s[\d:.]+|\d{4}-\d\d-\d\dT\S+)\s(?P<machine>\S+)\s(?P<tag>[\w.-]+)\[\d+\]:\s"  # journal
    r"|\d{4}-\d\d-\d\d[T_]\S+\s(?:std(?:out|err)\s[FP]\s)?)?"  # kubectl --timestamps, CRI files, svlogd
)
HEAD = expression(
    _OUTER + r"(?:(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d+)?) \[(?P<level>[A-Z]+)\]\[(?P<pid>[\d/]+)\] "
    r"(?:(?P<component>[\w-]+)/)?(?P<file>\S+) \S+: "
    r"|(?P<bird>bird\d?): "
    r'|time="(?P<iso>\d{4}-\d\d-\d\dT[^"]+)" level=(?P<word>\w+) msg='
    r"|(?P<plain>panic: |fatal error: |Calico node (?:failed to start|started successfully)))"
)

_JUMP_BACK = 60.0
_TO_THE_MINUTE = len("2024-05-06 07:08")

RANKS = {"DEBUG": 0, "INFO": 1, "WARNING": 2, "ERROR": 3, "FATAL": 4, "PANIC": 5}

# Since 3.14 the program's word stands before the file; older lines are told by files that one program alone has.
_FILES = {
    "startup": "startup.go autodetection_methods.go interfaces.go",
    "felix": "int_dataplane.go daemon.go driver.go table.go endpoint_mgr.go ipsets.go route_table.go config_params.go "
    "env_var_loader.go async_calc_graph.go calc_graph.go event_sequencer.go rule_defs.go masq_mgr.go policy_mgr.go "
    "ipip_mgr.go vxlan_mgr.go feature_detect.go logutils.go iface_monitor.go l3_route_resolver.go health.go summary.go",
    "confd": "run.go resource.go processor.go",
    "ipam": "ipam_plugin.go calico-ipam.go migrate.go",
    "cni-plugin": "plugin.go dataplane_linux.go network_linux.go",
    "cni-installer": "install.go",
    "tunnel-ip-allocator": "allocateip.go",
    "kube-controllers": "main.go kdd.go",
}
_PROGRAM_OF_FILE = {file: program for program, files in _FILES.items() for file in files.split()}

_INSTALLER = expression(r'source="\S+\.go:\d+"|\bCNI\b|/host/|as a Kubernetes pod')
_PROBE = expression(r"Number of node\(s\) with BGP peering")
_QUOTED = expression(r'"((?:[^"\\]|\\.)*)"')
_FILE_WRAPPING = expression(r'\\n","stream":.*$')


def program_of(head: re.Match[str]) -> str | None:
    """The program that wrote the line, where the line tells."""
    if head["bird"]:
        return "bird"
    if head["iso"]:
        return "cni-installer"
    told = head["component"] or _PROGRAM_OF_FILE.get(head["file"] or "")
    # What reaches a journal through the kubelet was written by the plugin that it called.
    return told or ("cni-plugin" if (head["tag"] or "").startswith("kubelet") else None)


def level_of(head: re.Match[str]) -> str:
    """The line's level, in capitals."""
    if head["plain"]:
        return "INFO" if head["plain"].startswith("Calico") else "PANIC"
    return head["level"] or (head["word"] or "info").upper()


def message_of(line: str, head: re.Match[str]) -> str:
    """What is said behind the head."""
    text = line[head.start("plain") if head["plain"] else head.end() :]
    if head["iso"] and (quoted := _QUOTED.match(text)):
        text = (quoted[1] + text[quoted.end() :]).replace('\\"', '"')
    return _FILE_WRAPPING.sub("", text).strip()


def is_calico(line: str, head: re.Match[str], calico_asked: bool) -> bool:
    """Whether a line of a layout that other programs share is Calico's.

    Probe results are not: kubelet quotes them in events, where they belong to no log.
    """
    if head["iso"]:
        return not head["tag"] and bool(calico_asked or _INSTALLER.search(line, head.end()))
    return not (head["time"] and _PROBE.match(line, head.end()))


def stamp_of(head: re.Match[str]) -> str | None:
    """The time as it is written, in a form that sorts."""
    written = head["time"] or head["iso"]
    return written.replace("T", " ") if written else None


def goes_back(before: str, after: str) -> bool:
    """Whether the second stamp lies more than a minute before the first; written times sort, so few need parsing."""
    if after >= before or after[:_TO_THE_MINUTE] == before[:_TO_THE_MINUTE]:
        return False
    apart = seconds_between(parse_time(after), parse_time(before))
    return apart is not None and apart > _JUMP_BACK
