"""Certificates as openssl prints them, and the authorities that kubeconfigs, secrets and webhooks hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Setting
from calivet.facts.security import AuthorityValue
from calivet.readers.command import find_paths, list_output_lines
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.readers.subject import find_subjects
from calivet.search.expressions import expression

_NOT_AFTER = expression(
    r"(?:not\s?after\s*[:=]|expire date:)\s*([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d:\d\d) (\d{4}) GMT", re.IGNORECASE
)
_SUBJECT = expression(r"^\s*(?:\*\s*)?(?:\d+ s:|subject\s*[:=])\s*(?P<subject>.+)$", re.IGNORECASE)
_COMMON_NAME = expression(r"CN\s*=\s*([^,/]+)")
_FILE_LINE = expression(r"^[\s=#*>-]*(?P<path>[/\w][\w./-]*\.(?:crt|pem|cert|cer))[\s:=#*<-]*$")
_FILE = expression(r"\.(?:crt|pem|cert|cer)$")
_KUBEADM_ROW = expression(
    r"^\s*(?P<name>[a-z][\w.-]+)\s+"
    r"(?P<month>[A-Z][a-z]{2}) (?P<day>\d\d), (?P<year>\d{4}) (?P<time>\d\d:\d\d) UTC\s+\S+"
)
_SUBJECT_REACH = 12
_UNNAMED = "certificate"


def read_certificates(artifact: Artifact, anchors: list[int]) -> Reading:
    """One setting for each certificate: its name, and its last moment in ISO form."""
    reading = Reading()
    machines = find_subjects(artifact)
    named_above = _does_subject_come_first(artifact)
    for index in anchors:
        line = artifact.lines[index]
        if row := _KUBEADM_ROW.match(line):
            name, end = row["name"], _format_iso(f"{row['year']} {row['month']} {row['day']} {row['time']}:00")
        elif date := _NOT_AFTER.search(line):
            name, end = _name(artifact, index, named_above), _format_iso(f"{date[4]} {date[1]} {date[2]} {date[3]}")
        else:
            continue
        reading.claim(index, index + 1)
        if end is None:
            reading.unread.add(index)
            continue
        reading.facts.append(
            Setting(at=artifact.at(index), host=machines.at(index), program="certificate", key=name, value=end)
        )
    return reading


def _does_subject_come_first(artifact: Artifact) -> bool:
    """openssl prints in the order of its options, so the first pair tells for all that follow."""
    first = next((line for line in artifact.lines if _SUBJECT.match(line) or _NOT_AFTER.search(line)), "")
    return _SUBJECT.match(first) is not None


def _name(artifact: Artifact, index: int, named_above: bool) -> str:
    """The subject's common name, a file's name above, or the file in the command."""
    for line in _list_neighbours(artifact, index, -1 if named_above else 1):
        if (subject := _SUBJECT.match(line)) and (found := _COMMON_NAME.search(subject["subject"])):
            return found[1].strip()
    for line in _list_neighbours(artifact, index, -1):
        if file := _FILE_LINE.match(line):
            return file["path"]
    return next((path for path in find_paths(artifact) if _FILE.search(path)), _UNNAMED)


def _list_neighbours(artifact: Artifact, index: int, step: int) -> Iterator[str]:
    """The lines of the same certificate in one direction: they end where the next date of an end stands."""
    for near in range(index + step, index + step * _SUBJECT_REACH, step):
        if not 0 <= near < len(artifact.lines) or _NOT_AFTER.search(artifact.lines[near]):
            return
        yield artifact.lines[near]


def _format_iso(words: str) -> str | None:
    try:
        return datetime.strptime(words, "%Y %b %d %H:%M:%S").replace(tzinfo=UTC).isoformat()
    except ValueError:
        return None


CERTIFICATES_READER = Reader(
    kind="certificates",
    anchor=expression(
        r"^(?:.*ot ?[Aa]fter ?[:=]\s*[A-Z]|.*expire date:"
        r"|\s*[a-z][\w.-]+\s+[A-Z][a-z]{2} \d\d, \d{4} \d\d:\d\d UTC)"
    ),
    read=read_certificates,
)


# Certificate authorities that were shown with openssl or summed: the one a client trusts, and the cluster's own.
#
# Where a client of the API server keeps the authority that it trusts, and where the cluster keeps its own.
_PLACE = expression(
    r"(?P<client>(?:/etc/|/)cni/net\.d/\S*?kubeconfig|\b(?:calico|canal|multus)[\w.-]{0,12}kubeconfig"
    r"|serviceaccount/ca\.crt)"
    r"|(?P<cluster>/etc/kubernetes/(?:pki|ssl|certs)/(?:kube-?)?ca\.(?:crt|pem)|kube-root-ca\.crt"
    r"|server/tls/server-ca\.crt|/k0s/pki/ca\.crt|/(?:microk8s/\S*|minikube/)certs/ca\.crt"
    r"|/etc/kubernetes/(?:super-)?admin\.conf)"
)
_SHOWS = expression(r"\bopenssl\s+x509\b|\b(?:md5|sha1|sha256|sha512)sum\b")
# A server's own certificate, or a client's, is not the authority.
_NO_AUTHORITY = expression(r"\bs_client\b|client-certificate|apiserver\.crt|tls\.crt")
# An operator's kubeconfig holds both.
_HOLDS_BOTH = expression(r"\.conf$")
# `form` keeps apart what cannot be compared: sums of different kinds.
_VALUES = (
    ("fingerprint", expression(r"^.*?(?P<form>\w*) ?Fingerprint=(?P<value>[0-9A-F:]{32,})$", re.IGNORECASE)),
    ("modulus", expression(r"^Modulus=(?P<value>(?P<form>)[0-9A-F]{32,})$")),
    ("begin", expression(r"^(?:notBefore=|Not Before\s*:\s*)(?P<value>(?P<form>)[A-Z][a-z]{2} +\d.*\d{4} GMT)$")),
    ("serial", expression(r"^(?P<form>serial)=(?P<value>[0-9A-F]+)$", re.IGNORECASE)),
    ("serial", expression(r"^(?P<form>Serial Number):\s*(?P<value>\d+) \(0x[0-9a-f]+\)$")),
    ("sum", expression(r"^(?:(?P<form>\w[\w-]*)?\(stdin\)= ?)?(?P<value>[0-9a-f]{32,128})(?:\s+\*?(?:-|\S+))?$")),
)
_KEY_HEAD = expression(r"^X509v3 Subject Key Identifier:")
_KEY = expression(r"^(?P<value>[0-9A-F]{2}(?::[0-9A-F]{2}){15,31})$")


def _read_authorities(artifact: Artifact, _: list[int]) -> Iterator[AuthorityValue]:
    if not _NO_AUTHORITY.search(artifact.command or ""):
        yield from _find_values(artifact)


def _find_values(artifact: Artifact) -> Iterator[AuthorityValue]:
    """Each value with its place: named beside it, in a head above it, or in the command in the same order."""
    command, above, head = artifact.command or "", "", None
    found: dict[tuple[str, str], list[tuple[int, str, re.Match[str] | None]]] = {}
    for index, text in list_output_lines(artifact):
        named = _PLACE.search(text)
        if value := _parse_value(text, above):
            found.setdefault(value[:2], []).append((index, value[2], named or head))
        elif named:
            head = named
        above = text
    told = [place for place in _PLACE.finditer(command) if _is_authority(place[0], command)]
    for (kind, form), values in found.items():
        for rank, (index, shown, near) in enumerate(values):
            place = near or (told[rank] if len(told) == len(values) else None)
            if place:
                cluster = place["cluster"] is not None
                yield AuthorityValue(
                    at=artifact.at(index),
                    host=artifact.host,
                    kind=kind,
                    form=form,
                    value=shown,
                    place=place[0],
                    cluster=cluster,
                )


def _is_authority(place: str, command: str) -> bool:
    return not _HOLDS_BOTH.search(place) or "certificate-authority" in command


def _parse_value(text: str, above: str) -> tuple[str, str, str] | None:
    """Its kind, its form, and itself."""
    if _KEY_HEAD.match(above) and (key := _KEY.match(text)):
        return "key", "", key["value"]
    for kind, pattern in _VALUES:
        if found := pattern.match(text):
            return kind, (found["form"] or "").lower(), " ".join(found["value"].split())
    return None


AUTHORITIES_READER = read_statements(_read_authorities, command=_SHOWS)
