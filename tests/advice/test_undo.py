"""Taking a step back, pasted where nothing was kept before: nothing may be lost by it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.advice.machine import Machine, make_machine
from tests.advice.platforms import TEXTS
from tests.advice.rendering import select_advice
from tests.shipped import load_shipped_catalogue

CATALOGUE = load_shipped_catalogue()
READING = (
    "awk bash base64 cat cut echo env grep head ls mktemp paste printf sed seq sh sort tail test tr true false uniq wc xargs"
).split()
CHANGING = (
    "calicoctl crictl cp etcdctl etcdutl ethtool firewall-cmd hostnamectl ip ipset iptables iptables-restore kill kubeadm"
    " kubectl mkdir modprobe mount mv nft oc openstack restorecon rm setenforce swapoff swapon sysctl systemctl talosctl ufw"
    " umount"
).split()
# Refused are a patch in which a value is missing, and a file that is not there.
REFUSING = """
case "$*" in *'":}'*) exit 1 ;; esac
while [ $# -gt 0 ]; do
  if [ "$1" = -f ] && [ ! -e "$2" ]; then exit 1; fi
  shift
done
"""
# What only reads, starts something anew, leads to a folder of its own, or takes away what the step has made.
NO_LOSS = re.compile(
    r"(?:ssh|sudo|mkdir|findmnt) |kubectl (?:-n \S+ )?(?:get|uncordon)\b|systemctl (?:is-active|cat|show|restart)\b|ufw status"
    r"|etcd(?:ctl|utl) snapshot restore |kubectl delete ippools\S+ (?:new|second)-pool|rm (?:-f )?(?:\S*/\d\d-[\w-]*cali[\w.-]+ ?)+$"
)
PUTS_BACK = re.compile(
    r"(?:(?:kubectl|calicoctl) (?:-n \S+ )?(?:replace|apply|create) .*-f|sysctl -p|(?:cp|mv)(?: -\S+)*) (\S+)"
)
BROKEN_PATCH = re.compile(r" patch .*\":\}")


def list_undos() -> dict[str, str]:
    """By the command, whose it is; of all steps that keep something first."""
    return {
        step.undo: cause.id
        for cause in CATALOGUE.causes.values()
        for platform in TEXTS.keys() - {"microk8s", "talos"}
        for step in select_advice(cause, platform, known=True)[0]
        if step.save and step.undo
    }


def is_loss(call: str, folder: Path) -> bool:
    """Whether something is another than before, with no file of what was kept."""
    if NO_LOSS.match(call) or BROKEN_PATCH.search(call):
        return False
    named = PUTS_BACK.match(call)
    return not named or (folder / named[1]).exists()


@pytest.fixture
def machine(tmp_path) -> Machine:
    made = make_machine(tmp_path, alone=True)
    made.borrow(READING)
    for name in CHANGING:
        made.has(name, REFUSING)
    return made


def test_nothing_is_lost_where_nothing_was_kept(machine):
    """Somebody who pastes it in another folder, or has skipped what keeps, would clear a setting for one that was never read."""
    undos = list_undos()
    assert len(undos) > 50
    lost = {}
    for undo, cause in undos.items():
        machine.forget()
        machine.paste(undo)
        if calls := [call for call in machine.list_called() if is_loss(call, machine.folder)]:
            lost[undo] = (cause, calls)
    assert lost == {}


def test_no_revision_is_guessed():
    """A change that changed nothing leaves no revision: `rollout undo` would then take back what was done before it."""
    assert [cause.id for cause in CATALOGUE.causes.values() for step in cause.fix if "rollout undo" in step.undo] == []
