"""Text with names filled in: a sentence has no gaps, whatever is known."""

from __future__ import annotations

import pytest

from calivet.messages.words import Words


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (Words("{node} has no peer", "{node} 没有对端"), Words("a node has no peer", "某个节点没有对端")),
        (
            Words("Typha at {address} refuses", "{address} 上的 Typha 拒绝"),
            Words("Typha at an unknown address refuses", "未知地址上的 Typha 拒绝"),
        ),
        (
            Words("the service address {address} is silent", "Service 地址 {address} 没有应答"),
            Words("the service address is silent", "Service 地址没有应答"),
        ),
        (
            Words("look at kube-proxy on {nodes}", "查看 {nodes} 上的 kube-proxy"),
            Words("look at kube-proxy on the affected nodes", "查看受影响的节点上的 kube-proxy"),
        ),
    ],
)
def test_what_nobody_knows_is_spoken_of_in_general(words, told):
    assert words.tell({}) == told


def test_what_is_known_is_filled_in():
    words = Words("{pod} on {node} ended with {code}", "{node} 上的 {pod} 以 {code} 结束")
    assert (
        words.tell({"pod": "calico-node-x2x2x", "node": "n1", "code": "1"}).en == "calico-node-x2x2x on n1 ended with 1"
    )


def test_forms_side_by_side_are_left_to_who_knows_them():
    assert (
        Words("at {address}{service}", "在 {address}{service}").tell({"service": "kubernetes"}).en
        == "at <address>kubernetes"
    )


def test_no_blank_stands_beside_a_chinese_mark():
    told = Words("from {server}: {why}", "未能从 {server} 读到 “{why}” 之类的内容")
    assert (
        told.fill({"server": "prod（https://x:1）", "why": "EOF"}).zh == "未能从 prod（https://x:1）读到“EOF”之类的内容"
    )


def test_how_a_test_of_the_network_ended_is_told_in_words():
    words = Words("{target} was not reached ({outcome})", "未能到达 {target}（{outcome}）")
    told = words.fill({"target": "10.4.0.9", "outcome": "no-route"})
    assert told == Words("10.4.0.9 was not reached (no route)", "未能到达 10.4.0.9（没有路由）")
    assert words.fill({"target": "loss", "outcome": "loss"}).zh == "未能到达 loss（丢包）"
