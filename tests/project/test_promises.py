"""What SECURITY.md promises about the whole program: it reads, writes nothing that was not asked for, and calls nobody."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import yaml

from calivet.reports.diagnosis.formats import FORMATS
from calivet.search import cache

ROOT = Path(__file__).parents[2]
SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
NOTE = (
    "calico-node-x7k2p 0/1 CrashLoopBackOff\nF0314 09:26:53 4711 server.go:265] running with swap on is not supported\n"
)

# Runs calivet and notes, by the interpreter's own audit events, whom it calls, what it starts and what it changes.
WATCHED = """
import atexit, json, os, sys
seen = []
# Registered before calivet is there, so it speaks after all that calivet does at its end.
atexit.register(lambda: sys.stderr.write("\\n" + json.dumps(seen)))
CALLS = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto")
STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn")
CHANGES = ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.chown",
           "os.truncate", "os.utime", "shutil.rmtree", "shutil.copyfile", "shutil.move")
def watch(event, details):
    if event in CALLS + STARTS + CHANGES:
        seen.append([event, str(details[0])])
    elif event == "open" and isinstance(details[0], (str, bytes)) and details[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        seen.append([event, str(details[0])])
from calivet.cli.main import main
sys.addaudithook(watch)
sys.exit(main(sys.argv[1:]))
"""


def watched(*arguments: object, **environment: str) -> tuple[int, list[list[str]]]:
    """The exit code, and all that was done beside reading."""
    run = subprocess.run(
        [sys.executable, "-c", WATCHED, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8"} | environment,
    )
    return run.returncode, json.loads(run.stderr.splitlines()[-1])


def beside_the_cache(seen: list[list[str]]) -> list[list[str]]:
    return [each for each in seen if not each[1].startswith((str(cache.find_cache_folder()), os.devnull))]


@pytest.fixture
def evidence(tmp_path):
    """A folder with a log and an archive whose members want out of it."""
    folder = tmp_path / "evidence"
    folder.mkdir()
    (folder / "kubelet.log").write_text(NOTE)
    with tarfile.open(folder / "bundle.tar.gz", "w:gz") as archive:
        for name in ("inside.log", "../outside.log", "/absolute.log"):
            member = tarfile.TarInfo(name)
            member.size = len(NOTE)
            archive.addfile(member, io.BytesIO(NOTE.encode()))
    return folder


def test_the_watch_sees_what_is_written(tmp_path):
    code, seen = watched("explain", "kubelet-swap-on", XDG_CACHE_HOME=str(tmp_path))
    assert code == 0
    assert {event for event, _ in seen} >= {"open", "os.mkdir", "os.rename"}
    assert all(where.startswith(str(tmp_path)) for _, where in seen)


@pytest.mark.parametrize("form", FORMATS)
def test_a_diagnosis_of_files_calls_nobody_starts_nothing_and_changes_nothing(evidence, form):
    code, seen = watched("diagnose", evidence, "-o", form)
    assert code == 1
    assert beside_the_cache(seen) == []


def test_the_role_only_reads():
    for document in yaml.safe_load_all((ROOT / "deploy" / "clusterrole.yaml").read_text("utf-8")):
        for rule in document.get("rules", []):
            assert set(rule["verbs"]) <= {"get", "list"}
            assert "secrets" not in rule.get("resources", [])
            assert "*" not in [*rule.get("resources", []), *rule.get("apiGroups", [])]


def test_every_promise_names_tests_that_exist():
    rows = re.findall(r"^\| \*\*.*\|$", SECURITY, re.MULTILINE)
    assert len(rows) >= 25
    for row in rows:
        named = re.findall(r"`(tests/[\w/.]+)`", row)
        assert named, row
        for path in named:
            assert (ROOT / path).is_file(), path


def test_everything_else_that_it_names_exists_too():
    for path in re.findall(r"`((?:scripts|requirements|src|docs|deploy)/[\w/.-]+)`", SECURITY):
        assert (ROOT / path).exists(), path
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`make (\w+)", SECURITY):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_no_address_is_invented():
    assert not re.search(r"[\w.]+@[\w.]+|https?://", SECURITY)
