"""On real programs: it is broken, `calivet fix` cures it, `--undo` breaks it again; each step is taken as printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from calivet.fix.journal import Began, create_journal, open_journal
from calivet.fix.plan import build_plans
from calivet.fix.run import Choices, Fix
from calivet.fix.undo import AS_BEFORE, CURED, Undo
from calivet.reasoning.diagnosis import Diagnosis
from tests.e2e.fixing import Obedient
from tests.fix.fake_api import FakeApi, make_tools
from tests.fix.machines import MachineHosts
from tests.lab import api_server, bird, containerd, faults
from tests.lab.lab import Lab
from tests.lab.states import State
from tests.lab.survey import diagnosed, probe

pytestmark = pytest.mark.usefixtures("permitted")
LIMIT = "20"


@dataclass(frozen=True)
class Broken:
    """What is done to a lab, how the operator would see it, and which step of which cause cures it."""

    cause: str
    breaks: Callable[[Lab], None]
    is_broken: Callable[[Lab], bool]
    step: int
    files: tuple[str, ...] = ()
    """Those whose every byte must come back on alder."""
    not_ready: tuple[str, ...] = ("alder",)
    is_rule: bool = False
    """Done before the daemons start, so that no session ever comes up."""


def forwarding_off(lab: Lab) -> None:
    lab["alder"].file("/etc/sysctl.d").mkdir(exist_ok=True)
    lab["alder"].run("sysctl", "-q", "-w", "net.ipv4.ip_forward=0")


def forwarding_is_off(lab: Lab) -> bool:
    return lab["alder"].run("sysctl", "-n", "net.ipv4.ip_forward") == "0\n"


def no_session(lab: Lab) -> bool:
    return "Established" not in bird.sessions(lab["alder"]).values()


def flannel_left_behind(lab: Lab) -> None:
    text = '{"name":"cbr0","cniVersion":"0.3.1","plugins":[{"type":"flannel","delegate":{"isDefaultGateway":true}}]}\n'
    lab["alder"].write("/etc/cni/net.d/05-flannel.conflist", text)


def is_flannel_first(lab: Lab) -> bool:
    return lab["alder"].file("/etc/cni/net.d/05-flannel.conflist").exists()


def wrong_cgroup_driver(lab: Lab) -> None:
    lab["alder"].write(containerd.FILE, containerd.CONFIGURATION.format(systemd="false"))


def has_wrong_cgroup_driver(lab: Lab) -> bool:
    return "SystemdCgroup = false" in lab["alder"].file(containerd.FILE).read_text("utf-8")


BROKEN = {
    "ip-forward": Broken("sysctl-ip-forward-off", forwarding_off, forwarding_is_off, 1),
    "tcp-179": Broken("firewall-on-host", faults.iptables_rejects_bgp, no_session, 2, is_rule=True),
    "cni-file": Broken(
        "cni-config-conflict", flannel_left_behind, is_flannel_first, 2, ("/etc/cni/net.d/05-flannel.conflist",)
    ),
    "cgroup-driver": Broken(
        "cgroup-driver-mismatch", wrong_cgroup_driver, has_wrong_cgroup_driver, 2, (containerd.FILE,)
    ),
}


def bring_about(lab: Lab, broken: Broken) -> None:
    if broken.is_rule:
        broken.breaks(lab)
        lab.start()
        lab.until_bird_says("birch", "cedar", "Established")
        lab.until_bird_says("birch", "alder", "Active")
    else:
        lab.start()
        broken.breaks(lab)


def look(lab: Lab, broken: Broken) -> Diagnosis:
    """What every node shows now, and what the API server would say."""
    state = State("now", None, not_ready=broken.not_ready if broken.is_broken(lab) else ())
    files = {f"probes/{name}.txt": probe(lab[name], LIMIT) for name in lab.nodes}
    return diagnosed(files | {"cluster.txt": api_server.printed(state)})


@pytest.mark.parametrize("name", BROKEN)
def test_broken_cured_and_broken_again(name, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    broken = BROKEN[name]
    with Lab() as lab:
        bring_about(lab, broken)
        kept = {path: lab["alder"].file(path).read_bytes() for path in broken.files}
        rules, before = lab["alder"].run("iptables", "-S", "INPUT"), look(lab, broken)
        plan = next(plan for plan in build_plans(before) if plan.cause == broken.cause)
        tools = make_tools(FakeApi(tmp_path / "objects.json"), MachineHosts(*(lab[node] for node in lab.nodes)))
        journal, console = create_journal(plan.cause), Obedient(lambda key: key != "fix.ask.undo")
        journal.write(Began(who="me", version="0", server="s", cause=plan.cause, title="", nodes=plan.nodes))
        choices = Choices(yes=True, likely=True, wait=90.0, steps=[broken.step])
        state = Fix(tools, plan, console, choices, lambda _: look(lab, broken), before).run(journal)
        assert (state, broken.is_broken(lab)) == (CURED, False), console.told
        assert Undo(tools, open_journal(journal.id)).undo_all() == AS_BEFORE
        assert {path: lab["alder"].file(path).read_bytes() for path in broken.files} == kept
        if broken.is_rule:  # sessions that are up stay up for a while
            assert lab["alder"].run("iptables", "-S", "INPUT") == rules
        else:
            assert broken.is_broken(lab)
            assert broken.cause in {finding.cause.id for finding in look(lab, broken).findings}
