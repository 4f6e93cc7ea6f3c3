"""Leaves out what the logs of a machine tell of a past that is over by its own clock: a probe shows the present.

A log holds every fault that was ever repaired. What goes on is complained of again within minutes: kubelet tries each
pod anew, Felix and confd each request. What stopped is history, but for the last words of a program that has ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from calivet.catalogue.model import Catalogue
from calivet.evidence.artifact import Artifact
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Setting
from calivet.facts.host import NodeProbe
from calivet.facts.times import YEARLESS, count_seconds_between, find_last_time, find_time_of_line
from calivet.search.expressions import expression
from calivet.signs.sighting import Key, Sighting, list_observations

HISTORY = "history"
"""The part of a key under which the sightings of a cause or an effect are kept that are over."""
LONG_AGO = 600.0
"""Seconds after which what goes on would have been said again."""
A_PAUSE, LONGER = 30.0, 5.0
"""What was said again and again has ceased after so many seconds, and so many of its usual pauses."""
SEVERAL = 3
LAST_WORDS = 5.0
"""Seconds before the end of a log."""
_LOG = expression(r"^(?:tail -n|journalctl -u) ")
_COMPLAINT = expression(
    r"\[(?:WARNING|ERROR|FATAL|PANIC)\]|\b[EWF]\d{4} \d\d:\d\d:\d\d|level=(?:warn|error|fatal|panic)|panic: "
)
_OF_PLUGIN = "/cni/cni.log"
_RUN = expression(r"^(?P<container>tail -n \d+ \S+/)(?P<number>\d{1,6})\.log$")


def set_history_aside(
    seen: Mapping[Key, list[Sighting]], catalogue: Catalogue, cluster: ClusterFacts
) -> dict[Key, list[Sighting]]:
    """The same, with what is over under keys of its own."""
    clocks = {probe.host: probe.time for probe in cluster.all(NodeProbe) if probe.host and probe.time}
    if not clocks:
        return dict(seen)
    ages = _LogAges(cluster, clocks)
    lasting = {item.key for item in list_observations(catalogue) if getattr(item.what, "about", "") == "settings"}
    found: dict[Key, list[Sighting]] = {}
    for key, sightings in seen.items():
        over = [] if key in lasting or key.part == "harmless" else ages.list_over(sightings)
        left = [one for one in sightings if one not in over]
        if left:
            found[key] = left
        if over:
            found.setdefault(Key(key.owner, HISTORY), []).extend(over)
    return found


class _LogAges:
    """How long ago, by the clock of its machine, each line of a log was written."""

    def __init__(self, cluster: ClusterFacts, clocks: Mapping[str, datetime]) -> None:
        self._cluster, self._clocks = cluster, clocks
        self._zones = {
            fact.host: datetime.fromisoformat(str(fact.value)).utcoffset() or timedelta()
            for fact in cluster.all(Setting)
            if fact.program == "clock" and fact.key == "time" and "+00:00" not in str(fact.value)
        }
        commands = [_RUN.match(one.command or "") for one in cluster.artifacts]
        self._latest = {run["container"]: 0 for run in commands if run}
        for run in commands:
            if run:
                self._latest[run["container"]] = max(self._latest[run["container"]], int(run["number"]))

    def list_over(self, sightings: Sequence[Sighting]) -> list[Sighting]:
        """Those of them that are over."""
        by_log: dict[int, list[tuple[Sighting, float]]] = {}
        logs: dict[int, Artifact] = {}
        for one in sightings:
            artifact = self._cluster.artifact(one.line)
            if artifact and (age := self._find_age(artifact, one)) is not None:
                logs[id(artifact)] = artifact
                by_log.setdefault(id(artifact), []).append((one, age))
        return [one for key, found in by_log.items() for one in self._list_over_in(logs[key], found)]

    def _list_over_in(self, artifact: Artifact, found: Sequence[tuple[Sighting, float]]) -> list[Sighting]:
        times = [age for _, age in found]
        count = sum(one.count for one, _ in found)
        pause = (max(times) - min(times)) / max(1, count - 1)
        has_ceased = count >= SEVERAL and min(times) > max(A_PAUSE, LONGER * pause)
        end = self._find_age_of_end(artifact)
        is_quiet = _OF_PLUGIN in (artifact.command or "") or end < min(times) - LAST_WORDS
        if has_ceased and is_quiet:
            return [one for one, _ in found]
        return [one for one, age in found if age > LONG_AGO and (is_quiet or self._has_run_again(artifact))]

    def _has_run_again(self, artifact: Artifact) -> bool:
        """Whether a later run of the same container has a log of its own."""
        run = _RUN.match(artifact.command or "")
        return run is not None and int(run["number"]) < self._latest[run["container"]]

    def _find_age(self, artifact: Artifact, sighting: Sighting) -> float | None:
        if artifact.host not in self._clocks or not _LOG.match(artifact.command or ""):
            return None
        is_complaint = _COMPLAINT.search(sighting.line.text) or _OF_PLUGIN in (artifact.command or "")
        return self._count_seconds(artifact, find_time_of_line(artifact, sighting.line)) if is_complaint else None

    def _find_age_of_end(self, artifact: Artifact) -> float:
        age = self._count_seconds(artifact, find_last_time(artifact))
        return float("inf") if age is None else age

    def _count_seconds(self, artifact: Artifact, time: datetime | None) -> float | None:
        """Until the probe began; the plugin writes the machine's own time, containers and journals that of UTC."""
        if time is None or artifact.host is None:
            return None
        if time.year == YEARLESS:
            time = time.replace(year=self._clocks[artifact.host].year)
        if time.tzinfo is None and _OF_PLUGIN in (artifact.command or ""):
            time = (time - self._zones.get(artifact.host, timedelta())).replace(tzinfo=UTC)
        return count_seconds_between(time, self._clocks[artifact.host])
