"""Paths as kubectl takes them, and values put back to where they came from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.readers.objects.field_paths import Choice, add_value, parse_field_path
from calivet.readers.objects.tree import Branch


@pytest.mark.parametrize(
    ("written", "steps"),
    [
        (".metadata.name", ("metadata", "name")),
        ("metadata.name", ("metadata", "name")),
        (
            r".metadata.annotations.projectcalico\.org/IPv4Address",
            ("metadata", "annotations", "projectcalico.org/IPv4Address"),
        ),
        (r".metadata.labels.topology\\.kubernetes\\.io/zone", ("metadata", "labels", "topology.kubernetes.io/zone")),
        (".spec.taints[*].key", ("spec", "taints", Choice(), "key")),
        (".spec.containers[1].image", ("spec", "containers", Choice(1), "image")),
        (
            '.status.conditions[?(@.type=="Degraded")].status',
            ("status", "conditions", Choice(key="type", value="Degraded"), "status"),
        ),
        (
            r".status.addresses[?\(@.type==\"InternalIP\"\)].address",
            ("status", "addresses", Choice(key="type", value="InternalIP"), "address"),
        ),
        (".status.addresses[0].address", ("status", "addresses", Choice(0, "type", "InternalIP"), "address")),
        (".status.conditions[-1:].status", ("status", "conditions", Choice(0, "type", "Ready"), "status")),
    ],
)
def test_steps(written: str, steps: tuple[str | Choice, ...]) -> None:
    assert parse_field_path(written) == steps


def test_items_told_by_a_key_share_a_place() -> None:
    root = Branch(0)
    add_value(root, parse_field_path('.conditions[?(@.type=="Ready")].status'), "True", 3)
    add_value(root, parse_field_path('.conditions[?(@.type=="DiskPressure")].status'), "False", 3)
    add_value(root, parse_field_path('.conditions[?(@.type=="Ready")].reason'), "KubeletReady", 3)
    assert [child.texts() for child in root.below("conditions")] == [
        {"type": "Ready", "status": "true", "reason": "KubeletReady"},
        {"type": "DiskPressure", "status": "false"},
    ]


def test_lists_and_maps() -> None:
    root = Branch(0)
    add_value(
        root,
        parse_field_path(".spec.taints"),
        "[map[effect:NoSchedule key:pool value:gpu] map[effect:NoExecute key:x]]",
        0,
    )
    add_value(root, parse_field_path(".spec.limits"), '{"cpu":"300m","memory":"64M"}', 0)
    add_value(root, parse_field_path(".spec.podCIDRs[*]"), "10.7.3.0/24,fd07:3::/64", 0)
    assert root.text("spec", "taints", 0, "value") == "gpu"
    assert root.text("spec", "taints", 1, "key") == "x"
    assert root.texts("spec", "limits") == {"cpu": "300m", "memory": "64M"}
    assert root.text("spec", "podCIDRs", 1) == "fd07:3::/64"


def test_what_is_absent_leaves_no_trace_and_versions_stay_text() -> None:
    root = Branch(0)
    add_value(root, parse_field_path(".spec.podCIDR"), "<none>", 0)
    add_value(root, parse_field_path(".version"), "1.20", 0)
    assert root.texts() == {"version": "1.20"}


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text(path: str, text: str) -> None:
    add_value(Branch(0), parse_field_path(path), text, 0)
