"""Calico's logs: spans of a program's runs, the few messages that are facts of their own, and the old form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial

from msgspec import Struct, field, structs

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.calico import AddressConflict, HealthReport, LogSpan, NodeAddress, OldLogForm
from calivet.facts.fact import Fact, Version
from calivet.facts.times import count_seconds_between, parse_time
from calivet.readers.command import Inside, look_inside
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.readers.subject import find_subjects
from calivet.search.expressions import expression


# What single Calico log messages state: the node's name and address, versions, health.
class Place(Struct, frozen=True):
    """The line that makes a statement, and whose log it stands in."""

    at: Line
    written: str
    """The line's own time."""
    node: str | None
    pod: str | None


class Statement(Struct, frozen=True):
    """A message of which a fact can be made once the log's node is known."""

    text: str
    make: Callable[[Place], Fact]


_Maker = Callable[[re.Match[str], Place], Fact]

_OPENING = expression(
    r"Using |IPv[46] address |Starting node|Felix starting|Typha build|CNI plugin version"
    r"|Overall health|Health|Reporter "
)
_NODE = expression(
    r"(?:(?:Determined|Using) node name:|Starting node|Auto-assign \d+ ipv4, \d+ ipv6 addrs for host"
    r'|Found felix environment variable: "felixhostname"='
    r"|Creating internal dataplane driver\. config=intdataplane\.Config\{Hostname:)"
    r"\s*[\"']?(?P<node>[^\s\"']+)"
)


def find_named_node(line: str, start: int) -> str | None:
    """The node whose log this is, where the message that begins there tells."""
    found = _NODE.match(line, start)
    return found["node"] if found else None


def parse_statement(line: str, start: int) -> Statement | None:
    """The statement of the message that begins there; most messages make none."""
    if not _OPENING.match(line, start):
        return None
    for shape, make in _compile_shapes():
        if found := shape.match(line, start):
            return Statement(found[0], partial(make, found))
    return None


def _build_detected_address(found: re.Match[str], place: Place) -> Fact:
    return _build_node_address(found, place, "autodetected")


def _build_given_address(found: re.Match[str], place: Place) -> Fact:
    return _build_node_address(found, place, "environment")


def _build_node_address(found: re.Match[str], place: Place, source: str) -> Fact:
    return NodeAddress(
        at=place.at,
        host=place.node,
        node=place.node,
        address=found["address"],
        interface=found.groupdict().get("interface"),
        source=source,
    )


def _make_version_builder(program: str) -> _Maker:
    def make(found: re.Match[str], place: Place) -> Fact:
        return Version(at=place.at, host=place.node, program=program, version=found["version"], owner=place.pod)

    return make


def _build_health_report(found: re.Match[str], place: Place) -> Fact:
    known = found.groupdict()
    what = known.get("what") or ""
    return HealthReport(
        at=place.at,
        host=place.node,
        component=known.get("component"),
        live=False if what.startswith("live") else _parse_truth(known.get("live")),
        ready=False if what.startswith("read") else _parse_truth(known.get("ready")),
        timed_out="timed out" in (known.get("reason") or ""),
        detail=known.get("detail") or None,
        time=parse_time(place.written),
    )


def _parse_truth(word: str | None) -> bool | None:
    return {"true": True, "false": False}.get(word or "")


_ADDRESS = r"(?P<address>[\da-fA-F.:]+(?:/\d+)?)"
_REPORT = r"health\.HealthReport\{Live:(?P<live>\w+), Ready:(?P<ready>\w+)(?:, Detail:\"(?P<detail>[^\"]*)\")?"
_COMPONENT = r".{0,400}?name=\"(?P<component>[^\"]+)\""
_VERSION = r".*?\bversion=\"(?P<version>[^\"]+)\""

