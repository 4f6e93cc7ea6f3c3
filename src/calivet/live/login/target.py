"""Where a connection goes and as whom: one context of a kubeconfig, or the service account of a pod."""

from __future__ import annotations

from msgspec import Struct

from calivet.live.login.kubeconfig_shape import Cluster, Discreet, User


class Target(Discreet, Struct):
    """The two halves of a context, each with words that say where it is written."""

    context: str | None
    cluster: Cluster
    cluster_place: str
    user: User
    user_place: str
