"""Pressure stall information."""

from __future__ import annotations

from calivet.readers.host.load import PRESSURE_READER
from tests.readers.host_reading import facts_of

SOME = "some avg10=27.72 avg60=21.29 avg300=25.19 total=4443386571"
FULL = "full avg10=1.00 avg60=2.50 avg300=0.00 total=11"


def test_one_file():
    (found,) = facts_of(PRESSURE_READER, f"{SOME}\n{FULL}", "cat /proc/pressure/memory", "fig-2")
    assert (found.resource, found.some, found.full, found.host) == ("memory", 21.29, 2.5, "fig-2")


def test_older_kernels_do_not_count_full_for_the_cpu():
    (found,) = facts_of(PRESSURE_READER, SOME, "cat /proc/pressure/cpu")
    assert (found.resource, found.full) == ("cpu", None)


def test_several_files_at_once():
    text = f"/proc/pressure/io:{SOME}\n/proc/pressure/io:{FULL}\n/proc/pressure/cpu:{SOME}"
    assert [found.resource for found in facts_of(PRESSURE_READER, text, "grep . /proc/pressure/*")] == ["io", "cpu"]


def test_of_what_is_not_known_says_nothing():
    assert facts_of(PRESSURE_READER, SOME) == []
