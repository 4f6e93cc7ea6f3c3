"""In which order the steps of a plan are taken, and where the whole is looked at in between.

Steps on nodes are taken node by node: all of them on the first one, then on the others. So no node is drained before
the one before it is open again, and what does not help is found out on a single node.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import groupby

from msgspec import Struct, field

from calivet.fix.plan import NodeStep, Plan, PlannedStep
from calivet.fix.snapshots import find_named_places
from calivet.fix.verify import Outcome


class Turn(Struct, frozen=True):
    """One step on one node, or in the cluster."""

    planned: PlannedStep
    part: NodeStep
    is_first: bool
    """On the first of its nodes, which shows whether it helps."""
    ends_node: bool
    """The last of its node's."""
    is_look_due: bool
    """Whether all is looked at anew after it, before anything else is done."""

    @property
    def ends_first(self) -> bool:
        """Whether all has been done that is done to the first node."""
        return self.is_first and self.ends_node


class Course(Struct):
    """How far it has come."""

    outcome: Outcome = Outcome.UNCHANGED
    taken: int = 0
    """Steps."""
    unseen: bool = False
    """Something was done since all was last looked at."""
    at: str = ""
    """The node."""
    well: set[str] = field(default_factory=set)
    """Nodes that do not need any more."""
    enough: int = 0
    """The step that made the first node well."""
    is_chosen: bool = False
    """The operator has named the steps: those for the cluster are taken to the last, cured or not."""

    @property
    def is_cured(self) -> bool:
        """Whether the cause is gone everywhere."""
        return self.outcome is Outcome.FIXED

    def wants(self, turn: Turn) -> bool:
        """Whether this is still to be done: what is well is left alone, but for what makes it last."""
        node, number = turn.part.node, turn.planned.number
        over = self.is_cured and (bool(node) or not self.is_chosen)
        spared = over or node in self.well or bool(node and self.enough and number > self.enough)
        return not spared or makes_it_last(turn.part)

    def note(self, *, taken: bool) -> None:
        """A step was taken, or not."""
        self.taken += taken
        self.unseen = self.unseen or taken

    def learn(self, turn: Turn, *, is_well: bool) -> None:
        """What sufficed for the first node suffices for the others, until one of them shows that it does not."""
        node = turn.part.node
        if node and self.taken and is_well and self.outcome in (Outcome.FIXED, Outcome.BETTER):
            self.well.add(node)
            if turn.is_first and not self.enough:
                self.enough = turn.planned.number
        elif node and not is_well and not turn.is_first:
            self.enough = 0


def list_turns(plan: Plan, numbers: Collection[int], batch: int) -> Iterator[Turn]:
    """The steps with these numbers, or all; after the first node so many between two looks."""
    chosen = plan.list_changes(numbers)
    for is_nodes, group in groupby(chosen, key=lambda planned: bool(planned.parts[0].node)):
        steps = list(group)
        if is_nodes:
            yield from _walk_nodes(plan, steps, batch)
        else:
            pairs = ((planned, part) for planned in steps for part in planned.parts)
            yield from (
                Turn(planned, part, is_first=False, ends_node=True, is_look_due=True) for planned, part in pairs
            )


def _walk_nodes(plan: Plan, steps: list[PlannedStep], batch: int) -> Iterator[Turn]:
    named = dict.fromkeys(part.node for planned in steps for part in planned.parts)
    nodes = sorted(named, key=lambda node: node in plan.control_plane)
    for place, node in enumerate(nodes):
        own = [(planned, part) for planned in steps for part in planned.parts if part.node == node]
        due = place % batch == 0 or place == len(nodes) - 1
        for planned, part in own:
            ends_node = planned is own[-1][0]
            careful = part.step.risk == "dangerous" or node in plan.control_plane
            is_due = place == 0 or careful or (ends_node and due)
            yield Turn(planned, part, is_first=place == 0, ends_node=ends_node, is_look_due=is_due)


def makes_it_last(part: NodeStep) -> bool:
    """Whether the step is still of use when the cause is gone: it writes down what else the next boot takes away."""
    written = any(place.startswith("/etc/") for place in find_named_places(part.step.run))
    return bool(part.node) and part.step.risk == "safe" and written
