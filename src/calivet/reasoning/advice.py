"""The steps and checks that fit this cluster, with its names filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from calivet.catalogue.model import Check, Step
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.platform import Platform, find_platform
from calivet.forecast.releases import RunningRelease, find_running_release, parse_release
from calivet.messages.command_line import MOST_NODES, NO_COMMAND, ask_talos, fill_for_nodes, keep_complete
from calivet.messages.message import find_words
from calivet.messages.words import Words
from calivet.reasoning.finding_values import find_installer
from calivet.search.expressions import expression

_SHELL = expression(r"\bssh\b")
# Afterwards the pods of calico-node have other names.
_RENEWS_PODS = expression(
    r"delete pods? (?:-n \S+ )?(?:\{pod\}|(?:calico-node|(?:rke2-)?canal)-\S|-l )|rollout (?:restart|undo)"
    r"|set (?:env|image|resources) (?:-n \S+ )?(?:ds|daemonset)"
    r"|(?:patch|edit) (?:-n \S+ )?(?:ds|daemonset|installation)\b"
)
# What takes a node out of service is never told for several at once: somebody would paste all of it.
_ONE_AT_A_TIME = expression(r"kubectl (?:drain|delete node) \{node\}|\breboot\b")
_FOR_WHOM = {"operator": "advice.for.operator", "manifest": "advice.for.manifest"}


# Managers that apply what they shipped again: by the distribution, which commands it takes back and where they last.
_CHANGES_DAEMONSET = (
    r"(?:set (?:env|image|resources)|patch|edit) (?:-n \S+ )?(?:ds|daemonset|configmap calico-config)\b"
)
_TAKEN_BACK = {
    "rke2": (
        expression(r"(?:patch|edit) installation\b"),
        "advice.lasting.rke2",
    ),
    "microk8s": (
        expression(_CHANGES_DAEMONSET),
        "advice.lasting.microk8s",
    ),
}
_CANAL = (expression(_CHANGES_DAEMONSET), "advice.lasting.canal")


def _say_where_it_lasts(step: Step, platform: Platform) -> Step:
    """Where a manager would put it back, the step says where to write it for good."""
    distribution = platform.answer("distribution") or ""
    known = [_TAKEN_BACK[distribution]] if distribution in _TAKEN_BACK else []
    for commands, key in [*known, *([_CANAL] if distribution == "rke2" else [])]:
        if commands.search(step.run):
            return replace(step, why=find_words(key, why=step.why))
    return step


def _say_for_whom(step: Step) -> Step:
    """Where it is not known who installed Calico, each step says for whom it is."""
    if step.installer not in _FOR_WHOM:
        return step
    told = find_words(_FOR_WHOM[step.installer], what=step.do or step.why)
    return replace(step, do=told) if step.do else replace(step, why=told)


class Advice(Struct, frozen=True, eq=False):
    """What is to be done on this cluster: `values` are those of each node that is concerned, the first node's first."""

    picture: ClusterFacts
    values: Sequence[Mapping[str, str]]
    steps: Sequence[Step] = ()
    """Those of the cause, with nothing filled in yet."""

    def __eq__(self, other: object) -> bool:
        """What is advised counts, not what it was drawn from."""
        return isinstance(other, Advice) and (self.values, self.steps) == (other.values, other.steps)

    def __hash__(self) -> int:
        """By identity: nobody looks advice up."""
        return id(self)

    def select_steps_by_node(self) -> dict[str, list[Step]]:
        """The steps as they are for each node alone; in every list they stand in the same order.

        A step that is not for a node, because it names what was seen on others only, has no command there.
        """
        nodes = [values for values in self.values if values.get("node")]
        fitting = self._list_fitting(self.steps)
        return {
            values["node"]: self._fill_in_order([self._leave_out(step, values) for step in fitting], [values])
            for values in nodes
        }

    def select_steps(self, steps: Sequence[Step]) -> list[Step]:
        """The steps for this kind of installation and this version of Calico."""
        return self._fill_in_order(self._list_fitting(steps), self.values)

    def _list_fitting(self, steps: Sequence[Step]) -> list[Step]:
        installer, version = find_installer(self.picture), find_running_release(self.picture)
        platform = find_platform(self.picture)
        return [
            _avoid_shell(_say_where_it_lasts(step if installer else _say_for_whom(step), platform), platform)
            for step in steps
            if (installer is None or step.installer in ("any", installer))
            and _is_for_platform(step, platform)
            and _is_for_version(step, version)
            and self._does_fit(step)
        ]

    def _fill_in_order(self, steps: Sequence[Step], values: Sequence[Mapping[str, str]]) -> list[Step]:
        """After the first step that starts calico-node anew its pods are looked up."""
        renewing = next((place for place, step in enumerate(steps) if _RENEWS_PODS.search(step.run)), len(steps))
        later = [_drop_pod(each) for each in values]
        return [self._fill_step(step, values if place <= renewing else later) for place, step in enumerate(steps)]

    def _leave_out(self, step: Step, values: Mapping[str, str]) -> Step:
        """Without a command where the node lacks what it names."""
        fits = len(keep_complete(step.run, [self.values[0], values])) > 1
        return step if fits else replace(step, run=NO_COMMAND, save=NO_COMMAND, undo=NO_COMMAND, precheck=None)

    def select_checks(self, checks: Sequence[Check], steps: Sequence[Step] = ()) -> list[Check]:
        """The checks for this kind of cluster, to be run after these steps."""
        platform = find_platform(self.picture)
        fitting = (check for check in checks if _is_for_platform(check, platform) and not _needs_shell(check, platform))
        renewed = any(_RENEWS_PODS.search(step.run) for step in steps)
        values = [_drop_pod(each) for each in self.values] if renewed else self.values
        return [_fill_check(check, values) for check in fitting]

    def _does_fit(self, step: Step) -> bool:
        known = self.values[0]
        return (not step.given or step.given in known) and (not step.unless or step.unless not in known)

    def _fill_step(self, step: Step, values: Sequence[Mapping[str, str]]) -> Step:
        first = values[0]
        told = values[:1] if _ONE_AT_A_TIME.search(step.run) else values[:MOST_NODES]
        left_out = len(values) - len(told)
        return replace(
            step,
            do=step.do and _count_others(step, step.do.tell(first), left_out),
            why=step.why.tell(first) if step.do else _count_others(step, step.why.tell(first), left_out),
            run=fill_for_nodes(step.run, told),
            interrupts=step.interrupts and step.interrupts.tell(first),
            precheck=step.precheck and _fill_check(step.precheck, told),
            save=fill_for_nodes(step.save, told),
            undo=fill_for_nodes(step.undo, told),
        )


