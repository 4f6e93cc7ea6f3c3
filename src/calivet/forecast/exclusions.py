"""The interfaces that first-found and skip-interface pass over by default, release by release."""

from __future__ import annotations

from calivet.forecast.releases import Release, Running

_NAMES = "docker.* cbr.* dummy.* virbr.* lxcbr.* veth.* lo cali.* tunl.* flannel.* kube-ipvs.*".split()
_WITH_BRIDGE = (*_NAMES, "cni.*")
# Without an anchor `lo` also fits wlo1, and `cali.*` fits vxlan.calico: that ended with these releases.
_ANCHORED = tuple(f"^{name}" for name in _WITH_BRIDGE)
_WITH_TUNNELS = (*_ANCHORED, r"^vxlan\.calico.*", r"^vxlan-v6\.calico.*", r"^wireguard\.cali.*", r"^wg-v6\.cali.*")
_WITH_NAMESERVER = (*_WITH_TUNNELS, "^nodelocaldns.*")
_LATEST = (*_WITH_NAMESERVER, "^podman.*", "^br-.*")

# The last release of each stretch; 3.23 was mended while 3.24 was already out, so the two lines cross.
_STRETCHES: tuple[tuple[Release, tuple[str, ...]], ...] = (
    ((3, 14, 99), tuple(_NAMES)),
    ((3, 23, 3), _WITH_BRIDGE),
    ((3, 23, 4), _ANCHORED),
    ((3, 23, 99), _WITH_TUNNELS),
    ((3, 24, 2), _WITH_BRIDGE),
    ((3, 24, 3), _ANCHORED),
    ((3, 24, 5), _WITH_TUNNELS),
    ((3, 24, 99), _WITH_NAMESERVER),
)


def excluded(running: Running) -> tuple[str, ...]:
    """The default expressions of this release; of a range of releases those of its newest one."""
    return next((names for last, names in _STRETCHES if running.most <= last), _LATEST)
