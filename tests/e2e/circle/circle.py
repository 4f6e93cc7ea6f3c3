"""A whole circle: something is broken, diagnosed, mended as printed, checked as printed, and taken back as printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from calivet.contract.diagnosis import Check, Finding, Step
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy

if TYPE_CHECKING:
    from tests.e2e.circle.live_cluster import LiveCluster


class Circle(Struct, frozen=True, kw_only=True):
    """One cause on real programs; the steps are those that somebody would take who has read them."""

    cause: str
    name: str = ""
    """Beside that of the cause, where it is walked more than once."""
    sick: Callable[[], Cluster]
    """What the cluster shows while it is broken."""
    well: Callable[[], Cluster] = healthy
    is_broken: Callable[[LiveCluster], bool]
    """Whether it is so now, by the settings that Calico itself would read."""
    break_it: Callable[[LiveCluster], None] = lambda cluster: None
    """What is done to the machines, or to the API server beside the objects of `sick`."""
    mend: Callable[[LiveCluster], None] = lambda cluster: None
    """Cleans up what neither the fix nor the filling of the next cluster takes away."""
    react: Callable[[LiveCluster], None] = lambda cluster: None
    """What Calico does after its settings were changed, beside the state of its pods."""
    follows: Callable[[LiveCluster], None] = lambda cluster: None
    """Waits for what follows on the machines."""
    steps: tuple[str, ...]
    """How the orders of the steps begin that are taken, in this order."""
    good: str
    """An expression: what a check prints when all is well."""
    bad: str = r"(?!)"
    """And what it does not print then."""
    check: int = 0
    """Which of the checks."""
    gaps: Mapping[str, str] = field(default_factory=dict)
    """What the operator fills in where a name is open, and types where a step reads it."""
    edits: str = ""
    """What the operator does in the editor, as sed writes it."""
    arguments: tuple[str, ...] = ()
    """With which calivet is asked about the live cluster."""
    needs: tuple[str, ...] = ()
    """Programs that not every machine has."""
    at: str = ""
    """The machine on which commands are pasted, where they are for a machine and do not say which."""
    shown: tuple[str, ...] = ()
    """Commands whose output calivet gets to see instead of the live cluster."""
    taken_back: int | None = None
    """How many of the steps, from the last one on; all where nothing is said. None where no command takes it back."""
    is_taken_back: Callable[[LiveCluster], bool] | None = None
    """Whether the undo has done what it says, where that is not to break it again."""
    made_felt: Callable[[LiveCluster], None] = lambda cluster: None
    """Makes what is taken back felt; some settings hold only for what is made later."""
    by_hand: str = ""
    """Why `calivet fix` does not walk it."""
    named_again: bool = True
    """Whether it is the same fault once more when the fix is taken back."""

    @property
    def id(self) -> str:
        """For people."""
        return f"{self.cause}-{self.name}" if self.name else self.cause

    def choose_steps(self, finding: Finding) -> list[Step]:
        """Those that are taken; each must have been printed."""
        printed = {order: [step for step in finding.fix if step.do.startswith(order)] for order in self.steps}
        missing = [order for order, steps in printed.items() if len(steps) != 1]
        assert not missing, f"{missing}: not among {[step.do for step in finding.fix]}"
        return [steps[0] for steps in printed.values()]

    def choose_check(self, finding: Finding) -> Check:
        """The one that is walked."""
        return finding.verify[self.check]

    def passes(self, printed: str) -> bool:
        """Whether this is what the check should print."""
        return bool(re.search(self.good, printed, re.MULTILINE)) and not re.search(self.bad, printed, re.MULTILINE)
