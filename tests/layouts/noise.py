"""What real archives hold besides: other programs' files by the hundred, empty ones, binaries, complaints of the collector."""

from __future__ import annotations

import gzip

from tests.layouts.printing import Files

BINARY = bytes(range(256)) * 40
COMPLAINT = b"Error from server (NotFound): the server could not find the requested resource\n"


def noise(root: str, folder: str, count: int = 150) -> Files:
    """Files of no concern below one folder of the archive."""
    made: Files = {}
    for number in range(count):
        name = f"{root}{folder}/shelf-{number % 12}/item-{number}"
        made |= {
            f"{name}.conf": f'[store]\nslot = {number}\nlabel = "crate {number}"\n'.encode(),
            f"{name}.log": b"".join(
                b"2025-03-11T10:%02d:00Z INFO counted crates in aisle %d\n" % (minute, number) for minute in range(30)
            ),
        }
        if number % 5 == 0:
            made[f"{name}.txt"] = b""
        if number % 11 == 0:
            made[f"{name}.bin"] = BINARY
        if number % 17 == 0:
            made[f"{name}.err"] = COMPLAINT
    made[f"{root}{folder}/rotated.log.1.gz"] = gzip.compress(b"2025-03-10T10:00:00Z INFO counted crates\n" * 50)
    return made
