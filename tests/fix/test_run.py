"""A fix runs, is written down, and is taken back; and what goes wrong on the way costs nothing but itself."""

from __future__ import annotations

import errno
import json
import stat

import pytest

from calivet.fix.changes import Changer
from calivet.fix.journal import FILE, Failed, HostDone, Journal, ObjectIntended, open_journal
from calivet.fix.undo import AS_BEFORE, CHANGED, CURED, IN_BETWEEN, Undo, describe_state
from calivet.live.trouble import Trouble
from calivet.messages.message import make_verbatim
from tests.e2e.fixing import NoHosts
from tests.fix.drawn import HOST, OBJECTS, Drawn, begin, draw_api, read_contents
from tests.fix.fake_api import CONFIG_MAPS, draw_config_map, make_tools, trouble

FIRST, SECOND = f"{CONFIG_MAPS}/first", f"{CONFIG_MAPS}/second"


@pytest.fixture(autouse=True)
def own_state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def api(tmp_path):
    return draw_api(tmp_path)


@pytest.fixture
def fix(api, tmp_path):
    return Drawn(make_tools(api, NoHosts()), api, tmp_path, OBJECTS)


@pytest.fixture
def both(api, hosts, tmp_path):
    """With a machine too."""
    hosts.run("oak", "sysctl -q -w net.ipv4.ip_forward=0", b"", 30.0)
    return Drawn(make_tools(api, hosts), api, tmp_path)


def test_it_cures_and_is_taken_back(both, machine):
    before, journal = read_contents(both.api), begin()
    assert both.run(journal) == CURED
    assert both.is_cured()
    assert machine.run("sysctl", "-n", "net.ipv4.ip_forward") == "1\n"
    assert Undo(both.tools, open_journal(journal.id)).undo_all() == AS_BEFORE
    assert read_contents(both.api) == before
    assert machine.run("sysctl", "-n", "net.ipv4.ip_forward") == "0\n"
    assert not machine.file("/etc/forward.conf").exists()
    assert not machine.file("/root/forward-saved").exists()


def test_taking_back_twice_changes_nothing(both):
    journal = begin()
    both.run(journal)
    Undo(both.tools, journal).undo_all()
    before = both.api.load()
    assert Undo(both.tools, journal).undo_all() == AS_BEFORE
    assert both.api.load() == before


def test_the_journal_is_private_and_tells_who_what_and_when(fix):
    journal = begin()
    fix.run(journal)
    assert stat.S_IMODE(journal.folder.stat().st_mode) == 0o700
    for path in journal.folder.iterdir():
        if path.name != "first.json":  # written by the printed command itself, inside that folder
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    lines = [json.loads(line) for line in (journal.folder / FILE).read_text("utf-8").splitlines()]
    assert [line["what"] for line in lines][:4] == ["began", "step", "step-ended", "object-intended"]
    assert all(line["at"] for line in lines)
    change = next(line for line in lines if line["what"] == "object-intended")
    assert change["differences"] == ['- data.mode: "off"', '+ data.mode: "on"']


def test_secrets_are_not_in_the_journal(api, tmp_path):
    folder = "/api/v1/namespaces/kube-system/secrets"
    api.put(folder, {**draw_config_map("s", password="b2xkLXBhc3N3b3Jk"), "kind": "Secret"})
    patch = '{"data":{"password":"bmV3LXBhc3N3b3Jk"}}'
    step = __import__("msgspec").structs.replace(
        OBJECTS, save="", run=f"kubectl patch secret s -n kube-system --type merge -p '{patch}'"
    )
    fix, journal = Drawn(make_tools(api, NoHosts()), api, tmp_path, step), begin()
    fix.run(journal)
    assert api.load()[f"{folder}/s"]["data"]["password"] == "bmV3LXBhc3N3b3Jk"
    text = (journal.folder / FILE).read_text("utf-8")
    assert "***" in text
    intended = next(journal.find(ObjectIntended))
    assert not any("b2xk" in line or "bmV3" in line for line in intended.differences)


def test_no_answer_is_no(fix):
    fix.console.answer = lambda _: False
    before, journal = fix.api.load(), begin()
    from calivet.fix.run import Choices, Fix
    from tests.fix.drawn import draw_plan

    state = Fix(fix.tools, draw_plan(OBJECTS), fix.console, Choices(wait=0.0), fix.look, fix.sick).run(journal)
    assert state == AS_BEFORE
    assert fix.api.load() == before
    assert fix.console.asked == ["Run step 1? [y/N] "]


@pytest.mark.parametrize(("risk", "asked"), [("safe", 0), ("disruptive", 1), ("dangerous", 1)])
def test_yes_is_for_safe_steps_alone(api, tmp_path, risk, asked):
    from msgspec.structs import replace

    fix = Drawn(make_tools(api, NoHosts()), api, tmp_path, replace(OBJECTS, risk=risk))
    fix.run(begin())
    assert len(fix.console.asked) == asked


