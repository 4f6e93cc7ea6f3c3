"""The kind that an object would have named, had more of it been printed than some of its values."""

from __future__ import annotations

_KINDS = (
    "BGPConfiguration BGPPeer BlockAffinity ClusterInformation DaemonSet Deployment Event FelixConfiguration"
    " GlobalNetworkPolicy HostEndpoint Installation IPAMBlock IPPool NetworkPolicy Node Pod TigeraStatus"
)
_BY_RESOURCE = {kind.lower(): kind for kind in _KINDS.split()}


def printed_kind(resource: str | None) -> str | None:
    """`IPPool` for `ippool`, in the spelling of manifests."""
    return _BY_RESOURCE.get(resource or "")
