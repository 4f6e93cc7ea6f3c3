"""etcd and a real API server on the lab's own network, where the nodes reach it as they would any."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.e2e.bed.certificates import Certificates
from tests.e2e.bed.client import Client, RequestError
from tests.e2e.bed.etcd import Etcd
from tests.e2e.bed.kubeconfig import token_user, write_kubeconfig
from tests.e2e.bed.process import Program
from tests.e2e.bed.users import ADMIN, User, write_tokens
from tests.lab.plan import GATEWAY

SERVICE = "10.96.0.1"
"""The address of the API server as pods know it."""
PORT = 6443
URL = f"https://{GATEWAY}:{PORT}"
PROXY = User("system:kube-proxy", "system:node-proxier")
ISSUER = "https://kubernetes.default.svc.cluster.local"
FLAGS = {
    "bind-address": "0.0.0.0",
    "advertise-address": GATEWAY,
    "secure-port": str(PORT),
    "service-cluster-ip-range": "10.96.0.0/12",
    "service-account-issuer": ISSUER,
    "authorization-mode": "Node,RBAC",
    "allow-privileged": "true",
    # No controllers run that would make service accounts or take taints away again.
    "disable-admission-plugins": "ServiceAccount,TaintNodesByCondition",
    "kubelet-preferred-address-types": "InternalIP",
    "storage-media-type": "application/json",
    "profiling": "false",
    "v": "0",
}


class ControlPlane:
    """Runs from its making until `close`."""

    def __init__(self, components: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="calivet-lab-"))
        self._components = components
        with ExitStack() as closing:
            closing.callback(shutil.rmtree, self.folder, ignore_errors=True)
            self.certificates = Certificates(self.folder)
            self.etcd = Etcd(components / "etcd", self.folder)
            closing.callback(self.etcd.close)
            self.etcd.wait()
            self.start()
            closing.callback(self.program.kill)
            self.client = Client(URL, self.certificates.ca, ADMIN.token)
            self.kubeconfig = self.write_kubeconfig(ADMIN)
            self._closing = closing.pop_all()

    def start(self) -> None:
        """Starts the API server, also again after it was killed."""
        made = self.certificates
        certificate, key = made.issue("kube-apiserver", GATEWAY, SERVICE, "127.0.0.1", "kubernetes.default.svc")
        kubelet_certificate, kubelet_key = made.issue("kube-apiserver-kubelet-client", groups="system:masters")
        folder = self.folder / "apiserver"
        folder.mkdir(exist_ok=True)
        flags = FLAGS | {
            "etcd-servers": self.etcd.url,
            "cert-dir": str(folder),
            "tls-cert-file": str(certificate),
            "tls-private-key-file": str(key),
            "client-ca-file": str(made.ca),
            "kubelet-client-certificate": str(kubelet_certificate),
            "kubelet-client-key": str(kubelet_key),
            "service-account-key-file": str(made.service_accounts),
            "service-account-signing-key-file": str(made.service_accounts),
            "token-auth-file": str(write_tokens(self.folder / "tokens.csv", (ADMIN, PROXY))),
        }
        command = [str(self._components / "kube-apiserver"), *(f"--{name}={value}" for name, value in flags.items())]
        self.program = Program(command, self.folder / "apiserver.log", folder)
        asking = Client(URL, made.ca, ADMIN.token)

        def ready() -> bool:
            try:
                return asking.text("/readyz") == "ok"
            except (OSError, RequestError):
                return False

        self.program.wait_until(ready)
        asking.close()

    def write_kubeconfig(self, user: User) -> Path:
        """For one of its users."""
        file = self.folder / f"{user.name.replace(':', '-')}.kubeconfig"
        return write_kubeconfig(file, URL, self.certificates.ca, token_user(user.token), context="lab")

    def kubectl(self, *arguments: str, text: str | None = None) -> str:
        """As somebody would type it who is asked to break something."""
        command = [str(self._components / "kubectl"), "--kubeconfig", str(self.kubeconfig), *arguments]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=120)
        if done.returncode:
            raise RuntimeError(f"kubectl {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def token(self, account: str) -> str:
        """For a service account of kube-system."""
        answer = self.client.send(
            "POST",
            f"/api/v1/namespaces/kube-system/serviceaccounts/{account}/token",
            {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 86400}},
        )
        found: str = answer["status"]["token"]
        return found

    def create(self, item: dict[str, Any]) -> dict[str, Any]:
        """Posts an object to where its kind lives; once more where its kind is not yet served."""
        for attempt in range(100):
            try:
                return self.client.send("POST", place_of(item), item)
            except RequestError as refused:
                if refused.status not in {404, 503} or attempt == 99:
                    raise
            time.sleep(0.2)
        raise AssertionError

    def close(self) -> None:
        """Ends both, and removes every file."""
        self.client.close()
        self._closing.close()


def place_of(item: dict[str, Any]) -> str:
    """The path of the list that an object belongs to."""
    version, kind = item["apiVersion"], item["kind"]
    base = f"/api/{version}" if "/" not in version else f"/apis/{version}"
    namespace = item["metadata"].get("namespace")
    inside = f"/namespaces/{namespace}" if namespace else ""
    plural = kind.lower().replace("policy", "policie").replace("status", "statuse") + "s"
    return f"{base}{inside}/{plural}"
