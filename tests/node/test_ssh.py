"""The probe over ssh: a real client, real servers, and all that goes wrong between them."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from contextlib import closing

import pytest

from calivet.node.ssh import SshOptions, Target, list_targets, probe_over_ssh, write_transcript
from tests.node.sshd import CLIENT, HERE, ORIGINAL, SCRIPT, agent, free_port, mute_port

pytestmark = pytest.mark.xdist_group("ssh")


class Told:
    """Keeps what is told while it happens."""

    def __init__(self):
        self.phases = []
        self.steps = {}

    def phase(self, name, total):
        self.phases.append((name, total))

    def step(self, name, says=""):
        self.steps[name] = says


@pytest.fixture
def ask(site, monkeypatch):
    """Asks machines by name; the clock is the real one."""
    monkeypatch.setenv("PATH", f"{site.folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    site.forget_calls()

    def asked(*targets, progress=None, interrupted=None, **options):
        machines = [one if isinstance(one, Target) else list_targets([one])[0] for one in targets]
        wanted = SshOptions(SCRIPT, **{"deadline": 100, **options})
        return probe_over_ssh(machines, wanted, progress or Told(), interrupted or threading.Event())

    return asked


def text(visit):
    return "\n".join(visit.document.lines) if visit.document else None


def is_whole(visit):
    return (
        visit.failure is None
        and visit.document.lines[-1] == "# calivet-probe end sections=2 seconds=0.1 #:5ed00320a384"
    )


class TestComingHome:
    def test_the_stream_and_nothing_else(self, ask):
        [visit] = ask("plain")
        assert is_whole(visit)
        assert visit.document.name == "probes/plain.txt"
        assert visit.document.lines[0].startswith("# calivet-probe 2 host=birch-77 ")
        assert len(visit.document.lines) == 8

    def test_what_the_login_prints_before_and_after_is_dropped(self, ask, site):
        motd = "echo Welcome; printf 'no newline at the end'\n"
        chatty = site.machine("chatty", f'{motd}sh -c "$SSH_ORIGINAL_COMMAND"\necho Good bye\necho "[root@x ~]# exit"')
        [visit] = ask(chatty)
        assert is_whole(visit)
        assert visit.document.lines[0].startswith("# calivet-probe 2 ")
        assert "Welcome" not in text(visit)
        assert "Good bye" not in text(visit)

    @pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
    def test_a_chatty_bashrc(self, ask, site):
        home = site.folder / "home"
        home.mkdir()
        (home / ".bashrc").write_text("echo 'the load is high today'\nalias sh=false\n")
        # Bash reads the file when it thinks that a network connection has started it.
        login = f'HOME={home} SSH_CLIENT="::1 1 1" SHLVL=0 exec bash -c "$SSH_ORIGINAL_COMMAND"'
        [visit] = ask(site.machine("bashrc", login))
        assert is_whole(visit)
        assert "load is high" not in text(visit)

    def test_what_the_script_is_told_arrives_as_it_is(self, ask):
        [visit] = ask(
            Target("plain", ("plain",), arguments=("--peer", "10.0.0.1", "--api", 'it\'s $HOME; `id` \\ "x"'))
        )
        assert 'told: --total 75 --peer 10.0.0.1 --api it\'s $HOME; `id` \\ "x"; as root' in text(visit)

    def test_a_node_goes_by_its_name_in_the_cluster(self, ask):
        [visit] = ask(Target("worker-3", ("plain",), is_node=True))
        assert visit.document.name == "probes/worker-3.txt"
        assert visit.document.lines[0].startswith("# calivet-probe 2 host=worker-3 user=")
        assert visit.document.lines[1].endswith("@worker-3 ~]# hostname #:5ed00320a384")
        assert visit.document.lines[2] == "birch-77"

    def test_where_the_name_is_unknown_the_address_will_do(self, ask, site):
        site.entry("nameless", HostName="nameless.invalid")
        [visit] = ask(Target("worker-3", ("nameless", "plain")))
        assert is_whole(visit)
        assert visit.login == "plain"

    def test_through_a_jump_host(self, ask, site):
        port = free_port()
        site.start(port)
        site.know(port, "host")
        site.machine("jump", Port=port)
        # The jump host lets through, it does not run anything.
        keys = site.folder / "authorized_keys"
        keys.write_text(keys.read_text().replace(f'command="sh {site.folder}/login-jump" ', ""))
        [visit] = ask(site.machine("behind", ProxyJump="jump"))
        assert is_whole(visit)

    def test_a_key_that_only_an_agent_holds(self, ask, site, monkeypatch):
        held = site.machine("held", IdentityFile="none", IdentitiesOnly="no")
        with agent(site.folder, site.folder / "held") as place:
            (site.folder / "held").unlink()
            monkeypatch.setenv("SSH_AUTH_SOCK", place)
            assert is_whole(*ask(held))

    def test_a_server_that_turns_away_the_first_is_asked_again(self, ask, site):
        with closing(socket.create_server((HERE, 0))) as door:
            site.entry(
                "busy",
                Port=door.getsockname()[1],
                HostKeyAlias=f"[{HERE}]:{site.port}",
                IdentityFile=site.folder / "plain",
            )

            def doorman():
                door.accept()[0].close()
                with door.accept()[0] as client, socket.create_connection((HERE, site.port)) as server:
                    for ends in ((client, server), (server, client)):
                        threading.Thread(target=carry, args=ends, daemon=True).start()
                    over.wait()

            over = threading.Event()
            thread = threading.Thread(target=doorman)
            thread.start()
            assert is_whole(*ask("busy"))
            over.set()
            thread.join()


def carry(source, sink):
    try:
        while piece := source.recv(65536):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


class TestBecomingRoot:
    @pytest.fixture
    def someone(self, site):
        """A machine on which one is not root, and may or may not become root."""

        def made(name, sudo):
            tools = site.folder / f"tools-{name}"
            tools.mkdir()
            for tool, does in {"id": "case $1 in -u) echo 1000;; *) echo jo;; esac", "sudo": sudo}.items():
                (tools / tool).write_text(f"#!/bin/sh\n{does}\n")
                (tools / tool).chmod(0o755)
            return site.machine(name, f'PATH={tools}:$PATH exec sh -c "$SSH_ORIGINAL_COMMAND"')

        return made

    # As the newest sudo does, it reads on in standard input on its own.
    ALLOWED = '[ "$1" = -n ] || exit 9; shift; AS_ROOT=yes exec "$@"'
    REFUSED = 'cat >/dev/null; echo "sudo: a password is required" >&2; exit 1'

    def test_where_sudo_needs_no_password(self, ask, someone):
        [visit] = ask(Target("allowed", (someone("allowed", self.ALLOWED),), arguments=("--peer", "10.0.0.1")))
        assert is_whole(visit)
        assert "--peer 10.0.0.1; as root: yes" in text(visit)

    def test_where_it_does_not_the_probe_runs_as_it_can(self, ask, someone):
        [visit] = ask(someone("refused", self.REFUSED))
        assert is_whole(visit)
        assert "as root: no" in text(visit)

    def test_sudo_is_left_alone_where_the_operator_says_so(self, ask, someone):
        [visit] = ask(someone("unwanted", self.ALLOWED), sudo=False)
        assert is_whole(visit)
        assert "as root: no" in text(visit)


class TestFailing:
    """Each time the machine beside it answers all the same."""

    def failure(self, ask, name, **options):
        failed, well = ask(name, "plain", **options)
        assert is_whole(well)
        assert failed.failure.what == f"probes/{name}.txt"
        assert failed.failure.help == f"ssh {name}"
        return str(failed.failure.why), failed

    def test_a_host_key_that_changed(self, ask, site):
        site.key("former")
        site.know(site.port, "former", "known_formerly")
        known = site.folder / "known_formerly"
        site.machine("changed", UserKnownHostsFile=known)
        why, visit = self.failure(ask, "changed")
        assert why == f"its host key differs from the one in {known}:1: calivet stops here"
        assert visit.document is None
        assert known.read_text().count("\n") == 1

    @pytest.mark.parametrize("strict", ["ask", "yes"])
    def test_a_host_key_that_nobody_knows(self, ask, site, strict):
        known = site.folder / "known_nothing"
        site.machine(f"unknown-{strict}", UserKnownHostsFile=known, StrictHostKeyChecking=strict)
        why, _ = self.failure(ask, f"unknown-{strict}")
        assert why == "its host key is not in known_hosts: log in once by hand and compare it"
        assert not known.exists()

    def test_a_key_that_the_machine_does_not_take(self, ask, site):
        site.key("stranger")
        site.entry("denied", IdentityFile=site.folder / "stranger")
        why, _ = self.failure(ask, "denied")
        assert why == "permission denied: it accepts publickey, and no key or agent here is accepted"

    def test_nobody_listens(self, ask, site):
        site.entry("closed", Port=free_port())
        why, visit = self.failure(ask, "closed")
        assert why == "connection refused: no ssh server listens there"
        assert visit.said.startswith(f"ssh: connect to host {HERE} port ")

    def test_a_server_that_says_nothing(self, ask, site):
        with mute_port() as port:
            site.entry("mute", Port=port, ConnectTimeout=1)
            why, _ = self.failure(ask, "mute")
        assert why == "timed out: the port is open, but no ssh server answers"

    def test_a_name_that_nobody_knows(self, ask, site):
        site.entry("nobody", HostName="nobody.invalid")
        why, _ = self.failure(ask, "nobody")
        assert why == "its name is known neither to the name service nor to the settings of ssh"

    def test_a_machine_that_the_jump_host_does_not_reach(self, ask, site):
        site.entry("beyond", Port=free_port(), ProxyJump="plain")
        why, _ = self.failure(ask, "beyond")
        assert why == "connection refused: no ssh server listens there"

    def test_a_jump_host_that_is_not_known(self, ask, site):
        site.machine("unknown-jump", UserKnownHostsFile=site.folder / "known_nothing")
        site.machine("behind-unknown", ProxyJump="unknown-jump")
        why, _ = self.failure(ask, "behind-unknown")
        assert why == "its host key is not in known_hosts: log in once by hand and compare it"

    def test_an_account_that_may_not_log_in(self, ask, site):
        site.machine("nologin", "echo 'This account is currently not available.'; exit 1")
        assert self.failure(ask, "nologin")[0] == "the account may not log in"

    def test_a_machine_that_wants_another_user(self, ask, site):
        said = 'Please login as the user "ubuntu" rather than the user "root".'
        site.machine("cloud", f"echo '{said}'; exit 142")
        assert self.failure(ask, "cloud")[0] == "it expects the user ubuntu"

    def test_a_machine_without_a_shell(self, ask, site):
        site.machine("bare", "PATH=/nowhere; sh -s")
        assert self.failure(ask, "bare")[0] == "there is no sh on it"

    def test_anything_else_in_its_own_words(self, ask, site):
        site.machine("strange", "echo 'the moon is full' >&2; exit 7")
        assert self.failure(ask, "strange")[0] == "the login failed with code 7: the moon is full"

    def test_not_a_word(self, ask, site):
        site.machine("terse", "exit 3")
        assert self.failure(ask, "terse")[0] == "ssh exited with code 3 without any message"

    def test_settings_that_ssh_does_not_take(self, ask, site, monkeypatch):
        ssh = site.folder / "broken" / "ssh"
        ssh.parent.mkdir()
        (site.folder / "nonsense").write_text("Fly high\n")
        ssh.write_text(f'#!/bin/sh\nexec {CLIENT} -F {site.folder}/nonsense "$@"\n')
        ssh.chmod(0o755)
        monkeypatch.setenv("PATH", f"{ssh.parent}{os.pathsep}{os.environ['PATH']}")
        [visit] = ask("plain")
        assert str(visit.failure.why).startswith("ssh does not accept its settings: ")
        assert "fly" in str(visit.failure.why)

    def test_no_ssh_at_all(self, ask, monkeypatch, tmp_path):
        monkeypatch.setenv("PATH", str(tmp_path))
        [visit] = ask("plain")
        assert str(visit.failure.why) == "the program ssh is not installed"


ON_ITS_WAY = 3.0


class TestCutting:
    @pytest.fixture
    def late(self, monkeypatch):
        """The time is up some seconds after there is such a file, however slow the machine is.

        Not at once: what was printed before the file was made is still on its way through ssh.
        """

        def when(path):
            clock = time.monotonic

            def now():
                up = path.exists() and time.time() - path.stat().st_mtime > ON_ITS_WAY
                return clock() + 10_000 * up

            monkeypatch.setattr("calivet.node.process.time.monotonic", now)

        return when

    def test_a_login_that_hangs(self, ask, site, late):
        hangs = site.machine("hangs", site.waiting())
        late(site.folder / "login-hangs-waits")
        [visit] = ask(hangs)
        assert visit.document is None
        assert str(visit.failure.why) == "the login did not get as far as the probe within 100 s"

    def test_a_probe_that_does_not_end_in_time(self, ask, site, late):
        waits = site.folder / "slow-waits"
        slow = site.machine("slow", f"export WAITS={waits} FOREVER={site.folder}/forever\n{ORIGINAL}")
        late(waits)
        [visit] = ask(slow)
        assert str(visit.failure.why) == "cut after 100 s; what came before that is kept"
        assert len(visit.document.lines) == 7

    def test_a_probe_that_is_killed(self, ask, site):
        cut, well = ask(site.machine("killed", f"export HALF=1\n{ORIGINAL}"), "plain")
        assert str(cut.failure.why) == "cut: the connection or the probe ended early; what came before that is kept"
        assert "half" not in text(cut)
        assert len(cut.document.lines) == 7
        assert is_whole(well)

    def test_more_than_anybody_reads(self, ask, site):
        cut, well = ask(site.machine("floods", f"export FLOODS=1\n{ORIGINAL}"), "plain", size=1_000_000)
        assert str(cut.failure.why) == "cut after 1,000,000 bytes; what came before that is kept"
        assert len(cut.document.lines) > 1000
        assert is_whole(well)

    def test_who_is_interrupted_brings_what_has_arrived(self, ask, site):
        """One has answered by then, and the other is in the midst of it."""
        over = threading.Event()
        waits = site.folder / "midst-waits"
        midst = site.machine("midst", f"export WAITS={waits} FOREVER={site.folder}/forever\n{ORIGINAL}")

        class Impatient(Told):
            def step(self, name, says=""):
                super().step(name, says)
                while name == "plain" and not waits.exists():
                    time.sleep(0.01)
                if name == "plain":
                    over.set()

        done, cut = ask("plain", midst, progress=Impatient(), interrupted=over)
        assert is_whole(done)
        assert str(cut.failure.why) == "interrupted; what came before that is kept"
        assert len(cut.document.lines) == 7

    def test_who_is_interrupted_early_asks_nobody(self, ask, site):
        over = threading.Event()
        over.set()
        [visit] = ask("plain", interrupted=over)
        assert str(visit.failure.why) == "interrupted before it arrived"
        assert site.calls() == []


class TestManyAtOnce:
    def test_thirty_of_them(self, ask, site):
        counted = site.folder / "counted"
        counted.mkdir()
        come = site.folder / "come"
        come.mkdir()
        # The first five wait for one another, so that there are five; of those who are there at the same time all count.
        wait = f": >{come}/$$\nuntil [ $(ls {come} | wc -l) -ge 5 ]; do sleep 0.05; done"
        count = f": >{counted}/$$; ls {counted} >{site.folder}/seen-$$"
        site.machine("crowd", f'{count}\n{wait}\n{count}\nsh -c "$SSH_ORIGINAL_COMMAND"\nrm {counted}/$$')
        site.entry("crowd-*", IdentityFile=site.folder / "crowd")
        progress = Told()
        visits = ask(*(f"crowd-{number}" for number in range(30)), parallel=5, progress=progress)
        assert all(map(is_whole, visits))
        assert [visit.host for visit in visits] == [f"crowd-{number}" for number in range(30)]
        most = max(len(path.read_text().split()) for path in site.folder.glob("seen-*"))
        assert most == 5
        assert progress.phases == [("probes", 30)]
        assert set(progress.steps) == {visit.host for visit in visits}
        assert all(str(says).startswith("answered in ") for says in progress.steps.values())


class TestKeepingItsHandsOff:
    def test_nothing_ever_weakens_what_the_operator_trusts(self, ask, site):
        ask("plain", "nobody")
        for call in site.calls():
            told = [call[index + 1] for index, word in enumerate(call) if word == "-o"]
            assert {option.partition("=")[0] for option in told} <= {
                "BatchMode",
                "LogLevel",
                "ClearAllForwardings",
                "ConnectTimeout",
            }
            assert set(call[: call.index("--")]) - {"-o", *told} <= {"-T", "-a", "-x", "-G"}

    def test_a_time_to_connect_that_the_operator_has_set_is_his(self, ask, site):
        site.machine("patient", ConnectTimeout=77)
        ask("patient", "plain")
        calls = {call[call.index("--") + 1]: call for call in site.calls() if "-G" not in call}
        assert not any(word.startswith("ConnectTimeout") for word in calls["patient"])
        assert "ConnectTimeout=10" in calls["plain"]


class TestTranscript:
    def test_a_failure_is_evidence_as_on_a_terminal(self, ask, site):
        port = free_port()
        site.entry("shut", Port=port)
        document = write_transcript(ask("shut", "plain"))
        assert document
        assert document.lines == ["$ ssh shut", f"ssh: connect to host {HERE} port {port}: Connection refused"]

    def test_where_nobody_is_heard_of_it_is_the_way_there(self, ask, site, monkeypatch):
        site.entry("nobody", HostName="nobody.invalid")
        assert write_transcript(ask("nobody", "nobody")) is None
