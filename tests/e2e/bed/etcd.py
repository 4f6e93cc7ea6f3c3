"""etcd, in memory where the system has a place for that; and the two things the tests do behind the API server's back."""

from __future__ import annotations

import base64
import http.client
import json
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.e2e.bed.process import Program, free_port

MEMORY = Path("/dev/shm")
OPERATIONS = 100
"""A transaction of etcd takes at most 128."""


class Etcd:
    """One server without TLS on the loopback address."""

    def __init__(self, binary: Path, folder: Path) -> None:
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        peers = f"http://127.0.0.1:{free_port()}"
        # Nothing here outlives the tests, so nothing need be written to a disk.
        data = Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else folder, prefix="calivet-etcd-"))
        command = [str(binary), "--data-dir", str(data), "--log-level", "error"]
        command += ["--listen-client-urls", self.url, "--advertise-client-urls", self.url]
        command += ["--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers]
        command += ["--initial-cluster", f"default={peers}"]
        self.program = Program(command, folder / "etcd.log", data)

    def wait(self) -> None:
        """Until it answers."""
        self.program.wait_until(self._answers)

    def _answers(self) -> bool:
        try:
            return bool(self._ask("kv/range", {"key": _text(b"health")}))
        except OSError:
            return False

    def forget(self, keys: Iterable[str]) -> None:
        """Deletes these keys; the API server notices as it would any deletion."""
        self._in_transactions({"request_delete_range": {"key": _text(key.encode())}} for key in keys)

    def read(self, prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Every object under a prefix, as the API server stores it."""
        raw = prefix.encode()
        up_to = raw[:-1] + bytes([raw[-1] + 1])
        for pair in self._ask("kv/range", {"key": _text(raw), "range_end": _text(up_to)}).get("kvs", ()):
            yield base64.b64decode(pair["key"]).decode(), json.loads(base64.b64decode(pair["value"]))

    def write(self, objects: Iterable[tuple[str, dict[str, Any]]]) -> int:
        """Puts objects back; gives the revision that holds them all."""
        return self._in_transactions(
            {"request_put": {"key": _text(key.encode()), "value": _text(json.dumps(value).encode() + b"\n")}}
            for key, value in objects
        )

    def compact(self) -> None:
        """Forgets every revision but the last, as the API server itself has it do every five minutes."""
        revision = self.write([("/calivet/tick", {})])
        self._ask("kv/compaction", {"revision": revision, "physical": True})

    def _in_transactions(self, operations: Iterable[dict[str, Any]]) -> int:
        wanted, revision = list(operations), 0
        for start in range(0, len(wanted), OPERATIONS):
            answer = self._ask("kv/txn", {"success": wanted[start : start + OPERATIONS]})
            revision = int(answer["header"]["revision"])
        return revision

    def _ask(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        try:
            connection.request("POST", f"/v3/{path}", json.dumps(body))
            answer = connection.getresponse()
            decoded: dict[str, Any] = json.load(answer)
        finally:
            connection.close()
        if answer.status != 200:
            raise RuntimeError(f"etcd answered {answer.status}: {decoded}")
        return decoded

    def close(self) -> None:
        """Ends it, and with it goes everything it held."""
        self.program.kill()


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
