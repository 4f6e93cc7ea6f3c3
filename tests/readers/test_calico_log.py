from __future__ import annotations

from datetime import UTC, datetime

import pytest

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import HealthReport, LogSpan, NodeAddress
from calivet.facts.fact import Version
from calivet.readers.calico.calico_log import LOG_READER
from tests.readers.host_reading import facts_of, reading_of

OLD = """
2019-03-04 10:20:30.100 [INFO][9] startup.go 256: Early log level set to info
2019-03-04 10:20:30.100 [INFO][9] startup.go 284: Determined node name: fig-2
2019-03-04 10:20:30.200 [INFO][9] startup.go 584: Using autodetected IPv4 address on interface ens7: 10.61.4.12/22
2019-03-04 10:20:31.000 [ERROR][9] startup.go 172: Unable to set node resource configuration error=connection is unauthorized
2019-03-04 10:20:31.000 [WARNING][9] startup.go 1045: Terminating
Calico node failed to start
"""
NEW = """
2024-03-04 10:20:30.100 [INFO][9] startup/startup.go 425: Early log level set to info
2024-03-04 10:20:30.100 [INFO][9] startup/utils.go 139: Determined node name: fig-2
2024-03-04 10:20:30.100 [INFO][9] startup/startup.go 94: Starting node fig-2 with version v3.27.2
2024-03-04 10:20:30.400 [INFO][61] felix/daemon.go 206: Loading configuration...
bird: Mesh_10_61_4_13: Connect delayed by 5 seconds
"""


def spans(text: str, command: str | None = None, host: str | None = None) -> list[LogSpan]:
    return [fact for fact in facts_of(LOG_READER, text, command, host) if isinstance(fact, LogSpan)]


def only(kind: type, text: str, command: str | None = None) -> list:
    return [fact for fact in facts_of(LOG_READER, text, command) if isinstance(fact, kind)]


def test_a_failed_start_is_one_span_that_says_how_it_ended():
    (span,) = spans(OLD, "kubectl -n kube-system logs calico-node-x4zrv", "bastion")
    assert (span.program, span.worst, span.lines) == ("startup", "ERROR", 6)
    assert span.last_message == "Calico node failed to start"
    assert (span.pod, span.host) == ("calico-node-x4zrv", "fig-2")
    assert (span.at.number, span.end) == (2, 7)
    assert span.first_time == datetime(2019, 3, 4, 10, 20, 30, 100_000)
    assert span.last_time == datetime(2019, 3, 4, 10, 20, 31)


def test_several_programs_share_a_container():
    (span,) = spans(NEW)
    assert span.program == "mixed"
    assert span.last_message == "Mesh_10_61_4_13: Connect delayed by 5 seconds"


def test_each_start_is_a_span_of_its_own():
    assert [span.lines for span in spans(NEW.strip() + "\n" + NEW.strip().replace("10:20", "10:25"))] == [5, 5]


def test_a_first_start_of_felix_does_not_part_the_container_s_log():
    started = "2024-03-04 10:20:30.300 [INFO][61] felix/logutils.go 85: Early screen log level set to info"
    lines = NEW.strip().split("\n")
    assert len(spans("\n".join([*lines[:3], started, *lines[3:]]))) == 1


def test_logs_of_two_pods_joined_by_a_selector_jump_back_in_time():
    earlier = "2024-03-04 09:00:00.000 [INFO][70] felix/summary.go 100: Summarising 7 dataplane reconciliation loops"
    assert [span.lines for span in spans(NEW.strip() + "\n" + earlier)] == [5, 1]


def test_prefixed_lines_tell_pod_and_container():
    text = """
    [pod/calico-node-k8wzn/calico-node] 2024-03-04 10:20:30.100 [INFO][61] felix/daemon.go 1: one
    [pod/calico-node-p6cqt/calico-node] 2024-03-04 10:20:30.200 [INFO][61] felix/daemon.go 1: two
    """
    assert [(span.pod, span.container) for span in spans(text)] == [
        ("calico-node-k8wzn", "calico-node"),
        ("calico-node-p6cqt", "calico-node"),
    ]


@pytest.mark.parametrize(
    "outer",
    [
        "2024-03-04T10:20:30.111222333Z ",
        "2024-03-04T10:20:30.111222333+08:00 stdout F ",
        '{"log":"',
        "    ",
    ],
)
def test_what_a_collector_puts_in_front_is_passed_over(outer: str):
    (span,) = spans(
        outer + '2024-03-04 10:20:30.100 [FATAL][61] felix/daemon.go 1: gone error=EOF\\n","stream":"stderr"}'
    )
    assert (span.program, span.worst) == ("felix", "FATAL")
    assert span.last_message == "gone error=EOF"


