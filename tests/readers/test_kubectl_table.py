"""Tables of kubectl get, of many versions and in many states of repair."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Version
from calivet.facts.kubernetes import Condition, Node, Pod, Row
from calivet.readers.kubectl.kubectl_command import parse_loose_row
from calivet.readers.kubectl.kubectl_table import TABLE_READER
from tests.readers.host_reading import facts_of, reading_of

PODS = """
NAMESPACE     NAME                     READY   STATUS                  RESTARTS        AGE     IP            NODE     NOMINATED NODE   READINESS GATES
kube-system   calico-node-b7x2k        0/1     Init:CrashLoopBackOff   11 (2m9s ago)   34m     10.31.97.8     plum-8   <none>           <none>
kube-system   calico-node-wq5zt        1/1     Running                 0               98d     10.31.97.5     plum-5   <none>           <none>
kube-system   coredns-5d78c9869d-mm4   0/1     Pending                 0               3h12m   <none>        <none>   <none>           <none>
"""


def test_wide_pods_of_all_namespaces() -> None:
    sick, fine, waiting = facts_of(TABLE_READER, PODS)
    assert isinstance(sick, Pod)
    assert (sick.namespace, sick.name, sick.node, sick.host) == ("kube-system", "calico-node-b7x2k", "plum-8", "plum-8")
    assert (sick.ready, sick.containers, sick.status) == (0, 1, "Init:CrashLoopBackOff")
    assert (sick.restarts, sick.last_restart, sick.age) == (11, 129.0, 2040.0)
    assert (fine.ready, fine.last_restart, fine.ip) == (1, None, "10.31.97.5")
    assert (waiting.node, waiting.host, waiting.ip) == (None, None, None)


def test_a_row_quotes_its_own_line() -> None:
    assert facts_of(TABLE_READER, PODS)[1].at.number == 3
    assert "calico-node-wq5zt" in facts_of(TABLE_READER, PODS)[1].at.text


def test_the_machine_of_the_prompt_is_not_the_subject() -> None:
    table = "NAME                READY   STATUS    RESTARTS   AGE\ncalico-node-b7x2k   0/1     Running   0          9m"
    (pod,) = facts_of(TABLE_READER, table, "kubectl -n kube-system get pods", host="bastion")
    assert (pod.host, pod.node, pod.namespace) == (None, None, "kube-system")


def test_old_pods_without_gates() -> None:
    (pod,) = facts_of(
        TABLE_READER,
        """
        NAME                READY     STATUS     RESTARTS   AGE       IP              NODE
        calico-node-6fm9x   2/2       NodeLost   2          1y        192.168.97.12   192.168.97.12
        """,
    )
    assert (pod.status, pod.node, pod.ready, pod.age) == ("NodeLost", "192.168.97.12", 2, 31_536_000.0)


def test_rows_that_lost_their_header_to_grep() -> None:
    first, second = facts_of(
        TABLE_READER,
        """
        calico-node-mr6yk    0/1     CrashLoopBackOff   58 (3m2s ago)    4h41m   172.22.97.23     fig23.k8s.example   <none>   <none>
        kube-proxy-7sdzt     1/1     Running            61 (5m12s ago)   4h41m   172.22.97.23     fig23.k8s.example   <none>   <none>
        """,
        "kubectl get pod -n kube-system -o wide | grep fig23",
    )
    assert (first.name, first.status, first.restarts, first.node) == (
        "calico-node-mr6yk",
        "CrashLoopBackOff",
        58,
        "fig23.k8s.example",
    )
    assert second.namespace == "kube-system"


def test_rows_without_header_but_with_namespace_and_labels() -> None:
    (pod,) = facts_of(TABLE_READER, "fruit   plum-0   1/1   Running   0   9d   k8s-app=plum,tier=base")
    assert (pod.namespace, pod.name, pod.labels) == ("fruit", "plum-0", {"k8s-app": "plum", "tier": "base"})


def test_squeezed_blanks() -> None:
    (pod,) = facts_of(
        TABLE_READER,
        "NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES\n"
        "calico-node-b7x2k 0/1 Running 6 (71s ago) 29d 172.18.97.31 fig-0 <none> <none>",
    )
    assert (pod.restarts, pod.last_restart, pod.node) == (6, 71.0, "fig-0")


def test_indented_in_a_forum_post() -> None:
    table = """
    # kubectl get pods -o wide
        NAME      READY     STATUS    RESTARTS   AGE       IP                NODE
        plum-1    1/1       Running   0          8m        192.168.119.68    fig-w01
    """
    (pod,) = facts_of(TABLE_READER, table)
    assert (pod.name, pod.node) == ("plum-1", "fig-w01")


def test_wide_nodes() -> None:
    ready, away = facts_of(
        TABLE_READER,
        """
        NAME     STATUS                        ROLES                  AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE                KERNEL-VERSION           CONTAINER-RUNTIME
        plum-1   Ready                         control-plane,master   33d   v1.21.5   172.26.40.1   <none>        CentOS Linux 7 (Core)   3.10.0-1160.el7.x86_64   docker://20.10.8
        plum-2   NotReady,SchedulingDisabled   <none>                 33d   v1.21.5   172.26.40.2   <none>        CentOS Linux 7 (Core)   3.10.0-1160.el7.x86_64   docker://20.10.8
        """,
    )
    assert isinstance(ready, Node)
    assert (ready.ready, ready.roles, ready.internal_ip) == (True, "control-plane,master", "172.26.40.1")
    assert (ready.os, ready.kernel, ready.runtime) == (
        "CentOS Linux 7 (Core)",
        "3.10.0-1160.el7.x86_64",
        "docker://20.10.8",
    )
    assert (away.ready, away.status, away.roles, away.host) == (False, "NotReady,SchedulingDisabled", None, "plum-2")


def test_nodes_of_1_6_have_no_roles() -> None:
    (node,) = facts_of(TABLE_READER, "NAME     STATUS     AGE       VERSION\nplum-1   NotReady   44m       v1.6.2")
    assert (node.ready, node.version, node.age) == (False, "v1.6.2", 2640.0)


def test_a_filtered_node_row_keeps_its_wide_columns() -> None:
    for blanks in ("   ", " "):
        row = blanks.join(["plum-2 NotReady <none> 69m v1.17.2 10.7.97.113 <none>", "Debian GNU/Linux 9 (stretch)"])
        row = blanks.join([row.replace(" ", blanks, 6), "4.9.0-9-2-amd64", "docker://18.9.8"])
        (node,) = facts_of(TABLE_READER, row)
        assert (node.internal_ip, node.os) == ("10.7.97.113", "Debian GNU/Linux 9 (stretch)")
        assert (node.kernel, node.runtime) == ("4.9.0-9-2-amd64", "docker://18.9.8")


def test_an_extra_column_is_kept_in_a_row() -> None:
    node, row = facts_of(
        TABLE_READER,
        "NAME     STATUS   ROLES   AGE   VERSION   ZONE\nplum-1   Ready    node    3h    v1.10.5   north-1a",
        "kubectl get nodes -L failure-domain.beta.kubernetes.io/zone",
    )
    assert isinstance(node, Node)
    assert (row.resource, row.name, row.cells["ZONE"]) == ("node", "plum-1", "north-1a")


def test_several_tables_with_prefixed_names() -> None:
    facts = facts_of(
        TABLE_READER,
        """
        NAME                    READY   STATUS    RESTARTS   AGE   IP             NODE     NOMINATED NODE   READINESS GATES
        pod/plum-7dc59c-r2tqm   1/1     Running   0          3h    172.16.77.9    fig-41   <none>           <none>

        NAME           TYPE       CLUSTER-IP     EXTERNAL-IP   PORT(S)        AGE   SELECTOR
        service/plum   NodePort   10.109.14.26   <none>        80:32566/TCP   3h    app=plum

        NAME                         DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR            AGE
        daemonset.apps/calico-node   6         6         5       3            5           kubernetes.io/os=linux   402d

        NAME                   READY   UP-TO-DATE   AVAILABLE   AGE
        deployment.apps/plum   0/1     0            0           16m
        """,
        "kubectl get all -n fruit",
    )
    pod, service, daemonset, deployment = facts
    assert isinstance(pod, Pod)
    assert pod.name == "plum-7dc59c-r2tqm"
    assert all(isinstance(row, Row) for row in (service, daemonset, deployment))
    assert (service.resource, service.name, service.cells["PORT(S)"]) == ("service", "plum", "80:32566/TCP")
    assert (daemonset.resource, daemonset.cells["DESIRED"], daemonset.cells["READY"]) == ("daemonset", "6", "5")
    assert (deployment.resource, deployment.namespace) == ("deployment", "fruit")


def test_rows_of_services_and_daemonsets_without_header() -> None:
    service, daemonset = facts_of(
        TABLE_READER,
        """
        calico        calico-typha   ClusterIP   172.20.97.61   <none>        5473/TCP   9m30s
        kube-system   calico-node    3   3   3   3   3   kubernetes.io/os=linux   9d
        """,
    )
    assert (service.resource, service.namespace, service.cells["CLUSTER-IP"]) == ("service", "calico", "172.20.97.61")
    assert (daemonset.resource, daemonset.name, daemonset.cells["AVAILABLE"]) == ("daemonset", "calico-node", "3")


def test_the_command_names_what_the_header_cannot() -> None:
    (row,) = facts_of(TABLE_READER, "NAME      AGE\ndefault   16m", "kubectl get installation")
    assert (row.resource, row.name) == ("installation", "default")
    (row,) = facts_of(
        TABLE_READER,
        "NAME                  CREATED AT\ndefault-ipv4-ippool   2024-01-01T00:00:00Z",
        "kubectl get ippools",
    )
    assert row.resource == "ippool"


def test_tigerastatus_gives_conditions_too() -> None:
    facts = facts_of(
        TABLE_READER,
        "NAME     AVAILABLE   PROGRESSING   DEGRADED   SINCE\ncalico   False       True          True       9h",
    )
    conditions = {fact.type: fact.status for fact in facts if isinstance(fact, Condition)}
    assert conditions == {"Available": "False", "Progressing": "True", "Degraded": "True"}


def test_images_of_a_wide_daemonset() -> None:
    facts = facts_of(
        TABLE_READER,
        "NAME          DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR   AGE   CONTAINERS               IMAGES                                    SELECTOR\n"
        "calico-node   3         3         3       3            3           <none>          9d    calico-node,install-cni  calico/node:v2.6.12,calico/cni:v1.11.8   k8s-app=x",
    )
    assert [(fact.program, fact.version) for fact in facts if isinstance(fact, Version)] == [
        ("calico-node", "v2.6.12"),
        ("calico-cni", "v1.11.8"),
    ]


def test_top_of_containers() -> None:
    (row,) = facts_of(
        TABLE_READER, "POD        NAME   CPU(cores)   MEMORY(bytes)\nplum-x7k   plum   31m          176Mi"
    )
    assert (row.resource, row.cells["POD"], row.cells["MEMORY(bytes)"]) == ("podmetrics", "plum-x7k", "176Mi")


def test_elided_rows_and_a_broken_one() -> None:
    reading = reading_of(
        TABLE_READER,
        """
        NAME     STATUS   ROLES    AGE   VERSION
        plum-1   Ready    <none>   9d    v1.28.2
        ...
        <- this one was edited by hand
        plum-9   Ready    <none>   9d    v1.28.2
        """,
    )
    assert [fact.name for fact in reading.facts if isinstance(fact, Node)] == ["plum-1", "plum-9"]
    assert reading.unread == {3}
    assert reading.claimed == {0, 1, 2, 3, 4}


def test_a_table_ends_where_something_else_begins() -> None:
    reading = reading_of(
        TABLE_READER, "NAME     STATUS   AGE   VERSION\nplum-1   Ready    9d    v1.6.2\nError from server: oops"
    )
    assert reading.claimed == {0, 1}


def test_tables_of_other_tools_are_left_alone() -> None:
    for table in (
        "NAME      ASN       IPV4             IPV6\nplum-01   (64512)   10.128.0.12/32",
        "NAME                  CIDR            NAT    IPIPMODE   VXLANMODE   DISABLED   SELECTOR\ndefault-ipv4-ippool   10.128.0.0/14   true   Always     Never       false      all()",
        "NAME      TYPE      SIZE USED PRIO\n/dev/dm-1 partition   2G   0B   -2",
        "NAME   MAJ:MIN RM  SIZE RO TYPE MOUNTPOINT\nsda      8:0    0   97G  0 disk",
        "10.99.97.11      4 64512   15022   14980      511    0    0 1w3d     2",
    ):
        assert reading_of(TABLE_READER, table).claimed == set()


@given(st.lists(st.text(alphabet=st.sampled_from("NAME READY/10aZ-:()\t<é中"), max_size=60), max_size=8))
def test_any_text_is_survived(lines: list[str]) -> None:
    text = ["NAME   READY   STATUS   AGE", *lines]
    TABLE_READER.read(Artifact("x", 1, text), list(range(len(text))))


@pytest.mark.parametrize(
    ("row", "status", "restarts"),
    [
        ("calico-node-7xk2p   0/1   Init:CrashLoopBackOff", "Init:CrashLoopBackOff", None),
        ("kube-proxy-8qq9t    0/1   CrashLoopBackOff   12", "CrashLoopBackOff", 12),
        ("calico-node-xjk     1/2   Running   0   ", "Running", 0),
    ],
)
def test_a_row_that_breaks_off_is_still_a_pod(row, status, restarts):
    assert (found := parse_loose_row(row))
    assert (found[0], found[1]["STATUS"], found[1].get("RESTARTS")) == (
        "pod",
        status,
        None if restarts is None else str(restarts),
    )


def test_a_sentence_that_begins_like_a_row_is_none():
    assert parse_loose_row("calico-node-7xk2p 0/1 Running since we changed the card") is None
    assert parse_loose_row("attempt 2/3 Running") is None
