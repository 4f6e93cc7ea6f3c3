"""kube-apiserver as kubeadm runs it, with RBAC, on a free port; it reaches kubelets through the bed's stand-in only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.e2e.bed.certificates import Certificates
from tests.e2e.bed.client import Client, RequestError
from tests.e2e.bed.process import Program, free_port

ISSUER = "https://kubernetes.default.svc.cluster.local"
SERVICE_RANGE = "10.96.0.0/12"
FLAGS = {
    "bind-address": "127.0.0.1",
    # Where the cluster's own description says its API server is: never dialled, nothing here is a real cluster.
    "advertise-address": "192.0.2.10",
    "endpoint-reconciler-type": "none",
    "service-cluster-ip-range": SERVICE_RANGE,
    "service-account-issuer": ISSUER,
    "authorization-mode": "Node,RBAC",
    "allow-privileged": "true",
    # No controllers run that would make service accounts or take taints away again.
    "disable-admission-plugins": "ServiceAccount,TaintNodesByCondition",
    # Objects can then be given an age behind its back; it stamps them itself when they are made.
    "storage-media-type": "application/json",
    "kubelet-preferred-address-types": "InternalIP,ExternalIP,Hostname",
    # Lists of nodes come straight from etcd, so that one of several pages can really outlive its snapshot.
    "watch-cache-sizes": "nodes#0",
    "profiling": "false",
    "v": "0",
}


class ApiServer:
    """One process; several may share one etcd."""

    def __init__(
        self,
        binary: Path,
        folder: Path,
        certificates: Certificates,
        etcd: str,
        kubelets: Path,
        tokens: Path,
        more: Mapping[str, str],
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.port = free_port()
        self.url = f"https://127.0.0.1:{self.port}"
        self.ca = certificates.ca
        certificate, key = certificates.issue("kube-apiserver", "127.0.0.1", "localhost")
        kubelet_certificate, kubelet_key = certificates.issue("kube-apiserver-kubelet-client")
        flags = FLAGS | {
            "etcd-servers": etcd,
            "secure-port": str(self.port),
            "cert-dir": str(folder),
            "tls-cert-file": str(certificate),
            "tls-private-key-file": str(key),
            "client-ca-file": str(certificates.ca),
            "kubelet-client-certificate": str(kubelet_certificate),
            "kubelet-client-key": str(kubelet_key),
            "service-account-key-file": str(certificates.service_accounts),
            "service-account-signing-key-file": str(certificates.service_accounts),
            "token-auth-file": str(tokens),
            "egress-selector-config-file": str(_egress(folder, kubelets)),
        }
        flags |= {name.replace("_", "-"): value for name, value in more.items()}
        command = [str(binary), *(f"--{name}={value}" for name, value in flags.items())]
        self.program = Program(command, folder.with_suffix(".log"), folder)

    def wait(self, token: str) -> None:
        """Until it is ready; /readyz also waits for the default roles."""
        client = Client(self.url, self.ca, token)

        def ready() -> bool:
            try:
                return client.text("/readyz") == "ok"
            except (OSError, RequestError):
                return False

        self.program.wait_until(ready)
        client.close()

    def kill(self) -> None:
        """As a power failure would: every connection is cut, and refused from then on."""
        self.program.kill()


def _egress(folder: Path, socket: Path) -> Path:
    """Sends whatever goes to nodes and pods to the bed's socket, so that no private address is ever dialled."""
    connection = {"proxyProtocol": "HTTPConnect", "transport": {"uds": {"udsName": str(socket)}}}
    configuration = {
        "apiVersion": "apiserver.k8s.io/v1beta1",
        "kind": "EgressSelectorConfiguration",
        "egressSelections": [{"name": "cluster", "connection": connection}],
    }
    file = folder / "egress.json"
    file.write_text(json.dumps(configuration), "utf-8")
    return file
