"""An incident many times over in one cluster: each copy with machines, addresses and pods of its own."""

from __future__ import annotations

import re

from tests.incidents.transform import _IPV4, _SUFFIX, Files, _hosts

_NOBODYS = (0, 127, 169, 255)
"""First parts of addresses that are the same everywhere."""
_LETTERS = "bcdfghjklmnpqrstvwxz"


def copies(files: Files, count: int) -> Files:
    """The files of all copies, each copy in a folder of its own. Names of one length keep tables in line."""
    hosts = _hosts(files)
    return {
        f"{number:03}/{name}": _copied(text, hosts, number) for number in range(count) for name, text in files.items()
    }


def _copied(text: str, hosts: list[str], number: int) -> str:
    for host in hosts:
        text = re.sub(rf"(?<![\w.-]){re.escape(host)}(?![\w-])", f"{host}x{number:03}", text, flags=re.IGNORECASE)
    first, second = divmod(number, len(_LETTERS))
    text = _SUFFIX.sub(lambda found: f"{found[1]}-{found[2][:3]}{_LETTERS[first]}{_LETTERS[second]}", text)
    return _IPV4.sub(lambda found: _moved(found, number), text)


def _moved(address: re.Match[str], number: int) -> str:
    a, b, c, d = (int(part) for part in address.groups())
    return address[0] if a in _NOBODYS else f"{a}.{b}.{100 + (c + number) % 100}.{d}"
