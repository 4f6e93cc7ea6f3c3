"""What the page may load: nothing but the style and the script that it carries, each known by its hash."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256


def policy(style: str, script: str) -> str:
    """The content security policy; a script that evidence smuggles in has another hash and does not run."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src {_source(style)}",
            f"script-src {_source(script)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
