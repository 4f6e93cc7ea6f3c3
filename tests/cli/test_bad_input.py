"""Bad input gets one clear line, the right exit code and no traceback; what can be read is not lost."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import tarfile
import zipfile

import pytest

SWAP = "F0314 09:26:53.589793    4711 server.go:265] failed to run Kubelet: running with swap on is not supported\n"


def calivet(*arguments, stdin=b"", **environment):
    return subprocess.run(
        [sys.executable, "-m", "calivet", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=120,
        env={**os.environ, "LANG": "C.UTF-8", **environment},
    )


def clear_line(run, code):
    assert run.returncode == code
    assert run.stdout == b""
    message = run.stderr.decode()
    assert "Traceback" not in message
    assert len(message.strip().splitlines()) == 1
    return message


def test_no_such_file(tmp_path):
    assert "absent.txt" in clear_line(calivet("diagnose", tmp_path / "absent.txt"), 3)


def test_empty_file(tmp_path):
    (tmp_path / "nothing.txt").touch()
    assert "nothing.txt" in clear_line(calivet("diagnose", tmp_path / "nothing.txt"), 3)


def test_binary_file(tmp_path):
    (tmp_path / "program").write_bytes(b"\x7fELF" + bytes(range(256)) * 40)
    assert "program" in clear_line(calivet("diagnose", tmp_path / "program"), 3)


def test_broken_archive(tmp_path):
    (tmp_path / "bundle.tar.gz").write_bytes(b"\x1f\x8b\x08\x00" + b"\x00" * 60)
    assert "bundle.tar.gz" in clear_line(calivet("diagnose", tmp_path / "bundle.tar.gz"), 3)


def test_usage_has_a_code_of_its_own():
    assert "--help" in clear_line(calivet("diagnose", "--output", "poem", "x"), 64)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file(tmp_path):
    secret = tmp_path / "locked.txt"
    secret.write_text(SWAP)
    secret.chmod(0)
    assert "locked.txt" in clear_line(calivet("diagnose", secret), 3)


def test_what_can_be_read_is_not_lost(tmp_path):
    (tmp_path / "kubelet.log").write_text(SWAP)
    (tmp_path / "core").write_bytes(b"\x7fELF" + bytes(range(256)) * 40)
    run = calivet("diagnose", tmp_path, tmp_path / "absent.txt")
    assert run.returncode == 1
    assert b"kubelet-swap-on" in run.stdout
    assert b"absent.txt" in run.stdout
    assert b"core" in run.stdout


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "gb18030"])
def test_encodings(tmp_path, encoding):
    (tmp_path / "kubelet.log").write_bytes(("节点异常，日志如下：\n" + SWAP * 3).encode(encoding))
    assert b"kubelet-swap-on" in calivet("diagnose", tmp_path).stdout


def test_invalid_bytes_do_not_hide_the_rest(tmp_path):
    (tmp_path / "kubelet.log").write_bytes(b"\xff\xfe\xfa broken\n" * 3 + SWAP.encode() * 5)
    assert b"kubelet-swap-on" in calivet("diagnose", tmp_path).stdout


def test_standard_input():
    assert b"kubelet-swap-on" in calivet("diagnose", "-", stdin=SWAP.encode()).stdout


SWAP_BYTES = SWAP.encode()


def member(archive, name, content=SWAP_BYTES, **more):
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for key, value in more.items():
        setattr(info, key, value)
    archive.addfile(info, io.BytesIO(content))


def test_an_archive_that_points_out_of_itself_writes_and_follows_nothing(tmp_path):
    bundle, outside = tmp_path / "in" / "bundle.tar.gz", tmp_path / "planted"
    bundle.parent.mkdir()
    with tarfile.open(bundle, "w:gz") as archive:
        member(archive, "../planted")
        member(archive, "/tmp/planted")
        member(archive, "link", b"", type=tarfile.SYMTYPE, linkname="/etc/passwd")
        member(archive, "node-1/kubelet.log")
    run = calivet("diagnose", bundle)
    assert b"kubelet-swap-on" in run.stdout
    assert b"root:" not in run.stdout
    assert not outside.exists()


def test_archives_in_archives(tmp_path):
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("node-1/kubelet.log", SWAP)
    with tarfile.open(tmp_path / "outer.tar", "w") as archive:
        member(archive, "inner.zip", inner.getvalue())
        member(archive, "plain.log.gz", gzip.compress(b"nothing of interest here\n"))
    run = calivet("diagnose", "-o", "json", tmp_path / "outer.tar")
    assert b'"kubelet-swap-on"' in run.stdout


def test_one_line_of_fifty_megabytes(tmp_path):
    path = tmp_path / "flood.log"
    with path.open("w") as file:
        file.write("x" * 50_000_000 + "\n" + SWAP)
    run = calivet("diagnose", path)
    assert b"kubelet-swap-on" in run.stdout
    assert len(run.stdout) < 20_000


@pytest.mark.parametrize(
    "hostile",
    [
        "[" * 100_000,
        '{"a":' * 50_000,
        "\n".join("  " * depth + "a:" for depth in range(2_000)),
        "apiVersion: v1\nkind: Pod\nspec: !!python/object/apply:os.system ['touch planted']\n",
        "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + "\n".join(f"{c}: &{c} [{','.join(['*' + p] * 9)}]" for p, c in zip("abcdefgh", "bcdefghi", strict=True)),
    ],
    ids=["deep JSON list", "deep JSON object", "deep YAML", "YAML that builds objects", "YAML that explodes"],
)
def test_hostile_structure(tmp_path, hostile):
    (tmp_path / "object.yaml").write_text(hostile + "\n")
    (tmp_path / "kubelet.log").write_text(SWAP)
    run = calivet("diagnose", tmp_path)
    assert run.returncode == 1, run.stderr
    assert b"kubelet-swap-on" in run.stdout
    assert not (tmp_path / "planted").exists()


def test_nothing_of_calico_is_not_healthy():
    run = calivet("diagnose", "-", stdin=b"dear diary,\ntoday was a good day\n")
    assert run.returncode == 2
    assert b"HEALTHY" not in run.stdout


def test_a_reader_that_leaves_early_sees_no_traceback(tmp_path):
    (tmp_path / "kubelet.log").write_text(SWAP)
    run = subprocess.run(
        f"{sys.executable} -m calivet diagnose {tmp_path} | head -c 1", shell=True, capture_output=True, check=False
    )
    assert b"Traceback" not in run.stderr


def test_no_home_and_no_cache_still_answer(tmp_path):
    (tmp_path / "kubelet.log").write_text(SWAP)
    run = calivet("diagnose", tmp_path / "kubelet.log", HOME="/nonexistent", XDG_CACHE_HOME="/proc/nowhere")
    assert run.returncode == 1
