"""The changes that can be tried: KEY=VALUE, checked, and put in place of what is set now."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_interface

from msgspec import Struct, structs

from calivet.forecast import methods
from calivet.forecast.methods import PatternError
from calivet.forecast.settings import AUTODETECT, MODES, NONE, Choice, Settings, Timing

METHODS = (
    methods.FIRST_FOUND,
    methods.INTERNAL_IP,
    f"{methods.RANGE}RANGE[,RANGE...]",
    f"{methods.REACH}ADDRESS",
    f"{methods.INTERFACE}EXPRESSION[,...]",
    f"{methods.SKIP}EXPRESSION[,...]",
)
ADDRESSES, MESH, POOLS, STARTS = "addresses", "mesh", "pools", "starts"
_FAMILIES = {"IP": 4, "IP6": 6, "IP_AUTODETECTION_METHOD": 4, "IP6_AUTODETECTION_METHOD": 6}
_TIMINGS = {
    "initialDelaySeconds": "delay",
    "periodSeconds": "period",
    "timeoutSeconds": "timeout",
    "failureThreshold": "failures",
}
_PROBES = ("liveness", "startup")
_NUMBERS = tuple(f"{probe}Probe.{name}" for probe in _PROBES for name in _TIMINGS)
_FLAGS = ("true", "false")
KEYS: dict[str, tuple[str, ...]] = {
    "IP_AUTODETECTION_METHOD": METHODS,
    "IP6_AUTODETECTION_METHOD": METHODS,
    "IP": (AUTODETECT, NONE, "ADDRESS[/LENGTH]"),
    "IP6": (AUTODETECT, NONE, "ADDRESS[/LENGTH]"),
    "ipipMode": MODES,
    "vxlanMode": MODES,
    "nodeToNodeMeshEnabled": _FLAGS,
    **dict.fromkeys(_NUMBERS, ("NUMBER",)),
}
"""Every key, and what may stand behind it."""
_MOST = 100_000


class ChangeError(ValueError):
    """What was asked for is not possible; says what would be."""

    def __init__(self, key: str, value: str = "", detail: str = "") -> None:
        super().__init__(key)
        self.key, self.value, self.detail = key, value, detail
        self.known = key in KEYS
        self.possible = KEYS.get(key, tuple(KEYS))


class Change(Struct, frozen=True):
    """One setting and its new value."""

    key: str
    value: str

    @property
    def family(self) -> int | None:
        """The family whose addresses it may change."""
        return _FAMILIES.get(self.key)

    @property
    def touches(self) -> str:
        """What of a cluster it may change."""
        if self.family:
            return ADDRESSES
        if "Probe." in self.key:
            return STARTS
        return MESH if self.key == "nodeToNodeMeshEnabled" else POOLS


def change(written: str) -> Change:
    """What KEY=VALUE asks for, in Calico's own spelling."""
    name, _, value = written.partition("=")
    key = next((key for key in KEYS if key.lower() == name.strip().lower()), None)
    if key is None:
        raise ChangeError(name)
    return Change(key, _check_value(key, value.strip()))


def apply_changes(before: Settings, changes: Iterable[Change]) -> Settings:
    """The settings with the changes in place."""
    after = before
    for one in changes:
        after = _apply_change(after, one)
    return after


def find_value(how: Settings, key: str) -> str | None:
    """What the key has there; None where nothing was seen of it."""
    if key in _FAMILIES:
        choice = how.choices[_FAMILIES[key]]
        return choice.ip if key in ("IP", "IP6") else choice.method
    if key in ("ipipMode", "vxlanMode"):
        modes = (pool.ipip if key == "ipipMode" else pool.vxlan for pool in how.pools)
        return ", ".join(dict.fromkeys(modes)) or None
    if key == "nodeToNodeMeshEnabled":
        return str(how.mesh).lower()
    probe, _, name = key.partition("Probe.")
    timing = how.probes.get(probe)
    return f"{getattr(timing, _TIMINGS[name]):.0f}" if timing else None


def _apply_change(before: Settings, one: Change) -> Settings:
    if family := one.family:
        old = before.choices[family]
        new = Choice(one.value, old.method) if one.key in ("IP", "IP6") else Choice(old.ip, one.value)
        return structs.replace(before, choices={**before.choices, family: new})
    if one.key in ("ipipMode", "vxlanMode"):
        field = one.key.removesuffix("Mode")
        touched = (
            pool if field == "ipip" and pool.family == 6 else structs.replace(pool, **{field: one.value})
            for pool in before.pools
        )
        return structs.replace(before, pools=tuple(touched))
    if one.key == "nodeToNodeMeshEnabled":
        return structs.replace(before, mesh=one.value == "true")
    probe, _, name = one.key.partition("Probe.")
    timing = structs.replace(before.probes.get(probe, Timing()), **{_TIMINGS[name]: int(one.value)})
    return structs.replace(before, probes={**before.probes, probe: timing})


def _check_value(key: str, value: str) -> str:
    if key in ("IP", "IP6"):
        return _check_address(key, value)
    if KEYS[key] is METHODS:
        return _check_method(key, value)
    if key in _NUMBERS:
        least = 0 if key.endswith("initialDelaySeconds") else 1
        if value.isdecimal() and least <= int(value[:9]) <= _MOST:
            return value
        raise ChangeError(key, value)
    for possible in KEYS[key]:
        if possible.lower() == value.lower():
            return possible
    raise ChangeError(key, value)


def _check_method(key: str, value: str) -> str:
    if methods.read_method_kind(value) is None or (
        methods.read_method_kind(value) == methods.REACH and not methods.read_method_argument(value)
    ):
        raise ChangeError(key, value)
    try:
        methods.check_method(value)
    except (PatternError, methods.RangeError) as bad:
        raise ChangeError(key, value, str(bad)) from None
    return value


def _check_address(key: str, value: str) -> str:
    if value in ("", AUTODETECT, NONE):
        return value
    try:
        version = ip_interface(value).version
    except ValueError:
        raise ChangeError(key, value) from None
    if version != _FAMILIES[key]:
        raise ChangeError(key, value)
    return value
