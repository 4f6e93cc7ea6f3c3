"""Takes the message out of lines that are JSON objects of a container runtime or a log shipper."""

from __future__ import annotations

from typing import Any

import msgspec

SAMPLE = 50
# A logger of its own says `msg` and `level`; a shipper wraps the line as it was and adds where it came from.
SHIPPER_KEYS = frozenset(
    (
        "stream time @timestamp kubernetes docker agent tag logtag _p input source source_type host ecs"
        " fluentd container_id container_name pod pod_name file cluster"
    ).split()
)


def open_envelopes(lines: list[str]) -> list[str] | None:
    """The lines' messages, where all lines are envelopes; a broken one stays as it is."""
    sample = [line for line in lines[: 2 * SAMPLE] if line.strip()][:SAMPLE]
    if not sample or not sample[0].lstrip().startswith("{"):
        return None
    if sum(_message(line) is not None for line in sample) < 0.9 * len(sample):
        return None
    return [line if (message := _message(line)) is None else message for line in lines]


def _message(line: str) -> str | None:
    try:
        envelope: Any = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
    if not isinstance(envelope, dict) or envelope.keys().isdisjoint(SHIPPER_KEYS):
        return None
    message = envelope.get("log", envelope.get("message"))
    if isinstance(message, dict):
        message = message.get("message")
    return " ".join(message.splitlines()) if isinstance(message, str) else None
