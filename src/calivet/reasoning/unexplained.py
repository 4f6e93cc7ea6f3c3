"""Lines that sound wrong and that neither a cause, an effect nor a harmless entry accounts for.

One for each form of line, whatever numbers and names stand in it, the most telling first.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Set
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct, field

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.node_of_line import NodeOfLine
from calivet.messages.message import find_words
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Unexplained
from calivet.search.expressions import expression
from calivet.signs.sighting import Key, Sighting

EXPERIENCE = Path(__file__).parent.parent / "causes" / "experience.json"


class CauseExperience(Struct):
    """What they tell of one cause."""

    cases: int = 0
    reports: int = 0
    """Reports from the field with this cause."""
    effects: dict[str, int] = field(default_factory=dict)
    """In how many of the cases each effect was seen."""


class Experience(Struct):
    """All of it."""

    causes: dict[str, CauseExperience] = field(default_factory=dict)
    ordinary: list[str] = field(default_factory=list)
    """Forms of lines that complain in the logs of healthy clusters."""


@cache
def load_experience() -> Experience:
    """As it was generated."""
    return msgspec.json.decode(EXPERIENCE.read_bytes(), type=Experience)


class Speaker(Struct, frozen=True):
    """The program, and what it was doing where that is known."""

    program: str = ""
    doing: Words | None = None


# Before the file's name newer versions put the program's; older ones run several programs into one log.
_CALICO = expression(r"\]\[\d+\] (?:(?P<program>[a-z][\w-]{1,40})/)?(?P<file>[\w<>-]+?)(?:\.go)? \S+: ")
_BIRD = expression(r"(?:^|[\s\]])(?P<program>bird6?): ")
_UNIT = expression(r"\b(?P<program>[a-z][\w.-]{1,40})\[\d+\]: ")
_KLOG_HEAD = expression(r"(?:^|\s)[EFW]\d{4} [\d:.]+ +\d+ (?P<file>[\w-]+)\.go:\d+\] ")
_JSON = expression(r"\"logger\": ?\"(?P<program>[\w.-]{1,60})\"")

_ACTIVITIES = {
    ("startup", "autodetection_methods", "node_addresses", "utils"): "activity.startup",
    ("allocateip",): "activity.tunnel_address",
    ("table", "restore", "nftables"): "activity.filter_rules",
    ("ipsets",): "activity.ip_sets",
    ("route_table", "routetable", "netlink", "route_rules"): "activity.routes",
    ("vxlan_mgr", "vxlan_fdb", "ipip_mgr", "noencap_mgr"): "activity.tunnel",
    ("wireguard", "wireguard_mgr"): "activity.wireguard",
    ("bpf_ep_mgr", "attach", "maps", "connecttime", "bpf_route_mgr", "syncer"): "activity.ebpf",
    ("int_dataplane", "driver", "endpoint_mgr"): "activity.data_plane",
    ("daemon", "config_params", "felix"): "activity.configuration",
    ("watchercache", "watchersyncer", "customresource", "client", "reflector"): "activity.datastore",
    ("sync_client", "discovery", "syncclient"): "activity.typha_client",
    ("sync_server", "syncserver"): "activity.typha_server",
    ("token_watch", "install", "<nil>"): "activity.cni_install",
    ("ipam", "ipam_plugin", "ipam_block_reader_writer", "migrate"): "activity.ipam",
    ("k8s", "plugin", "dataplane_linux", "utils_linux"): "activity.cni",
    ("health",): "activity.health",
    ("resource", "run", "processor"): "activity.bird_configuration",
    ("main", "runconfig", "ipam_allocation"): "activity.controllers",
    ("pod_workers", "kuberuntime_sandbox", "kuberuntime_manager", "remote_runtime"): "activity.sandbox",
    ("cni",): "activity.cni_configuration",
    ("prober",): "activity.probe",
}
_BY_FILE = {file: key for files, key in _ACTIVITIES.items() for file in files}


def find_speaker(text: str) -> Speaker:
    """What the head of the line tells; an empty answer where it tells nothing."""
    if found := _CALICO.search(text):
        return Speaker(found["program"] or "calico", _find_activity(found["file"]))
    if found := _BIRD.search(text):
        return Speaker(found["program"], find_words("activity.bgp"))
    unit, klog, written = _UNIT.search(text), _KLOG_HEAD.search(text), _JSON.search(text)
    program = (unit or written)["program"] if unit or written else ""  # type: ignore[index]
    return Speaker(program, _find_activity(klog["file"]) if klog else None)


def _find_activity(file: str) -> Words | None:
    return find_words(_BY_FILE[file]) if file in _BY_FILE else None


def is_of_calico(text: str) -> bool:
    """Whether one of Calico's own programs says it."""
    return bool(_CALICO.search(text) or _BIRD.search(text))


