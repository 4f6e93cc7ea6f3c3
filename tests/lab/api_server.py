"""What kubectl and calicoctl would print of the lab's nodes: the lab has no API server of its own."""

from __future__ import annotations

from tests.facts.drawing import nodes, pods, table
from tests.lab.plan import AS_NUMBER, Plan
from tests.lab.states import State

CODES = {"alder": "4mzq7", "birch": "8xk2v", "cedar": "c9t5w"}
ASKED_FOR_RECORDS = "[root@bastion ~]# calicoctl get nodes -o wide\n"


def printed(state: State) -> str:
    """The nodes, their calico-node pods, and the records of those whose calico-node got as far as writing one."""
    taken: dict[str, str] = {}
    for plan in state.plans:
        # calico-node ends before it writes an address that another node's record has.
        taken.setdefault(plan.recorded, f"{plan.name} ({AS_NUMBER}) {plan.recorded}/24 ~")
    return (
        nodes(*(f"{plan.name} {_status(state, plan)} {plan.address}" for plan in state.plans))
        + pods(*(_pod(state, plan) for plan in state.plans))
        + ASKED_FOR_RECORDS
        + table("NAME ASN IPV4 IPV6", *taken.values())
    )


def _status(state: State, plan: Plan) -> str:
    return "NotReady" if plan.name in state.lost else "Ready"


def _pod(state: State, plan: Plan) -> str:
    ready = "0/1" if plan.name in state.not_ready else "1/1"
    return f"calico-node-{CODES[plan.name]} {ready} Running 0 41d {plan.address} {plan.name}"
