from __future__ import annotations

import threading

from calivet.evidence.artifact import Unreadable
from calivet.live import needs
from calivet.live.errands import AT_ONCE, Errand, Patience, run
from calivet.live.trouble import Trouble


def errand(name, fetch, **more):
    return Errand(name, f"kubectl get {name}", needs.NODES, fetch, **more)


def failing(kind, message="no"):
    def fetch():
        raise Trouble(kind, message)

    return fetch


def silent(_name):
    pass


def why(outcome):
    return outcome.failure and outcome.failure.why


class TestRunning:
    def test_outcomes_come_in_the_order_asked_for(self):
        done = threading.Event()

        def quick():
            done.set()
            return ["b"]

        errands = [errand("slow", lambda: [str(done.wait(30))]), errand("quick", quick)]
        outcomes = run(errands, Patience(), silent)
        assert [(one.errand.name, list(one.lines)) for one in outcomes] == [("slow", ["True"]), ("quick", ["b"])]

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

        run([errand(str(number), fetch) for number in range(40)], Patience(), silent)
        assert 1 < most <= AT_ONCE

    def test_every_step_is_told(self):
        told: list[str] = []
        run([errand("a", list), errand("b", failing("timeout"))], Patience(), told.append)
        assert sorted(told) == ["a", "b"]


class TestFailing:
    def test_one_failure_costs_no_more_than_itself(self):
        outcomes = run([errand("a", failing("timeout", "late")), errand("b", lambda: ["x"])], Patience(), silent)
        assert outcomes[0].failure == Unreadable("a", "late", "kubectl get a")
        assert list(outcomes[1].lines) == ["x"]

    def test_a_refusal_names_the_permission(self):
        [outcome] = run([errand("a", failing("forbidden"))], Patience(), silent)
        assert why(outcome) == "forbidden: needs get, list nodes"

    def test_what_not_every_cluster_has_is_not_missed(self):
        [outcome] = run([errand("a", failing("not-found"), optional=True)], Patience(), silent)
        assert outcome.failure is None

    def test_a_bug_is_told_and_costs_no_more_than_itself(self):
        outcomes = run([errand("a", lambda: [str(1 / 0)]), errand("b", lambda: ["x"])], Patience(), silent)
        assert "bug" in why(outcomes[0])
        assert list(outcomes[1].lines) == ["x"]


class TestInterrupting:
    def test_what_has_arrived_is_kept_and_what_hangs_is_left(self):
        patience, never = Patience(), threading.Event()

        def step(name):
            patience.interrupted = True

        outcomes = run([errand("quick", lambda: ["x"]), errand("hangs", lambda: [never.wait()])], patience, step)
        assert list(outcomes[0].lines) == ["x"]
        assert why(outcomes[1]) == "interrupted before it arrived"


class TestPatience:
    def test_a_kubelet_that_does_not_answer_is_not_asked_for_ever(self):
        asked = []

        def fetch():
            asked.append(1)
            raise Trouble("timeout", "late")

        patience = Patience()
        for _ in range(3):
            outcomes = run([errand("a", fetch, node="n1"), errand("b", lambda: ["x"])], patience, silent)
        assert len(asked) == 2
        assert why(outcomes[0]) == "not asked: the kubelet of n1 no longer answers"
        assert list(outcomes[1].lines) == ["x"]

    def test_an_answer_of_any_kind_renews_it(self):
        patience = Patience()
        for _ in range(AT_ONCE - 1):
            run([errand("a", failing("timeout"))], patience, silent)
        run([errand("a", failing("forbidden"))], patience, silent)
        run([errand("a", failing("timeout"))], patience, silent)
        assert not patience.is_over("")

    def test_a_dead_api_server_ends_the_run_soon(self):
        outcomes = run([errand(str(number), failing("unreachable")) for number in range(60)], Patience(), silent)
        assert sum(why(one) == "no" for one in outcomes) < 3 * AT_ONCE
        assert why(outcomes[-1]) == "not asked: the API server no longer answers"
