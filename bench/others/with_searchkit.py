"""Searches logs for patterns with searchkit, on all cores: `python with_searchkit.py PATTERNS FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from searchkit import FileSearcher, SearchDef

patterns = Path(sys.argv[1]).read_text("utf-8").splitlines()
searcher = FileSearcher()
for log in sorted(Path(sys.argv[2]).rglob("*.log")):
    for number, pattern in enumerate(patterns):
        # It matches from the beginning of a line.
        searcher.add(SearchDef(f"(?i).*(?:{pattern})", tag=str(number)), str(log))
print(len(searcher.run()))
