"""--causes DIR: the example of the handbook, whole and broken."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from calivet.cli.inputs import knowledge
from tests.cli.running import calivet, write

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-cause.md"
EXAMPLE = re.search(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[1]  # type: ignore[index]
FAULT = "E0102 03:04:05.678901 7 frob.go:12] frobnicator main not found\n"


@pytest.fixture
def own(tmp_path):
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "example-fault.yaml").write_text(EXAMPLE, encoding="utf-8")
    return folder


def test_it_is_diagnosed(tmp_path, own):
    log = tmp_path / "frob.log"
    log.write_text(FAULT)
    run = calivet("diagnose", log, "--causes", own)
    assert run.code == 1
    assert "example-fault" in run.out
    assert "the frobnicator main is gone" in run.out.lower()
    assert calivet("diagnose", log).code == 2  # without it nobody knows


def test_it_is_listed_and_explained(own):
    assert "example-fault" in calivet("causes", "--causes", own).out
    run = calivet("explain", "example-fault", "--causes", own, "--lang", "zh")
    assert run.code == 0
    assert run.out.startswith("示例故障\n")


def test_the_shipped_causes_are_still_there(own):
    assert "kubelet-swap-on" in calivet("causes", "--causes", own).out


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("risk: safe", "risk: fine", r"example-fault\.yaml:\d+: .*fine"),
        ("signs:", "signs: [", r"example-fault\.yaml:\d+: not valid YAML"),
        ("  scope: note", "  scoop: note", r"example-fault\.yaml:\d+: .*scoop"),
        ("ask: [kubelet-journal]", "ask: [oracle]", r"example-fault\.yaml: ask names oracle"),
        ("leads_to: [calico-node-crash-loop]", "leads_to: [moon-phase]", "moon-phase"),
        (
            "'frobnicator \\S+ ready'",
            "'frobnicator (?=ready)'",
            "example-fault: sign present: the pattern is not usable",
        ),
    ],
)
def test_a_broken_file_is_named_and_nothing_is_diagnosed(tmp_path, own, old, new, says):
    text = EXAMPLE.replace(old, new)
    assert text != EXAMPLE
    (own / "example-fault.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "frob.log").write_text(FAULT)
    run = calivet("diagnose", tmp_path / "frob.log", "--causes", own)
    assert (run.code, run.out) == (3, "")
    assert re.search(says, run.err)
    assert "bug" not in run.err


def test_a_broken_file_beside_a_good_one(own):
    write(own, bad_yaml="id: bad\n")
    run = calivet("causes", "--causes", own)
    assert run.code == 3
    assert "bad.yaml" in run.err
    assert "example-fault.yaml" not in run.err


def test_no_such_directory(tmp_path):
    run = calivet("causes", "--causes", tmp_path / "absent")
    assert (run.code, run.out) == (3, "")
    assert "absent" in run.err


def test_an_empty_directory_adds_nothing(tmp_path):
    assert calivet("causes", "--causes", tmp_path).out == calivet("causes").out


def test_the_other_usual_suffix(own):
    (own / "example-fault.yaml").rename(own / "example-fault.yml")
    run = calivet("causes", "--causes", own)
    assert "example-fault" in run.out + run.err


def test_own_effects_are_added_to_the_shipped_ones(own):
    write(own, effects_yaml="- id: frob-dark\n  title: {en: It is dark, zh: 一片漆黑}\n")
    assert calivet("causes", "--causes", own).code == 0


def test_a_pipe_is_refused_by_name_and_not_waited_for(own):
    os.mkfifo(own / "pipe.yaml")
    run = calivet("causes", "--causes", own)
    assert (run.code, run.out) == (3, "")
    assert run.err == f"calivet: {own}/pipe.yaml: is not a regular file and is not read\n"
    assert "不是普通文件" in calivet("causes", "--causes", own, "--lang", "zh").err


def test_a_folder_or_a_device_is_refused_by_name(own):
    (own / "null.yaml").symlink_to("/dev/null")
    assert "null.yaml: is not a regular file" in calivet("causes", "--causes", own).err
    (own / "null.yaml").unlink()
    (own / "folder.yml").mkdir()
    assert "folder.yml" in calivet("causes", "--causes", own).err


def test_a_link_to_a_file_is_followed_as_mounted_config_maps_need(own):
    (own / "..data").mkdir()
    (own / "example-fault.yaml").rename(own / "..data" / "example-fault.yaml")
    (own / "example-fault.yaml").symlink_to("..data/example-fault.yaml")
    assert "example-fault" in calivet("causes", "--causes", own).out


def test_a_file_larger_than_any_memory_is_not_read_whole(own):
    with (own / "huge.yaml").open("wb") as file:
        file.truncate(1 << 40)
    run = calivet("causes", "--causes", own)
    assert (run.code, run.err) == (3, "calivet: huge.yaml:1: the file is larger than 1,000,000 bytes\n")


def test_too_many_files(own, monkeypatch):
    monkeypatch.setattr(knowledge, "MOST_FILES", 1)
    assert calivet("causes", "--causes", own).code == 0
    write(own, second_yml="id: second\n")
    run = calivet("causes", "--causes", own)
    assert (run.code, run.err) == (3, f"calivet: {own}: holds more than 1 files of causes\n")


def test_too_much_in_all_of_them(own, monkeypatch):
    monkeypatch.setattr(knowledge, "MOST_BYTES", 10)
    run = calivet("causes", "--causes", own)
    assert (run.code, run.err) == (3, f"calivet: {own}: holds more than 10 bytes of causes\n")
