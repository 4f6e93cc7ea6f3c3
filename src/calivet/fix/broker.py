"""What becomes of each call that a command makes: reads go through, changes are shown, made, or refused."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from threading import Event

from msgspec import Struct

from calivet.fix.changes import Change, Changer, WorldChangedError, is_as_shown, prepare_change
from calivet.fix.commands import does_change
from calivet.fix.hosts import Answer, Hosts
from calivet.fix.kubectl import WAITS as KUBECTL_WAITS
from calivet.fix.kubectl import (
    Call,
    KubectlError,
    Wanted,
    check_options,
    encode_wanted,
    find_verb,
    find_wanted,
    is_reading,
)
from calivet.fix.objects import Discovery, Ref
from calivet.live.connection import Access, Connection
from calivet.messages.message import MessageError, message
from calivet.node.process import Bounds, run

MOST_OUTPUT = 128 << 20
EVICTION_PAUSE = 5.0
"""Seconds between tries where a PodDisruptionBudget does not let a pod go yet."""


class Tools(Struct, frozen=True):
    """What everything here works with."""

    connection: Connection
    access: Access
    hosts: Hosts
    interrupted: Event
    seconds: float
    """For one step."""

    def kubectl(self, arguments: Sequence[str], given: bytes) -> Call:
        """The real one, as the same user of the same cluster."""
        program = shutil.which("kubectl") or shutil.which("oc")
        if program is None:
            raise KubectlError(message("fix.kubectl.missing"))
        command = [program, *_name_cluster(self.access), *arguments]
        ended = run(command, given, Bounds(time.monotonic() + self.seconds, MOST_OUTPUT), self.interrupted)
        return Call(ended.code, ended.out, ended.errors)


def _name_cluster(access: Access) -> list[str]:
    told = [("--kubeconfig", access.kubeconfig), ("--context", access.context), ("--as", access.impersonate)]
    flags = [f"{name}={value}" for name, value in told if value]
    return [*flags, *(f"--as-group={group}" for group in access.groups)]


class HostCommand(Struct, frozen=True):
    """What would run on a machine."""

    node: str
    script: str
    given: bytes = b""
    """On its standard input."""


class Broker:
    """Reads go through; whatever else is asked is refused. The others build on it."""

    def __init__(self, tools: Tools) -> None:
        self.tools = tools
        self.discovery = Discovery(tools.connection)
        self.failure: MessageError | None = None

    def handle(self, program: str, arguments: list[str], given: bytes) -> Answer:
        """One call; after the first that fails no other changes anything."""
        try:
            if program == "ssh":
                node, script = split_ssh(arguments)
                return self.log_in(node, script, given)
            if program in ("k3s", "microk8s", "k0s"):
                arguments = arguments[1:]
            return self._call_kubectl(arguments, given)
        except MessageError as error:
            return self._fail(error)
        except OSError as error:
            return self._fail(KubectlError(message("fix.journal.unwritten", why=error.strerror or str(error))))
        except Exception as error:  # noqa: BLE001 - whoever waits for the answer must get one
            return self._fail(KubectlError(message("general.bug", error=f"{type(error).__name__}: {error}")))

    def _fail(self, error: MessageError) -> Answer:
        self.failure = self.failure or error
        return Answer(1, b"", f"calivet: {error.message}\n")

    def _call_kubectl(self, arguments: list[str], given: bytes) -> Answer:
        check_options(arguments)
        if is_reading(arguments):
            return self._pass_on(arguments, given)
        if find_verb(arguments) in KUBECTL_WAITS:
            return self.wait(arguments)
        if self.failure:
            raise self.failure
        wanted = find_wanted(arguments, given, self.tools.kubectl, self.discovery)
        for one in wanted:
            self.change(one)
        return Answer(0, encode_wanted(wanted), "")

    def _pass_on(self, arguments: list[str], given: bytes) -> Answer:
        call = self.tools.kubectl(arguments, given)
        return Answer(call.code, call.out, call.errors)

    def wait(self, arguments: list[str]) -> Answer:
        """For something that was begun."""
        return self._pass_on(arguments, b"")

    def change(self, wanted: Wanted) -> None:
        """What a call wants an object to become."""
        raise KubectlError(message("fix.kubectl.only_reads", what=str(wanted.ref)))

    def log_in(self, node: str, script: str, given: bytes) -> Answer:
        """What a call wants to run on a machine."""
        if does_change(script):
            raise KubectlError(message("fix.kubectl.only_reads", what=node))
        return self.tools.hosts.run(node, script, given, self.tools.seconds)


class Preview(Broker):
    """Notes what would be changed, and changes nothing; the server itself says what each object would become."""

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools)
        self.changes: list[Change] = []
        self.commands: list[HostCommand] = []

    def wait(self, arguments: list[str]) -> Answer:  # noqa: ARG002 - others pass it on
        """There is nothing to wait for."""
        return Answer(0, b"", "")

    def change(self, wanted: Wanted) -> None:
        """Only worked out."""
        if found := prepare_change(self.tools.connection, wanted):
            self.changes.append(found)

    def log_in(self, node: str, script: str, given: bytes) -> Answer:
        """A look is taken, anything else noted."""
        if not does_change(script):
            return super().log_in(node, script, given)
        self.commands.append(HostCommand(node, script, given))
        return Answer(0, b"", "")


class Worker(Broker):
    """Does what was shown and nothing else, through the one who saves and writes the journal."""

    def __init__(self, tools: Tools, changer: Changer, shown: Preview, places: list[str]) -> None:
        super().__init__(tools)
        self._changer = changer
        self._shown = shown
        self._places = places
        self._begun: set[Ref] = set()

    def change(self, wanted: Wanted) -> None:
        """Only while the object is as it was shown."""
        if wanted.verb == "evict":
            self._evict(wanted)
        else:
            self._changer.change_object(wanted, self._check_shown)

    def _check_shown(self, change: Change) -> None:
        """A command may find other objects than it found for the plan; and a second change builds on the first."""
        shown = next((one for one in self._shown.changes if one.ref == change.ref), None)
        if shown is None:
            raise WorldChangedError(message("fix.world.unseen", what=str(change.ref)))
        if change.ref not in self._begun and not is_as_shown(shown, change):
            raise WorldChangedError(message("fix.world.object", what=str(change.ref)))
        self._begun.add(change.ref)

    def _evict(self, wanted: Wanted) -> Change | None:
        """Until the budget of its application allows it, or the time is up."""
        from calivet.live.trouble import Trouble

        ends = time.monotonic() + self.tools.seconds
        while True:
            try:
                return self._changer.change_object(wanted, self._check_shown)
            except Trouble as trouble:
                if trouble.status != 429 or time.monotonic() + EVICTION_PAUSE > ends:
                    raise
                self.tools.interrupted.wait(EVICTION_PAUSE)

    def log_in(self, node: str, script: str, given: bytes) -> Answer:
        """Saved first; a look needs no saving."""
        if not does_change(script):
            return super().log_in(node, script, given)
        if self.failure:
            raise self.failure
        if HostCommand(node, script, given) not in self._shown.commands:
            raise WorldChangedError(message("fix.world.unseen", what=node))
        return self._changer.run_on_host(node, script, given, self._places)


class Undoer(Broker):
    """Runs what a printed undo does on machines; objects are put back from what was saved, not by it."""

    def change(self, wanted: Wanted) -> None:
        """Left to who puts objects back."""

    def log_in(self, node: str, script: str, given: bytes) -> Answer:
        """As it is printed."""
        return self.tools.hosts.run(node, script, given, self.tools.seconds)


def split_ssh(arguments: Sequence[str]) -> tuple[str, str]:
    """Whom a call of ssh logs in to, and what it runs there."""
    words = list(arguments)
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in ("-o", "-p", "-l", "-i") else words[1:]
    return (words[0] if words else ""), " ".join(words[1:])
