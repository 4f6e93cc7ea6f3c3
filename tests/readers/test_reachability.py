from __future__ import annotations

import pytest

from calivet.readers.network.reachability import READER
from tests.readers.host_reading import facts_of, reading_of


def seen(text: str, command: str | None = None, host: str | None = "fig-2") -> list[tuple]:
    return [(one.target, one.port, one.protocol, one.outcome) for one in facts_of(READER, text, command, host)]


@pytest.mark.parametrize(
    ("text", "outcome", "detail"),
    [
        (
            """
            PING 10.90.77.70 (10.90.77.70) 56(84) bytes of data.
            64 bytes from 10.90.77.70: icmp_seq=1 ttl=63 time=0.512 ms

            --- 10.90.77.70 ping statistics ---
            1 packets transmitted, 1 received, 0% packet loss, time 0ms
            """,
            "ok",
            None,
        ),
        (
            """
            PING 10.90.77.70 (10.90.77.70) 56(84) bytes of data.

            --- 10.90.77.70 ping statistics ---
            4 packets transmitted, 0 received, 100% packet loss, time 3067ms
            """,
            "loss",
            "100% packet loss",
        ),
        (
            """
            PING 10.90.77.70 (10.90.77.70): 56 data bytes
            64 bytes from 10.90.77.70: seq=0 ttl=64 time=0.934 ms
            --- 10.90.77.70 ping statistics ---
            10 packets transmitted, 7 packets received, 30% packet loss
            """,
            "loss",
            "30% packet loss",
        ),
        (
            """
            PING 10.90.77.70 (10.90.77.70) 56(84) bytes of data.
            From 10.61.4.12 icmp_seq=1 Destination Host Unreachable
            --- 10.90.77.70 ping statistics ---
            2 packets transmitted, 0 received, +2 errors, 100% packet loss, time 1001ms
            """,
            "no-route",
            "Destination Host Unreachable",
        ),
        (
            """
            PING 10.90.77.70 (10.90.77.70) 56(84) bytes of data.
            64 字节，来自 10.90.77.70: icmp_seq=1 ttl=63 时间=0.345 毫秒

            --- 10.90.77.70 ping 统计 ---
            已发送 3 个包， 已接收 0 个包, 100% 包丢失, 耗时 2037 毫秒
            """,
            "loss",
            "100% packet loss",
        ),
        (
            """
            正在 Ping 10.90.77.70 具有 32 字节的数据:
            来自 10.90.77.70 的回复: 字节=32 时间<1ms TTL=64

            10.90.77.70 的 Ping 统计信息:
                数据包: 已发送 = 4，已接收 = 4，丢失 = 0 (0% 丢失)，
            """,
            "ok",
            None,
        ),
        (
            """
            PING 10.90.77.70 (10.90.77.70) from 10.61.4.12 ens7: 56(84) bytes of data.
            ^C
            """,
            "loss",
            "no reply shown",
        ),
    ],
)
def test_ping(text: str, outcome: str, detail: str | None):
    (reach,) = facts_of(READER, text, "ping -c 4 10.90.77.70", "fig-2")
    assert (reach.target, reach.protocol, reach.outcome, reach.host) == ("10.90.77.70", "icmp", outcome, "fig-2")
    assert (reach.detail, reach.size) == (detail, None)


@pytest.mark.parametrize(
    "command",
    [
        "ping -c2 -W2 10.90.77.70",
        "ping 10.90.77.70 -c 2",
        "ping -I ens7 -M do -c 2 10.90.77.70",
        "sudo ping -c 2 -i 0.2 10.90.77.70",
    ],
)
def test_the_command_tells_whose_statistics_these_are(command: str):
    assert seen("2 packets transmitted, 0 received, 100% packet loss, time 1012ms", command) == [
        ("10.90.77.70", None, "icmp", "loss")
    ]


