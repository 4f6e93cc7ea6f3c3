"""Tests that failed though no reader knows their output, and tests that reached more than a machine."""

from __future__ import annotations

import pytest

from calivet.reasoning.failed_tests import find_failed_tests, pods_were_reached
from tests.facts.drawing import nodes, picture_of

ROOT = "[root@birch-1 ~]# "
END = "command terminated with exit code 1\n"
PING = "{root}ping -c 2 {target}\n2 packets transmitted, {got} received, {loss}% packet loss, time 1001ms\n"


@pytest.mark.parametrize(
    "text",
    [
        f"kubectl exec a -- nslookup api.shop\n;; connection timed out; no servers could be reached\n\n{END}",
        "kubectl exec a -- mtr -r 10.244.9.9\nHOST: a   Loss%\n  2.|-- ???   100.0    10    0.0\n",
        "kubectl exec a -- wget -qO- http://api\nwget: bad address 'api'\n",
        "for n in 1 2; do curl -m 3 -w '10.71.0.1$n %{http_code}' 10.71.0.1$n; done\n10.71.0.11 200\n10.71.0.12 000 3.0\n",
    ],
)
def test_a_test_that_says_in_plain_words_that_it_failed(text):
    assert list(find_failed_tests(picture_of(ROOT + text)))


@pytest.mark.parametrize(
    "text",
    [
        "kubectl exec a -- nslookup api.shop\nName: api.shop\nAddress 1: 10.96.4.4\n",
        "kubectl -n shop logs api-0\nrequest timed out\n",
        "mtr -r 10.244.9.9\nHOST: a   Loss%\n  1.|-- 10.71.0.12   0.0%    10    0.1\n",
    ],
)
def test_a_test_that_passed_and_no_test_at_all(text):
    assert not list(find_failed_tests(picture_of(ROOT + text)))


@pytest.mark.parametrize(
    ("output", "failed"),
    [
        ("calicoctl ipam check\nCheck complete; found 41 problems.\n", 1),
        ("calicoctl ipam check\nCheck complete; found 0 problems.\n", 0),
        ("sonobuoy status\n   PLUGIN     STATUS   RESULT\n      e2e   complete   failed\n", 1),
        ("sonobuoy status\n   PLUGIN     STATUS   RESULT\n      e2e   complete   passed\n", 0),
        ("sonobuoy results a.tar.gz\nPlugin: e2e\nTotal: 7201\nPassed: 377\nFailed: 3\n", 1),
        ("sonobuoy results a.tar.gz\nPlugin: e2e\nTotal: 7201\nPassed: 380\nFailed: 0\n", 0),
        ("curl -s localhost:9091/metrics\nfelix_int_dataplane_failures 8123\n", 1),
        ("curl -s localhost:9091/metrics\nfelix_iptables_restore_errors 1.2e+04\n", 1),
        ("curl -s localhost:9091/metrics\nfelix_int_dataplane_failures 2\n", 0),
    ],
)
def test_what_checks_and_counters_say_of_themselves(output, failed):
    assert len(list(find_failed_tests(picture_of(ROOT + output)))) == failed


UNKNOWN = "tryout run --all\n"


@pytest.mark.parametrize(
    ("output", "failed"),
    [
        (
            "kubectl exec a -- mtr -rwc 50 10.244.9.9\nHOST: a  Loss%  Snt\n  1.|-- 10.71.0.12  0.0%  50\n  2.|-- 10.244.9.9  62.0%  50\n",
            1,
        ),
        (
            "kubectl exec a -- mtr -rwc 50 10.244.9.9\nHOST: a  Loss%  Snt\n  1.|-- 10.71.0.12  80.0%  50\n  2.|-- 10.244.9.9  0.0%  50\n",
            0,
        ),
        ("kubectl exec a -- iperf3 -c 10.244.9.9\n[  5]   0.00-10.0  sec  0.00 Bytes  0.00 bits/sec   receiver\n", 1),
        (
            "kubectl wait --for=condition=Ready pod -l app=try\nerror: timed out waiting for the condition on pods/try-2\n",
            1,
        ),
        ("curl -s localhost:9115/probe\nprobe_success 0\n", 1),
        ("curl -s localhost:9115/probe\nprobe_success 1\n", 0),
        (UNKNOWN + "from,to,result\noak-1,oak-2,ok\noak-1,oak-3,failed\n", 1),
        (UNKNOWN + "from,to,result\noak-1,oak-2,ok\noak-1,oak-3,ok\n", 0),
        (UNKNOWN + "outcome: failure\n", 1),
        (UNKNOWN + "Suite: far\nPhase:          Failed\n", 1),
        (UNKNOWN + "         oak-1  oak-2\noak-1    9/9    0/9\n", 1),
        (UNKNOWN + "         oak-1  oak-2\noak-1    9/9    9/9\n", 0),
        ('curl -s oak-1:9900/metrics\nbgp_peers{instance="oak-1",status="Connect"} 1\n', 1),
        ('curl -s oak-1:9900/metrics\nbgp_peers{instance="oak-1",status="Established"} 3\n', 0),
        (UNKNOWN + "FAIL  oak-1 to oak-3\n", 1),
        (UNKNOWN + "Failed to fetch the list of tries, using an older one\n", 0),
        (UNKNOWN + "10:11:12 order 4711, failed, customer 9\n", 0),
    ],
)
def test_results_in_the_words_of_programs_that_nobody_knows(output, failed):
    assert len(list(find_failed_tests(picture_of(ROOT + output)))) == failed


@pytest.mark.parametrize(
    ("name", "state", "raised"),
    [("NodeUnscraped", "firing", 1), ("NodeUnscraped", "resolved", 0), ("Watchdog", "firing", 0)],
)
def test_an_alert_that_is_raised_and_not_there_to_show_that_alerts_arrive(name, state, raised):
    alert = f'{{"alerts": [{{"status": "{state}", "labels": {{"alertname": "{name}"}}}}]}}\n'
    assert [doubt.is_open for doubt in find_failed_tests(picture_of(alert))] == [True] * raised


@pytest.mark.parametrize(("target", "expected"), [("10.244.9.9", True), ("10.71.0.12", False)])
def test_that_a_node_answers_says_nothing_of_its_pods(target, expected):
    text = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12")
    text += PING.format(root=ROOT, target=target, got=2, loss=0)
    assert pods_were_reached(picture_of(text)) is expected