_TABLE: tuple[tuple[str, _Maker], ...] = (
    (rf"Using auto-?detected IPv[46] address on interface (?P<interface>\S+?):? {_ADDRESS}", _build_detected_address),
    (
        rf"Using auto-?detected IPv[46] address {_ADDRESS} on (?:matching )?interface (?P<interface>\S+)",
        _build_detected_address,
    ),
    (rf"Using auto-?detected IPv[46] address {_ADDRESS}, detected by", _build_detected_address),
    (rf"Using IPv[46] address from environment: IP6?={_ADDRESS}", _build_given_address),
    (rf"IPv[46] address {_ADDRESS} discovered on interface (?P<interface>\S+)", _build_given_address),
    (r"Starting node \S+ with version (?P<version>\S+)", _make_version_builder("calico-node")),
    (rf"Felix starting up {_VERSION}", _make_version_builder("calico-node")),
    (rf"Typha build information {_VERSION}", _make_version_builder("typha")),
    (r"CNI plugin version: (?P<version>v\d\S*)", _make_version_builder("calico-cni")),
    (rf"Overall health status changed newStatus=&?{_REPORT}", _build_health_report),
    (r"Overall health status changed: live=(?P<live>\w+) ready=(?P<ready>\w+)", _build_health_report),
    (rf"Health of component changed {_COMPONENT}.{{0,400}}? newReport=&?{_REPORT}", _build_health_report),
    (r"Health: not (?P<what>ready|live)\b", _build_health_report),
    (rf"Reporter is not (?P<what>ready|live)(?:: (?P<reason>[^.]*))?\. {_COMPONENT}", _build_health_report),
    (rf"Reporter failed (?P<what>readiness|liveness) checks {_COMPONENT}", _build_health_report),
)


@cache
def _compile_shapes() -> tuple[tuple[re.Pattern[str], _Maker], ...]:
    """Compiled when the first statement turns up, not with every start."""
    return tuple((expression(shape), make) for shape, make in _TABLE)


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


def find_program(head: re.Match[str]) -> str | None:
    """The program that wrote the line, where the line tells."""
    if head["bird"]:
        return "bird"
    if head["iso"]:
        return "cni-installer"
    told = head["component"] or _PROGRAM_OF_FILE.get(head["file"] or "")
    # What reaches a journal through the kubelet was written by the plugin that it called.
    return told or ("cni-plugin" if (head["tag"] or "").startswith("kubelet") else None)


def find_level(head: re.Match[str]) -> str:
    """The line's level, in capitals."""
    if head["plain"]:
        return "INFO" if head["plain"].startswith("Calico") else "PANIC"
    return head["level"] or (head["word"] or "info").upper()


def find_message(line: str, head: re.Match[str]) -> str:
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


def find_stamp(head: re.Match[str]) -> str | None:
    """The time as it is written, in a form that sorts."""
    written = head["time"] or head["iso"]
    return written.replace("T", " ") if written else None


def goes_back(before: str, after: str) -> bool:
    """Whether the second stamp lies more than a minute before the first; written times sort, so few need parsing."""
    if after >= before or after[:_TO_THE_MINUTE] == before[:_TO_THE_MINUTE]:
        return False
    apart = count_seconds_between(parse_time(after), parse_time(before))
    return apart is not None and apart > _JUMP_BACK


_LONGEST_GAP = 60
_NEW_PROCESS = expression(r"Early (?:screen )?log level set")
_START_FAILED = "Calico node failed to start"


class Span(Struct):
    """Grows line by line. Each line is looked at briefly, and times are parsed only at the ends: logs are huge."""

    first: int
    machine: str | None = None
    pod: str | None = None
    container: str | None = None
    last: int = 0
    count: int = 0
    programs: set[str] = field(default_factory=set)
    worst: str = "DEBUG"
    stamps: list[str] = field(default_factory=list)
    """The first and the last time, as written."""
    node: str | None = None
    statements: dict[str, tuple[int, str, Statement]] = field(default_factory=dict)
    """The last line of each different statement: monitors repeat theirs every minute."""
    ended: bool = False

    def takes(self, index: int, line: str, head: re.Match[str]) -> bool:
        """Whether this line goes on with the span, rather than being of another process or place."""
        if self.ended or index - self.last > _LONGEST_GAP:
            return False
        if (head["pod"] or self.pod, head["machine"]) != (self.pod, self.machine):
            return False
        stamp = find_stamp(head)
        if stamp and self.stamps and goes_back(self.stamps[-1], stamp):
            return False
        return not (_NEW_PROCESS.match(line, head.end()) and find_program(head) in self.programs)

    def add(self, index: int, line: str, head: re.Match[str]) -> None:
        """Counts the line in, and keeps what it states."""
        self.last = index
        self.count += 1
        level = find_level(head)
        if RANKS.get(level, 1) > RANKS.get(self.worst, 1):
            self.worst = level
        if program := find_program(head):
            self.programs.add(program)
        stamp = find_stamp(head)
        if stamp:
            self.stamps[1:] = [stamp]
        self.node = self.node or find_named_node(line, head.end())
        if said := parse_statement(line, head.end()):
            self.statements[said.text] = (index, stamp or "", said)
        self.ended = head["plain"] == _START_FAILED


