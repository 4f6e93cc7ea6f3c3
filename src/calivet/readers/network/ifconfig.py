"""`ifconfig`, as net-tools wrote it before and after version 2, and busybox."""

from __future__ import annotations

from msgspec import Struct, field

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import Interface
from calivet.readers.inside import Machines
from calivet.readers.network.netmask import prefix_length
from calivet.readers.reader import Reader, Reading

_NEW = expression(r"^\s*(?P<name>[\w.@-]+(?::\d+)?): flags=\w+<(?P<flags>[^>]*)>\s+mtu (?P<mtu>\d{1,9})")
_OLD = expression(r"^\s*(?P<name>[\w.@-]+(?::\d+)?)\s+(?:Link encap|链接封装)")
_ANCHOR = expression(r"^\s*[\w.@-]+(?::\d+)?(?:: flags=\w+<|\s+(?:Link encap|链接封装))")
_IPV4 = expression(
    r"^\s+inet (?:(?:addr|地址):\s?)?(?P<address>\d+\.\d+\.\d+\.\d+)"
    r"(?:.*?(?:netmask |Mask:|掩码:)(?P<mask>[\da-fx.]+))?"
)
_IPV6 = expression(
    r"^\s+inet6 (?:(?:addr|地址):\s?)?(?P<address>[\da-fA-F:]+)(?:%\S+)?"
    r"(?:/(?P<short>\d+)|\s+prefixlen (?P<length>\d+))?"
)
_OLD_FLAGS = expression(r"^\s+(?P<flags>[A-Z][A-Z ]*?)\s+(?:MTU|最大传输单元):\s?(?P<mtu>\d{1,9})")


class _Details(Struct):
    """What the lines below an interface's first say."""

    stop: int
    addresses: list[str] = field(default_factory=list)
    flags: str = ""
    mtu: str | None = None


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    for index in anchors:
        head = _NEW.match(artifact.lines[index]) or _OLD.match(artifact.lines[index])
        if not head:
            continue
        known, details = head.groupdict(), _details(artifact.lines, index + 1)
        reading.claim(index, details.stop)
        flags = tuple((known.get("flags") or details.flags).replace(",", " ").split())
        mtu = known.get("mtu") or details.mtu
        reading.facts.append(
            Interface(
                at=artifact.at(index),
                host=machines.at(index),
                name=known["name"],
                addresses=tuple(details.addresses),
                up="UP" in flags if flags else None,
                mtu=int(mtu) if mtu else None,
                flags=flags,
            )
        )
    return reading


def _details(lines: list[str], start: int) -> _Details:
    details = _Details(start)
    for line in lines[start:]:
        if not line[:1].isspace() or not line.strip() or _ANCHOR.match(line):
            break
        details.stop += 1
        details.addresses += _addresses(line)
        if found := _OLD_FLAGS.match(line):
            details.flags, details.mtu = found["flags"], found["mtu"]
    return details


def _addresses(line: str) -> list[str]:
    if found := _IPV4.match(line):
        return [found["address"] + _prefix(found["mask"])]
    if found := _IPV6.match(line):
        length = found["short"] or found["length"]
        return [f"{found['address']}/{length}" if length else found["address"]]
    return []


def _prefix(mask: str | None) -> str:
    length = prefix_length(mask) if mask else None
    return "" if length is None else f"/{length}"


READER = Reader(kind="ifconfig", anchor=_ANCHOR, read=_read)
