"""What the operator looked for: found nothing, counted, or gave up waiting for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Count, EmptySearch, Fact
from calivet.facts.runtime import Interrupt
from calivet.facts.vocabulary.commands import lists_packet_filter
from calivet.readers.command import list_output_lines
from calivet.readers.reader import read_statements
from calivet.search.expressions import expression

_SEARCHES = {
    "cali-interfaces": expression(r"\bip\b.{0,200}?\|\s{0,9}e?grep\b.{0,200}?\bcali"),
    "shared-mounts": expression(
        # Each word where it first stands: a line full of them costs no more than its length.
        r"^(?!.*\bexec\b)(?:(?:(?!\bgrep\b).)*\bgrep\b(?:(?!\bshared\b)[^|])*\bshared\b(?:(?!/mountinfo)[^|])*/mountinfo"
        r"|(?:(?!/mountinfo).)*/mountinfo\s{0,9}\|\s{0,9}e?grep\b(?:(?!\bshared\b)[^|])*\bshared\b)"
        r"[^|;]*(?:\|\s{0,9}wc -l)?$"
    ),
    "calico-rules": expression(r"grep\b.{0,200}?\bcali"),
    "service-rules": expression(
        r"(?:iptables(?:-save|-nft-save|-legacy-save)?|nft|ipvsadm)\b.*grep.*(?:(?:\d{1,3}\.){3}1\b|kubernetes:https|KUBE-SVC|KUBE-SERVICES)"
    ),
    "bgp-peers": expression(r"\bget\s+bgppeers?\b"),
}
_COUNTS = {
    "ipam-blocks": expression(r"\b(?:ipamblocks?|blockaffinit(?:y|ies))\b.*\|\s*wc\s+-l"),
    "nodes": expression(r"\bget\s+nodes?\b.*\|\s*wc\s+-l"),
}
# find /proc/*/fd -lname anon_inode:inotify | wc -l; lsof | grep -c inotify; ... | sort | uniq -c
_COUNTS_INOTIFY = expression(r"inotify\b.*(?:\bwc -l|\buniq -c)|grep (?:-\w+ )*-\w*c\w* \S*inotify")
_NO_ITEMS = expression(r"\s*\"?items\"?: \[\],?\s*$")
_NUMBER = expression(r"^\s*(?P<number>\d{1,7})(?:\s+\S.*)?$")


def _read_searches(artifact: Artifact, _: list[int]) -> Iterator[Fact]:
    command = artifact.command or ""
    for what, asked in _SEARCHES.items():
        if asked.search(command) and (index := _FOUND_NOTHING[what](artifact)) is not None:
            yield EmptySearch(at=artifact.at(index), host=artifact.host, what=what)
    yield from _find_counts(artifact, command)


def _find_counts(artifact: Artifact, command: str) -> Iterator[Count]:
    shown = artifact.lines[1].strip() if len(artifact.lines) > 1 else ""
    for what, asked in _COUNTS.items():
        if shown.isdigit() and asked.search(command):
            yield Count(at=artifact.at(1), host=artifact.host, what=what, number=int(shown))
    if _COUNTS_INOTIFY.search(command):
        counted = [int(found["number"]) for line in artifact.lines if (found := _NUMBER.match(line))]
        if counted:
            last = artifact.at(len(artifact.lines) - 1)
            yield Count(at=last, host=artifact.host, what="inotify-instances", number=sum(counted))


def _find_no_output(artifact: Artifact) -> int | None:
    """The last line, where nothing or a lone zero stands below the command; what iptables warns of is no rule."""
    shown = [text.strip() for text in artifact.lines[1:] if text.strip() and not text.startswith("# Warning: ")]
    return len(artifact.lines) - 1 if shown in ([], ["0"]) else None


def _find_no_mounts(artifact: Artifact) -> int | None:
    shown = [text for _, text in list_output_lines(artifact)]
    return len(artifact.lines) - 1 if shown in ([], ["0"]) else None


def _find_no_rules(artifact: Artifact) -> int | None:
    """Where the host's own tool was asked, and not for all but Calico's."""
    command = artifact.command or ""
    turned_round = "-v" in command.split("grep")[-1]
    return _find_no_output(artifact) if lists_packet_filter(command) and not turned_round else None


def _find_only_zeros(artifact: Artifact) -> int | None:
    return 0 if all(text == "0" for _, text in list_output_lines(artifact)) else None


def _find_no_peers(artifact: Artifact) -> int | None:
    """At most a header, or an empty list as YAML or JSON."""
    shown = [text for text in artifact.lines[1:] if text.strip()]
    if empty := next((index for index, text in enumerate(artifact.lines) if _NO_ITEMS.match(text)), None):
        return empty
    return 0 if len(shown) <= 1 and not any("peerIP" in text for text in shown) else None


_FOUND_NOTHING: dict[str, Callable[[Artifact], int | None]] = {
    "cali-interfaces": _find_no_output,
    "shared-mounts": _find_no_mounts,
    "calico-rules": _find_no_rules,
    "service-rules": _find_only_zeros,
    "bgp-peers": _find_no_peers,
}


SEARCHES_READER = read_statements(_read_searches, command=expression(r"grep|\bwc\b|\buniq\b|\bbgppeers?\b"))


# Commands that printed nothing until somebody interrupted them.
_INTERRUPT = expression(r"^\s*\^C")


def _read_interrupts(artifact: Artifact, _: list[int]) -> Iterator[Interrupt]:
    """Where the mark is the first that was printed: below its command, or cut off from it."""
    near = artifact.lines[:5] if artifact.command else artifact.lines[:2]
    shown = (
        (index, line)
        for index, line in enumerate(near)
        if line.strip() and not (artifact.command and artifact.command in line)
    )
    index, first = next(shown, (0, ""))
    if _INTERRUPT.match(first):
        yield Interrupt(at=artifact.at(index), host=artifact.host)


INTERRUPTS_READER = read_statements(_read_interrupts, anchor=_INTERRUPT, notes=True)