def test_a_conflict_stops_and_leaves_what_is_known(fix):
    """Somebody changes the second object between the plan and the change."""

    def meddle(_method, path):
        if path == FIRST:
            fix.api.put(CONFIG_MAPS, draw_config_map("second", other="of somebody else"))

    fix.api.before_change = meddle
    journal = begin()
    assert fix.run(journal) == CHANGED
    assert any("was changed by someone else since the plan" in said for said in fix.console.told)
    fix.api.before_change = lambda _method, _path: None
    assert Undo(fix.tools, journal).undo_all() == AS_BEFORE
    contents = read_contents(fix.api)
    assert contents[FIRST]["data"] == {"mode": "off", "other": "kept"}
    assert contents[SECOND]["data"] == {"other": "of somebody else"}


def test_a_conflict_at_the_server_changes_nothing(fix):
    def conflict(_method, _path):
        raise trouble(409)

    before, journal = fix.api.load(), begin()
    fix.api.before_change = conflict
    assert fix.run(journal) == AS_BEFORE
    assert fix.api.load() == before
    assert len(list(journal.find(Failed))) == 1


def test_permission_lost_midway(fix):
    def deny(_method, path):
        if path == SECOND:
            raise trouble(403)

    journal = begin()
    fix.api.before_change = deny
    assert fix.run(journal) == CHANGED
    fix.api.before_change = lambda _method, _path: None
    before_undo = read_contents(fix.api)
    assert before_undo[FIRST]["data"]["mode"] == "on"
    assert Undo(fix.tools, open_journal(journal.id)).undo_all() == AS_BEFORE
    assert read_contents(fix.api)[FIRST]["data"]["mode"] == "off"


def test_permission_is_asked_for_before_the_first_change(fix):
    fix.api.denied = {"configmaps"}
    before, journal = fix.api.load(), begin()
    assert fix.run(journal) == AS_BEFORE
    assert fix.api.load() == before
    assert any("You may not patch ConfigMap" in said for said in fix.console.told)


def test_an_answer_that_is_lost_is_found_out(fix):
    """The change was made, but nobody knows: neither forgotten nor made twice."""

    def lose(_method, path):
        if path == FIRST:
            raise Trouble("cut", make_verbatim("connection lost"))

    journal = begin()
    fix.api.after_change = lose
    assert fix.run(journal) == IN_BETWEEN
    fix.api.after_change = lambda _method, _path: None
    again = open_journal(journal.id)
    Undo(fix.tools, again).settle()
    assert describe_state(again) == CHANGED
    assert fix.run(again) == CURED
    assert Undo(fix.tools, again).undo_all() == AS_BEFORE
    assert read_contents(fix.api)[FIRST]["data"]["mode"] == "off"


def test_ssh_that_is_cut_after_the_command_has_run(both, hosts, machine):
    hosts.breaks = ["printf on"]
    journal = begin()
    assert both.run(journal) == IN_BETWEEN
    assert machine.file("/etc/forward.conf").exists()
    hosts.cut, hosts.breaks = set(), []
    assert Undo(both.tools, open_journal(journal.id)).undo_all() == AS_BEFORE
    assert not machine.file("/etc/forward.conf").exists()
    assert machine.run("sysctl", "-n", "net.ipv4.ip_forward") == "0\n"


def test_a_machine_that_is_gone_is_said_to_be_in_between_until_it_is_back(both, hosts):
    journal = begin()
    assert both.run(journal) == CURED
    hosts.cut = {"oak"}
    assert Undo(both.tools, journal).undo_all() == IN_BETWEEN
    hosts.cut = set()
    assert Undo(both.tools, open_journal(journal.id)).undo_all() == AS_BEFORE


def test_a_file_that_somebody_else_has_written_since_is_left_alone(both, machine):
    journal = begin()
    both.run(journal)
    machine.write("/etc/forward.conf", "of somebody else")
    assert Undo(both.tools, journal).undo_all() == IN_BETWEEN
    assert machine.file("/etc/forward.conf").read_text() == "of somebody else"


def test_a_field_that_somebody_else_has_changed_since_is_left_alone(fix):
    journal = begin()
    fix.run(journal)
    fix.api.put(CONFIG_MAPS, draw_config_map("first", mode="of somebody else"))
    assert Undo(fix.tools, journal).undo_all() == IN_BETWEEN
    assert read_contents(fix.api)[FIRST]["data"]["mode"] == "of somebody else"
    assert "mode" not in read_contents(fix.api)[SECOND]["data"]


