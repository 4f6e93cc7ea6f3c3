"""Calico's choice of a node's address, method by method, as its start-up makes it."""

from __future__ import annotations

from collections.abc import Callable

from calivet.forecast import detection as came
from calivet.forecast import methods
from calivet.forecast.detection import Detection, Host
from calivet.forecast.enumerating import enumerated
from calivet.forecast.exclusions import excluded
from calivet.forecast.internal_ip import internal_ip
from calivet.forecast.methods import argument_of, kind_of, ranges_of
from calivet.forecast.name_patterns import PatternError, split
from calivet.forecast.reaching import can_reach
from calivet.forecast.releases import NOT_SEEN, Running

# A variable that installers set to the node's own address (status.hostIP) and use as destination.
_OWN_ADDRESS = "$(NODEIP)"

_Look = Callable[[Host, str, int, Running], Detection]


def autodetect(host: Host, method: str, family: int = 4, running: Running = NOT_SEEN) -> Detection:
    """The address that calico-node takes on this host, or why it takes none."""
    kind = kind_of(method)
    if kind is None:
        return Detection(came.BAD_METHOD, detail=method)
    if running.since(methods.SINCE[kind]) is False:
        return Detection(came.TOO_OLD, detail="{}.{}".format(*methods.SINCE[kind]))
    try:
        return _LOOKS[kind](host, argument_of(method), family, running)
    except PatternError as bad:
        return Detection(came.BAD_PATTERN, detail=str(bad))
    except methods.RangeError as bad:
        return Detection(came.BAD_RANGE, detail=str(bad))


def _first_found(host: Host, _: str, family: int, running: Running) -> Detection:
    return enumerated(host.listing, family, exclude=excluded(running))


def _interface(host: Host, argument: str, family: int, _: Running) -> Detection:
    return enumerated(host.listing, family, include=split(argument))


def _skip(host: Host, argument: str, family: int, running: Running) -> Detection:
    return enumerated(host.listing, family, exclude=(*excluded(running), *split(argument)))


def _range(host: Host, argument: str, family: int, _: Running) -> Detection:
    return enumerated(host.listing, family, ranges=ranges_of(argument))


def _reach(host: Host, argument: str, family: int, _: Running) -> Detection:
    return can_reach(host, argument.replace(_OWN_ADDRESS, host.internal or _OWN_ADDRESS), family)


def _internal_ip(host: Host, _: str, __: int, running: Running) -> Detection:
    return internal_ip(host, running)


_LOOKS: dict[str, _Look] = {
    methods.FIRST_FOUND: _first_found,
    methods.INTERFACE: _interface,
    methods.SKIP: _skip,
    methods.RANGE: _range,
    methods.REACH: _reach,
    methods.INTERNAL_IP: _internal_ip,
}
