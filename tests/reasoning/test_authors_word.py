"""Whole notes: what their authors conclude is found, and weighs what it should."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather_documents
from calivet.pipeline import diagnose
from calivet.signs.sign_detector import prepare_detector


def examine(text):
    catalogue, watch = prepare_detector()
    return diagnose(gather_documents([Document("note.md", text.strip().split("\n"))]), catalogue, watch)


def findings(text):
    return [finding.cause.id for finding in examine(text).findings]


def candidates(text):
    return [candidate.cause.id for candidate in examine(text).candidates]


def test_a_stated_cause_is_asserted():
    assert findings("# calico-node 0/1\n## 原因\n- 网卡识别错误\n## 处理\n- 重启 calico-node") == [
        "wrong-ip-autodetected"
    ]


def test_a_mention_is_a_candidate():
    text = "calico-node 0/1，看到节点的证书过期了"
    assert findings(text) == []
    assert candidates(text)[0] == "kubelet-cert-expired"


def test_a_setting_given_as_the_cure_names_its_cause():
    text = """
calico-node 起不来，BIRD is not ready

## 解决方法

```yaml
- name: IP_AUTODETECTION_METHOD
  value: "interface=ens192"
```
"""
    assert findings(text) == ["wrong-ip-autodetected"]


def test_the_same_setting_elsewhere_names_nothing():
    assert findings("安装 calico：\n\n```yaml\n- name: IP_AUTODETECTION_METHOD\n  value: interface=ens192\n```") == []


def test_what_stands_before_its_success_is_the_cure():
    text = "Calico is not ready. I added this:\n- name: IP_AUTODETECTION_METHOD\n  value: interface=eno1\nThat makes it work."
    assert findings(text) == ["wrong-ip-autodetected"]


def test_remarks_in_a_pasted_block_are_the_authors_words():
    text = "calico-node 0/1\n\n```\n原因\n#没有匹配到正确的网卡\nbond1\nbond1.2\n```"
    assert findings(text) == ["wrong-ip-autodetected"]


def test_the_cause_goes_before_what_was_done_about_it():
    text = "calico-node 健康检查失败\n## Cause\n- 节点负载过高\n## Resolution\n- 将 timeoutSeconds 从 1 调整为 60"
    assert findings(text)[0] == "node-overload"


def test_a_printed_proof_beats_the_authors_conclusion():
    text = """
calico-node 起不来

```
kubelet[9]: failed to run Kubelet: running with swap on is not supported, please disable swap
```

## 原因

最终发现是内核版本过低，升级内核后恢复正常，内核太老不支持
"""
    assert findings(text)[0] == "kubelet-swap-on"


@pytest.mark.parametrize(
    "text",
    [
        "# Calico 常见问题\n## 原因\n- 179 端口被限制\n- 多网卡导致 BGP 使用错误IP\n- AS 号配置错误\n- IPIP 协议未开放",
        "| 问题 | 原因 | 解决 |\n|---|---|---|\n| calico 分配失败 | IPPool 耗尽 | 增加 IPPool |",
        "# calico\n## 可能的原因\n- 证书过期",
        "安装 calico 之前：\n- 关闭防火墙\n- 关闭 swap",
        "如果 MTU 不一致会导致 calico 大包丢失",
    ],
    ids=["guide", "table", "possible", "preparation", "general"],
)
def test_what_concludes_nothing_is_not_asserted(text):
    assert findings(text) == []


def test_a_text_that_never_names_calico_is_about_something_else():
    text = "# 业务系统登录失败\n## 原因\n- 证书过期"
    assert findings(text) == []
    assert findings(f"{text}\n- calico-node 连不上") == ["kubelet-cert-expired"]


def test_what_a_page_that_teaches_names_is_a_candidate_at_most():
    steps = "\n".join(f"{number}. 首先需要修改 calico 配置里的第 {number} 项，然后执行部署命令" for number in range(16))
    told = "节点上 calico-node 起不来，一直 0/1。原因是网卡识别错误。"
    assert findings(told)
    assert not findings(f"{steps}\n{told}")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "Calico on VMs. Small requests to other pods are OK, image pushes and any larger payload stall.",
            "mtu-mismatch",
        ),
        (
            "Calico, CrossSubnet: pods of one subnet cannot meet. Disabling src/dst check solved it.",
            "source-check-blocked",
        ),
        (
            "calico-node 一直 Init:ImagePullBackOff，docker.io 的镜像拉不下来，换成国内仓库的镜像后正常",
            "image-pull-failed",
        ),
    ],
)
def test_a_fault_of_the_network_needs_no_sentence_that_blames_calico(text, cause):
    assert findings(text) == [cause]


@pytest.mark.parametrize(
    "text",
    [
        "Environment: calico 3.27. Builds are evicted because of disk pressure, images fill the disk of the build machines.",
        "I have read that IPIP is blocked between our subnets. Should I choose VXLAN or IPIP for a new calico cluster?",
        "We moved from calico to cilium, cilium needs an MTU of 1400 here. With larger packets cilium drops, pods hang.",
    ],
)
def test_other_faults_hearsay_and_other_networks_are_not_blamed_on_calico(text):
    assert findings(text) == []