_CALICO_ASKED = expression(r"calico|canal|install-cni|upgrade-ipam")
# The whole pod runs one program, whatever files its lines name.
_SINGLE = expression(r"kube-controllers|typha")
_TRACE = expression(r"^(?:\s+\S|goroutine \d|created by |\[signal |[^\s()]+\(.*\)$|libbpf: |[+|])")


def _read_log(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    asked = look_inside(artifact)
    about = f"{(artifact.command or '').partition('|')[0]} {artifact.name}"
    calico_asked = bool(_CALICO_ASKED.search(about))
    single = _SINGLE.search(about)
    # Without its lines: a log is long, and has no banners of machines in it.
    host = find_subjects(structs.replace(artifact, lines=[])).usual
    for span in _find_spans(artifact, anchors, calico_asked, asked):
        if single:
            span.programs = {single[0]}
        _report(artifact, span, host, reading)
    return reading


def _find_spans(artifact: Artifact, anchors: list[int], calico_asked: bool, asked: Inside) -> list[Span]:
    spans: list[Span] = []
    for index in anchors:
        line = artifact.lines[index]
        head = HEAD.match(line)
        if not head or not is_calico(line, head, calico_asked):
            continue
        if not spans or not spans[-1].takes(index, line, head):
            if head["plain"] and not head["plain"].startswith("Calico"):
                continue
            spans.append(Span(index, head["machine"], head["pod"] or asked.pod, head["container"] or asked.container))
        spans[-1].add(index, line, head)
    return spans


def _report(artifact: Artifact, span: Span, host: str | None, reading: Reading) -> None:
    """The span's own fact, and what its messages state."""
    stop = _skip_trace(artifact.lines, span.last + 1)
    reading.claim(span.first, stop)
    last = artifact.lines[span.last]
    head = HEAD.match(last)
    node = span.node or span.machine or host
    reading.facts.append(
        LogSpan(
            at=artifact.at(span.first),
            host=node,
            program=next(iter(span.programs)) if len(span.programs) == 1 else "mixed",
            pod=span.pod,
            container=span.container,
            lines=span.count,
            end=artifact.number(stop - 1),
            first_time=parse_time(span.stamps[0]) if span.stamps else None,
            last_time=parse_time(span.stamps[-1]) if span.stamps else None,
            last_message=find_message(last, head) if head else last.strip(),
            last_at=artifact.at(span.last),
            worst=span.worst,
        )
    )
    for index, written, said in span.statements.values():
        reading.facts.append(said.make(Place(artifact.at(index), written, node, span.pod)))


def _skip_trace(lines: list[str], stop: int) -> int:
    """The index behind the stack trace or table that follows the last line; blank lines may part it."""
    ahead = stop
    while ahead < len(lines):
        if _TRACE.match(lines[ahead]) and not HEAD.match(lines[ahead]):
            stop = ahead + 1
        elif lines[ahead].strip():
            break
        ahead += 1
    return stop


LOG_READER = Reader(kind="calico-log", anchor=HEAD, read=_read_log)


# The form of Calico's log lines tells how old it is: from 3.14 on the program's word stands before the file.
_OLD_FORM = r"\]\[\d+\] (?:int_dataplane|daemon|config_params|startup)\.go \d+: "
# Every start writes such lines; a log need not be searched to its end.
_START_OF_LOG = 400


def _read_old_form(artifact: Artifact, anchors: list[int]) -> Iterator[OldLogForm]:
    if anchors[0] < _START_OF_LOG:
        yield OldLogForm(at=artifact.at(anchors[0]), host=artifact.host)


OLD_FORM_READER = read_statements(_read_old_form, anchor=expression(_OLD_FORM), notes=True)


_CONFLICT = expression(
    r"Calico node .?(?P<other>[\w.-]{1,253}?)['’\"]? is already using the IPv4 address (?P<address>[\d.]{7,15})"
)


def _read_conflicts(artifact: Artifact, anchors: list[int]) -> Iterator[AddressConflict]:
    for index in anchors:
        if found := _CONFLICT.search(artifact.lines[index]):
            address = found["address"].rstrip(".")
            yield AddressConflict(at=artifact.at(index), host=artifact.host, other=found["other"], address=address)


CONFLICTS_READER = read_statements(
    _read_conflicts, anchor=expression(r"is already using the IPv4 address \d"), notes=True
)
