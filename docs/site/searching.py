"""Search in English and Chinese: Chinese has no blanks, so every two characters that stand together are a word."""

from __future__ import annotations

import re
from itertools import pairwise

from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

PARTS = re.compile(r"[\u4e00-\u9fff]+|[^\W\u4e00-\u9fff]+")


class Both(SearchEnglish):
    """The same words in the index and in what is typed."""

    lang = "en-zh"
    language_name = "English"  # by which the script finds its stemmer
    js_splitter_code = r"""
var splitQuery = (query) =>
  (query.match(/[\u4e00-\u9fff]+|[\p{L}\p{N}_]+?(?=[\u4e00-\u9fff]|[^\p{L}\p{N}_]|$)/gu) || []).flatMap((part) =>
    /[\u4e00-\u9fff]{2}/.test(part) ? [...part].slice(1).map((one, index) => [...part][index] + one) : [part]);
"""

    def split(self, input: str) -> list[str]:  # noqa: A002 - Sphinx' name
        """Words, and pairs of Chinese characters."""
        return [word for part in PARTS.findall(input) for word in _words(part)]


def _words(part: str) -> list[str]:
    if part[0] < "\u4e00" or len(part) == 1:
        return [part]
    return ["".join(pair) for pair in pairwise(part)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls it."""
    app.add_search_language(Both)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
