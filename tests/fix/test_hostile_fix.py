"""`calivet fix` in hostile hands: it does what was shown and nothing else, whoever answers, names or has written."""

from __future__ import annotations

import io
import json
import os
import re
import socket
import stat
import tarfile
import tempfile
from threading import Event

import pytest
from msgspec.structs import replace

from calivet.fix import hosts as hosts_of_fix
from calivet.fix import kubectl as calls
from calivet.fix.broker import Preview, Worker
from calivet.fix.changes import Change, Changer, WorldChangedError
from calivet.fix.hosts import Answer, HostError, SshHosts
from calivet.fix.journal import FILE, Ended, JournalError, find_folder, list_journals, open_journal
from calivet.fix.kubectl import KubectlError, check_options, is_reading
from calivet.fix.lock import LEASE, hold_lock
from calivet.fix.objects import Ref
from calivet.fix.plan import build_plan
from calivet.fix.shell import Shell, _serve
from calivet.fix.snapshots import Snapshot
from calivet.fix.undo import AS_BEFORE, Undo, name_step
from calivet.messages.words import Words
from calivet.reasoning.advice import Advice
from calivet.reasoning.diagnosis import Finding
from calivet.reasoning.finding_values import collect_values
from tests.advice.platforms import draw_platform
from tests.e2e.fixing import NoHosts
from tests.fix.drawn import OBJECTS, Drawn, begin, draw_api
from tests.fix.fake_api import make_tools
from tests.shipped import load_shipped_catalogue

CATALOGUE = load_shipped_catalogue()
CONFIG_MAP = Ref("v1", "ConfigMap", "configmaps", "first", "kube-system")


@pytest.fixture(autouse=True)
def own_state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def api(tmp_path):
    return draw_api(tmp_path)


