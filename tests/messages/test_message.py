"""Messages: read in either language, changed without being read, known or not."""

from __future__ import annotations

import pickle

import msgspec
import pytest

from calivet.messages.message import Message, MessageError, find_reason, is_known, make_verbatim, message, say


def test_it_is_read_in_both_languages():
    why = message("evidence.larger", limit=1_048_576)
    assert why.read("en") == str(why) == "is larger than 1,048,576 bytes; the rest was not read"
    assert why.read("zh") == "超过 1,048,576 字节，其余未读取"


def test_a_message_may_hold_another():
    why = message("archive.damaged", why=message("archive.checksum"))
    assert why.read("en") == "is damaged: its CRC-32 is wrong"
    assert why.read("zh") == "已损坏：CRC-32 校验不符"


def test_the_words_of_others_stay_as_they_are():
    assert [make_verbatim("Input/output error").read(language) for language in ("en", "zh")] == [
        "Input/output error"
    ] * 2
    assert make_verbatim("").read("zh") == ""


def test_names_in_it_can_be_changed_before_anybody_reads_it():
    why = message("archive.damaged", why=message("archive.link.to", target="/etc/shadow"))
    assert str(why.map(str.upper)) == "is damaged: is a link to /ETC/SHADOW and is not followed"


def test_it_travels_between_processes_and_through_json():
    why = message("archive.damaged", why=message("archive.swollen.ratio", ratio=50))
    assert pickle.loads(pickle.dumps(why)) == why
    assert msgspec.json.decode(msgspec.json.encode(why), type=Message) == why
    assert pickle.loads(pickle.dumps(MessageError(why))).message == why


@pytest.mark.parametrize(
    "stranger",
    [
        Message("os.path"),
        Message("evidence.no-such-thing"),
        Message("../evidence.empty"),
        Message("archive.damaged", (("why", Message("words.Words")),)),
    ],
)
def test_what_a_stranger_wrote_is_not_looked_up(stranger):
    assert not is_known(stranger)
    assert is_known(message("archive.damaged", why=message("archive.checksum")))


def test_why_something_failed():
    assert find_reason(MessageError(message("evidence.empty"))) == message("evidence.empty")
    assert str(find_reason(ValueError("so it is"))) == "so it is"
    assert str(find_reason(EOFError())) == "EOFError"


def test_numbers_have_their_thousands_apart():
    assert say("drawing.more", "en", count=12_345) == "and 12,345 more"
    assert say("page.and_more", "en", count=12_345) == "and 12,345 more"


def test_a_place_may_have_any_name():
    assert str(message("cli.whatif.unknown_key", key="FOO", possible="IP")).startswith("FOO cannot be tried")
    assert say("cli.explain.unknown", "en", name="x", program="calivet").startswith("there is no cause named x")
