"""A line of the evidence in a few rows: what gives way first, and that the reason stays."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Line
from calivet.reports.layout.terminal import (
    Layout,
    drop_empty_fields,
    shape_quote,
    shorten_paths,
    shorten_times,
    squeeze_columns,
)
from calivet.reports.layout.wrapping import break_text

ROOM = 73
CHECKCMD = (
    '2023-06-12 02:10:28.344 [ERROR][70] confd/resource.go 306: Error from checkcmd "bird -p -c '
    '/etc/calico/confd/config/.bird.cfg2391150827": "bird: /etc/calico/confd/config/.bird.cfg2391150827, line 8: '
    'syntax error\\n"'
)
RESTORE = (
    "2020-05-19 13:20:41.688 [WARNING][31] table.go 1225: Failed to execute ip(6)tables-restore command error=exit "
    'status 4 errorOutput="Fatal: can\'t open lock file /run/xtables.lock: Is a directory\\n" input="*mangle\\n:cali-'
    'to-host-endpoint - -\\n:cali-failsafe-in - -\\n:cali-PREROUTING - -\\n:cali-from-host-endpoint - -\\n"'
)


def test_tables_are_moved_together():
    assert squeeze_columns("calico-node-7tq4n     0/1      Init:0/3  9m") == "calico-node-7tq4n  0/1  Init:0/3  9m"


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("2023-06-12 02:10:28.344 [ERROR][70]", "06-12 02:10:28 [ERROR][70]"),
        ("2024-04-22T07:48:31.120+08:00 stderr F", "04-22 07:48:31 stderr F"),
        ("E0322 08:14:51.408177    1466 cni.go:259] no", "E0322 08:14:51 cni.go:259] no"),
        ("10.0.0.1 12:30:01 up 3 days", "10.0.0.1 12:30:01 up 3 days"),
    ],
)
def test_times_lose_what_tells_least(text, shorter):
    assert shorten_times(text) == shorter


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("line 8 of /etc/calico/confd/config/.bird.cfg23", "line 8 of /etc/…/.bird.cfg23"),
        ("Get https://10.96.0.1:443/api/v1/nodes/w7?a=b", "Get https://10.96.0.1:443/…/w7?a=b"),
        ("k8s.io/client-go/informers/factory.go:135: no", "k8s.io/…/factory.go:135: no"),
        ("stat /run/xtables.lock, 10.0.0.0/16, 2/3 ready", "stat /run/xtables.lock, 10.0.0.0/16, 2/3 ready"),
    ],
)
def test_of_a_long_path_both_ends_stay(text, shorter):
    assert shorten_paths(text) == shorter


def test_fields_that_hold_nothing_are_left_out():
    assert drop_empty_fields('{"msg":"no","Request.Namespace":"","error":"x"}') == '{"msg":"no","error":"x"}'
    assert drop_empty_fields("failed closeErr=<nil> err=full") == "failed err=full"


@pytest.mark.parametrize(
    ("line", "words", "reason"),
    [
        (CHECKCMD, "Error from checkcmd", "line 8: syntax error"),
        (RESTORE, "Failed to execute ip(6)tables-restore command", "/run/xtables.lock: Is a directory"),
    ],
)
def test_the_reason_behind_the_decisive_words_is_not_cut(line, words, reason):
    shown, decisive = shape_quote(line, words, ROOM)
    assert decisive in shown
    assert reason in shown
    assert len(break_text(shown, ROOM)) <= 3


def test_decisive_words_are_never_shortened():
    words = "stat /var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/118/fs: no such file"
    line = f"2024-02-02 10:00:00.123 E: failed to create containerd container: prepare snapshot dir /a/b/c/d: {words}"
    assert words in shape_quote(line, words, ROOM)[0]


def test_what_fits_is_left_as_it_is():
    line = "2023-06-12 02:10:28.344 [ERROR][70] /etc/calico/confd/config/bird.cfg is gone"
    assert shape_quote(line, "is gone", ROOM) == (line, "is gone")


def test_words_with_tabs_around_them_are_not_quoted_twice():
    quote = Layout("en", 80, colour=False).quote_text(Line("a", 1, "xt_set\t\tFAIL"), 3, "\t\txt_set\t\tFAIL")
    assert list(quote) == ["   │ xt_set  FAIL"]


def test_a_time_that_the_message_is_about_stays_whole():
    words = "certificate has expired or is not yet valid"
    told = "current time 2024-08-23T15:51:06Z is before 2025-08-29T00:00:00Z"
    line = f"2024-08-23 15:51:06.123 [ERROR][9] startup.go 1: cannot pull the image of the CNI plugin: x509: {words}: {told}"
    shown, _ = shape_quote(line, words, ROOM)
    assert shown.startswith("08-23 15:51:06 [ERROR]")
    assert shown.endswith(told)
