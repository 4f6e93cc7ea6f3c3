"""Events in all the shapes that kubectl has given them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Artifact
from calivet.facts.kubernetes import Event
from calivet.readers.kubectl.kubectl_events import READER
from tests.readers.host_reading import facts_of, reading_of

DESCRIBED = """
Name:         plum-node-x7k2p
Namespace:    fruit
Node:         fig-2/10.9.0.12
Containers:
  plum:
    Image:  calico/node:v3.9.5
QoS Class:       Burstable
Events:
  Type     Reason     Age                      From     Message
  ----     ------     ----                     ----     -------
  Warning  Unhealthy  2m9s (x40117 over 5d3h)  kubelet  (combined from similar events): Readiness probe failed: calico/node is not ready
  Normal   Killing    20m                      kubelet  Container plum failed liveness probe, will be restarted
"""


def test_events_on_a_describe_page_belong_to_its_object() -> None:
    many, once = facts_of(READER, DESCRIBED)
    assert isinstance(many, Event)
    assert (many.kind, many.object, many.namespace, many.node, many.host) == (
        "pod",
        "plum-node-x7k2p",
        "fruit",
        "fig-2",
        "fig-2",
    )
    assert (many.type, many.reason, many.source, many.count) == ("Warning", "Unhealthy", "kubelet", 40117)
    assert (many.age, many.over) == (129.0, 442_800.0)
    assert many.message.endswith("calico/node is not ready")
    assert (once.count, once.over, once.age) == (1, None, 1200.0)


def test_heads_and_rows_are_claimed() -> None:
    assert reading_of(READER, DESCRIBED).claimed == {7, 8, 9, 10, 11}


def test_events_of_a_described_node() -> None:
    (event,) = facts_of(
        READER,
        """
        Name:    fig-2
        Roles:   <none>
        Taints:  <none>
        Events:
          Type     Reason        Age   From     Message
          ----     ------        ----  ----     -------
          Warning  NodeNotReady  21m   kubelet  Node is not ready
        """,
    )
    assert (event.kind, event.object, event.host) == ("node", "fig-2", "fig-2")


def test_cut_output_takes_the_object_from_the_command() -> None:
    (event,) = facts_of(
        READER,
        "  Warning  Unhealthy  22m (x70 over 4h40m)  kubelet  Liveness probe failed: calico/node is not ready",
        "kubectl -n fruit describe pod plum-node-x7k2p | tail -1",
        host="bastion",
    )
    assert (event.object, event.namespace, event.host) == ("plum-node-x7k2p", "fruit", None)
    assert (event.count, event.age, event.over) == (70, 1320.0, 16_800.0)


def test_a_file_named_after_the_pod() -> None:
    line = "  Warning  BackOff  77s (x1533 over 6d19h)  kubelet, fig-2  Back-off restarting failed container"
    (event,) = READER.read(Artifact("describe-calico-node-x7k2p.txt", 1, [line]), [0]).facts
    assert isinstance(event, Event)
    assert (event.kind, event.object, event.node, event.source) == ("pod", "calico-node-x7k2p", "fig-2", "kubelet")


def test_one_event_tells_pod_and_node_for_all() -> None:
    scheduled, failed = facts_of(
        READER,
        """
        Events:
          Type     Reason     Age                  From               Message
          ----     ------     ----                 ----               -------
          Normal   Scheduled  13m                  default-scheduler  Successfully assigned fruit/plum-node-x7k2p to fig-2
          Warning  BackOff    3m2s (x43 over 12m)  kubelet            Back-off restarting failed container
        """,
    )
    assert (failed.object, failed.namespace, failed.node, failed.host) == ("plum-node-x7k2p", "fruit", "fig-2", "fig-2")
    assert (scheduled.node, scheduled.host) == (None, "fig-2")


def test_filtered_events_of_several_pods_tell_nothing_about_each_other() -> None:
    events = facts_of(
        READER,
        """
          Warning  BackOff  3m   kubelet, fig-1  Back-off restarting failed container
          Warning  BackOff  3m   kubelet, fig-2  Back-off restarting failed container
          Warning  BackOff  3m   kubelet         Back-off restarting failed container
        """,
    )
    assert [event.host for event in events] == ["fig-1", "fig-2", None]
    assert {event.object for event in events} == {None}


def test_events_pasted_with_squeezed_blanks() -> None:
    (event,) = facts_of(
        READER, "Warning FailedMount 67s (x13 over 11m) kubelet, fig-1 MountVolume.SetUp failed for volume"
    )
    assert (event.reason, event.node, event.message) == ("FailedMount", "fig-1", "MountVolume.SetUp failed for volume")


TABLES = {
    "new": (
        "LAST SEEN   TYPE      REASON      OBJECT                MESSAGE\n"
        "5m23s       Warning   Unhealthy   pod/plum-node-x7k2p   Readiness probe failed: oops"
    ),
    "all namespaces": (
        "NAMESPACE   LAST SEEN   TYPE      REASON      OBJECT                MESSAGE\n"
        "fruit       5m23s       Warning   Unhealthy   pod/plum-node-x7k2p   Readiness probe failed: oops"
    ),
    "wide": (
        "LAST SEEN   TYPE      REASON      OBJECT                SUBOBJECT                SOURCE           MESSAGE                        FIRST SEEN   COUNT   NAME\n"
        "5m23s       Warning   Unhealthy   pod/plum-node-x7k2p   spec.containers{plum}    kubelet, fig-2   Readiness probe failed: oops   9h           7       plum-node-x7k2p.17a1b2c3d4e5f607"
    ),
    "kubectl events": (
        "LAST SEEN               TYPE      REASON      OBJECT                MESSAGE\n"
        "5m23s (x7 over 9h)      Warning   Unhealthy   Pod/plum-node-x7k2p   Readiness probe failed: oops"
    ),
    "1.11": (
        "LAST SEEN   FIRST SEEN   COUNT     NAME                               KIND      SUBOBJECT               TYPE      REASON      SOURCE           MESSAGE\n"
        "5m23s       9h           7         plum-node-x7k2p.15a1b2c3d4e5f607   Pod       spec.containers{plum}   Warning   Unhealthy   kubelet, fig-2   Readiness probe failed: oops"
    ),
    "1.6": (
        "LASTSEEN   FIRSTSEEN   COUNT     NAME              KIND      SUBOBJECT               TYPE      REASON      SOURCE           MESSAGE\n"
        "5m23s      9h          7         plum-node-x7k2p   Pod       spec.containers{plum}   Warning   Unhealthy   kubelet, fig-2   Readiness probe failed: oops"
    ),
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_tables_of_every_age(table: str) -> None:
    (event,) = facts_of(READER, table)
    assert (event.kind, event.object, event.reason, event.type) == ("pod", "plum-node-x7k2p", "Unhealthy", "Warning")
    assert (event.message, event.age) == ("Readiness probe failed: oops", 323.0)
    if "9h" in table:
        assert (event.over, event.count) == (32_400.0, 7)
    if "fig-2" in table:
        assert (event.node, event.host, event.source) == ("fig-2", "fig-2", "kubelet")
    if "NAMESPACE" in table:
        assert event.namespace == "fruit"
    assert reading_of(READER, table).claimed == {0, 1}


def test_1_13_names_only_the_kind() -> None:
    (event,) = facts_of(
        READER,
        "LAST SEEN   TYPE      REASON    KIND   MESSAGE\n2m          Warning   BackOff   Pod    Back-off restarting",
    )
    assert (event.kind, event.object, event.message) == ("pod", None, "Back-off restarting")


def test_described_up_to_1_8() -> None:
    scheduled, warned = facts_of(
        READER,
        "Events:\n"
        "  FirstSeen\tLastSeen\tCount\tFrom\t\t\tSubObjectPath\tType\t\tReason\t\tMessage\n"
        "  ---------\t--------\t-----\t----\t\t\t-------------\t--------\t------\t\t-------\n"
        "  12m\t\t12m\t\t1\tdefault-scheduler\t\t\tNormal\t\tScheduled\tSuccessfully assigned plum-node-x7k2p to fig-2\n"
        "  12m\t\t2s\t\t58\tkubelet, fig-2\t\tspec.containers{plum}\tWarning\tUnhealthy\tLiveness probe failed: oops",
    )
    assert (scheduled.source, scheduled.object) == ("default-scheduler", "plum-node-x7k2p")
    assert (warned.age, warned.over, warned.count, warned.node) == (2.0, 720.0, 58, "fig-2")
    assert warned.message == "Liveness probe failed: oops"


def test_messages_of_several_lines() -> None:
    first, last = facts_of(
        READER,
        """
        Events:
          Type     Reason     Age   From     Message
          ----     ------     ----  ----     -------
          Warning  Unhealthy  9m    kubelet  Readiness probe failed: calico/node is not ready: BIRD is not ready
        2020-02-08 03:25:40.117 [INFO][120] health.go 156: Number of node(s) with BGP peering established = 0

          Warning  Failed     5m    kubelet  Error: first line
        and the second one
          Normal   Pulled     4m    kubelet  Container image already present
        """,
    )[:2]
    assert first.message.endswith("established = 0")
    assert last.message == "Error: first line\nand the second one"


def test_unknown_ages() -> None:
    (event,) = facts_of(
        READER, "  Normal  Scheduled  <unknown>  default-scheduler  Successfully assigned fruit/plum-1 to fig-2"
    )
    assert event.age is None


def test_other_lines_with_these_words_are_left_alone() -> None:
    text = "the Warning about swap\nWarning: kubectl apply should be used\n2020-01-01 [WARNING][8] Normal operation"
    assert reading_of(READER, text).claimed == set()


@given(st.lists(st.text(alphabet=st.sampled_from("Normal Warning12smx(){},/.:\t中"), max_size=70), max_size=6))
def test_any_text_is_survived(lines: list[str]) -> None:
    READER.read(Artifact("x", 1, lines), list(range(len(lines))))
