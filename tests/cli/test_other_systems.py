"""What reads files, archives and clusters runs where the system has none of what only POSIX has, as on Windows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.xdist_group("other-systems")
CASE = str(ROOT / "corpus" / "a001" / "evidence")
WITHOUT = """
import os, select, signal, subprocess, sys
LACKING = {
    os: "getuid geteuid getgid getppid O_NOFOLLOW O_NONBLOCK O_CLOEXEC O_NOCTTY O_DIRECTORY fork killpg getpgid setsid"
    " sched_getaffinity uname nice getloadavg statvfs mkfifo chown fchown fchmod",
    select: "poll epoll",
    signal: "pthread_sigmask SIGHUP SIGPIPE SIGALRM alarm setitimer SIGCHLD SIGWINCH SIGTSTP SIGCONT",
}
for module, names in LACKING.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
for name in "fcntl termios pwd grp resource tty pty syslog readline curses".split():
    sys.modules[name] = None
def refuse(event, details):
    if event == "open" and str(details[0]).startswith(("/dev/", "/proc/", "/sys/")):
        raise FileNotFoundError(2, "No such file or directory", details[0])
os.devnull = os.path.join(os.environ["XDG_CACHE_HOME"], "nul")
open(os.devnull, "w").close()
sys.addaudithook(refuse)
sys.argv[0] = "calivet"
from calivet.cli.main import console
console()
"""


def run(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
        check=False,
        env={"HOME": str(home), "XDG_CACHE_HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all, on one worker: what is compiled for the first of them serves the others."""
    return tmp_path_factory.mktemp("home")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["demo"], 1, "FAULT"),
        (["diagnose", CASE], 1, "FAULT"),
        (["diagnose", CASE, "-o", "html"], 1, "<html"),
        (["diff", CASE, CASE], 1, ""),
        (["causes"], 0, "kubelet-swap-on"),
        (["explain", "kubelet-swap-on"], 0, "swap"),
        (["status"], 3, ""),
        (["--version"], 0, "calivet"),
    ],
)
def test_it_answers(arguments, code, says, home):
    ran = run(*arguments, home=home)
    assert "bug" not in ran.stderr
    assert "Traceback" not in ran.stderr
    assert ran.returncode == code, ran.stderr
    assert says in ran.stdout


def test_many_cases_in_processes(tmp_path, home):
    folder = tmp_path / "cases"
    folder.mkdir()
    for name in ("a001", "a002", "a003"):
        (folder / name).symlink_to(ROOT / "corpus" / name)
    ran = run("eval", str(folder), home=home)
    assert "3/3" in ran.stdout, ran.stderr


def test_a_long_log(tmp_path, home):
    log = tmp_path / "felix.log"
    sick = "2024-05-06 07:08:09.123 [FATAL][1] running with swap on is not supported, please disable swap"
    log.write_text("\n".join([*("2024-05-06 07:08:09.123 [INFO][70] felix/a.go 1: well" for _ in range(40_000)), sick]))
    ran = run("diagnose", str(log), home=home)
    assert "swap" in ran.stdout, ran.stderr
