"""Walks JSON that may be cut at either end, or hold placeholders where values belong."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression

_TOKEN = expression(r'"(?P<text>(?:[^"\\]|\\.)*)"(?P<key>\s*:)?|(?P<mark>[{}\[\]])|(?P<word>[\w.+-]+)')


def walk(text: str) -> Iterator[tuple[tuple[str, ...], str, int]]:
    """Each scalar with the keys that lead to it and the offset behind it; a place in a list has no key.

    Ends with the bracket that closes the first one, which is given as a scalar without keys;
    where the beginning is cut off, nobody knows which bracket that is, and all is walked.
    """
    whole = text.lstrip()[:1] in ("{", "[")
    keys: list[str] = []
    key = ""
    for token in _TOKEN.finditer(text):
        mark = token["mark"]
        if token["key"]:
            key = token["text"]
        elif mark and mark in "{[":
            keys.append(key)
            key = ""
        elif mark and keys:
            keys.pop()
            key = ""
            if whole and not keys:
                yield (), mark, token.end()
                return
        elif not mark:
            path = tuple(part for part in (*keys, key) if part)
            if path:
                yield path, token["text"] or token["word"] or "", token.end()
