"""The lines of one program through one day, with all that makes them differ from each other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import count
from random import Random

from bench.templates import Program

NODE, DAY = "mill-0000", date(2025, 5, 10)
"""Where and when all of it happens, until it is put elsewhere."""
_WORKLOADS, STAY = 600, 5
"""So many pods, and so many lines in a row about one of them."""
_SECONDS = [f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}" for second in range(86_400)]


def lines(program: Program, size: int, one_in: int, *, new_in: int | None = None) -> Iterator[str]:
    """Lines through one day, of one pod after another; each draws its numbers and times anew.

    With a number of lines in which a new pod comes, none comes again: a day of short jobs, full of identifiers never
    seen before.
    """
    random = Random(program.name)
    workloads = [_workload(random) for _ in range(_WORKLOADS)]
    made = 0
    for number in count():
        if not number % (new_in or STAY):
            workload = _workload(random) if new_in else random.choice(workloads)
        shape = random.choice(program.ordinary if number % one_in else program.telling)
        line = shape % (workload | _moment(random, made / size))
        yield line
        made += len(line)
        if made >= size:
            return


def _moment(random: Random, share: float) -> dict[str, str]:
    drawn = random.getrandbits(64)
    micro = f"{drawn % 1_000_000:06}"
    return {
        "clock": _SECONDS[min(int(share * 86_400), 86_399)],
        "micro": micro,
        "milli": micro[:3],
        "number": str(1000 + (drawn >> 20) % 9000),
        "small": str(drawn >> 40 & 63),
    }


def _workload(random: Random) -> dict[str, str]:
    """A pod, its place in the network and a peer of its node; all of one cluster."""
    letters, digits = "bcdfghjklmnpqrstvwxz2456789", "0123456789abcdef"
    drawn = "".join(random.choices(digits, k=96))
    suffix = "".join(random.choices(letters, k=5))
    app = random.choice(("cart", "search", "ledger", "mailer", "thumbs", "gateway", "stock", "invoice"))
    host, third, last = random.randrange(2, 250), random.randrange(256), random.randrange(1, 255)
    return {
        "node": NODE,
        "peer": f"172_24_{third % 4}_{host}",
        "gateway": f"172.24.{third % 4}.{host}",
        "block": f"10.44.{third}.{last // 64 * 64}",
        "address": f"10.44.{third}.{last}",
        "namespace": random.choice(("shop", "billing", "media", "platform", "observability", "kube-system")),
        "pod": f"{app}-{drawn[:10]}-{suffix}",
        "suffix": suffix,
        "uid": f"{drawn[:8]}-{drawn[8:12]}-4{drawn[12:15]}-9{drawn[15:18]}-{drawn[18:30]}",
        "container": drawn[32:],
        "interface": f"cali{drawn[:11]}",
        "mac": ":".join(drawn[at : at + 2] for at in range(0, 12, 2)),
        "address6": f"fd00:44:{drawn[30:34]}:{drawn[34:38]}::{drawn[38:42]}",
    }
