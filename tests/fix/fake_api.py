"""An API server that is a file: what one process writes another reads, and each object has its revision."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event
from typing import Any

from calivet.fix.broker import Tools
from calivet.fix.kubectl import Call
from calivet.fix.objects import Tree, apply_patch
from calivet.live.connection import Access
from calivet.live.trouble import Trouble
from calivet.messages.message import make_verbatim

KINDS = {
    "/api/v1": [
        {"name": "configmaps", "kind": "ConfigMap", "namespaced": True},
        {"name": "secrets", "kind": "Secret", "namespaced": True},
        {"name": "pods", "kind": "Pod", "namespaced": True},
        {"name": "nodes", "kind": "Node", "namespaced": False},
    ],
    "/apis/apps/v1": [{"name": "daemonsets", "kind": "DaemonSet", "namespaced": True}],
}
FOLDERS = {"configmap": "/api/v1/namespaces/{}/configmaps", "secret": "/api/v1/namespaces/{}/secrets"}
FOLDERS |= {"daemonset": "/apis/apps/v1/namespaces/{}/daemonsets", "pod": "/api/v1/namespaces/{}/pods"}
FOLDERS |= {"node": "/api/v1/nodes"}


def trouble(status: int) -> Trouble:
    kind: Any = {404: "not-found", 403: "forbidden"}.get(status, "refused")
    return Trouble(kind, make_verbatim(f"answered {status}"), status=status)


class FakeApi:
    """Speaks as a Connection does; `before_change` may refuse a change, `after_change` may lose its answer."""

    server = "https://api.fake:6443"

    def __init__(self, file: Path) -> None:
        self.file = file
        self.denied: set[str] = set()
        self.before_change: Callable[[str, str], None] = lambda _method, _path: None
        self.after_change: Callable[[str, str], None] = lambda _method, _path: None

    def load(self) -> dict[str, Tree]:
        stored: dict[str, Tree] = json.loads(self.file.read_text("utf-8")) if self.file.exists() else {}
        return stored

    def store(self, objects: dict[str, Tree]) -> None:
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps(objects), "utf-8")
        part.replace(self.file)

    def put(self, folder: str, tree: Tree) -> None:
        """Into the store, as somebody else would."""
        objects = self.load()
        path = f"{folder}/{tree['metadata']['name']}"
        self._stamp(objects, path, tree)
        self.store(objects)

    def _stamp(self, objects: dict[str, Tree], path: str, tree: Tree) -> Tree:
        revision = 1 + max((int(one["metadata"]["resourceVersion"]) for one in objects.values()), default=0)
        uid = objects.get(path, {}).get("metadata", {}).get("uid") or f"uid-{revision}"
        objects[path] = {**tree, "metadata": {**tree["metadata"], "resourceVersion": str(revision), "uid": uid}}
        return objects[path]

    def get(self, path: str, *_: object) -> bytes:
        if path in KINDS:
            return json.dumps({"resources": KINDS[path]}).encode()
        objects = self.load()
        if path == "/api/v1/nodes":
            return json.dumps({"items": [tree for place, tree in objects.items() if "/nodes/" in place]}).encode()
        if path not in objects:
            raise trouble(404)
        return json.dumps(objects[path]).encode()

    def post(self, path: str, body: bytes) -> bytes:
        asked = json.loads(body)["spec"]["resourceAttributes"]
        return json.dumps({"status": {"allowed": asked["resource"] not in self.denied}}).encode()

    def ask_once(self, method: str, path: str, query: dict[str, str], body: bytes | None, content: str) -> bytes:
        self.before_change(method, path)
        objects = self.load()
        sent = json.loads(body) if body else {}
        answer = getattr(self, f"_{method.lower()}")(objects, path, sent)
        self.store(objects)
        self.after_change(method, path)
        return json.dumps(answer).encode()

    def _patch(self, objects: dict[str, Tree], path: str, sent: Tree) -> Tree:
        now = objects.get(path)
        if now is None:
            raise trouble(404)
        wanted = sent.get("metadata", {}).pop("resourceVersion", None)
        if wanted != now["metadata"]["resourceVersion"]:
            raise trouble(409)
        return self._stamp(objects, path, apply_patch(now, sent))

    def _post(self, objects: dict[str, Tree], path: str, sent: Tree) -> Tree:
        place = f"{path}/{sent['metadata']['name']}"
        if place in objects:
            raise trouble(409)
        return self._stamp(objects, place, sent)

    def _delete(self, objects: dict[str, Tree], path: str, sent: Tree) -> Tree:
        now = objects.get(path)
        if now is None:
            raise trouble(404)
        if sent.get("preconditions", {}).get("uid") not in (None, now["metadata"]["uid"]):
            raise trouble(409)
        del objects[path]
        return {"kind": "Status"}


class FakeTools(Tools, frozen=True):
    """With a kubectl that knows a few words."""

    def kubectl(self, arguments: Sequence[str], given: bytes) -> Call:
        words = [word for word in arguments if not word.startswith("-")]
        options = {name: arguments[place + 1] for place, name in enumerate(arguments[:-1]) if name in ("-n", "-p")}
        verb, kind, name = words[0], words[1], words[2]
        if "-n" in options and words[0] == options["-n"]:
            verb, kind, name = words[1], words[2], words[3]
        path = FOLDERS[kind].format(options.get("-n", "default")) + f"/{name}"
        try:
            tree = json.loads(self.connection.get(path))
        except Trouble as missing:
            return Call(1, b"", f"Error from server (NotFound): {missing}")
        if verb == "patch":
            tree = apply_patch(tree, json.loads(options["-p"]))
        return Call(0, json.dumps(tree).encode(), "")


def make_tools(api: FakeApi, hosts: Any, seconds: float = 60.0) -> FakeTools:
    connection: Any = api
    return FakeTools(connection, Access(), hosts, Event(), seconds)


def draw_config_map(name: str, **data: str) -> Tree:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": "kube-system"},
        "data": data,
    }


CONFIG_MAPS = FOLDERS["configmap"].format("kube-system")
