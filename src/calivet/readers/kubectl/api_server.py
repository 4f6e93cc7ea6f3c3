"""What the API server says of itself and of kubelets, and what it lets an account do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact, Reach
from calivet.facts.kubernetes import ServerCheck
from calivet.facts.security import PermissionAnswer, TokenEnd, TokenRefused
from calivet.facts.vocabulary.commands import names_calico_token
from calivet.readers.command import list_output_lines
from calivet.readers.reader import read_statements
from calivet.search.expressions import expression

_CHECK = expression(r"^\[(?P<sign>[+-])\](?P<name>[a-z][\w/.-]*) (?:ok|excluded: ok|failed\b)")


def _read_checks(artifact: Artifact, anchors: list[int]) -> Iterator[ServerCheck]:
    for index in anchors:
        if found := _CHECK.match(artifact.lines[index]):
            yield ServerCheck(at=artifact.at(index), host=artifact.host, name=found["name"], ok=found["sign"] == "+")


CHECKS_READER = read_statements(_read_checks, anchor=expression(r"^\[[+-]\][a-z][\w/.-]* (?:ok|failed|excluded)"))


# As `calivet collect` writes it down, and as kubectl repeats the API server's own words.
_KUBELET = expression(
    r"^(?P<node>[\w.-]+): kubelet gave no answer in \d+ s$"
    r"|dial tcp \[?(?P<address>[\da-fA-F.:]+?)\]?:10250: (?:connect: )?(?P<why>no route to host|i/o timeout"
    r"|connection refused|host is down|connection timed out)"
)
_OUTCOMES = {"no route to host": "no-route", "host is down": "no-route", "connection refused": "refused"}
_OF_SERVER = expression(r"Error from server|[Ee]rror trying to reach service|error dialing backend")


def _read_kubelet_tries(artifact: Artifact, anchors: list[int]) -> Iterator[Reach]:
    """Each kubelet once: the API server's way to it is a test of the machine."""
    told: set[str] = set()
    for index in anchors:
        text = artifact.lines[index]
        found = _KUBELET.search(text)
        if not found or not (found["node"] or _OF_SERVER.search(text)):
            continue
        target = found["node"] or found["address"]
        outcome = _OUTCOMES.get(found["why"] or "", "timeout")
        if target not in told:
            told.add(target)
            yield Reach(at=artifact.at(index), target=target, port=10250, protocol="tcp", outcome=outcome)


KUBELET_TRIES_READER = read_statements(
    _read_kubelet_tries, anchor=expression(r"kubelet gave no answer in|dial tcp \S+:10250: ")
)


# Answers of `kubectl auth can-i` that were asked on behalf of a service account.
_ASKS_CAN_I = expression(r"auth\s+can-i\b.*--as[= ]system:serviceaccount:(?P<account>[\w:-]+)")


def _read_can_i(artifact: Artifact, _: list[int]) -> Iterator[PermissionAnswer]:
    asked = _ASKS_CAN_I.search(artifact.command or "")
    for index, text in list_output_lines(artifact) if asked else ():
        answer = text.split()[0].strip(".,").lower()
        if asked and answer in ("yes", "no"):
            yield PermissionAnswer(at=artifact.at(index), account=asked["account"], answer=answer)


CAN_I_READER = read_statements(_read_can_i, command=_ASKS_CAN_I)


# Tokens that the operator looked into or tried: when they end, and how the API server answers them.
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
# A decoded token is a few lines; logs are not searched for one.
_LONGEST = 120


def _read_tokens(artifact: Artifact, _: list[int]) -> Iterator[Fact]:
    yield from _find_ends(artifact)
    yield from _find_refusals(artifact)


def _find_ends(artifact: Artifact) -> Iterator[TokenEnd]:
    command = artifact.command or ""
    if artifact.length > _LONGEST or not any(map(names_calico_token, (command, *artifact.lines))):
        return
    alone = _END_WANTED.search(command)
    for index, text in list_output_lines(artifact):
        if found := (_END_ALONE.match(text) if alone else None) or _ENDS.search(text):
            end = datetime.fromtimestamp(int(found["end"]), UTC)
            yield TokenEnd(at=artifact.at(index), host=artifact.host, end=end)


def _find_refusals(artifact: Artifact) -> Iterator[TokenRefused]:
    """The first refusal, where a token was used to ask the API server."""
    command = artifact.command or ""
    token = _BEARER.search(command)
    if not (token or _KUBECONFIG.search(command)) or not _API.search(command):
        return
    coded = _CODE_WANTED.search(command)
    for index, text in list_output_lines(artifact):
        if _REFUSED.search(text) or (coded and _CODE_ALONE.match(text)):
            yield TokenRefused(
                at=artifact.at(index),
                host=artifact.host,
                calico=names_calico_token(command),
                variable=token["variable"] if token else None,
            )
            return


TOKENS_READER = read_statements(
    _read_tokens,
    anchor=expression(r"exp[\"']?\s*[:=]\s*1\d{9}"),
    command=expression(r"\bexp\b|(?i:bearer)|--token[ =]|--kubeconfig|KUBECONFIG="),
)
