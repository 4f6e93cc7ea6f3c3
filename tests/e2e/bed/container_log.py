"""The log of one run of a container: lines with the moment each was written, read the way the kubelet reads them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from msgspec import Struct, field


class LogOptions(Struct, frozen=True):
    """What `kubectl logs` can ask for."""

    tail: int | None = None
    size: int | None = None
    since: datetime | None = None
    timestamps: bool = False

    @classmethod
    def of(cls, query: Mapping[str, str]) -> LogOptions:
        """From the parameters of a request."""
        since = datetime.fromisoformat(query["sinceTime"]) if "sinceTime" in query else None
        if "sinceSeconds" in query:
            since = datetime.now(UTC) - timedelta(seconds=int(query["sinceSeconds"]))
        return cls(
            tail=int(query["tailLines"]) if "tailLines" in query else None,
            size=int(query["limitBytes"]) if "limitBytes" in query else None,
            since=since,
            timestamps=query.get("timestamps") == "true",
        )


class ContainerLog(Struct):
    """Lines in order, each with its moment in UTC."""

    lines: list[tuple[datetime, str]] = field(default_factory=list)

    def read(self, options: LogOptions) -> str:
        """The tail is counted first, then what is too old goes, then the rest is cut at its size, in a line or not."""
        lines = (
            self.lines if options.tail is None else self.lines[len(self.lines) - min(options.tail, len(self.lines)) :]
        )
        text = "".join(
            f"{_stamp(moment)} {line}\n" if options.timestamps else f"{line}\n"
            for moment, line in lines
            if options.since is None or moment >= options.since
        )
        return text if options.size is None else text.encode()[: options.size].decode("utf-8", "ignore")


def _stamp(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}000Z"
