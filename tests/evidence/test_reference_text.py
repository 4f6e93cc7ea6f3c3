"""What is no evidence of a cluster is recognised and named; what operators write about one never is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calivet.cli.main import main
from calivet.evaluation import load_cases
from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather
from calivet.evidence.instructions import instructs_most, is_lecture, teaches
from calivet.evidence.reference_text import blank_definitions, recognize_reference
from calivet.reports.diagnosis.formats import FORMATS

PROJECT = Path(__file__).parents[2]
CORPORA = [PROJECT / "corpus", PROJECT.parent / "shared" / "corpus"]
GO = """package felix

import (
\t"fmt"
)

func check(err error) error {
\tif err != nil {
\t\tlog.WithError(err).Fatal("running with swap on is not supported")
\t\treturn err
\t}
\treturn nil
}
"""
RUNBOOK = """# Calico node not ready

## When to use this runbook
Use it when you are paged for calico-node.

## Steps
Check that the pod runs: `kubectl logs <pod-name>`.
If you see `BIRD is not ready: BGP not established with <peer ip>`, verify that TCP 179 is open.
Make sure that swap is off: "running with swap on is not supported".

## Escalate
See also the network team's page for more information.
"""
CHANGES = """## v3.27.1
- Fix felix panic on startup [calico #8123] (@someone)
- Fixed BIRD crash when the config is empty [calico #8124]
- Add retries to the datastore client #8125
- Fix ipset protocol mismatch #8126
- Support nftables #8127
"""
PLAYBOOK = """- hosts: k8s
  tasks:
  - name: refuse swap
    fail: {msg: "running with swap on is not supported"}
"""
ALERTS = """groups:
- name: calico
  rules:
  - alert: CalicoNodeNotReady
    expr: kube_daemonset_status_number_unavailable > 0
    annotations:
      summary: "BIRD is not ready: BGP not established"
"""
MAN_PAGE = """QUORUMCTL(1)

NAME
  quorumctl - a client

TROUBLESHOOTING
  'etcdserver: mvcc: database space exceeded' means that the quota is reached.
"""
CONTENTS = """# The kubelet

<!-- TOC -->
- [Get the binary](#get-the-binary)
- [Make a token](#make-a-token)
- [Start it](#start-it)
- [Look at it](#look-at-it)
- [Rights](#rights)

The token was refused in the first attempt: Unauthorized.
"""
ASKED = """# Frequently asked
## What does the agent do with a policy?
It logs Policy Verdict: DENY.
## Can policies be applied to host networking?
No, they cannot.
## Where are the logs?
On the node.
"""
SCRIPT = """#!/usr/bin/env bash
set -e
if nstat -a | grep -q InCsumErrors; then
  echo "run 'ethtool -K ETH tx off'"
fi
"""
# What operators paste is like it and is not it.
RECORD = """#!/bin/bash
10:11:12 birch-1 started
10:11:13 birch-1 the disk is full
"""
POLICY = """apiVersion: projectcalico.org/v3
kind: GlobalNetworkPolicy
metadata: {name: deny}
spec:
  rules:
  - action: Deny
"""


def kind_of(text, name="text.md"):
    reference = recognize_reference(Document(name, text.split("\n")))
    return reference and reference.kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (GO, "source"),
        (RUNBOOK, "manual"),
        (CHANGES, "release-notes"),
        (PLAYBOOK, "source"),
        (ALERTS, "source"),
        (MAN_PAGE, "manual"),
        (CONTENTS, "manual"),
        (ASKED, "manual"),
        (SCRIPT, "source"),
        (RECORD, None),
        (POLICY, None),
    ],
)
def test_texts_of_others(text, kind):
    assert kind_of(text) == kind


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_our_own_reports_in_every_form(form, language, capsys):
    main(["demo", "three-at-once", "-o", form, "--lang", language])
    assert kind_of(capsys.readouterr().out) == "report"


@pytest.mark.parametrize("path", sorted((PROJECT / "src/calivet/causes").rglob("*.yaml")), ids=lambda path: path.name)
def test_every_file_of_the_catalogue(path):
    assert kind_of(path.read_text()) == "catalogue"


@pytest.mark.parametrize("path", sorted((PROJECT / "corpus/phrases").glob("*.yaml")), ids=lambda path: path.name)
def test_every_file_of_phrases(path):
    assert kind_of(path.read_text()) == "label"


def test_every_label_of_the_corpus():
    assert {kind_of(path.read_text()) for path in (PROJECT / "corpus").glob("*/expect.yaml")} == {"label"}


@pytest.mark.parametrize("corpus", [each for each in CORPORA if each.exists()], ids=lambda path: path.parent.name)
def test_no_evidence_of_a_case_is_taken_for_one(corpus):
    documents = {case.name for case in load_cases(corpus) if case.expect.cause == "none"}
    taken = [one.line.artifact for one in gather([str(corpus)]).references if "/evidence/" in one.line.artifact]
    assert [name for name in taken if not documents & set(name.split("/"))] == []


DEFINITION = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: felixconfigurations.crd.projectcalico.org}
spec:
  description: running with swap on is not supported
"""
POOL = """apiVersion: projectcalico.org/v3
kind: IPPool
metadata: {name: default}
"""


def test_definitions_are_blanked_and_all_other_lines_keep_their_numbers():
    lines = f"{POOL}---\n{DEFINITION}---\n{POOL}".split("\n")
    kept = blank_definitions(lines)
    assert [line for line in kept if line] == [*POOL.strip().split("\n"), "---", "---", *POOL.strip().split("\n")]
    assert kept.index("---", 4) == lines.index("---", 4)


def test_lines_without_definitions_are_left_alone():
    lines = POOL.split("\n")
    assert blank_definitions(lines) is lines


def test_the_documentation_the_catalogue_and_the_labels_are_no_evidence(capsys):
    labels = [str(path) for path in sorted((PROJECT / "corpus").glob("a*/expect.yaml"))]
    main(["diagnose", str(PROJECT / "docs"), str(PROJECT / "src/calivet/causes"), *labels, "-o", "json"])
    answer = json.loads(capsys.readouterr().out)
    assert (answer["findings"], answer["candidates"]) == ([], [])


def test_a_short_file_of_code_is_known_by_its_name():
    code = ["import pytest", "", "MESSAGES = [", "    'BGP not established with',", "]", "def test_them():", "    pass"]
    assert recognize_reference(Document("test_cni.py", code))
    assert recognize_reference(Document("notes.txt", code)) is None
    assert recognize_reference(Document("session.py", ["$ kubectl get nodes", "n1 Ready"])) is None


TABLE = """# Night shift: what to do when pods cannot talk

| Symptom | Likely cause | Action |
|---|---|---|
| calico-node 0/1 | port 179 is closed | ask the network team |
| ContainerCreating | `No IPs available in pools` | add a pool |
| lookups fail | `nf_conntrack: table full, dropping packet` | raise the limit |
"""
INCIDENT = """| time | what | who |
|---|---|---|
| 02:11:40 | `nf_conntrack: table full, dropping packet` on web-3 | kernel |
| 02:12:01 | pods on web-3 time out | users |
| 02:15:33 | limit raised | ops |
"""


def test_what_is_wanted_of_a_cloud_is_no_machine():
    wanted = 'resource "aws_instance" "worker" {\n  source_dest_check = true\n}\n'
    assert kind_of(wanted, name="workers.tf") == "source"
    assert kind_of("source_dest_check = true\n", name="note.txt") is None


def test_release_notes_are_known_by_the_headings_of_their_lists():
    notes = "### Known issues\n\n- Packets are dropped where rp_filter is strict.\n- The tunnel stalls.\n- It leaks.\n"
    assert kind_of(notes) == "release-notes"
    assert kind_of(notes.replace("Known issues", "What we see")) is None


def test_a_table_of_symptoms_causes_and_cures_is_a_runbook():
    assert kind_of(TABLE) == "manual"
    assert (
        kind_of("| 现象 | 可能原因 | 处理 |\n|---|---|---|\n" + "| 大包不通 | MTU 不匹配 | 调小 MTU |\n" * 3)
        == "manual"
    )


def test_a_table_of_what_happened_is_none():
    assert kind_of(INCIDENT) is None


def test_release_notes_are_known_by_their_title_too():
    notes = "## v3.27.3 release notes (excerpt)\n- Felix no longer panics on resync\n- Typha retries\n- Use Go 1.22\n"
    assert kind_of(notes) == "release-notes"
    assert (
        kind_of("## After the release notes I tried it\n- 09:26:53 Felix panics\n- Typha is gone\n- what now\n") is None
    )


def test_what_was_set_aside_altogether_is_an_answer_that_says_so(tmp_path, capsys):
    (tmp_path / "runbook.md").write_text(TABLE)
    assert main(["diagnose", str(tmp_path)]) == 2
    assert "documentation, no evidence of a cluster" in capsys.readouterr().out


def test_a_manual_page_is_no_evidence():
    page = "NAME\n       calicoctl node status\nSYNOPSIS\n       calicoctl node status\nDESCRIPTION\n       Idle Received: Bad peer AS\n"
    assert kind_of(page) == "manual"


def test_a_ticket_is_none_however_much_advice_is_in_it():
    ticket = (
        "# two nodes have one tunnel address\n## Expected Behavior\nOne each\n## Current Behavior\nThe same\n## Your Environment\n"
        "Calico 3.20\nCheck that your hostname is unique.\nMake sure that you changed it.\nSee also the file <node name>.\n"
    )
    assert kind_of(ticket) is None


COPIED_PAGE = """Protect the hosts of a cluster
Big picture
Use policies to restrict the traffic of hosts that you manage.
Before you begin
This guide requires a running cluster. The following command must be run by an administrator.
kind: HostEndpoint
metadata:
  name: node-1-eth0
How to
Create a host endpoint for each interface that you want to protect. By default all traffic of it is denied.
Make sure that your policies let the API server through, else you lose access to the node.
"""


def test_a_page_that_was_copied_without_its_headings_is_documentation():
    assert kind_of(COPIED_PAGE) == "manual"


@pytest.mark.parametrize(
    "story",
    [
        "I followed the guide and lost access to the node.",
        "We have three nodes, and since then calico-node is not ready on our nodes.",
        "按文档操作后，发现节点连不上了。",
    ],
)
def test_who_quotes_a_page_and_tells_of_himself_is_heard(story):
    assert kind_of(f"{COPIED_PAGE}{story}\n") is None


def test_the_source_of_a_documentation_site_is_documentation_whatever_output_it_shows():
    shown = "".join(f"2026-01-02 03:04:{second}.123 [INFO][1] felix: something\n" for second in range(10, 40))
    assert kind_of(f"import Tabs from '@theme/Tabs';\n\nInstall $[prodname].\n{shown}") == "manual"


def test_front_matter_of_a_page_is_told_from_that_of_a_post():
    page = "---\ndescription: How host endpoints are protected\n---\nA host endpoint denies all that nothing allows.\n"
    post = "---\ntitle: calico-node 一直 0/1\ndescription: 一次排障\ndate: 2024-05-06\n---\ncalico-node 起不来。\n"
    assert kind_of(page) == "manual"
    assert kind_of(post) is None


def test_a_template_is_no_file_that_any_machine_has():
    template = '{\n{% if ipv6 %}\n  "type": "macvlan",\n{% endif %}\n  "name": "mynet"\n}\n'
    assert kind_of(template) == "source"
    assert kind_of('{\n  "type": "loopback"\n}\n', name="99-loopback.conf.j2") == "source"


TUTORIAL_ZH = """# 用路由反射器部署 Calico
## 概述
本文介绍如何把工作节点配置为路由反射器，用于较大规模的集群。
默认情况下所有节点两两建立连接，节点多了以后需要使用路由反射器。
## 步骤
首先在每个节点上安装 calicoctl，并设置好环境变量。
创建默认的 BGP 配置，把全互联关闭，命令如下：
[root@node1 ~]# calicoctl apply -f bgp.yaml
查看配置，如果没有生效请检查文件的格式是否正确。
[root@node1 ~]# calicoctl get bgpconfig
default   Info   false   64512
然后修改作为反射器的节点，给它添加标签和集群编号。
接下来我们可以创建 BGPPeer，让其他节点与反射器建立连接。
查看各个节点的连接状态，正常情况下应为 Established。
更多参数的详细说明请参考官方文档中的对应章节内容。
需要使用多个反射器时，建议选择不同机柜上的节点。
最后验证不同节点上的容器之间可以互相访问即可完成。
如果使用物理交换机，还需要在交换机上配置相应的邻居。
"""


def test_a_tutorial_is_documentation_in_spite_of_the_output_of_its_steps():
    assert kind_of(TUTORIAL_ZH) == "manual"


@pytest.mark.parametrize(
    "story", ["照着做完以后，我的集群里跨节点的容器全部不通了。", "操作之后报错，节点一直没有就绪。"]
)
def test_who_followed_a_tutorial_and_met_trouble_is_heard(story):
    assert kind_of(f"{TUTORIAL_ZH}{story}\n") is None


def test_an_article_on_one_fault_states_a_cause_and_is_heard():
    article = (
        f"{COPIED_PAGE}\n## Cause\nThe private address of a deleted worker was given to a new one.\n"
        "## Solution\nDelete the record that is left over, then reboot your worker.\n"
    )
    assert kind_of(article) is None


GUIDE = (
    "- 需要先安装 etcd 并确认 证书 已经 生成 好了",
    "- 首先 修改 配置 里的 地址 然后 执行 部署",
    "- 默认 使用 官方 的 清单 创建 全部 组件 即可",
)


@pytest.mark.parametrize(
    ("title", "heard"),
    [
        ("# Calico 部署踩坑记录", True),
        ("# 记一次节点加不进集群的排查", True),
        ("# Calico 故障排查指南", False),
        ("# Calico 网络说明", False),
    ],
)
def test_who_says_in_his_title_that_he_tells_what_befell_him_is_heard(title, heard):
    assert (kind_of("\n".join([title, "", *GUIDE * 5])) is None) is heard


LESSON = [f"{number}. 首先需要修改配置里的第 {number} 项地址然后执行部署命令" for number in range(16)]
STORY = [f"我们排查第 {number} 台机器时发现它也起不来，日志里有报错" for number in range(12)]


def test_who_instructs_more_than_he_tells_of_himself_teaches():
    assert teaches(LESSON)
    assert teaches([*LESSON, "12:03:04 INFO something was printed"])
    assert not teaches([*LESSON, *STORY])
    assert not teaches(["# 记一次故障排查", *LESSON])
    assert not teaches(LESSON[:8])


def test_a_page_of_many_faults_teaches_and_who_tells_of_one_or_two_does_not():
    fault = ["### 跨节点不通", "- 现象：升级后 pod 之间不通", "- 影响：三台机器", "- 建议：升级内核"]
    assert teaches(fault * 5)
    assert not teaches(fault * 2)


def test_a_post_with_a_heading_for_what_was_seen_is_heard():
    post = "---\nlayout: default\nauthor: somebody\n---\n## {}\n" + "\n".join(GUIDE * 5)
    assert kind_of(post.format("现象描述")) is None
    assert kind_of(post.format("概述")) == "manual"


MESSAGES = """# Ten messages and what they mean

## 1. `running with swap on is not supported`
Turn swap off, or allow it.

## 2. `kubelet cgroup driver is different`
Make both the same.

## 3. `certificate has expired or is not yet valid`
Renew it with kubeadm.

## 4. `PLEG is not healthy: pleg was last seen active`
The runtime hangs.
"""
GUIDE_ZH = (
    "# 部署集群\n\n## 一、准备\n\n加载内核模块\n\n## 二、常见问题\n\n**calico-node 一直 0/1**\n\n原因:网卡识别错误。\n"
)


@pytest.mark.parametrize("page", [MESSAGES, GUIDE_ZH])
def test_a_list_of_what_may_befall_anybody_is_documentation(page):
    found = recognize_reference(Document("page.md", page.splitlines()))
    assert found
    assert found.kind == "manual"


def test_a_list_of_what_was_seen_is_none():
    seen = MESSAGES.replace(
        "Turn swap off", "On birch-1 since 09:12:44, kubelet on birch-1-x7k2p said so; turn swap off"
    )
    assert recognize_reference(Document("page.md", seen.splitlines())) is None


def test_who_instructs_and_never_speaks_of_himself_lectures():
    steps = [
        "You install the package of the distribution for it to run.",
        "The default of this setting can be found there.",
    ]
    facts = [f"The policy number {number} labels the files of the runtime." for number in range(12)]
    assert is_lecture([*steps, *facts])
    assert not is_lecture([*steps, *facts, "Since the update I see denials on all of our nodes."])
    assert instructs_most([*steps, *facts])


def test_frequent_faults_under_numbered_headings_are_documentation():
    page = """
## 五、高频网络故障与处理
### 1. calico-node CrashLoopBackOff
- 地址池与集群网段不一致；
- 179 端口未放行；
### 2. 跨节点 Pod 超时
- 隧道端口未放行；
### 3. 网络策略不生效
重启 calico-node。
### 4. 节点 NotReady
等待组件启动。
""".strip().split("\n")
    assert recognize_reference(Document("faults.md", page)) is not None
    ours = ["## calico-node CrashLoopBackOff", "昨天加了一台节点，calico-node 起不来，179 端口未放行。"]
    assert recognize_reference(Document("note.md", ours)) is None


def test_what_calls_itself_a_guide_and_lists_to_tick_off_are_documentation():
    guide = [
        "# 网络策略排查手册",
        *(line for n in range(9) for line in (f"## {n}. 某一步", "09:12:44 查到 birch-x7k2p 的输出")),
    ]
    assert recognize_reference(Document("page.md", guide)) is not None
    assert recognize_reference(Document("page.md", ["# 网络策略排查记录", *guide[1:]])) is None
    boxes = ["## 如果是网卡探测异常", *["- [ ] 是否改过网卡"] * 6, "参考：localhost 解析缺失导致 calico-node 启动失败"]
    assert recognize_reference(Document("page.md", boxes)) is not None
    form = ["- [ ] I looked for the same", "calico-node 起不来", *["felix 报错"] * 4]
    assert recognize_reference(Document("issue.md", form)) is None


def test_an_article_that_shows_alerting_rules_is_no_file_of_rules():
    rules = ["groups:", "- name: ipam", "  rules:", "  - alert: Full", "    expr: up == 0"]
    assert recognize_reference(Document("rules.yaml", rules)) is not None
    article = ["## 现象", "地址池用完了", "## 根因", "地址泄漏", "```yaml", *rules, "```"]
    assert recognize_reference(Document("note.md", article)) is None
