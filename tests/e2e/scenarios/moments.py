"""Moments before now, and how Kubernetes writes them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def ago(*, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0) -> datetime:
    """So long before now."""
    return datetime.now(UTC) - timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)


def written(moment: datetime) -> str:
    """As the API server writes it."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