@pytest.mark.parametrize("time", ["Jul 02 08:01:02", "Jul  2 08:01:02", "2017-07-02T08:01:02+0200"])
def test_a_kubelet_journal_carries_the_plugin_s_lines(time: str):
    (span,) = spans(
        f"{time} plum kubelet[811]: 2017-07-02 08:01:02.100 [INFO][4127] ipam.go 208: Trying affinity for x"
    )
    assert (span.host, span.program) == ("plum", "cni-plugin")


def test_bird_kept_by_svlogd():
    (span,) = spans("2019-03-04_10:20:30.12345 bird: Started")
    assert (span.program, span.last_message) == ("bird", "Started")


def test_the_installer_s_own_layout():
    text = """
    time="2021-02-03T04:05:06Z" level=info msg="Running as a Kubernetes pod" source="install.go:140"
    W0203 04:05:06.310448       1 client_config.go:617] Neither --kubeconfig nor --master was specified.
    time="2021-02-03T04:05:07Z" level=fatal msg="Unable to create token for CNI kubeconfig" error="Post \\"https://10.7.0.1:443/x\\": EOF"
    """
    (span,) = spans(text)
    assert (span.program, span.worst, span.lines) == ("cni-installer", "FATAL", 2)
    assert span.last_message == 'Unable to create token for CNI kubeconfig error="Post "https://10.7.0.1:443/x": EOF"'
    assert span.first_time == datetime(2021, 2, 3, 4, 5, 6, tzinfo=UTC)


@pytest.mark.parametrize(
    "line",
    [
        'time="2021-02-03T04:05:06.123456789Z" level=error msg="get state for 3fd0" error="context deadline exceeded"',
        'Feb 03 04:05:06 plum dockerd[1]: time="2021-02-03T04:05:06Z" level=warning msg="CNI is not there"',
        "panic: runtime error: index out of range",
        "2024-01-17 08:41:13.309 UTC [81442] FATAL:  password authentication failed",
        "    Readiness probe failed: BIRD is not ready: BGP not established with 10.6.0.62024-01-17 08:41:13.309 [INFO][9] health.go 156: x",
        "2024-01-17 08:41:13.309 [INFO][17120] confd/health.go 180: Number of node(s) with BGP peering established = 0",
        "bird watching: a hobby",
    ],
)
def test_lines_of_others_are_left_alone(line: str):
    assert not reading_of(LOG_READER, line).facts


def test_a_panic_ends_the_span_with_its_trace():
    text = """
    2020-07-14 11:02:10.749 [INFO][24448] felix/vxlan_resolver.go 196: Withdrawing VTEP
    panic: runtime error: invalid memory address or nil pointer dereference
    [signal SIGSEGV: segmentation violation code=0x1 addr=0x118 pc=0x1656ea6]

    goroutine 166 [running]:
    example.org/felix/calc.(*Resolver).OnUpdate(0xc000614000, 0x21a66a0)
    \t/go/calc/resolver.go:281 +0x3a6
    created by example.org/felix/calc.(*Graph).Start
    \t/go/calc/graph.go:262 +0x3f
    2020-08-03 09:12:31.610 [INFO][3177] felix/logutils.go 82: Early screen log level set to info
    """
    first, second = spans(text)
    assert (first.worst, first.end) == ("PANIC", 9)
    assert first.last_message.startswith("panic: runtime error: invalid memory address")
    assert (second.worst, second.lines) == ("INFO", 1)


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("kubectl logs -n kube-system calico-kube-controllers-6d7f8c5b9f-mz4wq", "kube-controllers"),
        ("kubectl logs -n calico-system deploy/calico-typha", "typha"),
    ],
)
def test_a_pod_of_one_program_names_it(command: str, program: str):
    (span,) = spans("2022-09-22 14:31:07.250 [ERROR][7] health.go 296: Health endpoint failed", command)
    assert span.program == program


def test_a_word_in_a_filter_names_no_program():
    (span,) = spans(
        "2022-09-22 14:31:07.250 [ERROR][65] felix/daemon.go 459: Failed to connect to Typha. Retrying...",
        "kubectl logs -n kube-system calico-node-9zxvk | grep -i typha",
    )
    assert span.program == "felix"


