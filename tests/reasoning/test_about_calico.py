"""Calico named among the things there are makes nobody's trouble Calico's."""

from __future__ import annotations

import pytest

from calivet.reasoning.presence import is_about_calico
from tests.facts.drawing import picture_of


@pytest.mark.parametrize(
    "text",
    [
        "pods of calico-node restart every hour on the new machines, and nobody knows why.\n",
        "用的 calico 网络，跨节点 pod 不通，同节点没问题。\n",
        "# 一次 calico 网络排查\n\n现象是大包过不去。\n",
        "Two machines hold a blockaffinity for the same range, pings to the second one time out.\n",
        "The new rack is cut off.\n\n```\nbird: Mesh_10_1_1_1: Socket error: Connection refused\ncalico-node log\n```\n",
    ],
)
def test_spoken_of_as_what_fails(text):
    assert is_about_calico(picture_of(text))


@pytest.mark.parametrize(
    "text",
    [
        "环境：calico 网络\n\n数据库连接池耗尽，节点 CPU 打满，扩容后恢复。\n",
        "Kubernetes: 1.27\nCNI: calico v3.26\n\nThe message broker loses its quorum when a disk of a node is full.\n",
        "集群用 calico。\n\nkube-ovn-cni 起不来，ovn0 网卡不通；kube-ovn 的网关节点宕机。\n",
    ],
)
def test_named_in_passing(text):
    assert not is_about_calico(picture_of(text))