def test_the_size_of_large_pings():
    text = "PING 10.90.77.70 (10.90.77.70) 1472(1500) bytes of data.\nping: local error: message too long, mtu=1450\n"
    (reach,) = facts_of(READER, text, "ping -M do -s 1472 10.90.77.70", "fig-2")
    assert (reach.size, reach.outcome, reach.detail) == (1472, "error", "message too long, mtu=1450")
    (bare,) = facts_of(
        READER, "3 packets transmitted, 0 received, 100% packet loss, time 1ms", "ping -s 8000 -c 3 10.90.77.70"
    )
    assert bare.size == 8000


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("ping: plum.example: Name or service not known", "unresolved"),
        ("ping: unknown host plum.example", "unresolved"),
        ("ping: bad address 'plum.example'", "unresolved"),
        ("connect: Network is unreachable", "no-route"),
        ("ping: connect: Network is unreachable", "no-route"),
    ],
)
def test_pings_that_never_left(line: str, outcome: str):
    assert seen(line, "ping plum.example") == [("plum.example", None, "icmp", outcome)]


def test_several_pings_in_one_piece():
    text = """
    PING 10.90.77.70 (10.90.77.70) 56(84) bytes of data.
    --- 10.90.77.70 ping statistics ---
    3 packets transmitted, 0 received, 100% packet loss, time 2037ms
    PING 10.90.77.71 (10.90.77.71) 56(84) bytes of data.
    --- 10.90.77.71 ping statistics ---
    3 packets transmitted, 3 received, 0% packet loss, time 2037ms
    """
    assert seen(text) == [("10.90.77.70", None, "icmp", "loss"), ("10.90.77.71", None, "icmp", "ok")]


def test_what_a_filter_left_of_a_ping_proves_nothing():
    assert not seen("PING 10.90.77.70 (10.90.77.70) 56(84) bytes of data.", "ping -c 3 10.90.77.70 | head -1")


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("Connection to 10.61.4.13 179 port [tcp/bgp] succeeded!", "ok"),
        ("Connection to 10.61.4.13 port 179 [tcp/bgp] succeeded!", "ok"),
        ("nc: connect to 10.61.4.13 port 179 (tcp) failed: Connection refused", "refused"),
        ("nc: connect to 10.61.4.13 port 179 (tcp) timed out: Operation now in progress", "timeout"),
        ("nc: connect to 10.61.4.13 port 179 (tcp) failed: No route to host", "no-route"),
        ("fig-3 (10.61.4.13:179) open", "ok"),
        ("nc: 10.61.4.13 (10.61.4.13:179): Connection refused", "refused"),
        ("(UNKNOWN) [10.61.4.13] 179 (bgp) open", "ok"),
        ("fig-3 [10.61.4.13] 179 (bgp) : Connection refused", "refused"),
        ("Ncat: Connected to 10.61.4.13:179.", "ok"),
        ("Ncat: Connection refused.", "refused"),
        ("Ncat: Connection timed out.", "timeout"),
        ("Ncat: TIMEOUT.", "timeout"),
        ("Ncat: No route to host.", "no-route"),
    ],
)
def test_nc_of_every_flavour(line: str, outcome: str):
    assert seen(line, "nc -vz -w 3 10.61.4.13 179") == [("10.61.4.13", 179, "tcp", outcome)]


def test_each_of_several_tests_on_a_line_has_its_own_answer():
    text = "Ncat: Connected to 10.61.4.13:22.\nNcat: No route to host."
    assert seen(text, "nc -zv 10.61.4.13 22; nc -zv 10.61.4.13 179") == [
        ("10.61.4.13", 22, "tcp", "ok"),
        ("10.61.4.13", 179, "tcp", "no-route"),
    ]


def test_nc_over_udp():
    assert seen("Connection to 10.61.4.13 4789 port [udp/*] succeeded!", "nc -vzu 10.61.4.13 4789") == [
        ("10.61.4.13", 4789, "udp", "ok")
    ]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Trying 10.61.4.13...\nConnected to 10.61.4.13.\nEscape character is '^]'.", "ok"),
        ("Trying 10.61.4.13...\ntelnet: connect to address 10.61.4.13: Connection refused", "refused"),
        ("Trying 10.61.4.13...\ntelnet: Unable to connect to remote host: Connection refused", "refused"),
        ("telnet: can't connect to remote host (10.61.4.13): No route to host", "no-route"),
        ("Trying 10.61.4.13...\n^C", "timeout"),
    ],
)
def test_telnet(text: str, outcome: str):
    assert seen(text, "telnet 10.61.4.13 6443") == [("10.61.4.13", 6443, "tcp", outcome)]


