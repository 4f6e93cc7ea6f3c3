"""The load of hosts, against each other and against their CPUs."""

from __future__ import annotations

import pytest

from tests.facts.drawing import nodes, sightings


def uptime(host, load):
    return f"[root@{host} ~]# uptime\n 10:44:51 up 96 days,  3:25,  2 users,  load average: {load}, {load}, {load}\n"


def hosts(**loads):
    return "".join(uptime(name.replace("_", "-"), load) for name, load in loads.items())


def loud(text):
    return [seen.node for seen in sightings("load-many-times-others", text)]


class TestAgainstOthers:
    def test_one_sick_host(self):
        text = hosts(birch_1="1.20", birch_2="87.31", birch_3="0.90", birch_4="1.10")
        (seen,) = sightings("load-many-times-others", text)
        assert seen.node == "birch-2"
        assert seen.values == {"load": "87.31", "others": "1.1", "host": "birch-2"}

    def test_two_sick_hosts_do_not_hide_each_other(self):
        assert loud(hosts(birch_1="3.10", birch_2="212.40", birch_3="198.00")) == ["birch-2", "birch-3"]
        assert loud(hosts(birch_1="212.4", birch_2="190.0", birch_3="2.1", birch_4="1.9")) == ["birch-1", "birch-2"]

    def test_all_busy_alike_is_no_contrast(self):
        assert loud(hosts(birch_1="41.0", birch_2="44.0", birch_3="39.5")) == []

    @pytest.mark.parametrize(("load", "fires"), [("7.99", False), ("8.00", True)])
    def test_a_small_load_only_says_that_the_others_are_idle(self, load, fires):
        assert bool(loud(hosts(birch_1="0.01", birch_2=load))) is fires

    @pytest.mark.parametrize(("load", "fires"), [("24.9", False), ("25.0", True)])
    def test_five_times_the_others(self, load, fires):
        assert bool(loud(hosts(birch_1="5.0", birch_2=load, birch_3="5.0"))) is fires

    def test_alone_there_is_nobody_to_compare_with(self):
        assert loud(hosts(birch_1="87.3")) == []

    def test_the_last_word_of_a_host_counts(self):
        assert loud(hosts(birch_1="1.2", birch_2="87.3") + uptime("birch-2", "1.1")) == []

    def test_the_host_gets_the_name_of_its_node(self):
        known = nodes("birch-2.example.net NotReady 10.71.0.12")
        assert loud(known + hosts(birch_1="1.2", birch_2="87.3")) == ["birch-2.example.net"]

    def test_nothing_seen_nothing_said(self):
        assert loud("") == []


class TestAgainstCpus:
    @pytest.mark.parametrize(("load", "fires"), [("15.99", False), ("16.00", True), ("80", True)])
    def test_twice_the_cpus(self, load, fires):
        text = uptime("birch-2", load) + "[root@birch-2 ~]# nproc\n8\n"
        assert bool(sightings("load-over-cpus", text)) is fires

    def test_what_it_says(self):
        text = (
            uptime("birch-2", "80.5") + "[root@birch-2 ~]# lscpu\nArchitecture:        x86_64\nCPU(s):              8\n"
        )
        (seen,) = sightings("load-over-cpus", text)
        assert (seen.node, seen.values) == ("birch-2", {"load": "80.5", "cpus": "8"})

    def test_small_machines_are_busy_soon(self):
        assert sightings("load-over-cpus", uptime("birch-2", "4.0") + "[root@birch-2 ~]# nproc\n1\n") == []

    def test_the_cpus_of_another_host_do_not_count(self):
        assert sightings("load-over-cpus", uptime("birch-2", "40.0") + "[root@birch-1 ~]# nproc\n4\n") == []

    def test_unknown_cpus_say_nothing(self):
        assert sightings("load-over-cpus", uptime("birch-2", "400.0")) == []
