"""Which language calivet speaks."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from calivet.cli.invocation import find_language, find_system_language
from tests.cli.running import calivet

CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW.Big5"}, "zh"),
        ({"LANG": "zh_Hans_SG"}, "zh"),
        ({"LANG": "zh-Hans"}, "zh"),
        ({"LANG": "ZH"}, "zh"),
        ({"LANG": "zh.UTF-8"}, "zh"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zha_CN"}, "en"),  # Zhuang
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_GB.UTF-8", "LC_ALL": ""}, "en"),
        ({"LC_CTYPE": "zh_CN.UTF-8"}, "en"),  # says how letters are written, not which language is read
        ({}, "en"),
    ],
)
def test_the_system_decides(environment, language):
    assert find_system_language(environment) == language


@pytest.mark.parametrize(
    ("arguments", "language"),
    [
        (["demo", "--lang", "zh"], "zh"),
        (["demo", "--lang=zh", "--help"], "zh"),
        (["demo", "--lang"], "en"),
        (["demo", "--lang", "fr"], "en"),
        (["demo"], "en"),
    ],
)
def test_but_what_is_said_counts_more(arguments, language):
    assert find_language(arguments, {"LANG": "en_US.UTF-8"}) == language
    assert find_language(["demo", "--lang", "en"], {"LANG": "zh_CN.UTF-8"}) == "en"


def test_the_answer_follows_the_system():
    assert "发现故障" in calivet("demo", LANG="zh_CN.UTF-8").out
    assert "FAULT" in calivet("demo", LANG="zh_CN.UTF-8", LC_ALL="C").out
    assert "FAULT" in calivet("demo", "--lang", "en", LANG="zh_CN.UTF-8").out


def test_so_do_help_and_wrong_usage():
    assert "用法：" in calivet("--help", LANG="zh_CN.UTF-8").out
    assert "用法：" in calivet("demo", "--help", "--lang", "zh").out
    wrong = calivet("demo", "--lang", "zh", "--width", "7")
    assert wrong.code == 64
    assert "参数 --width" in wrong.err
    assert not CHINESE.search(calivet("demo", "--help").out)


def test_and_what_calivet_cannot_do():
    failed = calivet("--lang", "zh", "--kubeconfig", "/nowhere/kubeconfig")
    assert failed.code == 3
    assert "不存在" in failed.err


def test_the_language_can_be_told_while_any_module_is_half_loaded():
    """Ctrl-C may come in the middle of a file of the standard library, which then cannot be imported from."""
    listing = "import sys; before = {*sys.modules}; import calivet.cli.invocation; print(*{*sys.modules} - before)"
    run = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    others = {name for name in run.stdout.split() if name.partition(".")[0] != "calivet"}
    assert others <= set(sys.builtin_module_names)
