from __future__ import annotations

import pytest

from calivet.readers.host.systemd_unit import STATUS_READER
from tests.readers.host_reading import facts_of, reading_of

OLD = """
● kubelet.service - kubelet: The Kubernetes Node Agent
   Loaded: loaded (/usr/lib/systemd/system/kubelet.service; enabled; vendor preset: disabled)
  Drop-In: /usr/lib/systemd/system/kubelet.service.d
           └─10-kubeadm.conf
   Active: activating (auto-restart) (Result: exit-code) since Thu 2022-03-03 14:05:51 CST; 3s ago
 Main PID: 4711 (code=exited, status=255)
"""
NEW = """
× containerd.service - containerd container runtime
     Loaded: loaded (/usr/lib/systemd/system/containerd.service; disabled; preset: enabled)
     Active: failed (Result: start-limit-hit) since Fri 2024-05-10 08:00:01 UTC; 2min ago
   Duration: 12.011s
"""


def test_the_old_layout():
    (unit,) = facts_of(STATUS_READER, OLD, "systemctl status kubelet", "cn-3")
    assert (unit.name, unit.active, unit.sub, unit.result, unit.enabled) == (
        "kubelet",
        "activating",
        "auto-restart",
        "exit-code",
        True,
    )
    assert unit.host == "cn-3"
    assert unit.at.text.startswith("Active: activating")


def test_the_new_layout():
    (unit,) = facts_of(STATUS_READER, NEW)
    assert (unit.name, unit.active, unit.sub, unit.result, unit.enabled) == (
        "containerd",
        "failed",
        None,
        "start-limit-hit",
        False,
    )


def test_several_pages_one_after_another():
    units = facts_of(STATUS_READER, OLD + NEW, "systemctl status kubelet containerd", "cn-3")
    assert [(unit.name, unit.active) for unit in units] == [("kubelet", "activating"), ("containerd", "failed")]


def test_a_page_cut_to_its_active_line_takes_the_unit_from_the_command():
    (unit,) = facts_of(
        STATUS_READER, "   Active: inactive (dead)", "systemctl status docker.service | grep Active", "cn-3"
    )
    assert (unit.name, unit.active, unit.sub) == ("docker", "inactive", "dead")
    assert facts_of(STATUS_READER, "   Active: inactive (dead)") == []


def test_bullets_that_were_lost_or_garbled():
    for bullet in ("*", "â—", "?", "●"):
        (unit,) = facts_of(
            STATUS_READER,
            f"{bullet} docker.service - Docker Application Container Engine\n   Active: active (running) since x",
        )
        assert (unit.name, unit.active, unit.sub) == ("docker", "active", "running")


def test_a_unit_that_is_not_there():
    (unit,) = facts_of(
        STATUS_READER, "Unit firewalld.service could not be found.", "systemctl status firewalld", "cn-3"
    )
    assert (unit.name, unit.active, unit.sub) == ("firewalld", "inactive", "not-found")


def test_is_active_answers_in_the_order_of_the_names():
    units = facts_of(STATUS_READER, "active\nfailed", "systemctl is-active containerd kubelet", "cn-3")
    assert [(unit.name, unit.active) for unit in units] == [("containerd", "active"), ("kubelet", "failed")]
    (unit,) = facts_of(STATUS_READER, "disabled", "systemctl is-enabled NetworkManager")
    assert (unit.name, unit.active, unit.enabled) == ("NetworkManager", None, False)


def test_is_active_of_many_machines():
    text = """
    cn-1 | CHANGED | rc=0 >>
    active
    cn-2 | FAILED | rc=3 >>
    inactive
    """
    units = facts_of(STATUS_READER, text, "ansible all -a 'systemctl is-active kubelet'", "bastion")
    assert [(unit.host, unit.name, unit.active) for unit in units] == [
        ("cn-1", "kubelet", "active"),
        ("cn-2", "kubelet", "inactive"),
    ]


def test_list_units():
    text = """
      UNIT                LOAD      ACTIVE     SUB          DESCRIPTION
      containerd.service  loaded    active     running      containerd container runtime
    ● kubelet.service     loaded    activating auto-restart kubelet: The Kubernetes Node Agent
    ● ip6tables.service   not-found inactive   dead         ip6tables.service

    LOAD   = Reflects whether the unit definition was properly loaded.
    """
    units = facts_of(STATUS_READER, text, "systemctl list-units --type=service", "cn-3")
    assert [(unit.name, unit.active, unit.sub) for unit in units] == [
        ("containerd", "active", "running"),
        ("kubelet", "activating", "auto-restart"),
        ("ip6tables", "inactive", "dead"),
    ]


def test_unit_files():
    units = facts_of(
        STATUS_READER,
        "docker.service        disabled        enabled\nkubelet.service       enabled",
        "systemctl list-unit-files",
    )
    assert [(unit.name, unit.enabled) for unit in units] == [("docker", False), ("kubelet", True)]


def test_names_alone_have_the_state_that_was_asked_for():
    units = facts_of(
        STATUS_READER,
        "kubelet.service  netscripts.service",
        "systemctl list-units --state=failed --plain | awk '{print $1}' | column",
        "cn-3",
    )
    assert [(unit.name, unit.active) for unit in units] == [("kubelet", "failed"), ("netscripts", "failed")]


@pytest.mark.parametrize(
    "text", ["active", "Active: maybe", "Loaded: 12 modules", "kubelet.service is what we look at", "● kubelet.service"]
)
def test_what_is_no_state(text: str):
    assert facts_of(STATUS_READER, text) == []


def test_claims_the_page():
    assert reading_of(STATUS_READER, OLD).claimed == {0, 1, 4}


def test_the_oldest_layout_has_no_bullet():
    text = """
    kubelet.service - kubelet: The Kubernetes Node Agent
       Loaded: loaded (/usr/lib/systemd/system/kubelet.service; enabled)
       Active: active (running) since Thu 2016-03-03 14:05:51 CST; 3s ago
    """
    (unit,) = facts_of(STATUS_READER, text)
    assert (unit.name, unit.active, unit.sub, unit.enabled) == ("kubelet", "active", "running", True)


def test_a_unit_that_an_old_systemd_does_not_know():
    units = facts_of(STATUS_READER, "unknown\nactive", "systemctl is-active firewalld kubelet")
    assert [(unit.name, unit.active) for unit in units] == [("firewalld", "inactive"), ("kubelet", "active")]
