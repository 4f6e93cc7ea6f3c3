"""How many inotify instances are in use."""

from __future__ import annotations

import pytest

from tests.facts.drawing import sightings

LIMIT = "[root@fig-2 ~]# sysctl fs.inotify\nfs.inotify.max_user_instances = {}\nfs.inotify.max_user_watches = 524288\n"
FIND = "find /proc/*/fd -lname anon_inode:inotify 2>/dev/null"


def near(limit, command, printed, host="fig-2"):
    text = LIMIT.format(limit) + f"[root@{host} ~]# {command}\n{printed}\n"
    return [tuple(seen.values.values()) for seen in sightings("inotify-instances-near-limit", text)]


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        (f"{FIND} | wc -l", "127"),
        (f"sudo {FIND.replace('anon', chr(39) + 'anon').replace('fy', 'fy' + chr(39))} | wc -l", "127"),
        ("lsof 2>/dev/null | grep inotify | wc -l", "127"),
        ("lsof -n | grep -c inotify", "127"),
        (f"{FIND} | cut -d/ -f3 | sort | uniq -c | sort -rn", "     90 1171\n     37 822"),
    ],
)
def test_nearly_all_are_taken(command, printed):
    assert near(128, command, printed) == [("127", "128")]


def test_room_is_left_or_the_two_figures_do_not_belong_together():
    assert near(128, f"{FIND} | wc -l", "61") == []
    assert near(8192, f"{FIND} | wc -l", "8000") == []
    assert near(128, f"{FIND} | wc -l", "127", host="fig-3") == []
    assert near(128, "ls /proc | wc -l", "127") == []
