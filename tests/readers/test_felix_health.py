from __future__ import annotations

from datetime import datetime

from calivet.readers.calico.felix import HEALTH_READER
from tests.readers.host_reading import facts_of, reading_of

LOG = """
2024-05-06 07:08:09.123 [INFO][77] felix/health.go 336: Overall health status changed: live=true ready=false
+---------------------------+---------+----------------+---------------------+-----------------+
|         COMPONENT         | TIMEOUT |    LIVENESS    |      READINESS      |     DETAIL      |
+---------------------------+---------+----------------+---------------------+-----------------+
| CalculationGraph          | 30s     | reporting live | reporting non-ready |                 |
| FelixStartup              | -       | reporting live | reporting ready     |                 |
| InternalDataplaneMainLoop | 1m30s   | timed out      | timed out           | waiting for the |
|                           |         |                |                     | first apply     |
| BPFEndpointManager        | -       | -              | reporting ready     |                 |
+---------------------------+---------+----------------+---------------------+-----------------+
"""


def test_the_table_in_a_log():
    graph, startup, loop, bpf = facts_of(HEALTH_READER, LOG)
    assert (graph.component, graph.live, graph.ready, graph.timed_out) == ("CalculationGraph", True, False, False)
    assert (startup.live, startup.ready, startup.detail) == (True, True, None)
    assert (loop.live, loop.ready, loop.timed_out) == (False, False, True)
    assert loop.detail == "waiting for the first apply"
    assert (bpf.live, bpf.ready) == (None, True)
    assert graph.time == datetime(2024, 5, 6, 7, 8, 9, 123_000)
    assert graph.at.number == 5


def test_the_body_of_the_probe_s_url():
    table = "\n".join(LOG.strip().split("\n")[1:])
    report, *_ = facts_of(HEALTH_READER, table, "curl -s localhost:9099/readiness", "pear-4")
    assert (report.host, report.time) == ("pear-4", None)


def test_repeated_tables_give_each_report_once_the_last():
    later = LOG.replace("07:08:09", "08:08:09")
    facts = facts_of(HEALTH_READER, LOG.strip() + later)
    assert len(facts) == 4
    assert all(fact.time.hour == 8 for fact in facts)


def test_with_timestamps_in_front_of_each_line():
    stamped = "\n".join(f"2024-05-06T07:08:09.123456789Z {line}" for line in LOG.strip().split("\n"))
    assert facts_of(HEALTH_READER, stamped)[0].component == "CalculationGraph"


def test_a_table_cut_in_the_middle_keeps_its_rows():
    cut = "\n".join(LOG.strip().split("\n")[:5])
    assert [fact.ready for fact in facts_of(HEALTH_READER, cut)] == [False]


def test_other_tables_with_a_component_column_are_not_health():
    text = """
    | NAME | COMPONENT | READINESS |
    | a    | b         | true      |
    """
    assert not reading_of(HEALTH_READER, text).facts