def test_telnet_with_its_command_among_the_output():
    assert seen("telnet 10.61.4.13 6443\nTrying 10.61.4.13...\nConnected to 10.61.4.13.") == [
        ("10.61.4.13", 6443, "tcp", "ok")
    ]


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("Connection refused", "refused"),
        ("Connection timed out", "timeout"),
        ("Operation timed out", "timeout"),
        ("No route to host", "no-route"),
        ("Network is unreachable", "no-route"),
    ],
)
def test_ssh_that_does_not_get_as_far_as_a_login(words: str, outcome: str):
    line = f"ssh: connect to host 10.90.77.70 port 22: {words}"
    assert seen(line, "ssh root@10.90.77.70") == [("10.90.77.70", 22, "tcp", outcome)]


@pytest.mark.parametrize(
    ("text", "command", "outcome"),
    [
        (
            "bash: connect: Connection refused\nbash: /dev/tcp/10.61.4.13/179: Connection refused",
            "echo > /dev/tcp/10.61.4.13/179",
            "refused",
        ),
        ("-bash: line 1: /dev/tcp/10.61.4.13/179: No route to host", None, "no-route"),
        ("open", "timeout 2 bash -c '</dev/tcp/10.61.4.13/179' && echo open || echo closed", "ok"),
        ("closed", "timeout 2 bash -c '</dev/tcp/10.61.4.13/179' && echo open || echo closed", "error"),
    ],
)
def test_dev_tcp(text: str, command: str | None, outcome: str):
    assert seen(text, command) == [("10.61.4.13", 179, "tcp", outcome)]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("curl: (7) Failed to connect to 10.7.0.1 port 443: Connection refused", "refused"),
        ("curl: (7) Failed to connect to 10.7.0.1 port 443: No route to host", "no-route"),
        ("curl: (7) Failed to connect to 10.7.0.1 port 443 after 2 ms: Couldn't connect to server", "error"),
        ("curl: (7) Failed connect to 10.7.0.1:443; Connection refused", "refused"),
        ("curl: (28) Connection timed out after 5001 milliseconds", "timeout"),
        ("curl: (28) Failed to connect to 10.7.0.1 port 443: Timeout was reached", "timeout"),
        ("curl: (35) OpenSSL SSL_connect: Connection reset by peer in connection to 10.7.0.1:443", "reset"),
        ("curl: (52) Empty reply from server", "reset"),
        ("curl: (22) The requested URL returned error: 403", "ok"),
        ("HTTP/1.1 200 OK", "ok"),
        ('{\n  "major": "1",', "ok"),
        ("ok", "ok"),
    ],
)
def test_curl(text: str, outcome: str):
    assert seen(text, "curl -k -m 5 https://10.7.0.1/version") == [("10.7.0.1", 443, "http", outcome)]


def test_curl_that_talks():
    text = """
    *   Trying 10.7.0.1:443...
    * connect to 10.7.0.1 port 443 failed: No route to host
    * Failed to connect to 10.7.0.1 port 443: No route to host
    curl: (7) Failed to connect to 10.7.0.1 port 443: No route to host
    """
    assert seen(text, "curl -vk https://10.7.0.1") == [
        ("10.7.0.1", 443, "tcp", "no-route"),
        ("10.7.0.1", 443, "http", "no-route"),
    ]
    connected = "* Connected to apple.example (10.7.0.1) port 443 (#0)\n< HTTP/1.1 403 Forbidden"
    assert seen(connected, "curl -vk https://apple.example") == [
        ("10.7.0.1", 443, "tcp", "ok"),
        ("apple.example", 443, "http", "ok"),
    ]


