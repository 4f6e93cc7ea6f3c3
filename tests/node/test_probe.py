"""The probe, run for real on this machine: in every shell, with next to no tools, and with tools that hang."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from calivet.node.running import PROBE, read_script
from tests.node.probe_output import sections

COREUTILS = (
    "base64 cat cut date df echo env head id ls mkdir nproc printf readlink sleep sort tail timeout tr true uname wc"
)
PATIENCE = 600.0
"""Seconds: only what hangs for good takes so long, on the busiest machine too."""
LOGS = ("dmesg", "journalctl", "tail", "cat /var/log", "crictl logs", "docker logs")
"""How sections begin that show what others have said."""
"""Seconds: only ever reached when something is broken."""


def run(
    *arguments: str, shell: str = "sh", text: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    command = [*shell.split(), str(PROBE), *arguments] if text is None else [*shell.split(), "-s", "--", *arguments]
    return subprocess.run(
        command,
        input=text,
        capture_output=True,
        check=False,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, **environment},
    )


def tools(folder: Path, names: str = COREUTILS) -> Path:
    folder.mkdir()
    for name in names.split():
        if found := shutil.which(name):
            (folder / name).symlink_to(found)
    return folder


def fake(folder: Path, name: str, text: str) -> None:
    (folder / name).unlink(missing_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(
        not shutil.which(program), reason=f"{program} is not installed (scripts/test-shells says how)"
    )


@needs("shellcheck")
def test_it_is_plain_posix_shell():
    checked = subprocess.run(["shellcheck", "--shell=sh", PROBE], capture_output=True, text=True, check=False)
    assert checked.stdout == ""


@pytest.mark.parametrize(
    "shell",
    [pytest.param(shell, marks=needs(shell.split()[0])) for shell in ("dash", "bash --posix", "bash", "busybox ash")],
)
def test_every_shell_prints_the_same_sections(shell):
    done = run(shell=shell)
    found = sections(done.stdout)
    assert done.returncode == 0
    assert done.stderr == ""
    assert {"uname -a", "cat /proc/loadavg", "cat /proc/swaps", "df -h", "cat /etc/hosts"} <= found.keys()
    assert found["uname -a"].text.startswith("Linux ")
    assert found["uname -a"].end.startswith("#= exit=0 ")


def test_it_can_be_piped_to_a_shell_as_over_ssh():
    done = run("--api", "127.0.0.1:1", text=read_script())
    assert "Connection refused" in sections(done.stdout)["bash -c '</dev/tcp/127.0.0.1/1'"].text


def test_the_language_of_the_machine_does_not_matter():
    found = sections(run(LANG="zh_CN.UTF-8", LC_ALL="zh_CN.UTF-8", LANGUAGE="zh").stdout)
    assert found["df -h"].output[0].startswith("Filesystem")


@pytest.mark.parametrize("path", [".:/usr/bin:/bin", "/usr/bin:/bin:.", "/usr/bin:/bin:"])
def test_no_program_of_the_current_folder_is_started(tmp_path, monkeypatch, path):
    """One that the machine lacks would be looked for there, and its folder may be anybody's."""
    for name in ("cat", "sed", "tr", "head", "timeout", "nft", "birdcl", "nstat", "getenforce", "ufw", "chronyc"):
        fake(tmp_path, name, f": >{tmp_path}/{name}.ran")
    monkeypatch.chdir(tmp_path)
    assert "uname -a" in sections(run("--limit", "2", PATH=path).stdout)
    assert list(tmp_path.glob("*.ran")) == []


def test_next_to_no_tools_are_enough(tmp_path):
    done = run("--path", str(tools(tmp_path / "bin")))
    found = sections(done.stdout)
    assert done.stderr == ""
    assert found["cat /proc/loadavg"].end.startswith("#= exit=0 ")
    assert found["ss -lntup" if "ss -lntup" in found else "netstat -lntup"].end.startswith("#= absent ")
    assert found["uptime"].end == "#= absent uptime"
    # Nothing that may hold a secret is shown where none can be hidden.
    assert found["cat /etc/hosts"].end == "#= absent sed"


@pytest.mark.parametrize("with_timeout", [True, False], ids=["timeout", "no timeout program"])
def test_what_hangs_costs_its_deadline_and_no_more(tmp_path, with_timeout):
    names = COREUTILS if with_timeout else COREUTILS.replace("timeout ", "")
    folder = tools(tmp_path / "bin", f"{names} grep sed")
    fake(folder, "uptime", "echo the first words\nsleep 100")
    fake(folder, "df", "case $1 in *l) echo Filesystem;; *) trap '' TERM; while :; do sleep 1; done;; esac")
    found = sections(run("--limit", "1", "--path", str(folder)).stdout)
    assert found["uptime"].output == ["the first words"]
    assert found["uptime"].end.endswith(" timeout")
    assert found["df -h"].end.endswith(" timeout")
    assert found["df -hl"].output == ["Filesystem"]


