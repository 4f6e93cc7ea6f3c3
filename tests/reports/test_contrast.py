"""What sets the unhealthy nodes apart, as one would say it to a colleague."""

from __future__ import annotations

import pytest

from calivet.reasoning.diagnosis import Contrast
from calivet.reports.diagnosis.contrast import describe_contrast
from tests.corpus_answers import GROUP, diagnose_corpus

WELL = {"elm-1": "2.31", "elm-2": "1.64", "elm-3": "3.05"}


@pytest.mark.parametrize(
    ("contrast", "english", "chinese"),
    [
        (
            Contrast("host.load1", {"elm-8": "243.8", "elm-9": "311.06"}, WELL),
            "load average (1 min): 243.8 on elm-8, 311.06 on elm-9, but 1.64 to 3.05 on the 3 healthy nodes",
            "1 分钟平均负载：elm-8 为 243.8、elm-9 为 311.06，而 3 个正常节点为 1.64 至 3.05",
        ),
        (
            Contrast("node.kernel", {"elm-8": "4.18.0", "elm-9": "4.18.0"}, {"elm-1": "5.15.0"}),
            "kernel: 4.18.0 on elm-8, elm-9, but 5.15.0 on the healthy node elm-1",
            "内核版本：elm-8、elm-9 为 4.18.0，而正常节点 elm-1 为 5.15.0",
        ),
        (
            Contrast("version.containerd", {f"elm-{number}": "1.6.8" for number in range(10, 50)}, {"elm-1": "1.7.2"}),
            "version of containerd: 1.6.8 on the 40 unhealthy nodes, but 1.7.2 on the healthy node elm-1",
            "containerd 版本：40 个异常节点为 1.6.8，而正常节点 elm-1 为 1.7.2",
        ),
        (
            Contrast("kubelet.cgroupDriver", {"elm-9": "cgroupfs"}, {"elm-1": "systemd"}),
            "cgroupDriver of kubelet: cgroupfs on elm-9, but systemd on the healthy node elm-1",
            "kubelet 的 cgroupDriver：elm-9 为 cgroupfs，而正常节点 elm-1 为 systemd",
        ),
        (
            Contrast("node.os", {"elm-9": "Ubuntu 18.04"}, {f"elm-{n}": f"Talos 1.{n}" for n in range(5)}),
            "operating system: Ubuntu 18.04 on elm-9, but Talos 1.0, Talos 1.1, Talos 1.2 (+2) on the 5 healthy nodes",
            "操作系统：elm-9 为 Ubuntu 18.04，而 5 个正常节点为 Talos 1.0、Talos 1.1、Talos 1.2（另有 2 个）",
        ),
    ],
)
def test_it_is_said_in_a_sentence(contrast, english, chinese):
    assert describe_contrast(contrast, "en") == english
    assert describe_contrast(contrast, "zh") == chinese


@pytest.mark.xdist_group(GROUP)
def test_every_fact_of_the_corpus_has_a_name_of_its_own():
    """No key of calivet's own reaches a reader; settings of the kernel go by their names."""
    told = {one.fact for answer in diagnose_corpus().values() for one in answer.contrast}
    assert told, "some answers of the corpus have a contrast"
    for fact in told:
        assert not describe_contrast(Contrast(fact, {"a": "1"}, {"b": "2"}), "en").startswith(fact), fact