def test_curl_asked_for_the_status_alone():
    command = "kubectl -n shop exec web-0 -- curl -s -m 3 -o /dev/null -w '%{http_code}\\n' http://10.90.77.70:8080"
    (good,) = facts_of(READER, "204", command, "bastion")
    assert (good.outcome, good.detail, good.pod, good.host) == ("ok", "HTTP 204", "web-0", None)
    (bad,) = facts_of(READER, "000\ncommand terminated with exit code 28", command, "bastion")
    assert (bad.outcome, bad.port, bad.target) == ("timeout", 8080, "10.90.77.70")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("", "curl -s http://10.90.77.70"),
        ("\nreal\t1m3.318s\nuser\t0m0.004s\nsys\t0m0.007s", "time curl -s -o /dev/null http://10.90.77.70"),
        ("sh: curl: not found", "curl http://10.90.77.70"),
        ("Error from server: error dialing backend", "kubectl exec web-0 -- curl http://10.90.77.70"),
        ("000", "curl -s -o /dev/null -w '%{http_code}' http://10.90.77.70"),
        ("0", "curl -s http://10.90.77.70 | grep -c ok"),
        ("ok\nok", "curl http://10.90.77.70; curl http://10.90.77.71"),
    ],
)
def test_what_says_nothing_is_no_outcome(text: str, command: str):
    assert not seen(text, command)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("wget: download timed out", "timeout"),
        ("wget: can't connect to remote host (10.90.77.70): Connection refused", "refused"),
        ("Connecting to 10.90.77.70:8080... failed: No route to host.", "no-route"),
        ("Connecting to 10.90.77.70:8080... connected.\nHTTP request sent, awaiting response... 200 OK", "ok"),
        ("<html>", "ok"),
    ],
)
def test_wget(text: str, outcome: str):
    assert seen(text, "wget -T 5 -qO- http://10.90.77.70:8080/") == [("10.90.77.70", 8080, "http", outcome)]


def test_names_that_do_not_resolve():
    assert seen("curl: (6) Could not resolve host: apple.example", "curl http://apple.example") == [
        ("apple.example", 80, "http", "unresolved")
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Connected to the cluster.",
        "From the beginning it never worked",
        "2021-11-02 06:40:21.118 [ERROR][65] felix/daemon.go 459: Failed to connect to Typha. error=dial tcp 10.2.0.3:5473: i/o timeout",
        "Connecting to Typha. addr=10.2.0.3:5473",
        "64 bytes of nothing",
        "connect: it is easy",
        "nc: command not found",
        "HTTP/1.1 200 OK",
    ],
)
def test_other_lines_are_left_alone(line: str):
    assert not reading_of(READER, line).facts


def test_exit_code_that_the_shell_was_asked_for() -> None:
    (bad,) = facts_of(READER, "rc=28", 'curl -sk -m 5 https://10.99.0.1:443/version; echo "rc=$?"', "fig-1")
    assert (bad.target, bad.port, bad.outcome) == ("10.99.0.1", 443, "timeout")
    (good,) = facts_of(READER, "0", "curl -sko /dev/null https://10.99.0.1:443/version; echo $?", "fig-1")
    assert good.outcome == "ok"
    (answered,) = facts_of(READER, "ok\nexit: 0", "curl -sk https://10.99.0.1/healthz ; echo exit: $?", "fig-1")
    assert answered.outcome == "ok"


@pytest.mark.parametrize(
    ("command", "text", "outcome"),
    [
        ("timeout 3 bash -c '</dev/tcp/10.7.8.9/5473'; echo $?", "124", "timeout"),
        ("timeout 5 nc -z 10.7.8.9 5473; echo rc=$?", "rc=0", "ok"),
        ("nc -w 3 10.7.8.9 5473; echo $?", "1", "error"),
        ("curl -m 3 telnet://10.7.8.9:5473", "curl: (28) Connection timed out after 3001 milliseconds", "timeout"),
        ("curl -m3 10.7.8.9:5473; echo $?", "28", "timeout"),
    ],
)
def test_a_port_of_which_only_the_exit_code_tells(command: str, text: str, outcome: str):
    assert [(one[0], one[1], one[3]) for one in seen(text, command)] == [("10.7.8.9", 5473, outcome)]


def test_a_curl_that_was_left_trying_has_no_answer():
    assert seen("*   Trying 10.7.8.9:6443...\n^C", "curl -vk https://10.7.8.9:6443/version") == []
