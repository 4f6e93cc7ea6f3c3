"""Signs in certificate authorities that were shown side by side: the one a client trusts, and the cluster's own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Artifact, Line
from calivet.evidence.expressions import expression
from calivet.facts.picture import Picture, once
from calivet.readers.command import output_lines
from calivet.signs.sighting import Sighting

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
_CERTAIN = ("fingerprint", "modulus", "key", "begin", "serial")
# What makes two authorities one: a certificate that was issued anew with its old key is still trusted.
_UNITES = ("fingerprint", "modulus", "key", "sum")


class _Shown(Struct, frozen=True):
    """One value of one authority."""

    kind: str
    form: str
    value: str
    place: str
    cluster: bool
    line: Line
    host: str | None


def authorities_differ(picture: Picture) -> Iterator[Sighting]:
    """A client trusts another certificate than the cluster's, though they may have the same name."""
    return _differing(picture, _CERTAIN)


def authority_sums_differ(picture: Picture) -> Iterator[Sighting]:
    """Only sums were shown; of files, a blank line would make them differ as well."""
    return _differing(picture, ("sum",))


def _differing(picture: Picture, kinds: tuple[str, ...]) -> Iterator[Sighting]:
    shown = _authorities(picture)
    for client in shown:
        own = [one for one in shown if one.cluster and one.host == client.host]
        cluster = own or [one for one in shown if one.cluster]
        if client.cluster or client.kind not in kinds or any(_one(client, other, shown) for other in cluster):
            continue
        comparable = (one for one in cluster if (one.kind, one.form) == (client.kind, client.form))
        if (other := next(comparable, None)) and other.value != client.value:
            values = {"client": client.place, "cluster": other.place}
            yield Sighting(line=client.line, node=picture.names.node(client.host) or client.host, values=values)


def _one(client: _Shown, other: _Shown, shown: list[_Shown]) -> bool:
    """Whether something shown of both is the same and cannot be so by chance."""
    telling = [it for it in shown if it.kind in _UNITES]
    mine = {it.value for it in telling if (it.place, it.host) == (client.place, client.host)}
    return any(it.value in mine for it in telling if (it.place, it.host) == (other.place, other.host))


@once
def _authorities(picture: Picture) -> list[_Shown]:
    return [one for artifact in picture.artifacts if _may_show(artifact) for one in _read(artifact)]


def _may_show(artifact: Artifact) -> bool:
    command = artifact.command or ""
    return bool(not artifact.prose and _SHOWS.search(command) and not _NO_AUTHORITY.search(command))


def _read(artifact: Artifact) -> Iterator[_Shown]:
    """Each value with its place: named beside it, in a head above it, or in the command in the same order."""
    command, above, head = artifact.command or "", "", None
    found: dict[tuple[str, str], list[tuple[int, str, re.Match[str] | None]]] = {}
    for index, text in output_lines(artifact):
        named = _PLACE.search(text)
        if value := _value(text, above):
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
                yield _Shown(kind, form, shown, place[0], cluster, artifact.at(index), artifact.host)


def _is_authority(place: str, command: str) -> bool:
    return not _HOLDS_BOTH.search(place) or "certificate-authority" in command


def _value(text: str, above: str) -> tuple[str, str, str] | None:
    """Its kind, its form, and itself."""
    if _KEY_HEAD.match(above) and (key := _KEY.match(text)):
        return "key", "", key["value"]
    for kind, pattern in _VALUES:
        if found := pattern.match(text):
            return kind, (found["form"] or "").lower(), " ".join(found["value"].split())
    return None


SIGNS = {
    "authorities-differ": authorities_differ,
    "authority-sums-differ": authority_sums_differ,
}