def test_another_field_that_somebody_else_has_changed_stays_changed(fix):
    journal = begin()
    fix.run(journal)
    fix.api.put(CONFIG_MAPS, draw_config_map("first", mode="on", other="of somebody else"))
    assert Undo(fix.tools, journal).undo_all() == AS_BEFORE
    assert read_contents(fix.api)[FIRST]["data"] == {"mode": "off", "other": "of somebody else"}


def test_a_disk_that_is_full_while_saving_changes_nothing(fix, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    before, journal = fix.api.load(), begin()
    monkeypatch.setattr(Journal, "save_tree", full)
    assert fix.run(journal) == AS_BEFORE
    assert fix.api.load() == before
    assert any("No space left" in said for said in fix.console.told)


def test_a_disk_that_is_full_before_a_machine_is_touched(both, machine, monkeypatch):
    def full(self, name, content):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Journal, "save", full)
    changer = Changer(both.tools.connection, both.tools.hosts, begin(), 30.0)
    with pytest.raises(OSError, match="No space"):
        changer.run_on_host("oak", HOST.run, b"", ["/etc/forward.conf"])
    assert not machine.file("/etc/forward.conf").exists()


def test_a_command_that_fails_is_taken_back_and_the_next_step_is_tried(api, hosts, tmp_path):
    from msgspec.structs import replace

    broken = replace(HOST, run="ssh oak \"sudo sh -c 'printf on > /etc/forward.conf; false'\"")
    fix, journal = Drawn(make_tools(api, hosts), api, tmp_path, broken, OBJECTS), begin()
    hosts.run("oak", "sysctl -q -w net.ipv4.ip_forward=0", b"", 30.0)
    assert fix.run(journal) == CURED
    assert [entry.code for entry in journal.find(HostDone)][-1] == 1
    assert not hosts.machines["oak"].file("/etc/forward.conf").exists()
    assert any("was undone" in said for said in fix.console.told)


def test_ctrl_c_in_the_middle_leaves_a_journal_to_go_on_from(both, hosts):
    run = hosts.run

    def interrupt(node, script, given, seconds):
        answer = run(node, script, given, seconds)
        if "printf on" in script and "du -sk" not in script:
            both.tools.interrupted.set()
        return answer

    hosts.run = interrupt
    journal = begin()
    assert both.run(journal) in (CHANGED, IN_BETWEEN)
    both.tools.interrupted.clear()
    hosts.run = run
    again = open_journal(journal.id)
    assert Undo(both.tools, again).undo_all() == AS_BEFORE


def test_nothing_but_what_is_known_to_be_harmless_is_started_here(fix, tmp_path):
    from msgspec.structs import replace

    marks = tmp_path / "mark"
    step = replace(OBJECTS, save="", run=f"touch {marks}; rm -rf {tmp_path}/objects.json; reboot; {OBJECTS.run}")
    fix.steps = (step,)
    fix.run(begin())
    assert not marks.exists()
    assert (tmp_path / "objects.json").exists()


@pytest.mark.parametrize(("steps", "asked", "state"), [([], [], AS_BEFORE), ([1], [True], CURED)])
def test_what_only_the_operator_can_judge_is_taken_where_he_names_it(fix, steps, asked, state):
    """And he is asked for the whole word, whatever --yes is for."""
    from msgspec.structs import replace

    from calivet.fix.plan import Kind
    from calivet.fix.run import Choices, Fix
    from tests.fix.drawn import draw_plan

    plan = draw_plan(OBJECTS)
    plan = replace(plan, steps=[replace(step, kind=Kind.DECIDE) for step in plan.steps])
    answers: list[bool] = []

    def ask(_question, *, in_full=False):
        answers.append(in_full)
        return True

    fix.console.ask = ask
    choices = Choices(yes=True, wait=0.0, steps=steps)
    assert Fix(fix.tools, plan, fix.console, choices, fix.look, fix.sick).run(begin()) == state
    assert answers == asked


def test_what_objects_were_is_kept_in_the_cluster_only_where_that_is_asked_for(fix):
    from calivet.fix.run import Choices, Fix
    from tests.fix.drawn import draw_plan

    fix.api.put(CONFIG_MAPS, draw_config_map("first", mode="off", settings="password: hunter2x9"))
    for wanted in (False, True):
        journal = begin()
        choices = Choices(yes=True, wait=0.0, save_in_cluster=wanted)
        Fix(fix.tools, draw_plan(OBJECTS), fix.console, choices, fix.look, fix.sick).run(journal)
        kept = fix.api.load().get(f"{CONFIG_MAPS}/calivet-fix-{journal.id}")
        assert (kept is not None) is wanted
        Undo(fix.tools, journal).undo_all()
    assert json.loads(kept["data"]["1-configmaps.json"])["data"]["mode"] == "off"
    assert set(kept["data"]) == {"1-configmaps.json", "2-configmaps.json"}
    assert "hunter2x9" not in json.dumps(kept)
