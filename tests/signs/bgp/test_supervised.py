"""The processes in the container of calico-node: what runit looks after, and what of it lives."""

from __future__ import annotations

import pytest

from tests.facts.drawing import pods, sightings

RUNIT = """
/ # ps -ef
PID   USER     TIME  COMMAND
    1 root      0:03 /sbin/runsvdir -P /etc/service/enabled
   49 root      1:08 runsv confd
   50 root      1:09 runsv bird
   52 root      0:00 runsv felix
"""
FELIX = "   55 root      4:41 calico-node -felix\n"
BIRD = "  121 root     22:03 bird -R -s /var/run/calico/bird.ctl -d -c /etc/calico/confd/config/bird.cfg\n"
CONFD = "   54 root     51:20 calico-node -confd\n"
READY = pods("calico-node-9bhpr   1/1   Running   0   5h   10.2.0.11   rowan-1")


@pytest.mark.parametrize(
    ("lives", "missing"),
    [(FELIX, {"bird", "confd"}), (FELIX + CONFD, {"bird"}), (FELIX + BIRD, {"confd"}), (FELIX + CONFD + BIRD, set())],
)
def test_what_does_not_live(lives, missing):
    seen = {name for name in ("bird", "confd") if sightings(f"{name}-supervised-but-absent", RUNIT + lives)}
    assert seen == missing


def test_a_search_that_left_only_the_supervisors_says_nothing():
    assert sightings("bird-supervised-but-absent", RUNIT.replace("ps -ef", "ps -ef | grep runsv")) == []


def test_who_lists_the_processes_is_no_bird():
    listed = RUNIT + FELIX + "20741 root      0:00 grep bird -R\n"
    assert len(sightings("bird-supervised-but-absent", listed)) == 1


def test_readiness_says_nothing_of_a_bird_that_was_seen_to_be_absent():
    assert len(sightings("calico-nodes-ready-with-bird", READY)) == 1
    assert sightings("calico-nodes-ready-with-bird", READY + RUNIT + FELIX) == []
