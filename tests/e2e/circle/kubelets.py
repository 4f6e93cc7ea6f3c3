"""What kubelets and calico-node do on a cluster whose machines exist on paper: pods that the controller makes get a node,
and fare there as calico-node would with the settings that the API server holds at that moment."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tests.e2e.bed.bed import Bed
from tests.e2e.bed.client import RequestError
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.pod import Pod

PAUSE = 0.25


class Kubelets:
    """Of all nodes, in a thread of their own."""

    def __init__(self, bed: Bed, show: Callable[[], Cluster]) -> None:
        self._bed = bed
        self._show = show
        """What the cluster shows with the settings it has now."""
        self._ending = threading.Event()
        self._rounds = threading.Condition()
        self._quiet = 0
        """Rounds in a row in which nothing had to be done."""
        self._reported: dict[str, int] = {}
        """By the uid of a pod, what it was last said to fare like."""
        self.failure: Exception | None = None
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def wait_until_quiet(self, rounds: int = 3, patience: float = 150.0) -> None:
        """Until all pods are there and fare as they should.

        A controller whose pods were refused waits twice as long each time before it tries again.
        """
        with self._rounds:
            self._quiet = 0
            settled = self._rounds.wait_for(lambda: self.failure or self._quiet >= rounds, patience)
        if self.failure:
            raise self.failure
        assert settled, "the pods of calico-node do not come to rest"

    def close(self) -> None:
        """They do nothing more."""
        self._ending.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._ending.wait(PAUSE):
            try:
                changed = self._go_round()
            except Exception as failure:  # noqa: BLE001 - whoever waits is told
                self.failure = failure
                changed = True
            with self._rounds:
                self._quiet = 0 if changed else self._quiet + 1
                self._rounds.notify_all()
            if self.failure:
                return

    def _go_round(self) -> bool:
        """Gives whether anything had to be done."""
        paper = self._show()
        pods = self._get("/api/v1/pods")
        changed = [self._serve(paper, pod) for pod in pods]
        self._bed.kubelets.kubelets = paper.kubelets()
        self._report_nodes(paper)
        wanted = sum(_is_made(paper, pod) for pod in paper.pods)
        complete = self._is_rolled_out() and wanted == sum(map(_is_of_daemonset, pods))
        return any(changed) or not complete or self._replace_events(paper)

    def _is_rolled_out(self) -> bool:
        """Whether the controller has seen every DaemonSet as it is now, and has replaced all pods of older revisions, or
        waits: it takes no further pod while a new one is not ready."""
        states = [(one["metadata"]["generation"], one["status"]) for one in self._get("/apis/apps/v1/daemonsets")]
        return all(
            state.get("observedGeneration") == generation
            and (
                state.get("updatedNumberScheduled", 0) == state["currentNumberScheduled"]
                or state.get("numberUnavailable", 0) > 0
            )
            for generation, state in states
        )

    def _get(self, path: str) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self._bed.client.get(path)["items"]
        return items

    def _serve(self, paper: Cluster, pod: dict[str, Any]) -> bool:
        about, node = pod["metadata"], pod["spec"].get("nodeName")
        path = f"/api/v1/namespaces/{about['namespace']}/pods/{about['name']}"
        if "deletionTimestamp" in about:
            self._try("DELETE", path, {"gracePeriodSeconds": 0})
            return True
        if not node:
            target = {"apiVersion": "v1", "kind": "Node", "name": _choose_node(pod)}
            self._try("POST", f"{path}/binding", {"metadata": {"name": about["name"]}, "target": target})
            return True
        own = _find_on_paper(paper, pod)
        if not own:
            return False
        _rename(paper, own, about["name"])
        if self._reported.get(about["uid"]) == id(paper):
            return False
        if self._try("PUT", f"{path}/status", pod | {"status": own.status() | {"qosClass": pod["status"]["qosClass"]}}):
            self._reported[about["uid"]] = id(paper)
        return True

    def _report_nodes(self, paper: Cluster) -> None:
        """Their conditions; what else a node's record holds is not the kubelet's."""
        for node in paper.nodes.values():
            path = f"/api/v1/nodes/{node.name}"
            with suppress(RequestError):
                held = self._bed.client.get(path)
                if _conditions(held) != _conditions(node.object()):
                    self._try("PUT", f"{path}/status", held | {"status": node.object()["status"]})

    def _replace_events(self, paper: Cluster) -> bool:
        """Only those that there are now; events that controllers send are theirs."""
        wanted = {one["metadata"]["name"]: one for one in paper.events}
        held = {one["metadata"]["name"] for one in self._get("/api/v1/events") if _is_ours(one)}
        for name in held - wanted.keys():
            self._bed.etcd.forget([key for key, _ in self._bed.etcd.read("/registry/events/") if key.endswith(name)])
        for name in wanted.keys() - held:
            one = wanted[name]
            self._try("POST", f"/api/v1/namespaces/{one['metadata']['namespace']}/events", one)
        return held != wanted.keys()

    def _try(self, method: str, path: str, body: object) -> bool:
        """What somebody else changed or deleted in the meantime is done in the next round."""
        try:
            self._bed.client.send(method, path, body)
        except RequestError as error:
            if error.status not in {404, 409}:
                raise
            return False
        return True


def _is_of_daemonset(pod: dict[str, Any]) -> bool:
    return any(owner["kind"] == "DaemonSet" for owner in pod["metadata"].get("ownerReferences", ()))


def _is_made(paper: Cluster, pod: Pod) -> bool:
    """Whether a controller makes it."""
    return any(pod.template is paper.workloads[name]["spec"]["template"] for name in paper.controlled)


def _find_on_paper(paper: Cluster, pod: dict[str, Any]) -> Pod | None:
    """How it fares: those that a controller makes are told by their node."""
    about, node = pod["metadata"], pod["spec"]["nodeName"]
    if _is_of_daemonset(pod):
        made = paper.pods_of(about["ownerReferences"][0]["name"])
        return next((one for one in made if one.node == node), None)
    return next((one for one in paper.pods if one.name == about["name"]), None)


def _choose_node(pod: dict[str, Any]) -> str:
    """The one that the controller made it for."""
    terms = pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    name: str = terms["nodeSelectorTerms"][0]["matchFields"][0]["values"][0]
    return name


def _rename(paper: Cluster, pod: Pod, name: str) -> None:
    """Names the pod on paper as the controller did, also in the events that tell of it."""
    if pod.name != name:
        paper.events = json.loads(json.dumps(paper.events).replace(pod.name, name))
        pod.name = name


def _conditions(node: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {one["type"]: (one["status"], one["reason"]) for one in node["status"]["conditions"]}


def _is_ours(event: dict[str, Any]) -> bool:
    return bool(event.get("source", {}).get("component") != "daemonset-controller")
