"""Fixes what is wrong with the cluster in the bed, in this process, with an operator who answers as he is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any

from calivet.fix.broker import HostCommand, Tools
from calivet.fix.changes import Change
from calivet.fix.hosts import Answer, HostError
from calivet.fix.objects import keep_content
from calivet.fix.plan import NodeStep, PlannedStep
from calivet.live.connection import Access, connect
from calivet.messages.message import Message, make_verbatim
from tests.e2e.bed.bed import Bed
from tests.e2e.bed.users import ADMIN, User

NOT_KEPT = ("/registry/leases/", "/registry/events/", "/registry/masterleases/", "/registry/ranges/")


class NoHosts:
    """Machines that nobody can log in to."""

    def run(self, node: str, script: str, given: bytes, seconds: float) -> Answer:
        raise HostError(make_verbatim(f"{node} is not there"))


class Obedient:
    """Says yes, or what it is told to say, and keeps what it was shown and told."""

    def __init__(self, answer: Callable[[str], bool] = lambda _: True) -> None:
        self.answer = answer
        self.shown: list[Change] = []
        self.told: list[str] = []
        self.asked: list[str] = []

    def show_step(
        self, planned: PlannedStep, part: NodeStep, changes: list[Change], commands: list[HostCommand]
    ) -> None:
        self.shown += changes

    def show_check(self, run: str, expect: str, answer: Answer) -> None:
        pass

    def tell(self, said: Message) -> None:
        self.told.append(said.read("en"))

    def ask(self, question: Message, *, in_full: bool = False) -> bool:
        self.asked.append(question.read("en"))
        return self.answer(question.key)


@contextmanager
def tools_for(bed: Bed, hosts: Any = None, user: User = ADMIN, server: str | None = None) -> Iterator[Tools]:
    """Tools as this user."""
    access = Access(kubeconfig=str(bed.kubeconfig(user, server=server)))
    connection = connect(access)
    yield Tools(connection, access, hosts or NoHosts(), Event(), 120.0)
    connection.close()


def read_all(bed: Bed) -> dict[str, Any]:
    """Every object that the API server holds, as people and controllers wrote it."""
    found = {key: keep_content(value) for key, value in bed.etcd.read("/registry/") if isinstance(value, dict)}
    return {key: value for key, value in found.items() if not key.startswith(NOT_KEPT)}
