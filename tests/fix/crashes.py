"""Kills a fix at every point at which something is written, sent or run, one after another, and ends it by itself.

Run as a process of its own: python -m tests.fix.crashes FOLDER MOST STRIDE. Prints a line of JSON for each point.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from calivet.fix import journal as journals
from calivet.fix.journal import Journal, list_journals, open_journal
from calivet.fix.undo import Undo, describe_state
from tests.e2e.fixing import NoHosts
from tests.fix.drawn import HOST, LAST, OBJECTS, Drawn, begin, draw_api, dump
from tests.fix.fake_api import make_tools
from tests.fix.machines import MachineHosts
from tests.lab.machine import Machine


class Countdown:
    """Ends the process, as a power cut would, when it has been passed so often."""

    def __init__(self, left: int) -> None:
        self.left = left

    def around(self, act: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any, **named: Any) -> Any:
            self.tick()
            made = act(*arguments, **named)
            self.tick()
            return made

        return watched

    def tick(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def tear(countdown: Countdown, write: Callable[[Journal, Any], None]) -> Callable[[Journal, Any], None]:
    """A line of the journal may be written to its half."""

    def watched(self: Journal, entry: Any) -> None:
        countdown.tick()
        if countdown.left == 1:
            with (self.folder / journals.FILE).open("ab") as file:
                file.write(b'{"what":"object-done","chan')
            countdown.tick()
        write(self, entry)
        countdown.tick()

    return watched


def run_until_killed(fix: Drawn, point: int) -> bool:
    """Whether it was killed; False where it came to its end first."""
    child = os.fork()
    if child == 0:
        countdown = Countdown(point)
        Journal.write = tear(countdown, Journal.write)  # type: ignore[assignment, method-assign]
        Journal.save = countdown.around(Journal.save)  # type: ignore[method-assign]
        fix.api.ask_once = countdown.around(fix.api.ask_once)  # type: ignore[method-assign]
        fix.tools.hosts.run = countdown.around(fix.tools.hosts.run)  # type: ignore[method-assign]
        fix.run(begin())
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def end_it(fix: Drawn, name: str, *, resume: bool) -> dict[str, Any]:
    """As `--resume` or `--undo` does."""
    journal = open_journal(name)
    said = describe_state(journal)
    undo = Undo(fix.tools, journal)
    if not resume:
        return {"said": said, "state": undo.undo_all()}
    undo.settle()
    return {"said": said, "state": fix.run(journal)}


def main(folder: Path, most: int, stride: int) -> None:
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    machine = None if os.geteuid() else Machine("oak")
    for point in range(1, most + 1, stride):
        api = draw_api(folder)
        if machine:
            machine.run(
                "sh",
                "-c",
                "rm -rf /etc/forward.conf /etc/last.conf /root/forward-saved; sysctl -q -w net.ipv4.ip_forward=0",
            )
        tools = make_tools(api, MachineHosts(machine) if machine else NoHosts())
        fix = Drawn(tools, api, folder, *((OBJECTS, HOST, LAST) if machine else (OBJECTS,)))
        before, known = dump(api), set(list_journals())
        if not run_until_killed(fix, point):
            break
        made = [name for name in list_journals() if name not in known]
        ended = (
            end_it(fix, made[0], resume=point // stride % 2 == 0)
            if made
            else {"said": "as-before", "state": "as-before"}
        )
        facts = {"point": point, "same": dump(api) == before, "cured": fix.is_cured()}
        if machine:
            clean = "test ! -e /etc/forward.conf && test ! -e /etc/last.conf && test ! -e /root/forward-saved && sysctl -n net.ipv4.ip_forward"
            facts["same"] = facts["same"] and machine.attempt("sh", "-c", clean).stdout == "0\n"
        sys.stdout.write(json.dumps(facts | ended) + "\n")
        sys.stdout.flush()
    if machine:
        machine.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:4]))
