from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.reports.diagnosis.html.page_model.timeline import is_machines_own, read_stamp


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("2025-05-06 09:00:11.118 [ERROR][42] felix/ipsets.go 569: Bad return code", "2025-05-06 09:00:11.118000"),
        ("2025-05-06T09:00:11.118402Z stdout F hello", "2025-05-06 09:00:11.118402+00:00"),
        ("2025-05-06T17:00:11+08:00 oak-1 kubelet[9]: hello", "2025-05-06 17:00:11+08:00"),
        ('time="2025-05-06T09:00:11+02:00" level=error msg="hello"', "2025-05-06 09:00:11+02:00"),
        ('{"level":"warn","ts":"2025-05-06T09:00:11.118Z","msg":"hello"}', "2025-05-06 09:00:11.118000+00:00"),
        ("[pod/calico-node-aaaaa/calico-node] 2025-05-06 09:00:11.118 [INFO][42] hello", "2025-05-06 09:00:11.118000"),
        ("2025-05-06_09:00:11.40211 bird: Mesh_10_1_0_2: Connection refused", "2025-05-06 09:00:11.402110"),
        ("E0506 09:00:11.551210     911 pod_workers.go:1301] hello", "2000-05-06 09:00:11.551210"),
        ("May  6 09:00:11 oak-1 kubelet[911]: hello", "2000-05-06 09:00:11"),
        ("[Tue May  6 09:00:11 2025] nf_conntrack: table full, dropping packet", "2000-05-06 09:00:11"),
    ],
)
def test_heads_of_logs(line, time):
    assert str(read_stamp(line)) == time


@pytest.mark.parametrize(
    "line",
    [
        "",
        "bird: Mesh_10_1_0_2: Connection refused",
        "notAfter=May  6 09:00:11 2025 GMT",
        "x509: certificate has expired: current time 2025-05-06T09:00:11Z is after 2025-05-05T00:00:00Z",
        "| 10.1.0.2 | node-to-node mesh | up | 2025-05-06 | Established |",
        "2025-99-99 99:99:99.000 [INFO] hello",
    ],
)
def test_times_that_say_something_else(line):
    assert read_stamp(line) is None


def test_a_machines_own_clock():
    assert is_machines_own("May  6 09:00:11 oak-1 kubelet[911]: hello")
    assert not is_machines_own("2025-05-06 09:00:11.118 [ERROR][42] felix/ipsets.go 569: hello")


@given(st.text())
def test_never_breaks(text):
    read_stamp(text)
