"""How the documentation site is built: `make docs` writes it to build/site, to be opened from disk."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "calivet"
extensions = ["myst_parser", "examples", "searching", "cause_pages"]
root_doc = "index"
exclude_patterns = ["site", "schema", "**/.*"]

myst_heading_anchors = 3

html_theme = "furo"
html_title = "calivet"
html_static_path = ["static"]
html_css_files = ["site.css"]
# The pages load nothing from elsewhere, and hold nothing that only this machine knows.
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = False
html_show_search_summary = False  # it would be fetched, which a browser refuses from disk
html_domain_indices = False
html_search_language = "en-zh"
highlight_language = "none"
pygments_style = "friendly"
pygments_dark_style = "github-dark"
