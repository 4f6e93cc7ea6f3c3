"""The words themselves, a file for each part of calivet; a file is loaded when its first word is needed."""

from __future__ import annotations

FILES = {
    "archive": "evidence",
    "catalogue": "cli",
    "cli": "cli",
    "connection": "live",
    "drawing": "drawing",
    "engine": "cli",
    "evidence": "evidence",
    "fix": "fix",
    "forecast": "forecast",
    "general": "report",
    "help": "help",
    "kubeconfig": "live",
    "node": "live",
    "page": "report",
    "preflight": "preflight",
    "prometheus": "report",
    "punctuation": "report",
    "reason": "preflight",
    "report": "report",
    "requirement": "preflight",
    "usage": "cli",
}
"""By area the file with its words: there the table has the name of the area, in capitals."""
