"""Whether somebody complains: by what the words mean together, in either language, in any order."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Line
from calivet.facts.fact import Note
from calivet.reasoning.complaints import complains, find_complaint, list_words_of_author
from tests.facts.drawing import picture_of, pods


@pytest.mark.parametrize(
    "text",
    [
        "nothing works between pods",
        "NodePort times out on n3",
        "nodes flap every few minutes",
        "The container on the big host is regularly killed at night",
        "DNS resolution fails intermittently",
        "External traffic is dropped after upgrading",
        "Why can pods on this node not reach the API server?",
        "Network policy not enforced after restart",
        "NodePort 30080 works from inside, but from our office it is not reachable since the upgrade.",
        "every third request to the backend takes 5 seconds",
        "our ingress returns 502 for one in fifty requests",
        "Network policy seems to be ignored for pods with hostPort",
        "pods keep losing connection to the database, any hints?",
        "集群网络时好时坏，求助",
        "容器网络异常",
        "丢包50%以上",
        "跨节点 pod 无法通信",
        "service 访问超时",
        "为什么新节点上的容器连不上外网？",
        "calico 启动不了是什么问题？",
        "nobody can reach the shop service since the reboot",
        "出现跨节点访问不通问题",
    ],
)
def test_a_complaint(text):
    assert complains(text)


@pytest.mark.parametrize(
    "text",
    [
        "Here is the state of our cluster after maintenance",
        "Everything works fine after the upgrade",
        "Users do not complain",
        "Switched over during the day, no packets were lost",
        "全程无丢包，业务无感知",
        "Is the network broken?",
        'The auditor asks why "Calico keeps crashing"',
        "The log says `connection refused` once at boot",
        "升级后巡检，一切正常",
        "业务没人反馈问题",
        "同事认为网络断了",
        "节点上周重启打了补丁",
        "Found many threads where the network was broken",
    ],
)
def test_no_complaint(text):
    assert not complains(text)


def notes(*texts):
    return [Note(at=Line("note.md", number, text), text=text) for number, text in enumerate(texts, 1)]


def test_what_is_over_is_none():
    assert (
        find_complaint(notes("Pods could not reach the API server.", "It is fixed since we opened the port.")) is None
    )


def test_what_came_after_the_cure_is_one():
    found = find_complaint(notes("It was fixed on Monday.", "Since today pods cannot reach each other again."))
    assert found
    assert found.at.number == 2


TABLE = pods("calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1")


@pytest.mark.parametrize(
    ("head", "complaint"),
    [
        ("NodePort times out on birch-1, the others answer.\n", True),
        ("Title: nodes flap between Ready and NotReady\n", True),
        ("throughput between pods is very slow\n", True),
        ("2024/05/06 10:00:03 [error] 31#31: connect() failed while connecting to the pod\n", False),
        ("State of the cluster on Monday\n", False),
    ],
)
def test_a_title_above_a_table_is_the_authors_word_and_a_log_is_not(head, complaint):
    assert (find_complaint(list_words_of_author(picture_of(head + TABLE))) is not None) is complaint


def test_a_title_right_above_a_table_is_the_authors():
    text = (
        "ticket: customers see timeouts when calling the checkout service\n"
        + pods("calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1", prompt="").partition("\n")[2]
    )
    assert find_complaint(list_words_of_author(picture_of(text)))


def test_what_programs_print_is_no_complaint():
    text = "TASK [wait for calico] ***\nFAILED - RETRYING: Wait for calico (20 retries left).\nok: [m1]\n"
    assert find_complaint(list_words_of_author(picture_of(text))) is None
