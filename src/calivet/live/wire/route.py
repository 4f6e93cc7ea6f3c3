"""The way to the API server, in words for messages: no passwords in it."""

from __future__ import annotations

from msgspec import Struct


class Route(Struct, frozen=True):
    """Which server, signed by whom, through which proxy."""

    server: str
    authority: str
    proxy: str = ""

    @property
    def way(self) -> str:
        """The server, and the proxy in front of it."""
        return f"{self.server} through proxy {self.proxy}" if self.proxy else self.server
