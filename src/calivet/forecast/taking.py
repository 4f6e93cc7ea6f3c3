"""The address that a node ends up with: found, given, or kept from before."""

from __future__ import annotations

from msgspec import Struct

from calivet.forecast import detection as came
from calivet.forecast.autodetection import autodetect
from calivet.forecast.cards import parsed
from calivet.forecast.detection import Detection, Host
from calivet.forecast.releases import Running
from calivet.forecast.settings import AUTODETECT, NONE, Choice

STORED = "stored"
"""What Calico has now."""
DETECTED, GIVEN = "detected", "given"
KEPT = "kept"
"""IP does not ask for detection, so that the stored address stays whatever the method says."""
KEPT_FOR_WANT = "kept-for-want"
"""Nothing is found, and the stored address stays until its record is lost."""
NOTHING = "nothing"
ENDS = "ends"
"""calico-node refuses the method and ends, whatever is stored."""
UNKNOWN = "unknown"

_HOST_ADDRESS = "(v1:status.hostIP)"
_PREFIX_SINCE = (3, 18, 0)


class Taken(Struct, frozen=True):
    """An address, and how the node came to it."""

    how: str
    address: str | None = None
    interface: str | None = None
    detection: Detection | None = None

    @property
    def wanting(self) -> bool:
        """Whether the node finds no address of its own."""
        return self.how in (KEPT_FOR_WANT, NOTHING, ENDS)


def taken(host: Host, stored: str | None, choice: Choice, family: int, running: Running) -> Taken:
    """What calico-node stores for this host at its next start."""
    if choice.ip == AUTODETECT or (choice.ip == "" and family == 4 and stored is None):
        return _detected(autodetect(host, choice.method, family, running), stored)
    if choice.ip in ("", NONE):
        return Taken(KEPT, stored) if stored else Taken(NOTHING)
    return _given(host, host.internal if choice.ip == _HOST_ADDRESS else choice.ip, running)


def _detected(found: Detection, stored: str | None) -> Taken:
    if not found.known:
        return Taken(UNKNOWN, detection=found)
    if found.why in (came.BAD_METHOD, came.TOO_OLD):
        return Taken(ENDS, detection=found)
    if found.address is None:
        return Taken(KEPT_FOR_WANT if stored else NOTHING, stored, detection=found)
    return Taken(DETECTED, found.address, found.interface, found)


def _given(host: Host, address: str | None, running: Running) -> Taken:
    """A bare address gets the prefix length of the card that has it."""
    own = parsed(address)
    if address is None or own is None:
        return Taken(UNKNOWN, detection=Detection(came.INTERNAL_IP_NOT_SEEN))
    held = host.listing.holder(address) if host.listing else None
    if "/" not in address and held and running.since(_PREFIX_SINCE) is not False:
        return Taken(GIVEN, str(held[1]), held[0].name)
    return Taken(GIVEN, str(own), held[0].name if held else None)