@pytest.mark.parametrize("with_timeout", [True, False], ids=["timeout", "no timeout program"])
@pytest.mark.parametrize("shell", [pytest.param(name, marks=needs(name)) for name in ("dash", "bash", "busybox")])
def test_no_shell_has_a_word_for_those_that_it_ends(tmp_path, shell, with_timeout):
    """Inside and out: on most machines /bin/sh is the one that also runs the sections."""
    names = COREUTILS if with_timeout else COREUTILS.replace("timeout ", "")
    folder = tools(tmp_path / "bin", f"{names} grep sed")
    fake(folder, "ss", "sleep 100 & sleep 100")
    fake(folder, "ping", "trap '' TERM\nsleep 100")
    inner = tmp_path / ("ash" if shell == "busybox" else shell)
    inner.symlink_to(str(shutil.which(shell)))
    text = read_script().replace("SH=/bin/sh", f"SH={inner}")
    done = run("--limit", "1", "--path", str(folder), shell=str(inner), text=text)
    assert sections(done.stdout)["ss -lntup"].end.endswith(" timeout")
    assert (done.returncode, done.stderr) == (0, "")


def test_who_did_not_answer_is_not_asked_again(tmp_path):
    folder = tools(tmp_path / "bin")
    fake(folder, "ip", "sleep 100")
    found = sections(run("--limit", "1", "--path", str(folder)).stdout)
    assert found["ip addr"].end.endswith(" timeout")
    assert found["ip rule"].end == "#= skipped ip did not answer before"


def test_the_whole_run_is_bounded_too(tmp_path):
    folder = tools(tmp_path / "bin")
    found = sections(run("--total", "0", "--path", str(folder)).stdout)
    assert {section.end for section in found.values() if "skipped" in section.end} == {
        "#= skipped the time of the whole run is over"
    }
    assert not any("exit=" in section.end for section in found.values())


def test_endless_output_is_cut_and_said_to_be(tmp_path):
    folder = tools(tmp_path / "bin", f"{COREUTILS} yes")
    fake(folder, "uptime", "yes endless | head -c 5000000")
    section = sections(run("--path", str(folder)).stdout)["uptime"]
    assert section.end.endswith(" cut")
    assert len(section.text) == pytest.approx(524_288, abs=20)


def test_tests_of_ports_are_made_for_each_target_once():
    found = sections(run("--limit", "2", "--peer", "127.0.0.1", "--peer", "127.0.0.1", "--typha", "[::1]:1").stdout)
    assert {command for command in found if "/dev/tcp" in command} == {
        "bash -c '</dev/tcp/127.0.0.1/179'",
        "bash -c '</dev/tcp/::1/1'",
    }


@pytest.mark.parametrize("bad", ["x;reboot", "$(reboot)", "a b", "10.0.0.1/24", "`reboot`"])
def test_a_target_that_is_none_is_left_out(bad):
    found = sections(run("--peer", bad, "--api", bad).stdout)
    assert not [command for command in found if "reboot" in command]


@pytest.mark.parametrize(
    "arguments", [("--wrong", "1"), ("--peer",), ("extra",), ("--limit", "soon"), ("--limit", "0"), ("--total", "")]
)
def test_what_it_cannot_use_it_says(arguments):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (64, "")
    assert done.stderr.startswith("probe: ")


@pytest.mark.skipif(bool(os.geteuid()), reason="only root can become somebody else")
def test_somebody_else_is_told_what_he_may_not_see(tmp_path):
    closed = Path("/proc/1/environ")
    command = "setpriv --reuid=65534 --regid=65534 --clear-groups sh -s"
    if not shutil.which("setpriv") or not closed.exists():
        pytest.skip("setpriv is not installed")
    done = subprocess.run(
        command.split(), input=read_script(), capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    found = sections(done.stdout)
    assert "user=root" not in done.stdout.partition("\n")[0]
    denied = [section for section in found.values() if "ermi" in section.text and "exit=0" not in section.end]
    assert denied


@pytest.mark.skipif(bool(os.geteuid()) or not shutil.which("unshare"), reason="only root can make all files read-only")
def test_a_machine_that_can_only_be_read_is_enough():
    lines = "mount --make-rprivate / && mount -o remount,bind,ro / && mount -t tmpfs -o ro none /tmp && exec sh -s"
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", lines],
        input=read_script(),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    if "mount:" in done.stderr:
        pytest.skip(f"not permitted here: {done.stderr.strip()}")
    assert done.stderr == ""
    found = sections(done.stdout)
    # What the kernel and services said before is theirs: of a machine's start, they too speak of what is read-only.
    own = {command: section.text for command, section in found.items() if not command.startswith(LOGS)}
    assert [command for command, text in own.items() if "Read-only file system" in text] == []
    assert found["df -h"].end.startswith("#= exit=0 ")