class Machines:
    """Does nothing, and remembers what it was told to do."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, bytes]] = []

    def run(self, node: str, script: str, given: bytes, _seconds: float) -> Answer:
        self.told.append((node, script, given))
        return Answer(0, b"\n\n", "")


def patch(name: str, mode: str) -> list[str]:
    return [
        "patch",
        "configmap",
        name,
        "-n",
        "kube-system",
        "--type",
        "merge",
        "-p",
        json.dumps({"data": {"mode": mode}}),
    ]


# ---- only what was shown


@pytest.mark.parametrize("wanted", [patch("second", "on"), patch("first", "evil")])
def test_what_was_not_shown_is_not_done(api, wanted):
    """A command may find another object, or another value, than it found when the plan was made."""
    tools, before = make_tools(api, NoHosts()), api.load()
    preview = Preview(tools)
    preview.handle("kubectl", patch("first", "on"), b"")
    worker = Worker(tools, Changer(tools.connection, tools.hosts, begin(), 60.0), preview, [])
    assert worker.handle("kubectl", wanted, b"").code == 1
    assert isinstance(worker.failure, WorldChangedError)
    assert api.load() == before


@pytest.mark.parametrize(
    ("node", "script", "given"),
    [("elm", "sudo reboot", b""), ("oak", "sudo reboot -f", b""), ("oak", "sudo reboot", b"evil")],
)
def test_no_machine_is_told_what_was_not_shown(api, node, script, given):
    machines = Machines()
    tools = make_tools(api, machines)
    preview = Preview(tools)
    preview.handle("ssh", ["oak", "sudo reboot"], b"")
    worker = Worker(tools, Changer(tools.connection, machines, begin(), 60.0), preview, [])
    assert worker.handle("ssh", [node, script], given).code == 1
    assert machines.told == []


# ---- the journal


def test_whatever_the_umask_the_journal_is_private():
    old = os.umask(0)
    try:
        journal = begin()
    finally:
        os.umask(old)
    for path in (journal.folder, *list(journal.folder.parents)[:3]):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700, path


def spoil_mode(folder):
    folder.chmod(0o777)


def spoil_parent(folder):
    folder.parent.chmod(0o772)


def spoil_file(folder):
    (folder / FILE).chmod(0o666)


def spoil_link(folder):
    folder.rename(folder.parent.parent / "elsewhere")
    folder.symlink_to(folder.parent.parent / "elsewhere")


def spoil_file_link(folder):
    (folder / FILE).rename(folder.parent / "elsewhere")
    (folder / FILE).symlink_to(folder.parent / "elsewhere")


def spoil_owner(folder):
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    os.chown(folder / FILE, 65534, 65534)


@pytest.mark.parametrize("spoil", [spoil_mode, spoil_parent, spoil_file, spoil_link, spoil_file_link, spoil_owner])
def test_a_journal_that_others_may_have_written_is_not_obeyed(spoil):
    journal = begin()
    assert open_journal(journal.id).entries
    spoil(journal.folder)
    with pytest.raises(JournalError, match="not obeyed"):
        open_journal(journal.id)


def test_what_a_step_saved_has_the_operators_mode():
    journal = begin()
    (journal.folder / "first.json").touch()
    (journal.folder / "first.json").chmod(0o664)
    assert open_journal(journal.id).entries
    (journal.folder / "second.json").symlink_to("/etc/passwd")
    with pytest.raises(JournalError, match="not obeyed"):
        open_journal(journal.id)


def test_no_journal_is_made_where_others_may_write():
    begin()
    find_folder().chmod(0o777)
    with pytest.raises(JournalError):
        begin()


def test_a_relative_state_folder_is_none(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", "state")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert find_folder() == tmp_path / ".local" / "state" / "calivet" / "fixes"


def test_what_else_lies_there_is_no_journal():
    journal = begin()
    (find_folder() / "..x").mkdir()
    (find_folder() / "..x" / FILE).touch()
    assert list_journals() == [journal.id]


@pytest.mark.parametrize("node", ["../../../x", "a/b", "x" * 300, "$(x)", "节点", "a\nb"])
def test_a_nodes_name_stays_in_the_folder(node):
    name = name_step(1, node)
    assert re.fullmatch(r"step-1-[\w.-]{1,120}\.json", name)
    assert name != name_step(1, f"{node}.")


def test_secrets_of_environments_and_arguments_are_not_shown():
    container = {
        "name": "calico-node",
        "env": [{"name": "ETCD_PASSWORD", "value": "hunter2x9"}, {"name": "MODE", "value": "on"}],
        "args": ["--token", "fw93kd02ms"],
    }
    tree = {"metadata": {"name": "first"}, "spec": {"containers": [container]}}
    lines = "\n".join(Change("create", CONFIG_MAP, None, tree).differences)
    assert "hunter2x9" not in lines
    assert "fw93kd02ms" not in lines
    assert '+ spec.containers[calico-node].env[MODE].value: "on"' in lines


# ---- machines


@pytest.mark.parametrize("node", ["-oProxyCommand=touch evil", "$(touch evil)", "a b", "a;b", "", "-"])
def test_nobody_logs_in_to_what_is_no_machine(node, monkeypatch):
    monkeypatch.setattr(hosts_of_fix, "run", lambda *_: pytest.fail("a program was started"))
    monkeypatch.setattr(hosts_of_fix, "read_ssh_settings", lambda *_: pytest.fail("ssh was started"))
    with pytest.raises(HostError, match="no name that ssh could use"):
        SshHosts({}, Event()).run(node, "true", b"", 5.0)


def test_a_node_with_a_hostile_name_gets_no_step_and_neither_does_this_machine():
    """Without a login its command would be for a person on the node itself; it must not run here."""
    cause, picture = CATALOGUE.causes["sysctl-ip-forward-off"], draw_platform("manifest")
    values = collect_values(picture, picture.names.nodes, [])
    advice = Advice(picture, [{**values, "node": "oak"}, {**values, "node": "root@evil.example"}], cause.fix)
    finding = Finding(
        cause=cause, confidence=0.99, nodes=["oak", "root@evil.example"], summary=Words("", ""), evidence=[],
        explains=[], chain=[], fix=advice.select_steps(cause.fix), verify=[], advice=advice,
    )  # fmt: skip
    parts = [part for step in build_plan(finding, {}).list_changes() for part in step.parts]
    assert {part.node for part in parts} == {"oak"}
    assert all(part.step.run.startswith("ssh oak ") for part in parts)


def _make_sparse() -> bytes:
    """A file that says it is a terabyte of nothing."""
    member = tarfile.TarInfo("etc/hosts")
    member.type, member.pax_headers = tarfile.REGTYPE, {"GNU.sparse.size": str(1 << 40), "GNU.sparse.map": "0,0"}
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(member)
    return made.getvalue()


@pytest.mark.parametrize(
    "archive", [b"x" * 2000, _make_sparse(), b"\x1f\x8b" + b"x" * 600], ids=["junk", "sparse", "gz"]
)
def test_a_machine_that_sends_no_archive_costs_nothing_but_its_step(archive):
    with pytest.raises(HostError):
        Snapshot(files=["/etc/hosts"], archive=archive).fingerprint()


# ---- kubectl


@pytest.mark.parametrize(
    "arguments",
    [
        ["get", "nodes", "--kubeconfig=evil"],
        ["get", "nodes", "-s", "https://evil.example"],
        ["get", "nodes", "-shttps://evil.example"],
        ["get", "nodes", "--token", "x"],
        ["get", "nodes", "--insecure-skip-tls-verify"],
        ["--context", "get", "delete", "nodes"],
        ["get", "nodes", "--profile-output=/root/.bashrc"],
        ["get", "nodes", "--as=system:admin"],
        ["cluster-info", "dump", "--output-directory=/etc"],
        ["create", "--raw", "/api/v1/namespaces"],
    ],
)
def test_an_option_that_no_command_of_ours_has_is_not_passed_on(api, arguments, monkeypatch):
    monkeypatch.setattr(type(make_tools(api, NoHosts())), "kubectl", lambda *_: pytest.fail("kubectl was called"))
    with pytest.raises(KubectlError):
        check_options(arguments)
    assert Preview(make_tools(api, NoHosts())).handle("kubectl", arguments, b"").code == 1


def test_the_commands_of_the_catalogue_have_no_other_options():
    causes = CATALOGUE.causes.values()
    commands = [getattr(step, name) for cause in causes for step in cause.fix for name in ("run", "save", "undo")]
    commands += [check.run for cause in causes for check in cause.verify]
    called = [call for command in commands for call in re.findall(r"\bkubectl ([^|;&\n]*)", command)]
    used = {option for call in called for option in re.findall(r"(?<= )--[a-z][a-z-]+", call)}
    foreign = {"--query", "--fixed-ip", "--output"}  # of openstack and aws, which people run
    assert used - foreign <= calls._KNOWN_OPTIONS


@pytest.mark.parametrize(
    ("arguments", "reads"),
    [
        (["delete", "pod", "x", "--dry-run=false"], False),
        (["delete", "pod", "x", "--dry-run=none"], False),
        (["delete", "pod", "x", "--dry-run"], False),
        (["delete", "pod", "x", "--dry-run=server"], True),
        (["auth", "reconcile", "-f", "x"], False),
        (["auth", "can-i", "get", "pods"], True),
        (["exec", "x", "--", "birdcl", "show", "protocols"], True),
        (["exec", "x", "--", "rm", "-rf", "/"], False),
        (["exec", "x"], False),
    ],
)
def test_what_only_reads_is_told_from_what_does_not(arguments, reads):
    assert is_reading(arguments) is reads


# ---- the shell


def test_a_function_of_the_operators_own_does_not_go_before(monkeypatch, tmp_path):
    monkeypatch.setenv("BASH_FUNC_kubectl%%", "() {  echo unseen\n}")
    seen: list[list[str]] = []

    def handle(_program: str, arguments: list[str], _given: bytes) -> Answer:
        seen.append(arguments)
        return Answer(0, b"seen\n", "")

    answer = Shell(Event(), 60.0).run("kubectl get nodes; bash -c 'kubectl get pods'", tmp_path, handle)
    assert answer.out == b"seen\nseen\n"
    assert seen == [["get", "nodes"], ["get", "pods"]]


def test_who_talks_nonsense_at_the_door_does_not_shut_it(tmp_path):
    with _serve(tmp_path / "socket", lambda *_: Answer(0, b"answered", "")) as address:
        for asked in (b"nonsense", b'{"program":1}', b"[]"):
            assert not _ask(address, asked)
        assert _ask(address, b'{"program":"kubectl","arguments":[],"given":""}')


def _ask(address: str, asked: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(20.0)
        line.connect(address)
        line.sendall(asked)
        line.shutdown(socket.SHUT_WR)
        return line.recv(1 << 16)


def test_a_long_name_of_the_folder_for_temporary_files_does(monkeypatch, tmp_path):
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    assert Shell(Event(), 60.0).run("kubectl", tmp_path, lambda *_: Answer(0, b"here", "")).out == b"here"


# ---- answers of the API server


@pytest.mark.parametrize(
    "answer", [b"[]", b"{}", b'{"status":null}', b'{"status":{"allowed":"yes"}}', b"\xff", b"1" * 5000]
)
def test_whatever_is_answered_the_journal_says_where_it_stands(api, tmp_path, answer):
    api.post = lambda *_: answer
    before, journal = api.load(), begin()
    assert Drawn(make_tools(api, NoHosts()), api, tmp_path, OBJECTS).run(journal) == AS_BEFORE
    assert api.load() == before
    assert [entry.state for entry in open_journal(journal.id).find(Ended)] == [AS_BEFORE]


@pytest.mark.parametrize(
    "spec",
    [
        {"holderIdentity": "evil", "renewTime": "2026-01-01T00:00:00"},
        {"holderIdentity": "evil", "renewTime": 7, "leaseDurationSeconds": "x"},
        {"holderIdentity": "evil", "renewTime": "2020-01-01T00:00:00Z", "leaseDurationSeconds": 10**18},
        {"holderIdentity": "evil", "renewTime": "9999-12-31T23:59:59Z", "leaseDurationSeconds": 10**18},
        {"holderIdentity": ["evil"]},
        None,
    ],
)
def test_a_lease_that_nobody_of_us_would_write_locks_nobody_out(api, spec):
    api.put(LEASE.folder, {"apiVersion": LEASE.api, "kind": "Lease", "metadata": {"name": LEASE.name}, "spec": spec})
    with hold_lock(make_tools(api, NoHosts()).connection, "me@here"):
        assert api.load()[LEASE.path]["spec"]["holderIdentity"] == "me@here"


def test_what_cannot_be_put_back_does_not_keep_the_others(api, tmp_path):
    fix, journal = Drawn(make_tools(api, NoHosts()), api, tmp_path, OBJECTS), begin()
    fix.run(journal)
    (journal.folder / "2-before.json").write_bytes(b"no tree")
    Undo(replace(fix.tools), journal).undo_all()
    assert api.load()["/api/v1/namespaces/kube-system/configmaps/first"]["data"] == {"mode": "off", "other": "kept"}
