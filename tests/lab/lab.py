"""The lab: nodes on one switch, each with what runs on a real one. Nothing of it exists outside its own namespaces."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType

from tests.lab import bird
from tests.lab.machine import Machine
from tests.lab.node import Node
from tests.lab.plan import EVERYONE, GATEWAY, Plan
from tests.lab.waiting import until


class Lab:
    """Runs while its `with` block does."""

    def __init__(self, plans: Sequence[Plan] = EVERYONE) -> None:
        with ExitStack() as closing:
            self.switch = Machine("switch")
            closing.callback(self.switch.close)
            self.switch.wire(f"link add br0 type bridge\nlink set br0 up\naddress add {GATEWAY}/24 dev br0\n")
            self.nodes: dict[str, Node] = {}
            for plan in plans:
                self.nodes[plan.name] = node = Node(plan)
                closing.callback(node.machine.close)
                self._cable(node)
            self._closing = closing.pop_all()

    def __enter__(self) -> Lab:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.close()

    def __getitem__(self, name: str) -> Machine:
        return self.nodes[name].machine

    def start(self) -> None:
        """Starts the daemons of all nodes."""
        plans = [node.plan for node in self.nodes.values()]
        for node in self.nodes.values():
            node.start(plans)

    def until_all_sessions_are_up(self) -> None:
        """Waits for BIRD of every node."""
        until(lambda: all(map(self._has_all, self.nodes)), "all sessions")

    def until_bird_says(self, name: str, peer: str, words: str) -> None:
        """Waits until BIRD of one node says this of its session with another node."""
        address = self.nodes[peer].plan.recorded
        until(
            lambda: bird.sessions(self[name]).get(address, "").startswith(words),
            f"{name} says '{words}' of {peer}",
        )

    def _has_all(self, name: str) -> bool:
        return set(bird.sessions(self[name]).values()) == {"Established"}

    def _cable(self, node: Node) -> None:
        """From each card of the node to the switch; the second cards' networks end there."""
        card = "link add {name}-{card} type veth peer name eth{card} netns {pid}\nlink set {name}-{card} {where} up\n"
        names = {"name": node.plan.name, "pid": node.machine.pid}
        self.switch.wire(card.format(card=0, where="master br0", **names))
        if node.plan.second_card:
            self.switch.wire(card.format(card=1, where="", **names))
        node.plug_in()