def _count_others(step: Step, why: Words, left_out: int) -> Words:
    """Says what is to be done on nodes that the command does not name."""
    one_by_one = _ONE_AT_A_TIME.search(step.run) is not None
    if left_out <= 0 or (step.where != "node" and not one_by_one):
        return why
    if one_by_one:
        key = "advice.nodes.other_later" if left_out == 1 else "advice.nodes.others_later"
    else:
        key = "advice.nodes.other" if left_out == 1 else "advice.nodes.others"
    return find_words(key, why=why, count=left_out)


def _fill_check(check: Check, values: Sequence[Mapping[str, str]]) -> Check:
    return replace(check, run=fill_for_nodes(check.run, values), expect=check.expect.fill(values[0]))


def _drop_pod(values: Mapping[str, str]) -> Mapping[str, str]:
    """For commands that are run when calico-node has been started anew: where the node is known, its pod is found."""
    return {name: value for name, value in values.items() if name != "pod" or "node" not in values}


def _is_for_platform(part: Step | Check, platform: Platform) -> bool:
    return platform.fits(part.when) and platform.shows(part.only_when)


def _needs_shell(part: Step | Check, platform: Platform) -> bool:
    """Talos has no shell, no ssh and no systemd to log in to."""
    return platform.answer("distribution") == "talos" and _SHELL.search(part.run) is not None


def _avoid_shell(step: Step, platform: Platform) -> Step:
    """Where nobody can log in, the API of the machine does it; what it cannot do is taken by other means."""
    if platform.answer("distribution") != "talos":
        return step
    step = replace(step, run=ask_talos(step.run))
    if "talosctl" in step.run and not _needs_shell(step, platform):
        return _drop_shell(step)
    if step.where != "node" and not _needs_shell(step, platform):
        return _drop_shell(step)
    return replace(
        step, do=step.do or step.why, run=NO_COMMAND, save=NO_COMMAND, undo=NO_COMMAND, precheck=None, where="manual"
    )


def _drop_shell(step: Step) -> Step:
    """Without what would be kept or put back on the node itself."""
    kept = {name: NO_COMMAND for name in ("save", "undo") if "ssh {" in getattr(step, name)}
    return replace(step, **kept) if kept else step


def _is_for_version(step: Step, version: RunningRelease) -> bool:
    """Where it is not known which version runs, a step for older ones is left out."""
    new_enough = not step.since or version.since(parse_release(step.since).least) is not False
    return new_enough and (not step.until or version.most <= parse_release(step.until).most)
