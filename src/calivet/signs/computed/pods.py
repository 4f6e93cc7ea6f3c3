"""Signs in the states of pods."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.kubernetes import Pod
from calivet.facts.picture import Picture, is_sick
from calivet.signs.sighting import Sighting

_NOT_CREATED = (
    "Pending",
    "ContainerCreating",
    "CreateContainerError",
    "CreateContainerConfigError",
    "ErrImagePull",
    "ImagePullBackOff",
    "InvalidImageName",
    "Init:ErrImagePull",
    "Init:ImagePullBackOff",
    "Init:CreateContainerError",
    "Evicted",
)


def _pod_sighting(pod: Pod) -> Sighting:
    return Sighting(
        line=pod.at, node=pod.node, values={"pod": pod.name, "status": pod.status or "", "node": pod.node or ""}
    )


def calico_node_in_init(picture: Picture) -> Iterator[Sighting]:
    """A calico-node pod that has not got past its init containers."""
    for pod in picture.pods("calico-node"):
        if (pod.status or "").startswith(("Init:", "PodInitializing")):
            yield _pod_sighting(pod)


def calico_node_crash_loop(picture: Picture) -> Iterator[Sighting]:
    """A calico-node pod that starts and ends again and again."""
    for pod in picture.pods("calico-node"):
        if pod.status in ("CrashLoopBackOff", "Error", "Init:CrashLoopBackOff", "Init:Error", "RunContainerError"):
            yield _pod_sighting(pod)


def calico_node_not_ready(picture: Picture) -> Iterator[Sighting]:
    """A calico-node pod that runs but is not ready."""
    for pod in picture.pods("calico-node"):
        if pod.status == "Running" and is_sick(pod):
            yield _pod_sighting(pod)


def pods_without_address(picture: Picture) -> Iterator[Sighting]:
    """Pods of others that wait for their network."""
    for pod in picture.all(Pod):
        if pod.status in ("ContainerCreating", "Pending") and pod.node and picture.role(pod) != "calico-node":
            yield _pod_sighting(pod)


def calico_node_not_created(picture: Picture) -> Iterator[Sighting]:
    """A calico-node pod none of whose containers has run."""
    for pod in picture.pods("calico-node"):
        if pod.status in _NOT_CREATED:
            yield _pod_sighting(pod)


def kube_controllers_sick(picture: Picture) -> Iterator[Sighting]:
    """calico-kube-controllers in a bad state."""
    for pod in picture.pods("kube-controllers"):
        if is_sick(pod):
            yield _pod_sighting(pod)


def dns_not_ready(picture: Picture) -> Iterator[Sighting]:
    """Cluster DNS pods in a bad state."""
    for pod in picture.pods("dns"):
        if is_sick(pod):
            yield _pod_sighting(pod)


SIGNS = {
    "calico-node-not-created": calico_node_not_created,
    "kube-controllers-sick": kube_controllers_sick,
    "dns-not-ready": dns_not_ready,
    "calico-node-in-init": calico_node_in_init,
    "calico-node-crash-loop": calico_node_crash_loop,
    "calico-node-not-ready": calico_node_not_ready,
    "pods-without-address": pods_without_address,
}
