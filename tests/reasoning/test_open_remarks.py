"""What an author says above a good state: only plain content, a record, a request or a description leaves it healthy."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Line
from calivet.facts.fact import Note, Remark
from calivet.reasoning.complaints import list_words_of_author
from calivet.reasoning.open_remarks import find_open_remark
from tests.facts.drawing import picture_of, pods


def note(text):
    return Note(at=Line("note.md", 1, text), text=text)


@pytest.mark.parametrize(
    "text",
    [
        "Connections from pods to the outside leave with the wrong source address.",
        "After the reboot of gw-1 none of its pods answer any more, although everything is fine:",
        "Pods on birch-2 get IP addresses from a range that is not ours.",
        "kubectl top puts calico-node at 4 cores on every node",
        "Two replicas see each other, the third is alone.",
        "Everything works, but since the change pods on oak-3 lose packets and Felix logs an ERROR.",
        "集群一切正常，日志里有报错，但新建的 Pod 半天起不来",
        "Since Tuesday the shop answers only every other time.",
        "Half of our builds die while pulling from the internal registry.",
        "Anyone else whose egress gateway goes quiet overnight?",
        "Address leak? in the pool of rack 4",
        "the ingress sees all users as 10.20.0.1",
        "We had to reboot oak-2 three times this week to get its pods back",
        "Customers in Asia report blank pages",
        "We moved to the new switch and since then backups run for nine hours",
        "Traffic should go through the gateway but goes out directly",
        "Uploads above 10 MB crawl, small ones fly.",
        "Sometimes the wiki works fine. Other times it gets stuck in a redirect.",
        "policies that did not work as expected?",
        "服务 A 调用服务 B 有时候要等 5 秒才返回",
        "交换机换过以后，下单偶发超时",
        "No container is able to look up a name",
        "Names are found from machines, unless a container looks",
        "It was fine under 3.27 and the mail gateway is what suffers",
        "Priority: high\nOwner: network team",
        "Nobody home behind the address of the wiki",
        "多台机器反映容器间延迟从0.3ms涨到40ms",
        "页面转圈，刷新几次才出来",
        "calico网络问题",
        "两个 pod 的 IP 撞了",
        "更新完策略，测试环境全都连得上生产了",
        "下午两点多开始支付成功率往下走",
        "IPIP 模式的节点互相看不见",
        "登录时提示未知错误",
        "ノードを再起動すると一部のPodの通信がおかしい",
    ],
)
def test_whoever_shows_no_content_may_complain(text):
    assert find_open_remark([note(text)])


@pytest.mark.parametrize(
    "text",
    [
        "We finished moving the staging cluster to Calico 3.29 on Tuesday. All nodes are Ready and the smoke tests pass.",
        "Workers run Ubuntu 22.04, containerd 1.7, Calico v3.28.",
        "网络插件: Calico v3.28 (operator),k3s 启动参数 --flannel-backend=none --disable-network-policy",
        "留个底,网络一直正常。",
        "Does a node get more than one block of addresses from the pool?",
        "Handover of the cluster",
        "After the upgrade mount-bpffs prints an ERROR, but everything works. Should we care?",
        "刚换完证书，看到启动日志里有 Unauthorized，是不是权限不对？集群在用，没有故障。",
        "升级后 install-cni 里有 ERROR，但集群一切正常，是否需要处理？",
        "# kubectl get nodes on every master",
        "Number of Nodes Scheduled with Available Pods: 4",
        "Inventory of the production cluster, 12 May",
        "Certificate of the ingress renewed today, no downtime.",
        "OPS-4411: please add two more workers, current state below.",
        "kubeadm cluster, three control planes, calico through the operator, VXLAN",
        "Rolling restart of calico-node completed in 3 minutes, no sessions were lost.",
        "All quiet tonight.",
        "The outage of last week is fixed; this is the state today.",
        "The jumbo frames on the wire are 9000 and those of the pods 8950, as planned with the data centre.",
        "We plan a pool for the new tenant. Is a /22 enough for two thousand pods, and may its block size be 28?",
        "We added a fifth worker at noon; it joined the others at once and runs its share of pods.",
        "这是一份基线，留待以后比较。",
        "No findings in the review of May.",
        "All well at the site. See you on Thursday.",
        "Next: the machines of the second hall, same way.",
        "Use `tryout fetch` to get the rest.",
        "Exercise 4: which of these pods runs on oak-2",
        "晚班交接：没有待处理事项，情况见下表。",
        "一切正常，没有业务反馈网络问题",
        "升级到 v3.27 已完成，节点与容器网络状态如下",
        "本次演练：切换主备，全程无丢包",
        "资产盘点：生产集群 6 个节点",
        "操作系统补丁已打完，节点依次重启，服务未中断",
        "请问这个集群可以用来做演示吗？",
    ],
)
def test_whoever_is_content_or_describes_does_not(text):
    assert find_open_remark([note(text)]) is None


def test_of_what_may_be_a_programs_line_only_words_on_the_network_count():
    line = Line("shot.txt", 1, "")
    assert find_open_remark([Remark(at=line, text="the printer in room 4 has no paper left")]) is None
    assert find_open_remark([Remark(at=line, text="the pods in rack 4 have no answer for us")])


TABLE = pods("calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1")


def test_a_drill_that_was_checked_is_over():
    done = "昨天断电演练，节点依次重启，今早巡检全部正常，记录如下："
    assert find_open_remark([note(done)]) is None
    seen = "域名解析很慢，calico 状态看着都正常"
    assert find_open_remark([note(seen)])


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        (f"{TABLE}\nPrometheus scrapes of node birch-1 show gaps\n", True),
        (f"{TABLE}\nThis is what the runbook asks for at the end of a shift\n", False),
        (f"felix cpu odd\n\n{TABLE.partition(chr(10))[2]}", True),
        (
            "$ calicoctl node status\nCalico process is running.\n\nThe BGP backend process (BIRD) is not running.\n",
            False,
        ),
    ],
)
def test_a_table_may_have_words_around_it(text, is_open):
    assert (find_open_remark(list_words_of_author(picture_of(text))) is not None) is is_open


def test_what_stands_before_the_end_of_a_ticket_is_over():
    ticket = [note("Tuesday: monitoring shows oak-2 as not ready."), note("Friday: the switch was replaced, closing.")]
    assert find_open_remark(ticket) is None
    assert find_open_remark([*ticket, note("Sunday: oak-2 loses packets.")])