@pytest.mark.parametrize(
    ("message", "address", "interface", "source"),
    [
        ("Using autodetected IPv4 address on interface eth1: 10.8.0.5/24", "10.8.0.5/24", "eth1", "autodetected"),
        ("Using autodetected IPv6 address on interface eth1: fd00:8::5/64", "fd00:8::5/64", "eth1", "autodetected"),
        (
            "Using autodetected IPv4 address 10.8.0.5/24 on matching interface eth1",
            "10.8.0.5/24",
            "eth1",
            "autodetected",
        ),
        (
            "Using autodetected IPv4 address on interface eth1: 10.8.0.5/24 while skipping matching interfaces",
            "10.8.0.5/24",
            "eth1",
            "autodetected",
        ),
        (
            "Using autodetected IPv4 address 10.8.0.5/24 on interface eth1 matching cidrs [10.8.0.0/16]",
            "10.8.0.5/24",
            "eth1",
            "autodetected",
        ),
        (
            "Using autodetected IPv4 address 10.8.0.5/24, detected by connecting to 10.8.0.1",
            "10.8.0.5/24",
            None,
            "autodetected",
        ),
        ("Using IPv4 address from environment: IP=10.8.0.5", "10.8.0.5", None, "environment"),
        ("IPv4 address 10.8.0.5 discovered on interface eth1", "10.8.0.5", "eth1", "environment"),
    ],
)
def test_the_node_s_address_in_every_wording(message: str, address: str, interface: str | None, source: str):
    text = f"""
    2024-03-04 10:20:30.100 [INFO][9] startup/startup.go 425: {message}
    2024-03-04 10:20:30.200 [INFO][9] startup/startup.go 218: Using node name: fig-2
    """
    (found,) = only(NodeAddress, text)
    assert (found.address, found.interface, found.source) == (address, interface, source)
    assert found.node == found.host == "fig-2"


def test_a_failed_detection_is_no_address():
    failed = "2023-02-25 09:31:40.029 [WARNING][9] startup/autodetection_methods.go 140: Unable to auto-detect IPv4 address by connecting to 10.1.1.1: x"
    assert not only(NodeAddress, failed)


def test_versions():
    text = """
    2024-03-04 10:20:30.100 [INFO][9] startup/startup.go 94: Starting node fig-2 with version v3.27.2
    2020-02-08 02:17:14.481 [INFO][45] daemon.go 136: Felix starting up GOMAXPROCS=4 builddate="x" gitcommit="y" version="v3.10.3"
    2022-09-22 13:20:11.380 [INFO][7] daemon.go 161: Typha build information builddate="x" gitcommit="y" version="v3.24.1"
    2024-01-19 23:31:32.542 [INFO][1] cni-installer/<nil> <nil>: CNI plugin version: v3.26.4
    """
    assert [(fact.program, fact.version) for fact in only(Version, text)] == [
        ("calico-node", "v3.27.2"),
        ("calico-node", "v3.10.3"),
        ("typha", "v3.24.1"),
        ("calico-cni", "v3.26.4"),
    ]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            "Overall health status changed newStatus=&health.HealthReport{Live:true, Ready:false}",
            (None, True, False, False),
        ),
        ("Overall health status changed: live=true ready=false", (None, True, False, False)),
        (
            'Health of component changed lastReport=health.HealthReport{Live:true, Ready:true, Detail:""} name="int_dataplane" newReport=&health.HealthReport{Live:false, Ready:true, Detail:"stuck"}',
            ("int_dataplane", False, True, False),
        ),
        ('Reporter is not ready. name="async_calc_graph"', ("async_calc_graph", None, False, False)),
        (
            'Reporter is not live: timed out. name="InternalDataplaneMainLoop"',
            ("InternalDataplaneMainLoop", False, None, True),
        ),
        (
            'Reporter failed readiness checks name="felix-startup" reporter-state=x',
            ("felix-startup", None, False, False),
        ),
        ("Health: not ready", (None, None, False, False)),
    ],
)
def test_health_in_one_line(message: str, expected: tuple):
    (report,) = only(HealthReport, f"2021-08-23 06:01:24.871 [INFO][41] felix/health.go 196: {message}")
    assert (report.component, report.live, report.ready, report.timed_out) == expected
    assert report.time == datetime(2021, 8, 23, 6, 1, 24, 871_000)


def test_what_is_said_every_minute_is_one_fact_the_last():
    line = "2025-03-20 09:{:02d}:10.501 [INFO][66] monitor-addresses/x.go 103: Using autodetected IPv4 address on interface eth1: 10.8.0.5/24"
    (found,) = only(NodeAddress, "\n".join(line.format(minute) for minute in range(50)))
    assert found.at.number == 50


def test_a_cut_first_line_and_an_unknown_file_do_no_harm():
    text = """
    t.go 255: Error getting cluster information config
    2020-06-02 08:21:35.118 [ERROR][1] odd.go 202: Failed
    """
    (span,) = spans(text)
    assert (span.at.number, span.program, span.worst) == (2, "mixed", "ERROR")


def test_a_long_log_stays_cheap():
    line = "2024-03-04 10:20:30.100 [INFO][61] felix/int_dataplane.go 1259: Applying dataplane updates"
    artifact = Artifact(name="big.log", first=1, lines=[line] * 50_000)
    reading = LOG_READER.read(artifact, list(range(50_000)))
    (span,) = reading.facts
    assert isinstance(span, LogSpan)
    assert span.lines == 50_000