# The head that Calico's own programs put before a line, with a level that asks for attention.
_COMPLAINING = expression(
    r"\[(?P<level>WARNING|ERROR|FATAL|PANIC)\]\[\d+\] (?P<message>.+)|level=(?P<word>warning|error|fatal|panic) "
    r"|\"level\":\"(?P<json>warning|error|fatal|panic)\".{0,400}?\"(?:logger|controller)\":\"(?:controller_|status_|tigera-)"
)
# The same of Kubernetes' programs, of those that write JSON, and of events.
_OTHERS = expression(
    r"(?:^|\s)(?P<letter>[EFW])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w.-]+:\d+\] (?P<klog>.+)"
    r"|\"level\": ?\"(?P<json>error|fatal|panic|dpanic|warn(?:ing)?)\""
    r"|^\s*(?:\S+\s+){0,3}?(?P<event>Warning)\s+[A-Z][A-Za-z]{3,40}\s+\S"
)
# What has no level but stands in a log and speaks of a failure.
_FAILURE = expression(
    r"\b(?:panic|fatal|error|fail(?:s|ed|ure)?|cannot|can't|unable|refused|denied|unreachable|timed? ?out|not permitted"
    r"|no such|not found|not available|invalid|rejected|expired|aborted|killed|exhausted)\b",
    re.IGNORECASE,
)
_STAMPED = expression(
    r"^\W{0,3}(?:\S{1,40}\s){0,2}?(?:\d{4}-\d\d-\d\d[T_ ])?\d\d:\d\d:\d\d|^\[ *\d+\.\d+\] |(?:^|\s)bird6?: "
)
_ORDINARY = expression(
    r"\[(?:INFO|DEBUG|NOTICE)\]\[\d+\]|level=(?:info|debug)|(?:^|\s)I\d{4} \d\d:\d\d|\"level\": ?\"(?:info|debug)\""
)
# Most lines of a log complain of nothing, and that is cheapest told by words that are not in them.
_HINTS = (
    *("error", "fail", "warn", "fatal", "panic", "cannot", "can't", "unable", "refused", "denied", "unreachable"),
    *("timeout", "timed out", "time out", "timed-out", "not permitted", "no such", "not found", "not available"),
    *("invalid", "rejected", "expired", "aborted", "killed", "exhausted"),
)
_KLOG = expression(r"[EFW]\d{4} \d\d:")
_LEVELS = {"E": "ERROR", "F": "FATAL", "W": "WARNING", "WARN": "WARNING", "DPANIC": "PANIC"}
_SEVERITY = {"PANIC": 3.0, "FATAL": 3.0, "ERROR": 2.0, "WARNING": 1.0}
# Values, numbers and names that machines made up; what a program calls its message stays.
_VARYING = expression(
    r"0x[0-9a-f]+|\b[0-9a-f]{8,}\b|-[bcdfghjklmnpqrstvwxz2456789]{5}\b|\d+|(?<!msg)=\\?\"[^\"]*\"|'[^']*'"
)
# The time and the machine before a message, and the age before an event.
_LEAD = expression(r"^[A-Z][a-z]{2} +\d+ [\d:.]+ \S+ |^ *(?:\S+ +){0,3}(?=Warning +[A-Z])")
# A program begins anew.
_BEGINNING = expression(
    r"Early log level set|Calico node failed to start|: Terminating$|Starting (?:Felix|kubelet|BIRD)|systemd\[1\]: "
)
_PREVIOUS = expression(r"(?:--previous|\s-p)\b")
LONGEST = 2_000
MOST_LINES = 30_000
"""Of one artifact; of a longer log the end is looked at."""


class UnexplainedForm(Struct):
    """Lines of one form: the first of them, how many there are, and where the last one stands."""

    form: str
    line: Line
    artifact: Artifact
    level: str = ""
    count: int = 0
    last: int = 0
    is_last_word: bool = False
    """Said just before the program ended or began anew."""
    nodes: set[str] = field(default_factory=set)

    @property
    def goes_on(self) -> bool:
        """Whether it was still said at the end of the log: in its last quarter."""
        return self.last >= len(self.artifact.lines) * 3 // 4


class _Complaint(Struct, frozen=True):
    level: str
    message: str


