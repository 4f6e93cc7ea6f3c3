from __future__ import annotations

import pytest

from calivet.readers.runtime.runtime_containers import READER, SANDBOX
from tests.readers.host_reading import facts_of, reading_of


def test_crictl_ps():
    text = """
    CONTAINER           IMAGE               CREATED             STATE     NAME          ATTEMPT   POD ID              POD                    NAMESPACE
    0a1b2c3d4e5f6       1f2e3d4c5b6a7       2 minutes ago       Running   calico-node   14        9f8e7d6c5b4a3       calico-node-b7k2x      kube-system
    1a1b2c3d4e5f6       1f2e3d4c5b6a7       About an hour ago   Exited    install-cni   0         9f8e7d6c5b4a3       calico-node-b7k2x      kube-system
    """
    rows = facts_of(READER, text, "crictl ps -a", "cn-3")
    assert [(row.name, row.state, row.pod, row.age) for row in rows] == [
        ("calico-node", "running", "calico-node-b7k2x", 120),
        ("install-cni", "exited", "calico-node-b7k2x", 3600),
    ]
    assert {row.host for row in rows} == {"cn-3"}


def test_an_old_crictl_names_no_pod():
    (row,) = facts_of(
        READER, "0a1b2c3d4e5f6   1f2e3d4c5b6a7   3 weeks ago   Created   upgrade-ipam   0   9f8e7d6c5b4a3"
    )
    assert (row.name, row.state, row.pod) == ("upgrade-ipam", "created", None)


def test_crictl_pods():
    text = """
    POD ID              CREATED             STATE               NAME                NAMESPACE           ATTEMPT             RUNTIME
    9f8e7d6c5b4a3       5 minutes ago       NotReady            calico-node-b7k2x   kube-system         61                  (default)
    """
    (row,) = facts_of(READER, text)
    assert (row.name, row.pod, row.state) == (SANDBOX, "calico-node-b7k2x", "exited")


@pytest.mark.parametrize(
    ("status", "state", "code"),
    [
        ("Up 2 hours", "running", None),
        ("Up About a minute (unhealthy)", "running", None),
        ("Up Less than a second", "running", None),
        ("Exited (137) 3 minutes ago", "exited", 137),
        ("Restarting (1) 5 seconds ago", "exited", 1),
        ("Created", "created", None),
        ("Dead", "exited", None),
    ],
)
def test_docker_states(status: str, state: str, code: int | None):
    line = f'0a1b2c3d4e5f   calico/node   "start_runit"   2 hours ago   {status}   k8s_calico-node_calico-node-b7k2x_kube-system_0f1e-2d3c_7'
    (row,) = facts_of(READER, line)
    assert (row.name, row.pod, row.state, row.exit_code) == (
        "calico-node",
        "calico-node-b7k2x",
        state,
        code,
    )


def test_docker_rows_of_other_containers():
    text = """
    CONTAINER ID   IMAGE                     COMMAND                  CREATED      STATUS      PORTS                                   NAMES
    0a1b2c3d4e5f   rancher/hyperkube:v1.18   "/opt/rke-tools/entr…"   3 days ago   Up 3 days                                           kubelet
    1a1b2c3d4e5f   nginx                     "nginx -g 'daemon of…"   3 days ago   Up 3 days   0.0.0.0:80->80/tcp, :::80->80/tcp       web
    2a1b2c3d4e5f   pause:3.2                 "/pause"                 3 days ago   Up 3 days                                           k8s_POD_calico-node-b7k2x_kube-system_0f1e_2
    """
    assert [(row.name, row.pod) for row in facts_of(READER, text, "docker ps")] == [
        ("kubelet", None),
        ("web", None),
        (SANDBOX, "calico-node-b7k2x"),
    ]


def test_nerdctl_names():
    text = '0a1b2c3d4e5f    quay.io/calico/node:v3.26.1    "start_runit"    2 minutes ago    Up                 k8s://kube-system/calico-node-b7k2x/calico-node'
    (row,) = facts_of(READER, text, "nerdctl -n k8s.io ps")
    assert (row.name, row.pod, row.state) == ("calico-node", "calico-node-b7k2x", "running")


def test_a_row_cut_before_its_name_is_unread():
    reading = reading_of(READER, '0a1b2c3d4e5f   9f8e7d6c5b4a   "/install-cni.sh"   2 minutes ago   Created')
    assert reading.facts == []
    assert reading.unread == {0}


def test_images_are_no_containers():
    assert facts_of(READER, "calico/node    v3.20.0    0a1b2c3d4e5f    6 weeks ago    163MB", "docker images") == []
