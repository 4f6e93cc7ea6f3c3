"""What may hang is told by the kernel's table, and what lies there is asked by a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from calivet.evidence.sources import file_system, mounts
from calivet.evidence.sources.budget import ReadingBudget
from calivet.evidence.sources.documents import read_sources
from calivet.evidence.sources.mounts import HangingError, MountAsker, Mounts, ask_at_once

TABLE = """\
21 27 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
22 21 0:21 / /proc rw,nosuid shared:5 - proc proc rw
23 21 0:22 / /run rw shared:6 - tmpfs tmpfs rw,size=1k
24 21 0:50 /export/logs /srv/our\\040logs rw,hard - nfs4 filer.example:/export/logs rw,vers=4.2
25 24 0:51 / /srv/our\\040logs/fast rw - tmpfs tmpfs rw
26 21 0:52 / /home/op/far rw,nosuid shared:9 master:1 - fuse.sshfs op@far:/ rw,user_id=1000
27 21 7:0 / /snap/x/1 ro - squashfs /dev/loop0 ro
28 21 8:17 / /media/stick rw - fuseblk /dev/sdb1 rw
29 21 0:60 / /tank rw - zfs tank rw
30 21 0:61 / /net rw - autofs /etc/auto.net rw
31 21 0:62 / /twice rw - nfs4 filer.example:/x rw
32 31 8:33 / /twice rw - xfs /dev/sdc1 rw
"""


@pytest.fixture(autouse=True)
def askers(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Every asker that is started; calivet leaves them to end with it, and this process goes on."""
    started: list[subprocess.Popen[bytes]] = []
    really = mounts._start_asker

    def start() -> subprocess.Popen[bytes]:
        started.append(really())
        return started[-1]

    monkeypatch.setattr(mounts, "_start_asker", start)
    yield started
    mounts.find_mount_asker.cache_clear()
    for asker in started:
        asker.kill()
        asker.communicate()


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The kernel's table as a file that can be written to."""
    table = tmp_path / "mountinfo"
    table.write_text(TABLE)
    monkeypatch.setattr(mounts, "TABLE", table)
    return table


@pytest.mark.parametrize(
    ("path", "mount"),
    [
        ("/var/log/messages", None),
        ("/srv/our logs", "/srv/our logs"),
        ("/srv/our logs/a/b.log", "/srv/our logs"),
        ("/srv/our logs/fast/b.log", None),
        ("/srv/our logs too/b.log", None),
        ("/home/op/far/b.log", "/home/op/far"),
        ("/snap/x/1/b", None),
        ("/media/stick/b.log", None),
        ("/tank/b.log", None),
        ("/net/filer", "/net"),
        ("/twice/b.log", None),
    ],
)
def test_what_may_hang(told: Path, path: str, mount: str | None) -> None:
    assert mounts.read_mounts().find_hanging_mount(path) == mount


def test_where_nothing_may_hang_no_path_is_looked_at(told: Path) -> None:
    told.write_text(TABLE.splitlines()[0])
    assert mounts.read_mounts() == Mounts({})
    told.unlink()
    assert mounts.read_mounts() == Mounts({})
    assert Mounts({}).find_asker("/anywhere") is ask_at_once


def test_links_are_followed_up_to_what_may_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "deep").symlink_to("/nowhere")
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to(tmp_path / "far")
    (tmp_path / "loop").symlink_to("loop")
    table = Mounts({str(tmp_path / "far"): True})
    monkeypatch.chdir(tmp_path)
    assert table.place("one/deep/../x.log") == f"{tmp_path}/far/deep/../x.log"
    assert table.place("./far/../near.log") == f"{tmp_path}/far/../near.log"
    assert table.place(f"{tmp_path}//near/./x/../y") == f"{tmp_path}/near/y"
    assert table.place("loop").startswith(str(tmp_path))
    assert table.place("a\0b") == f"{tmp_path}/a\0b"


def test_a_slow_but_living_file_system_gives_the_same(tmp_path: Path, told: Path) -> None:
    logs = tmp_path / "logs"
    (logs / "deep").mkdir(parents=True)
    (logs / "a.log").write_bytes(b"one\n" * 200_000)
    (logs / "deep" / "b.log").write_text("two\n")
    (logs / "na\u00efve \udcff.log").write_text("three\n")
    (logs / "out").symlink_to(told)
    (logs / "inside").symlink_to("deep/b.log")
    (logs / "broken").symlink_to("nothing")
    os.mkfifo(logs / "pipe")
    paths = [str(logs), str(logs / "a.log"), str(logs / "absent")]
    near, far = ReadingBudget(), ReadingBudget()
    expected = list(read_sources(paths, None, near))
    told.write_text(TABLE + f"33 21 0:63 / {logs} rw - nfs4 filer.example:/logs rw\n")
    assert list(read_sources(paths, None, far)) == expected
    assert far.unreadable == near.unreadable
    assert len(near.unreadable) == 4


def silent() -> subprocess.Popen[bytes]:
    """Takes every question and says nothing, until nobody asks any more."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-I", "-S", "-c", "input(); input()"], stdin=pipe, stdout=pipe)


def test_no_answer_is_waited_for_once(monkeypatch: pytest.MonkeyPatch, askers: list[subprocess.Popen[bytes]]) -> None:
    monkeypatch.setattr(mounts, "SECONDS", 0.1)
    askers.append(silent())
    monkeypatch.setattr(mounts, "_start_asker", iter(askers).__next__)  # there is no second one
    asking = MountAsker("/srv/logs")
    for _ in range(3):
        with pytest.raises(HangingError, match="no answer within 0 s") as caught:
            asking.ask(file_system.read_mode, "/srv/logs/a.log")
        assert caught.value.mount == "/srv/logs"


def test_after_ctrl_c_nothing_is_waited_for_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_pipe: int) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(mounts, "_does_arrive", interrupted)
    asking = MountAsker("/srv/logs")
    with pytest.raises(KeyboardInterrupt):
        asking.ask(file_system.read_mode, "/")
    with pytest.raises(HangingError):
        asking.ask(file_system.read_mode, "/")


def test_an_asker_that_was_killed(askers: list[subprocess.Popen[bytes]]) -> None:
    asking = MountAsker("/srv/logs")
    asking.ask(file_system.read_mode, "/")
    askers[0].kill()
    askers[0].wait()
    with pytest.raises(HangingError):
        asking.ask(file_system.read_mode, "/")
