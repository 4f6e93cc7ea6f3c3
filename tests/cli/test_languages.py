"""In Chinese, every fixed word is Chinese: what is left in Latin letters comes from evidence, commands or names."""

from __future__ import annotations

import re

import pytest

from calivet.messages.message import load_table
from tests.cli.running import calivet, write
from tests.reports.answers import INCIDENTS

# A run of plain English words; three small words in a row are a sentence, not a name.
SENTENCE = re.compile(r"(?:\b[A-Za-z][a-z']+ ){3,}[a-z]+\b")
QUOTED = re.compile(r"^\s*(?:│|\S+:\d+$)")
ENGLISH = sorted(
    {
        words.en
        for words in load_table("report").values()
        if " " in words.en and "{" not in words.en and words.en != words.zh
    }
)


FENCED = re.compile(r"^ *(`{3,})$.*?^ *\1$", re.MULTILINE | re.DOTALL)


def own_words(text):
    """The lines that calivet itself words: no quotes, places or commands."""
    pasted = re.compile(r"kubectl|calicoctl|systemctl|journalctl|ssh |crictl|docker |ip |cat |grep |sed |`")
    return [line for line in FENCED.sub("", text).splitlines() if not QUOTED.match(line) and not pasted.search(line)]


@pytest.mark.parametrize("name", INCIDENTS)
@pytest.mark.parametrize("output", ["text", "md"])
def test_no_english_sentence_in_a_report(name, output):
    run = calivet("demo", name, "--lang", "zh", "-o", output, "-v")
    assert [line for line in own_words(run.out) if SENTENCE.search(line)] == []
    assert [words for words in ENGLISH if words in run.out] == []


def test_no_english_sentence_in_the_list_of_causes():
    run = calivet("causes", "--lang", "zh")
    assert [line for line in own_words(run.out) if SENTENCE.search(line)] == []


def test_the_same_commands_in_both_languages():
    def commands(language):
        out = calivet("demo", "stuck-in-init", "--lang", language, "-v").out
        return [
            line.strip()
            for line in out.splitlines()
            if re.match(r"\s+(?:ssh \S+ )?(?:sudo )?(?:kubectl|systemctl|journalctl) ", line)
        ]

    assert commands("en") == commands("zh")
    assert commands("en")


@pytest.mark.parametrize("layer", ["host", "kubelet"])
def test_english_has_no_chinese_of_its_own(layer):
    out = calivet("causes", "--lang", "en").out
    assert layer in out
    assert not re.search(r"[\u4e00-\u9fff]", out)


def test_the_evaluation_speaks_chinese(tmp_path):
    folder = tmp_path / "c1" / "evidence"
    folder.mkdir(parents=True)
    write(folder, a_txt="nothing\n")
    write(tmp_path / "c1", expect_yaml="cause: healthy\n")
    assert re.search(r"[\u4e00-\u9fff]", calivet("eval", tmp_path, "--lang", "zh").out)


def test_why_something_could_not_be_read_is_said_in_chinese(tmp_path):
    write(
        tmp_path,
        pods_txt="NAME                READY   STATUS    RESTARTS   AGE\ncalico-node-7tq4n   1/1     Running   0          9d\n",
    )
    (tmp_path / "core").write_bytes(b"\x7fELF" + bytes(range(256)) * 40)
    run = calivet("diagnose", tmp_path, "--lang", "zh")
    line = next(line for line in run.out.splitlines() if "core" in line)
    assert not re.search(r"[a-z]+ [a-z]+", line.split("core")[1])


@pytest.mark.parametrize("arguments", [("demo", "no-such-thing"), ("explain", "no-such-thing")])
def test_errors_are_said_in_chinese(arguments):
    assert re.search(r"[\u4e00-\u9fff]", calivet(*arguments, "--lang", "zh").err)
