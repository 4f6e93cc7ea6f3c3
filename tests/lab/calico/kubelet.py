"""What kubelet does on a node of the lab: runs pods from their specs, probes them, tells the API server, serves their logs."""

from __future__ import annotations

import hashlib
import os
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any
from urllib.parse import quote

from tests.e2e.bed.client import Client, RequestError
from tests.e2e.bed.kubelet import Kubelet as Answers
from tests.lab.calico import network
from tests.lab.calico.container import Container, Ended, Mount
from tests.lab.calico.control_plane import SERVICE, ControlPlane
from tests.lab.calico.inside import listen_in
from tests.lab.calico.log_server import serve
from tests.lab.calico.pod import FIRST_PAUSE, Json, Pod, Running, stamp
from tests.lab.machine import Machine

TICK = 0.5
PERIOD = 10.0
"""Seconds between two probes, as most manifests say."""
MERGE = "application/merge-patch+json"
ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"


class Kubelet:
    """Works in a thread of its own from `start` until `close`."""

    def __init__(self, machine: Machine, address: str, plane: ControlPlane) -> None:
        self.machine, self.address, self.plane = machine, address, plane
        self.client = Client(
            f"https://{plane.client._host}:{plane.client._port}", plane.certificates.ca, "token-of-admin"
        )
        self.client.timeout = 10.0
        self.pods: list[Pod] = []
        self.answers = Answers(machine.name)
        self.posts = True
        """Whether it tells the API server anything."""
        self.lock = threading.RLock()
        self._closing = threading.Event()
        self._network_ready: bool | None = None
        self._heartbeat = 0.0
        certificate = plane.certificates.issue(f"kubelet-{machine.name}", address)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*map(str, certificate))
        self.server = serve(listen_in(machine.pid, 10250), context, self.answers)
        self._thread = threading.Thread(target=self._work, daemon=True)

    def start(self) -> None:
        """Begins to look after its pods."""
        self._thread.start()

    def add(self, item: Json) -> Pod:
        """Runs a pod that the API server has for this node."""
        with self.lock:
            self.pods.append(pod := Pod.of(item))
        return pod

    def remove(self, name: str) -> None:
        """Ends a pod; its object stays."""
        with self.lock:
            for pod in [pod for pod in self.pods if pod.name == name]:
                self.pods.remove(pod)
                for running in pod.inits + pod.mains:
                    if running.current:
                        running.current.kill()
                self.answers.pods.pop((pod.namespace, pod.name), None)

    def close(self) -> None:
        """Ends with all its pods."""
        self._closing.set()
        self._thread.join(60)
        self.server.shutdown()
        self.server.server_close()
        for pod in list(self.pods):
            self.remove(pod.name)
        self.client.close()

    def _work(self) -> None:
        while not self._closing.wait(TICK):
            for pod in list(self.pods):
                with self.lock:
                    if pod in self.pods:
                        self._tend(pod)
            with _unless_told_off():
                self._tell_node()

    def _tend(self, pod: Pod) -> None:
        self._network(pod)
        if pod.sandbox and self._initialize(pod):
            for running in pod.mains:
                if pod.is_workload:
                    running.ready = True
                else:
                    self._keep_running(pod, running)
        status = pod.status(self.address)
        self.answers.pods[pod.namespace, pod.name] = {"status": status}
        told = {key: value for key, value in status.items() if key != "conditions"}
        told["are"] = [condition["status"] for condition in status["conditions"]]
        if told != pod.told and self.posts:
            with _unless_told_off():
                self.client.send("PATCH", f"{_place(pod)}/status", {"status": status}, MERGE)
                pod.told = told

    def _network(self, pod: Pod) -> None:
        if pod.sandbox or time.monotonic() < pod.retry:
            return
        pod.retry = time.monotonic() + PERIOD / 2
        outcome = network.connect(self.machine, pod.namespace, pod.name, os.urandom(32).hex())
        pod.address, pod.sandbox = outcome.address, bool(outcome.address)
        if outcome.error:
            reason = "NetworkNotReady" if outcome.error == network.NOT_READY else "FailedCreatePodSandBox"
            self._event(pod, "Warning", reason, outcome.error)

    def _initialize(self, pod: Pod) -> bool:
        """Runs the init containers one after the other; whether all are done."""
        for running in pod.inits:
            if running.current is None and running.ended and running.ended["exitCode"] == 0:
                continue
            if running.current is None:
                if time.monotonic() >= running.not_before:
                    self._run(pod, running)
            elif running.current.code is not None and running.note_end():
                running.wait_longer()
            return False
        return True

    def _keep_running(self, pod: Pod, running: Running) -> None:
        if running.current is None:
            if time.monotonic() >= running.not_before:
                self._run(pod, running)
            elif running.restarts > 1:
                self._event(
                    pod,
                    "Warning",
                    "BackOff",
                    f"Back-off restarting failed container {running.name} in pod {pod.name}_{pod.namespace}({pod.uid})",
                )
        elif running.current.code is not None:
            running.note_end()
            running.wait_longer()
        elif time.monotonic() >= running.probed + PERIOD:
            running.probed = time.monotonic()
            self._probe(pod, running)

    def _probe(self, pod: Pod, running: Running) -> None:
        assert running.current is not None
        readiness, liveness = running.spec.get("readinessProbe"), running.spec.get("livenessProbe")
        running.ready = not readiness or self._passes(pod, running, readiness, "Readiness")
        if liveness and time.time() - running.current.started.timestamp() > liveness.get("initialDelaySeconds", 0):
            passes = self._passes(pod, running, liveness, "Liveness")
            running.failures = 0 if passes else running.failures + 1
            if running.failures >= liveness.get("failureThreshold", 3):
                self._event(
                    pod, "Normal", "Killing", f"Container {running.name} failed liveness probe, will be restarted"
                )
                running.current.kill()
                running.failures = 0
                running.pause = FIRST_PAUSE

    def _passes(self, pod: Pod, running: Running, probe: Json, kind: str) -> bool:
        assert running.current is not None
        command = probe.get("exec", {}).get("command")
        if not command:
            return True
        ended = running.current.run(command, probe.get("timeoutSeconds", 1))
        if ended.code == 124:
            ended = Ended(
                124, f'command timed out: "{" ".join(command)}" timed out after {probe.get("timeoutSeconds", 1)}s'
            )
        if ended.code:
            self._event(pod, "Warning", "Unhealthy", f"{kind} probe failed: {ended.output}")
        return ended.code == 0

    def _run(self, pod: Pod, running: Running) -> None:
        spec = pod.object["spec"]
        image = str(running.spec["image"]).rpartition("/")[2].partition(":")[0]
        mounts = _mounts(running.spec, spec, self.machine)
        if account := spec.get("serviceAccountName"):
            mounts.append(Mount(self._account(pod, account), ACCOUNT))
        log = f"/var/log/pods/{pod.namespace}_{pod.name}_{pod.uid}/{running.name}/{running.restarts}.log"
        command = [*running.spec.get("command", ["start_runit"]), *running.spec.get("args", ())]
        running.current = Container(
            self.machine,
            f"{pod.name}-{running.name}",
            image,
            command,
            self._environment(running.spec),
            mounts,
            f"calivet-lab-{os.getpid()}/{self.machine.name}/kubepods-burstable-pod{pod.uid.replace('-', '_')}.slice",
            self.machine.file(log),
        )
        self.answers.logs[f"containerd://{running.current.id}"] = running.current.log
        self._event(pod, "Normal", "Started", f"Started container {running.name}")

    def _account(self, pod: Pod, account: str) -> str:
        folder = f"/var/lib/kubelet/pods/{pod.uid}/volumes/token"
        if not self.machine.file(folder).exists():
            self.machine.write(f"{folder}/token", self.plane.token(account))
            self.machine.write(f"{folder}/ca.crt", self.plane.certificates.ca.read_text("utf-8"))
            self.machine.write(f"{folder}/namespace", pod.namespace)
        return folder

    def _environment(self, spec: Json) -> dict[str, str]:
        found = {"KUBERNETES_SERVICE_HOST": SERVICE, "KUBERNETES_SERVICE_PORT": "443"}
        fields = {"spec.nodeName": self.machine.name, "status.hostIP": self.address, "status.podIP": self.address}
        for entry in spec.get("env", ()):
            source = entry.get("valueFrom", {})
            if reference := source.get("configMapKeyRef"):
                data = self.client.get(f"/api/v1/namespaces/kube-system/configmaps/{reference['name']}")["data"]
                if reference["key"] in data:
                    found[entry["name"]] = data[reference["key"]]
            elif "fieldRef" in source:
                found[entry["name"]] = fields.get(source["fieldRef"]["fieldPath"], "")
            else:
                found[entry["name"]] = entry.get("value", "")
        return found

    def _tell_node(self) -> None:
        ready = network.configuration(self.machine) is not None
        if not self.posts or (ready == self._network_ready and time.monotonic() < self._heartbeat):
            return
        self._heartbeat = time.monotonic() + 10
        condition: dict[str, Any] = {
            "type": "Ready",
            "status": "True" if ready else "False",
            "reason": "KubeletReady" if ready else "KubeletNotReady",
            "message": "kubelet is posting ready status" if ready else network.NOT_READY,
            "lastHeartbeatTime": stamp(),
        }
        if ready != self._network_ready:
            condition["lastTransitionTime"] = stamp()
        self._network_ready = ready
        strategic = "application/strategic-merge-patch+json"
        self.client.send(
            "PATCH", f"/api/v1/nodes/{self.machine.name}/status", {"status": {"conditions": [condition]}}, strategic
        )

    def _event(self, pod: Pod, kind: str, reason: str, message: str) -> None:
        """Told once, and counted from then on."""
        if not self.posts:
            return
        # What a probe prints begins with a moment, and kubelet counts such messages apart as well; some dozen is enough.
        key = hashlib.sha256(f"{pod.uid}{reason}{message}".encode()).hexdigest()[:16]
        if sum(count == 1 for count in pod.counts.values()) > 40 and key not in pod.counts:
            return
        pod.counts[key] = pod.counts.get(key, 0) + 1
        name = f"{pod.name}.{key}"
        place = f"/api/v1/namespaces/{pod.namespace}/events"
        with _unless_told_off():
            if pod.counts[key] > 1:
                update = {"count": pod.counts[key], "lastTimestamp": stamp()}
                self.client.send("PATCH", f"{place}/{quote(name)}", update, MERGE)
                return
            event = {
                "apiVersion": "v1",
                "kind": "Event",
                "metadata": {"name": name, "namespace": pod.namespace},
                "involvedObject": {
                    "kind": "Pod",
                    "namespace": pod.namespace,
                    "name": pod.name,
                    "uid": pod.uid,
                    "apiVersion": "v1",
                },
                "type": kind,
                "reason": reason,
                "message": message[:1024],
                "count": 1,
                "source": {"component": "kubelet", "host": self.machine.name},
                "firstTimestamp": stamp(),
                "lastTimestamp": stamp(),
            }
            self.client.send("POST", place, event)


@contextmanager
def _unless_told_off() -> Iterator[None]:
    """The API server may be away or ill, that is often the point; what it calls wrong is said aloud."""
    try:
        yield
    except (OSError, HTTPException):
        pass
    except RequestError as refused:
        if refused.status in {400, 422}:
            sys.stderr.write(f"{refused}\n")


def _place(pod: Pod) -> str:
    return f"/api/v1/namespaces/{pod.namespace}/pods/{pod.name}"


def _mounts(container: Json, spec: Json, machine: Machine) -> list[Mount]:
    """What the container asks for, of the pod's volumes that are paths of the machine."""
    volumes = {volume["name"]: volume.get("hostPath") for volume in spec.get("volumes", ())}
    found = []
    for mount in container.get("volumeMounts", ()):
        path = volumes.get(mount["name"])
        if path:
            source, kind = path["path"].rstrip("/") or "/", path.get("type", "")
            if kind == "FileOrCreate":
                machine.attempt("touch", source)
            else:
                machine.attempt("mkdir", "-p", source)
            found.append(Mount(source, mount["mountPath"], not mount.get("readOnly")))
    return found
