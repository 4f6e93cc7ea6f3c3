"""Signs in tokens that the operator looked into or tried: when they end, and how they are answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Setting, Variable
from calivet.facts.picture import Picture
from calivet.readers.command import output_lines
from calivet.signs.sighting import Sighting

# The file that calico-node writes for the CNI plugin, and the token that its own pods get.
_OF_CALICO = expression(r"cni/net\.d|calico[\w.-]{0,12}kubeconfig|serviceaccount/token|calico-(?:node|cni-plugin)")
_BEARER = expression(r"Authorization:\s*Bearer\s+[\"']?(?:\$[({]*(?P<variable>\w+))?|--token[ =]", re.IGNORECASE)
_KUBECONFIG = expression(r"(?:--kubeconfig[ =]|\bKUBECONFIG=)\S*(?:cni/net\.d|calico)")
_API = expression(
    r"/apis?\b|/version\b|/(?:health|ready|live)z\b|:6443\b|\b(?:kubectl|oc|calicoctl)\b|\$\{?\w*API", re.IGNORECASE
)
_REFUSED = expression(
    r"(?:^|[\s<])HTTP/[\d.]+ 401\b|\bcode[\"']?\s*[:=]\s*401\b|\b(?:reason|message)[\"']?\s*[:=]\s*[\"']?Unauthorized\b"
    r"|You must be logged in to the server|\(Unauthorized\)|requested URL returned error: 401|^Unauthorized$"
)
_CODE_ALONE = expression(r"^\D{0,20}\b401\b(?:\s+[\d.]+s?)*$")
_CODE_WANTED = expression(r"%\{(?:http_code|response_code)\}")
_ENDS = expression(r"[\"']?\bexp[\"']?\s*[:=]\s*(?P<end>1\d{9})\b")
_END_WANTED = expression(r"\bexp\b")
_END_ALONE = expression(r"^(?P<end>1\d{9})$")
# A clock without a zone may be this far ahead of the world's.
_EASTERNMOST = timedelta(hours=14)
# A decoded token is a few lines; logs are not searched for one.
_LONGEST = 120


def calico_token_refused(picture: Picture) -> Iterator[Sighting]:
    """The operator used Calico's own token, and the API server answered 401."""
    return (sighting for sighting, own in _refusals(picture) if own)


def some_token_refused(picture: Picture) -> Iterator[Sighting]:
    """The API server answered 401 to a token of which the evidence does not say whose it is."""
    return (sighting for sighting, own in _refusals(picture) if not own)


def token_past_end(picture: Picture) -> Iterator[Sighting]:
    """Calico's token, decoded, had ended when the machine was asked for its time."""
    for artifact in picture.artifacts:
        if artifact.prose or artifact.length > _LONGEST:
            continue
        shape = _END_ALONE if _END_WANTED.search(artifact.command or "") else None
        for index, text in output_lines(artifact):
            found = shape.match(text) if shape else None
            found = found or ("exp" in text and _ENDS.search(text)) or None
            end = datetime.fromtimestamp(int(found["end"]), UTC) if found else None
            if end and _names_calico(artifact) and (now := _moment(picture, artifact.host)) and end < now:
                node = picture.names.node(artifact.host) or artifact.host
                yield Sighting(line=artifact.at(index), node=node, values={"end": f"{end:%Y-%m-%d %H:%M}"})


def agent_uses_plugin_kubeconfig(picture: Picture) -> Iterator[Sighting]:
    """calico-node is to use the very file that it should renew, so once that has ended nobody can."""
    for variable in picture.all(Variable):
        if variable.name == "KUBECONFIG" and "cni/net.d/" in variable.value:
            yield Sighting(line=variable.at, node=picture.node_of_pod(variable.owner), values={"file": variable.value})


def _refusals(picture: Picture) -> Iterator[tuple[Sighting, bool]]:
    for artifact in picture.artifacts:
        command = artifact.command or ""
        token = _BEARER.search(command)
        if not (token or _KUBECONFIG.search(command)) or not _API.search(command):
            continue
        coded = _CODE_WANTED.search(command)
        for index, text in output_lines(artifact):
            if _REFUSED.search(text) or (coded and _CODE_ALONE.match(text)):
                node = picture.names.node(artifact.host) or artifact.host
                own = _OF_CALICO.search(command) or (token and _assigned(token["variable"], artifact, picture))
                yield Sighting(line=artifact.at(index), node=node, order=artifact.order), bool(own)
                break


def _assigned(variable: str | None, where: Artifact, picture: Picture) -> bool:
    """Whether a command before, on the same machine, took the variable's value from Calico's files."""
    before = (one.command or "" for one in picture.artifacts if one.order <= where.order and one.host == where.host)
    return bool(variable and any(f"{variable}=" in one and _OF_CALICO.search(one) for one in before))


def _names_calico(artifact: Artifact) -> bool:
    return any(_OF_CALICO.search(text) for text in (artifact.command or "", *artifact.lines))


def _moment(picture: Picture, host: str | None) -> datetime | None:
    """The latest time that this machine, or any where it is not known, surely had reached."""
    clocks = [one for one in picture.all(Setting) if (one.program, one.key) == ("clock", "time")]
    times = [datetime.fromisoformat(str(one.value)) for one in clocks if host is None or one.host == host]
    known = [time if time.tzinfo else time.replace(tzinfo=UTC) - _EASTERNMOST for time in times]
    return max(known, default=None)


SIGNS = {
    "calico-token-refused": calico_token_refused,
    "some-token-refused": some_token_refused,
    "calico-token-past-end": token_past_end,
    "agent-uses-plugin-kubeconfig": agent_uses_plugin_kubeconfig,
}
