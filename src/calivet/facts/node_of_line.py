"""Which node a line of evidence is about: the hit's own line, then its artifact, then what stands around it."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.calico import LogSpan
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Event, Pod
from calivet.search.expressions import expression


# The stretches of Calico's logs that a line stands in: those of several pods may be mixed into each other.
class LogSpanTable:
    """All spans, by document and in the order of their first lines."""

    def __init__(self, spans: Iterable[LogSpan]) -> None:
        """Note for each how far it and those before it reach, so that nobody need look at what ended long ago."""
        self._documents: dict[str, list[LogSpan]] = defaultdict(list)
        for span in spans:
            self._documents[span.at.artifact].append(span)
        self._reach = {
            name: list(accumulate((span.end for span in found), max)) for name, found in self._documents.items()
        }

    def around(self, line: Line) -> Iterator[LogSpan]:
        """The spans with this line, the one that begins first first."""
        found = self._documents.get(line.artifact, [])
        for place in range(bisect_left(self._reach.get(line.artifact, []), line.number), len(found)):
            if found[place].at.number > line.number:
                return
            if line.number <= found[place].end:
                yield found[place]


@once
def build_log_span_table(cluster: ClusterFacts) -> LogSpanTable:
    """Those of a picture."""
    return LogSpanTable(cluster.all(LogSpan))


_SYSLOG_HOST = expression(
    r"^(?:[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d(?:\.\d+)?|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)?) "
    r"(?P<host>[\w.-]+) [\w./-]+(?:\[\d+\])?:"
)
# Tools that speak of the cluster, whatever machine they run on.
_REMOTE = expression(r"\b(?:kubectl|oc|calicoctl (?!node)|helm|k9s|stern|etcdctl)\b|^(?:sudo )?k ")
_POD_WORD = expression(r"\b[a-z0-9]+(?:[-.][a-z0-9]+){1,12}\b")


class NodeOfLine:
    """Answers for any line; keeps what it found out about each artifact."""

    def __init__(self, cluster: ClusterFacts) -> None:
        """Prepare the look-ups."""
        self._picture = cluster
        self._names = cluster.names
        self._facts: dict[tuple[str, int], list[Fact]] = defaultdict(list)
        self._spans = build_log_span_table(cluster)
        for kind in (Event, Pod):
            for fact in cluster.all(kind):
                self._facts[fact.at.artifact, fact.at.number].append(fact)
        self._artifact_nodes: dict[int, str | None] = {}

    def node(self, artifact: Artifact, index: int) -> str | None:
        """The node that this line of the artifact is about, or None where nothing tells."""
        line = artifact.at(index)
        return (
            self._find_by_fact(line)
            or self._find_by_head(line)
            or self._find_by_span(line)
            or self._find_by_artifact(artifact)
        )

    def _find_by_fact(self, line: Line) -> str | None:
        for fact in self._facts.get((line.artifact, line.number), ()):
            if isinstance(fact, Event):
                found = self._names.node(fact.node) or self._picture.find_node_of_pod(fact.object) or fact.node
                found = found or (self._names.node(fact.object) if fact.kind == "node" else None)
            else:
                found = fact.node if isinstance(fact, Pod) else self._names.node(fact.host)
            if found:
                return found
        return None

    def _find_by_head(self, line: Line) -> str | None:
        head = _SYSLOG_HOST.match(line.text)
        return (self._names.find_node_or_host(head["host"])) if head else None

    def _find_by_span(self, line: Line) -> str | None:
        spans = self._spans.around(line)
        nodes = (self._names.find_node_or_host(span.host) or self._picture.find_node_of_pod(span.pod) for span in spans)
        return next(filter(None, nodes), None)

    def _find_by_artifact(self, artifact: Artifact) -> str | None:
        if artifact.order not in self._artifact_nodes:
            self._artifact_nodes[artifact.order] = self._look_around(artifact)
        return self._artifact_nodes[artifact.order]

    def _look_around(self, artifact: Artifact) -> str | None:
        if artifact.prose:
            return None
        command = artifact.command or ""
        if found := self._find_by_pod(command):
            return found
        if artifact.host and not _REMOTE.search(command):
            return self._names.find_node_or_host(artifact.host)
        around = (command, artifact.name, self._find_words_before(artifact))
        return self._find_by_pod(artifact.name) or next(filter(None, map(self._find_only_mention, around)), None)

    def _find_by_pod(self, text: str) -> str | None:
        """The node of the first pod that a text names."""
        return next(filter(None, map(self._picture.find_node_of_pod, _POD_WORD.findall(text))), None)

    def _find_only_mention(self, text: str) -> str | None:
        mentioned = self._names.mentioned(text)
        return mentioned[0] if len(mentioned) == 1 else None

    def _find_words_before(self, artifact: Artifact) -> str:
        """The author's last words before the artifact: often `node-4:` or `on node-4 the log says`."""
        before = self._picture.artifacts[artifact.order - 1] if artifact.order else None
        if before is None or not before.prose or before.name != artifact.name:
            return ""
        return next((line for line in reversed(before.lines) if line.strip()), "")
