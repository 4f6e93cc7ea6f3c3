"""Tables that `kubectl get` prints, of any resource, with their header or filtered."""

from __future__ import annotations

import re

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.readers.columns import Header, row, split_header
from calivet.readers.kubectl.kubectl_command import Request, request
from calivet.readers.kubectl.kubectl_resources import resource_of
from calivet.readers.kubectl.kubectl_rows import row_facts
from calivet.readers.kubectl.kubectl_shapes import loose_row
from calivet.readers.reader import Reader, Reading

_HEADER = expression(r"^[ \t]*(?:(?:NAMESPACE|POD)[ \t]+)?NAME[ \t]+\S")
_ANCHOR = expression(
    rf"{_HEADER.pattern}"
    r"|^[ \t]*(?:[a-z0-9][\w.:/-]*[ \t]+){1,2}(?:\d+/\d+[ \t]+[A-Z]|(?:Ready|NotReady|Unknown)[ \t,]"
    r"|(?:ClusterIP|NodePort|LoadBalancer|ExternalName)[ \t]|(?:\d+[ \t]+){5}(?:<none>|\S+=))",
    re.MULTILINE,
)
_WORD_OF_HEADER = expression(r"^[A-Z][A-Z0-9%()/:_. -]*(?:\((?:cores|bytes)\))?$")
_SIGNATURES = {"AGE", "CREATED AT", "CPU(cores)", "AUTHINFO", "APIVERSION"}
# calicoctl's tables begin with NAME too; they have a reader of their own, as custom columns have.
_CALICOCTL = {"ASN", "IPIP", "IPIPMODE", "PEERIP", "MESHENABLED", "IPV4"}
# Other tables are too alike to trust their headers more than the command.
_SURE = {"pod", "node", "podmetrics", "nodemetrics"}
_ROW_NAME = expression(r"^[a-z0-9][\w.:/-]*$")
_ELISION = expression(r"^\s*(?:\.{3,}|…+|<snip>|\[\.\.\.\])\s*$")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Reads the tables that begin at the anchors, and single rows whose shape is unmistakable."""
    reading = Reading()
    asked = request(artifact)
    for index in anchors:
        if index in reading.claimed:
            continue
        if _HEADER.match(artifact.lines[index]):
            columns = split_header(artifact.lines[index])
            if _is_ours([column.name for column in columns], asked):
                _read_table(artifact, index, columns, asked, reading)
        elif found := loose_row(artifact.lines[index]):
            reading.claim(index, index + 1)
            reading.facts += row_facts(found[1], found[0], asked, artifact.at(index))
    return reading


def _is_ours(headers: list[str], asked: Request) -> bool:
    if len(headers) < 2 or _CALICOCTL & set(headers) or (asked.output or "").startswith("custom-columns"):
        return False
    if not all(_WORD_OF_HEADER.match(header) for header in headers):
        return False
    return bool(asked.verb in ("get", "top") or resource_of(headers) or _SIGNATURES & set(headers))


def _read_table(artifact: Artifact, start: int, columns: Header, asked: Request, reading: Reading) -> None:
    told = resource_of([column.name for column in columns])
    resource = told if told in _SURE else asked.resource or told
    index = start + 1
    while index < len(artifact.lines):
        if found := _cells(artifact.lines[index], columns, resource):
            reading.facts += row_facts(found, resource, asked, artifact.at(index))
        elif not _ELISION.match(artifact.lines[index]):
            following = artifact.lines[index + 1 : index + 2]
            if not artifact.lines[index].strip() or not following or not _cells(following[0], columns, resource):
                break
            reading.unread.add(index)
        index += 1
    reading.claim(start, index)


def _cells(line: str, columns: Header, resource: str | None) -> dict[str, str] | None:
    """The cells, where the line is a row of this table at all; a crooked line must look like one more clearly."""
    found, straight = row(line, columns)
    filled = len(found) - list(found.values()).count("")
    if not straight and (loose := loose_row(line)):
        shaped = loose[1] if loose[0] == resource else None
        return found if shaped and resource not in _SURE and filled == len(columns) else shaped
    enough = 2 if straight else max(2, len(columns) - 2)
    return found if filled >= enough and _ROW_NAME.match(found["NAME"]) else None


READER = Reader(kind="kubectl-get", anchor=_ANCHOR, read=read)
