"""Runs the test bed by hand: `python -m tests.e2e.bed SCENARIO` fills it and keeps it up until Ctrl-C."""

from __future__ import annotations

import signal
import sys
import time
from contextlib import suppress

from tests.e2e.bed.bed import Bed
from tests.e2e.bed.components import UnavailableError, find_components
from tests.e2e.bed.users import USERS
from tests.e2e.fill import Filler
from tests.e2e.scenarios.all import SCENARIOS


def main(arguments: list[str]) -> int:
    """Prints the scenarios, or runs one of them."""
    known = {scenario.name: scenario for scenario in SCENARIOS}
    if len(arguments) != 1 or arguments[0] not in known:
        sys.stderr.write("usage: python -m tests.e2e.bed SCENARIO\n\n")
        sys.stdout.write("".join(f"{name:32} {scenario.cause or 'healthy'}\n" for name, scenario in known.items()))
        return 64
    try:
        bed = Bed(find_components())
    except UnavailableError as reason:
        sys.stderr.write(f"{reason}\n")
        return 1
    try:
        _show(bed, arguments[0])
    finally:
        bed.close()
    return 0


def _show(bed: Bed, name: str) -> None:
    scenario = next(scenario for scenario in SCENARIOS if scenario.name == name)
    start = time.monotonic()
    Filler(bed).fill(scenario.build())
    sys.stderr.write(f"filled in {time.monotonic() - start:.2f} s; expected: {scenario.expected()}\n")
    for user in USERS:
        sys.stdout.write(f"{user.name:8} {bed.kubeconfig(user)}\n")
    sys.stdout.write(f"kubectl  {bed.components / 'kubectl'} --kubeconfig {bed.kubeconfig()}\n")
    sys.stdout.flush()
    # A plain kill ends it in the same order as Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        signal.pause()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
