"""The words themselves, a file for each part of calivet; a file is loaded when its first word is needed."""

from __future__ import annotations

FILES = {
    "activity": "reasoning",
    "advice": "reasoning",
    "archive": "evidence",
    "aside": "reasoning",
    "catalogue": "cli",
    "cli": "cli",
    "connection": "live",
    "doubt": "reasoning",
    "drawing": "drawing",
    "engine": "cli",
    "evidence": "evidence",
    "fix": "fix",
    "forecast": "forecast",
    "general": "report",
    "help": "help",
    "kubeconfig": "live",
    "need": "live",
    "node": "live",
    "outside": "reasoning",
    "page": "report",
    "part": "reasoning",
    "preflight": "preflight",
    "prometheus": "report",
    "punctuation": "report",
    "reason": "preflight",
    "report": "report",
    "requirement": "preflight",
    "summary": "reasoning",
    "unseen": "reasoning",
    "usage": "cli",
}
"""By area the file with its words: there the table has the name of the area, in capitals."""
