from __future__ import annotations

import pytest

from calivet.readers.host.clock import READER
from tests.readers.host_reading import facts_of


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("Wed Jun  5 21:07:44 CST 2019", "2019-06-05T21:07:44"),
        ("Mon Oct  9 08:15:32 UTC 2023", "2023-10-09T08:15:32+00:00"),
        ("Mon 09 Oct 2023 08:15:32 PM UTC", "2023-10-09T20:15:32+00:00"),
        ("Wed, 05 Jun 2019 21:07:44 +0000", "2019-06-05T21:07:44+00:00"),
        ("2023年 10月 09日 星期一 08:15:32 CST", "2023-10-09T08:15:32"),
        ("2023-10-09T08:15:32+08:00", "2023-10-09T08:15:32+08:00"),
    ],
)
def test_date_in_its_layouts(line: str, time: str):
    (fact,) = facts_of(READER, line, "date", "cn-3")
    assert (fact.program, fact.key, fact.value, fact.host) == ("clock", "time", time, "cn-3")


def test_the_default_layout_needs_no_command():
    assert facts_of(READER, "Mon Oct  9 08:15:32 UTC 2023")[0].key == "time"


def test_times_of_many_machines():
    text = "cn-1: Mon Oct  9 08:15:32 UTC 2023\ncn-2: Mon Oct  9 07:48:00 UTC 2023"
    facts = facts_of(READER, text, "for n in cn-1 cn-2; do echo -n $n: ; ssh $n date; done")
    assert [(fact.host, fact.value[11:19]) for fact in facts] == [("cn-1", "08:15:32"), ("cn-2", "07:48:00")]


def test_timedatectl():
    text = """
                   Local time: Thu 2024-02-15 10:41:08 CST
               Universal time: Thu 2024-02-15 02:41:08 UTC
                     RTC time: Thu 2024-02-15 02:41:08
                    Time zone: Asia/Shanghai (CST, +0800)
    System clock synchronized: no
                  NTP service: inactive
    """
    assert {fact.key: fact.value for fact in facts_of(READER, text)} == {
        "time": "2024-02-15T02:41:08+00:00",
        "synchronized": False,
    }


def test_chronyc_tracking():
    text = """
    Reference ID    : A9FEA97B (169.254.169.123)
    Ref time (UTC)  : Sun Mar 03 19:00:41 2024
    System time     : 412.500000000 seconds slow of NTP time
    Leap status     : Not synchronised
    """
    found = {fact.key: fact.value for fact in facts_of(READER, text, "ssh cn-7 chronyc tracking", "bastion")}
    assert found == {"offset": -412.5, "synchronized": False}


def test_ntpstat_and_ntpdate():
    assert facts_of(READER, "unsynchronised")[0].value is False
    assert facts_of(READER, "synchronised to NTP server (10.0.0.1) at stratum 3")[0].value is True
    assert (
        facts_of(READER, "15 Feb 10:00:00 ntpdate[812]: step time server 10.0.0.1 offset 3600.5 sec")[0].value
        == -3600.5
    )


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("      Started:      Sun, 12 Feb 2023 14:33:09 +0200", "kubectl describe pod x"),
        ("CreationTimestamp:  Tue, 07 Mar 2023 09:12:55 +0800", None),
        ("Mon Oct 99 08:15:32 UTC 2023", "date"),
        ("2023-10-09T08:15:32Z", "cat build-date"),
    ],
)
def test_other_times_are_not_the_clocks(line: str, command: str | None):
    assert facts_of(READER, line, command) == []


@pytest.mark.parametrize(
    "command", ["date -d @1696810532", "date -ud '@1696810532'", "date --date=yesterday", "date -r /etc/hosts"]
)
def test_another_moment_that_date_was_asked_to_write_is_not_the_time(command: str):
    assert not facts_of(READER, "2023年 10月 09日 星期一 08:15:32 CST", command)


def test_other_options_still_tell_the_time():
    assert facts_of(READER, "Wed, 05 Jun 2019 21:07:44 +0000", "date -R")
    assert facts_of(READER, "Mon Oct  9 08:15:32 UTC 2023", "ls -lrt /etc; date -u")
