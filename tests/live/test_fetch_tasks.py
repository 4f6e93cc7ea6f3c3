from __future__ import annotations

import threading

from calivet.evidence.artifact import Unreadable
from calivet.live import needs
from calivet.live.fetch_tasks import AT_ONCE, FetchTask, RunLimits, run_tasks
from calivet.live.trouble import Trouble
from calivet.messages.command_line import Command
from calivet.messages.message import make_verbatim


def task(name, fetch, **more):
    return FetchTask(name, Command(f"kubectl get {name}"), needs.NODES, fetch, **more)


def failing(kind, message="no"):
    def fetch():
        raise Trouble(kind, make_verbatim(message))

    return fetch


def silent(_name):
    pass


def why(outcome):
    return outcome.failure and str(outcome.failure.why)


class TestRunning:
    def test_outcomes_come_in_the_order_asked_for(self):
        done = threading.Event()

        def quick():
            done.set()
            return ["b"]

        tasks = [task("slow", lambda: [str(done.wait(30))]), task("quick", quick)]
        outcomes = run_tasks(tasks, RunLimits(), silent)
        assert [(one.task.name, list(one.lines)) for one in outcomes] == [("slow", ["True"]), ("quick", ["b"])]

    def test_no_more_than_the_limit_at_once(self):
        running, most, lock = 0, 0, threading.Lock()

        def fetch():
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            threading.Event().wait(0.01)
            with lock:
                running -= 1
            return []

        run_tasks([task(str(number), fetch) for number in range(40)], RunLimits(), silent)
        assert 1 < most <= AT_ONCE

    def test_every_step_is_told(self):
        told: list[str] = []
        run_tasks([task("a", list), task("b", failing("timeout"))], RunLimits(), told.append)
        assert sorted(told) == ["a", "b"]


class TestFailing:
    def test_one_failure_costs_no_more_than_itself(self):
        outcomes = run_tasks([task("a", failing("timeout", "late")), task("b", lambda: ["x"])], RunLimits(), silent)
        assert outcomes[0].failure == Unreadable("a", make_verbatim("late"), Command("kubectl get a"))
        assert list(outcomes[1].lines) == ["x"]

    def test_a_refusal_names_the_permission(self):
        [outcome] = run_tasks([task("a", failing("forbidden"))], RunLimits(), silent)
        assert why(outcome) == "forbidden: needs get, list nodes"

    def test_what_not_every_cluster_has_is_not_missed(self):
        [outcome] = run_tasks([task("a", failing("not-found"), optional=True)], RunLimits(), silent)
        assert outcome.failure is None

    def test_a_bug_is_told_and_costs_no_more_than_itself(self):
        outcomes = run_tasks([task("a", lambda: [str(1 / 0)]), task("b", lambda: ["x"])], RunLimits(), silent)
        assert "bug" in why(outcomes[0])
        assert list(outcomes[1].lines) == ["x"]


class TestInterrupting:
    def test_what_has_arrived_is_kept_and_what_hangs_is_left(self):
        limits, never = RunLimits(), threading.Event()

        def step(name):
            limits.interrupted = True

        outcomes = run_tasks([task("quick", lambda: ["x"]), task("hangs", lambda: [never.wait()])], limits, step)
        assert list(outcomes[0].lines) == ["x"]
        assert why(outcomes[1]) == "interrupted before it arrived"


class TestPatience:
    def test_a_kubelet_that_does_not_answer_is_not_asked_for_ever(self):
        asked = []

        def fetch():
            asked.append(1)
            raise Trouble("timeout", make_verbatim("late"))

        limits = RunLimits()
        for _ in range(3):
            outcomes = run_tasks([task("a", fetch, node="n1"), task("b", lambda: ["x"])], limits, silent)
        assert len(asked) == 1
        assert why(outcomes[0]) == "not asked: the kubelet of n1 no longer answers"
        assert list(outcomes[1].lines) == ["x"]

    def test_a_kubelet_that_has_answered_gets_a_second_chance(self):
        limits = RunLimits()
        run_tasks([task("a", lambda: ["x"], node="n1")], limits, silent)
        run_tasks([task("a", failing("timeout"), node="n1")], limits, silent)
        assert not limits.is_over("n1")

    def test_kubelets_that_have_yet_to_answer_are_asked_one_thing_at_a_time(self):
        """Else one dead kubelet would take all hands for a whole deadline."""
        others = threading.Barrier(AT_ONCE - 1)
        dead = [task(f"dead-{number}", failing("timeout"), node="dead") for number in range(AT_ONCE)]
        alive = [task(f"n{number}", lambda: [str(others.wait(20))], node=f"n{number}") for number in range(AT_ONCE - 1)]
        outcomes = run_tasks([*dead, *alive], RunLimits(), silent)
        assert all(one.lines for one in outcomes[AT_ONCE:])

    def test_where_all_hands_wait_more_are_sent(self):
        """So that what is dead does not keep what is alive from being asked."""
        freed = threading.Event()
        waiting = [task(f"dead-{number}", lambda: [str(freed.wait(20))]) for number in range(AT_ONCE)]

        def free() -> list[str]:
            freed.set()
            return []

        outcomes = run_tasks([*waiting, task("alive", free)], RunLimits(), silent)
        assert [list(one.lines) for one in outcomes[:-1]] == [["True"]] * AT_ONCE

    def test_an_answer_of_any_kind_renews_it(self):
        limits = RunLimits()
        for _ in range(AT_ONCE - 1):
            run_tasks([task("a", failing("timeout"))], limits, silent)
        run_tasks([task("a", failing("forbidden"))], limits, silent)
        run_tasks([task("a", failing("timeout"))], limits, silent)
        assert not limits.is_over("")

    def test_a_dead_api_server_ends_the_run_soon(self):
        outcomes = run_tasks([task(str(number), failing("unreachable")) for number in range(60)], RunLimits(), silent)
        assert sum(why(one) == "no" for one in outcomes) < 3 * AT_ONCE
        assert why(outcomes[-1]) == "not asked: the API server no longer answers"
