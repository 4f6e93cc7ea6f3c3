"""What troubleshoot.sh notes about a machine."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact, Setting, Version
from calivet.facts.host import Cpu, Interface, KernelModule, Memory, Sysctl, Unit
from calivet.readers.read import read


def noted(collector: str, text: str) -> list[Fact]:
    command = f"support-bundle hostCollectors/{collector}"
    artifact = Artifact("x.json", 0, [f"$ {command}", *text.split("\n")], host="elm", command=command)
    facts, unread = read(artifact)
    assert (artifact.failed, unread) == ([], 0)
    return [fact for fact in facts if fact.host == "elm"][1:]


def test_settings_and_modules_of_the_kernel() -> None:
    (setting,) = noted("sysctl", '{\n  "net.ipv4.ip_forward": "0"\n}')
    assert isinstance(setting, Sysctl)
    assert (setting.key, setting.value, setting.at.number) == ("net.ipv4.ip_forward", "0", 2)
    (module,) = noted(
        "kernelModules", '{"ip_set":{"size":61440,"instances":1,"status":"loaded"},"ipip":{"status":"loadable"}}'
    )
    assert isinstance(module, KernelModule)
    assert (module.name, module.loaded) == ("ip_set", True)


def test_services() -> None:
    (unit,) = noted(
        "hostServices",
        '[{"Unit":"kubelet.service","Load":"loaded","Active":"activating","Sub":"auto-restart"},{"Unit":"a.mount","Active":"active"}]',
    )
    assert isinstance(unit, Unit)
    assert (unit.name, unit.active, unit.sub) == ("kubelet", "activating", "auto-restart")


def test_figures() -> None:
    (memory,) = noted("memory", '{"total":33442693120}')
    assert isinstance(memory, Memory)
    assert round(memory.total) == 31893
    (processors,) = noted("cpu", '{"logicalCount":8,"physicalCount":4,"flags":["fpu"]}')
    assert isinstance(processors, Cpu)
    assert processors.count == 8
    (clock,) = noted("time", '{"timezone":"UTC","ntp_synchronized":false,"ntp_active":true}')
    assert isinstance(clock, Setting)
    assert (clock.program, clock.key, clock.value) == ("clock", "synchronized", False)


def test_system_and_interfaces() -> None:
    versions = noted(
        "hostOS",
        '{\n "name": "elm",\n "kernelVersion": "5.13.0-1024",\n "platformVersion": "20.04",\n "platform": "ubuntu"\n}',
    )
    assert [(fact.program, fact.version) for fact in versions if isinstance(fact, Version)] == [
        ("kernel", "5.13.0-1024"),
        ("os", "ubuntu 20.04"),
    ]
    (card,) = noted("ipv4Interfaces", '[{"Index":2,"MTU":1460,"Name":"ens4","HardwareAddr":"QgEK","Flags":19}]')
    assert isinstance(card, Interface)
    assert (card.name, card.mtu, card.up) == ("ens4", 1460, True)


def test_damage_and_unknown_notes_state_nothing() -> None:
    assert noted("hostOS", "null") == []
    artifact = Artifact(
        "x.json",
        0,
        ["$ support-bundle hostCollectors/blockDevices", "[]"],
        command="support-bundle hostCollectors/blockDevices",
    )
    assert read(artifact)[0][1:] == []
