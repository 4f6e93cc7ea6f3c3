"""`systemctl show`."""

from __future__ import annotations

from calivet.readers.host.systemd_unit import PROPERTIES_READER
from tests.readers.host_reading import facts_of

BLOCK = """\
Result={result}
NRestarts={restarts}
Id={name}.service
LoadState={load}
ActiveState={active}
SubState={sub}
UnitFileState=enabled
"""
COMMAND = "systemctl show -p Id -p LoadState -p ActiveState kubelet containerd"


def block(name, active="active", sub="running", load="loaded", result="success", restarts="0"):
    return BLOCK.format(name=name, active=active, sub=sub, load=load, result=result, restarts=restarts)


def test_a_block_for_each_unit():
    text = (
        f"{block('kubelet', 'activating', 'auto-restart', result='exit-code', restarts='214')}\n{block('containerd')}"
    )
    kubelet, containerd = facts_of(PROPERTIES_READER, text, COMMAND, "fig-2")
    assert (kubelet.name, kubelet.active, kubelet.sub, kubelet.result) == (
        "kubelet",
        "activating",
        "auto-restart",
        "exit-code",
    )
    assert (kubelet.restarts, kubelet.enabled, kubelet.host) == (214, True, "fig-2")
    assert kubelet.at.text == "ActiveState=activating"
    assert (containerd.name, containerd.active, containerd.restarts) == ("containerd", "active", 0)


def test_blocks_without_a_blank_line_between_them():
    assert [unit.name for unit in facts_of(PROPERTIES_READER, block("kubelet") + block("docker"), COMMAND)] == [
        "kubelet",
        "docker",
    ]


def test_a_unit_that_is_not_there_is_not_down():
    assert facts_of(PROPERTIES_READER, block("docker", "inactive", "dead", load="not-found"), COMMAND) == []


def test_the_name_may_stand_in_the_command_only():
    (unit,) = facts_of(
        PROPERTIES_READER, "ActiveState=failed\nSubState=failed", "systemctl show -p ActiveState,SubState kubelet"
    )
    assert (unit.name, unit.active) == ("kubelet", "failed")


def test_other_assignments_are_no_units():
    assert facts_of(PROPERTIES_READER, "Id=7\nName=x", "cat settings") == []
