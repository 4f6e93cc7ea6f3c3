"""The whole test bed: etcd, an API server, the kubelets' stand-in, users; and kubeconfigs to reach it with."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.e2e.bed.apiserver import ApiServer
from tests.e2e.bed.certificates import Certificates
from tests.e2e.bed.client import Client
from tests.e2e.bed.etcd import Etcd
from tests.e2e.bed.injector import Injector
from tests.e2e.bed.kubeconfig import token_user, write_kubeconfig
from tests.e2e.bed.kubelet_gate import KubeletGate
from tests.e2e.bed.users import ADMIN, RBAC, User, roles, write_tokens


class Bed:
    """Runs from its making until `close`."""

    def __init__(self, components: Path) -> None:
        # A short path: that of a unix socket may have no more than about a hundred characters.
        self.folder = Path(tempfile.mkdtemp(prefix="calivet-bed-"))
        self.components = components
        with ExitStack() as undoing:
            undoing.callback(shutil.rmtree, self.folder, ignore_errors=True)
            self.certificates = Certificates(self.folder)
            self.tokens = write_tokens(self.folder / "tokens.csv")
            served_with = self.certificates.issue("kubelet", "kubelet.test")
            self.kubelets = KubeletGate(self.folder / "kubelets.sock", served_with)
            undoing.callback(self.kubelets.close)
            self.etcd = Etcd(components / "etcd", self.folder)
            undoing.callback(self.etcd.close)
            self.etcd.wait()
            self.apiserver = self.another_apiserver("apiserver")
            undoing.callback(self.apiserver.kill)
            self.injector = Injector(self.certificates, self.apiserver.url)
            undoing.callback(self.injector.close)
            self.client = Client(self.apiserver.url, self.certificates.ca, ADMIN.token)
            undoing.callback(self.client.close)
            for kind, role in roles():
                self.client.send("POST", f"/apis/{RBAC}/v1/{kind}", role)
            self._undoing = undoing.pop_all()

    def another_apiserver(self, name: str, etcd: str | None = None, **flags: str) -> ApiServer:
        """An API server over the same etcd, reached on another way perhaps, that may be killed without harm to the others."""
        server = ApiServer(
            self.components / "kube-apiserver",
            self.folder / name,
            self.certificates,
            etcd or self.etcd.url,
            self.kubelets.path,
            self.tokens,
            flags,
        )
        server.wait(ADMIN.token)
        return server

    def kubeconfig(self, user: User = ADMIN, *, server: str | None = None) -> Path:
        """For one of the users; `server` where it is not the API server itself."""
        return self.write_kubeconfig(user.name, token_user(user.token), server=server)

    def write_kubeconfig(
        self, name: str, user: dict[str, Any], *, server: str | None = None, ca: Path | None = None
    ) -> Path:
        """For any credentials and any authority."""
        url = server or self.apiserver.url
        return write_kubeconfig(
            self.folder / f"{name}-{url.rpartition(':')[2]}.kubeconfig", url, ca or self.certificates.ca, user
        )

    def close(self) -> None:
        """Ends every process and removes every file."""
        self._undoing.close()
