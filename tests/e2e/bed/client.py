"""Plain HTTP to an API server: what the bed's own tests and the filling need, and nothing of what is tested here."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


class RequestError(Exception):
    """An answer that is not a success."""

    def __init__(self, method: str, path: str, status: int, body: str) -> None:
        super().__init__(f"{method} {path}: {status} {body[:600]}")
        self.status = status
        self.body = body


class Client:
    """One user at one server; each thread has a connection of its own."""

    def __init__(
        self, url: str, ca: Path, token: str | None = None, certificate: tuple[Path, Path] | None = None
    ) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port or 443
        self._context = ssl.create_default_context(cafile=str(ca))
        if certificate:
            self._context.load_cert_chain(*map(str, certificate))
        self.timeout = 60.0
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._threads = threading.local()
        self._connections: list[http.client.HTTPSConnection] = []

    def request(
        self, method: str, path: str, body: object = None, content: str = "application/json"
    ) -> tuple[int, bytes]:
        """Status and body."""
        payload = None if body is None else json.dumps(body).encode()
        headers = self._headers | ({"Content-Type": content} if payload else {})
        connection = self._connection()
        try:
            answer = self._exchange(connection, method, path, payload, headers)
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            raise

    def _exchange(
        self,
        connection: http.client.HTTPSConnection,
        method: str,
        path: str,
        body: bytes | None,
        headers: dict[str, str],
    ) -> http.client.HTTPResponse:
        """Once more on a new connection where the server has closed the old one in the meantime."""
        if connection.sock:
            try:
                connection.request(method, path, body, headers)
                return connection.getresponse()
            except (ConnectionError, ssl.SSLEOFError):
                connection.close()
        connection.request(method, path, body, headers)
        return connection.getresponse()

    def _connection(self) -> http.client.HTTPSConnection:
        connection: http.client.HTTPSConnection | None = getattr(self._threads, "connection", None)
        if connection is None:
            connection = http.client.HTTPSConnection(
                self._host, self._port, context=self._context, timeout=self.timeout
            )
            self._threads.connection = connection
            self._connections.append(connection)
        return connection

    def text(self, path: str) -> str:
        """The body of a GET; anything but 200 is raised."""
        status, body = self.request("GET", path)
        if status != 200:
            raise RequestError("GET", path, status, body.decode("utf-8", "replace"))
        return body.decode("utf-8", "replace")

    def get(self, path: str) -> dict[str, Any]:
        """An object or a list."""
        decoded: dict[str, Any] = json.loads(self.text(path))
        return decoded

    def send(self, method: str, path: str, body: object, content: str = "application/json") -> dict[str, Any]:
        """POST, PUT, PATCH or DELETE; anything but success is raised."""
        status, answer = self.request(method, path, body, content)
        if status >= 300:
            raise RequestError(method, path, status, answer.decode("utf-8", "replace"))
        decoded: dict[str, Any] = json.loads(answer)
        return decoded

    def close(self) -> None:
        """Closes the connections of all threads."""
        for connection in self._connections:
            connection.close()