def list_unexplained(
    picture: ClusterFacts, seen: Mapping[Key, list[Sighting]], *, of_all: bool = False
) -> list[UnexplainedForm]:
    """One for each form of line in each artifact, in the order of the evidence; of Calico's programs, or of all."""
    explained = {(one.line.artifact, one.line.number) for found in seen.values() for one in found}
    find = _find_complaint if of_all else _find_own_complaint
    return [
        one
        for artifact in picture.artifacts
        if not artifact.prose
        for one in _list_forms(artifact, explained, find).values()
    ]


def rank_unexplained(forms: Iterable[UnexplainedForm], picture: ClusterFacts) -> list[Unexplained]:
    """The most telling first, each form once for all artifacts."""
    joined: dict[str, UnexplainedForm] = {}
    nodes = NodeOfLine(picture)
    for one in forms:
        first = joined.setdefault(one.form, one)
        if first is not one:
            first.count += one.count
            first.is_last_word |= one.is_last_word
        node = nodes.node(one.artifact, one.artifact.index(one.line.number))
        first.nodes |= {node} if node else set()
    ordinary = frozenset(load_experience().ordinary) if joined else frozenset()
    ranked = sorted(joined.values(), key=lambda one: -_measure_weight(one, picture.sick_nodes, ordinary))
    return [_describe(one) for one in ranked]


def _measure_weight(one: UnexplainedForm, sick: Set[str], ordinary: Set[str]) -> float:
    """What ends a program, its last words, what is repeated to the end, Calico's own, and what only sick nodes say.

    Healthy logs complain too; what they complain of comes last.
    """
    weight = 3 * _SEVERITY.get(one.level, 0.5) + 2.5 * one.is_last_word + min(math.log10(one.count), 3)
    weight += 2 * is_of_calico(one.line.text) + one.goes_on
    weight -= 6 * (one.form in ordinary)
    return weight + (1.5 if one.nodes and one.nodes <= sick else 0)


def _describe(one: UnexplainedForm) -> Unexplained:
    speaker = find_speaker(one.line.text)
    return Unexplained(one.line, one.count, one.level.lower(), speaker.program, speaker.doing)


def _list_forms(
    artifact: Artifact, explained: set[tuple[str, int]], find: Callable[[str], _Complaint | None]
) -> dict[str, UnexplainedForm]:
    """A form of which one line is accounted for is accounted for: of a repeated message only some places are kept."""
    forms: dict[str, UnexplainedForm] = {}
    known: set[str] = set()
    start = max(len(artifact.lines) - MOST_LINES, 0)
    for index, text in enumerate(artifact.lines[start:], start):
        if not (found := find(text[:LONGEST])):
            continue
        form = _normalize(found.message)
        if (artifact.name, artifact.number(index)) in explained:
            known.add(form)
        one = forms.setdefault(form, UnexplainedForm(form, artifact.at(index), artifact, found.level))
        one.count += 1
        one.last = index
        one.is_last_word |= _is_last_word(artifact, index)
    return {form: one for form, one in forms.items() if form not in known}


def _normalize(text: str) -> str:
    return " ".join(_VARYING.sub("#", _LEAD.sub("", text)).split())


def _is_last_word(artifact: Artifact, index: int) -> bool:
    """Whether the program began anew behind it, or this is the log of a container that ended."""
    behind = artifact.lines[index + 1 : index + 4]
    ended = len(behind) < 3 and _PREVIOUS.search(artifact.command or "") is not None
    return ended or any(_BEGINNING.search(text[:LONGEST]) for text in behind)


def _find_own_complaint(text: str) -> _Complaint | None:
    if ("][" in text or "level" in text) and (found := _COMPLAINING.search(text)):
        return _Complaint((found["level"] or found["word"] or found["json"]).upper(), found["message"] or text)
    return None


def _find_complaint(text: str) -> _Complaint | None:
    """A line with a level that asks for attention, or one of a log that speaks of a failure."""
    if "[INFO][" in text:
        return None
    if not _has_hint(text.lower()) and not _KLOG.search(text):
        return None
    if _ORDINARY.search(text) or _BEGINNING.search(text):
        return None
    if own := _find_own_complaint(text):
        return own
    if found := _OTHERS.search(text):
        word = (found["letter"] or found["json"] or found["event"]).upper()
        return _Complaint(_LEVELS.get(word, word), found["klog"] or text)
    if _STAMPED.search(text) and _FAILURE.search(text):
        return _Complaint("", text)
    return None


def _has_hint(lowered: str) -> bool:
    for hint in _HINTS:  # noqa: SIM110 - every line comes by here, and any() takes twice as long
        if hint in lowered:
            return True
    return False
