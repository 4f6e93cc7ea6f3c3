"""Next evidence: what the likeliest causes ask for, unless the evidence has it already."""

from __future__ import annotations

import pytest

from calivet.messages.command_line import Command
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Next
from calivet.reasoning.next_evidence import MOST_COMMANDS, choose_next_evidence, drop_told, is_answered
from tests.facts.drawing import nodes, picture_of, pods
from tests.reasoning.made_up import catalogue, cause, check, diagnosed, judged, question, seen_at, sign, step

LOOK = question("look", command=r"\bcalicoctl\b.*\bnode status\b", kinds=["calicoctl-node-status"])


def asked(causes, questions, text="", **sightings):
    return choose_next_evidence(judged(causes, **sightings), catalogue(*causes, *questions), picture_of(text))


def fault(name, *ask, strength="fair"):
    return cause(name, sign(f"sign-{name}", strength), ask=list(ask))


class TestAnswered:
    def test_the_command_with_its_output(self):
        text = "[root@birch-2 ~]# sudo calicoctl node status\nCalico process is running.\n"
        assert is_answered(LOOK, picture_of(text))

    def test_a_command_that_printed_nothing_has_not_answered(self):
        assert not is_answered(
            LOOK, picture_of("[root@birch-2 ~]# sudo calicoctl node status\n[root@birch-2 ~]# uptime\n")
        )

    def test_the_format_without_any_command(self):
        box = (
            "IPv4 BGP status\n+--------------+-------------------+-------+------------+---------+\n"
            "| PEER ADDRESS |     PEER TYPE     | STATE |   SINCE    |  INFO   |\n"
            "| 10.71.0.12   | node-to-node mesh | start | 2020-10-10 | Passive |\n"
        )
        assert is_answered(LOOK, picture_of(box))

    def test_another_command_has_not_answered(self):
        assert not is_answered(LOOK, picture_of("[root@birch-2 ~]# calicoctl get nodes\nNAME\nbirch-1\n"))
        assert not is_answered(LOOK, picture_of(""))

    def test_a_question_that_nothing_answers_stays_open(self):
        assert not is_answered(question("never"), picture_of("[root@birch-2 ~]# never\nsomething\n"))

    @pytest.mark.parametrize(
        "failure",
        [
            "-bash: calicoctl: command not found",
            "Unable to connect to the server: dial tcp 10.71.0.10:6443: i/o timeout",
            'Error from server (Forbidden): pods is forbidden: User "ada" cannot list resource "pods"',
        ],
    )
    def test_a_command_that_failed_has_not_answered(self, failure):
        assert not is_answered(LOOK, picture_of(f"[root@birch-2 ~]# calicoctl node status\n{failure}\n"))


class TestRanking:
    def test_the_likelier_cause_asks_first(self):
        causes = [fault("faint", "a", strength="weak"), fault("likely", "b", strength="strong")]
        found = asked(causes, [question("a"), question("b")], sign_faint=seen_at(1), sign_likely=seen_at(2))
        assert [item.run for item in found] == ["b", "a"]

    def test_the_most_telling_question_of_a_cause_first(self):
        found = asked([fault("one", "z", "a")], [question("a"), question("z")], sign_one=seen_at(1))
        assert [item.run for item in found] == ["z", "a"]

    def test_a_question_that_several_ask_goes_before_those_of_one(self):
        causes = [fault("one", "own", "shared"), fault("two", "other", "shared"), fault("three", "third", "shared")]
        questions = [question(name) for name in ("own", "other", "third", "shared")]
        found = asked(causes, questions, sign_one=seen_at(1), sign_two=seen_at(2), sign_three=seen_at(3))
        assert found[0].run == "shared"
        assert sorted(found[0].separates) == ["one", "three", "two"]

    def test_a_login_costs_more_than_a_call_to_the_cluster(self):
        causes = [fault("one", "at-node"), fault("two", "at-cluster")]
        questions = [question("at-node", where="node"), question("at-cluster")]
        found = asked(causes, questions, sign_one=seen_at(1), sign_two=seen_at(2))
        assert [item.run for item in found] == ["at-cluster", "at-node"]

    def test_a_draw_is_decided_the_same_way_each_time(self):
        causes = [fault("two", "b"), fault("one", "a")]
        assert [
            item.run for item in asked(causes, [question("b"), question("a")], sign_one=seen_at(1), sign_two=seen_at(2))
        ] == ["a", "b"]

    def test_nobody_reads_more_than_a_few(self):
        names = [f"q{number:02}" for number in range(20)]
        assert (
            len(asked([fault("one", *names)], [question(name) for name in names], sign_one=seen_at(1))) == MOST_COMMANDS
        )

    def test_what_is_answered_makes_room(self):
        text = "[root@birch-2 ~]# calicoctl node status\nCalico process is running.\n"
        found = asked([fault("one", "look", "other")], [LOOK, question("other")], text, sign_one=seen_at(1))
        assert [item.run for item in found] == ["other"]

    def test_no_open_cause_no_question(self):
        assert asked([fault("one", "a")], [question("a")]) == []


class TestNames:
    RUN = "kubectl -n {namespace} logs {pod} # {node}"
    TEXT = nodes("birch-1 Ready 10.71.0.11", "birch-2 NotReady 10.71.0.12") + pods(
        "calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1", "calico-node-7tq4n 0/1 Running 0 9d 10.71.0.12 birch-2"
    )

    def test_the_node_of_the_cause(self):
        (found,) = asked([fault("one", "q")], [question("q", self.RUN)], self.TEXT, sign_one=seen_at(1, node="birch-1"))
        assert found.run == "kubectl -n kube-system logs calico-node-2bs6x # birch-1"

    def test_the_sick_node_where_the_cause_names_none(self):
        (found,) = asked([fault("one", "q")], [question("q", self.RUN)], self.TEXT, sign_one=seen_at(1))
        assert found.run == "kubectl -n kube-system logs calico-node-7tq4n # birch-2"

    def test_what_is_not_known_stays_a_visible_gap(self):
        (found,) = asked([fault("one", "q")], [question("q", self.RUN)], sign_one=seen_at(1))
        assert found.run == "kubectl -n kube-system logs ds/calico-node # <node>"

    def test_the_reason_is_filled_in_both_languages(self):
        (found,) = asked([fault("one", "q")], [question("q")], sign_one=seen_at(1))
        assert (found.why.en, found.why.zh) == ("why q", "〔why q〕")


def test_what_the_steps_of_a_finding_run_anyway_is_not_asked_again():
    steps = [step("kubectl get nodes --show-labels; ip route")]
    known = catalogue(cause("fault", sign("gone", "proof"), fix=steps, verify=[check("ip rule")]))
    (finding,) = diagnosed(known, "2024-03-05 10:11:13.345 [ERROR][8] startup/startup.go 99: gone\n").findings
    runs = ["kubectl get nodes --show-labels", "ip rule && ip route", "ip link", "ip route && ip link"]
    chosen = [Next(Command(run), Words("", ""), []) for run in runs]
    assert [item.run for item in drop_told(chosen, [finding])] == ["ip link", "ip route && ip link"]
