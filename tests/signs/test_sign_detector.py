"""What the catalogue names is looked for where it may be seen, once for each line, with its values."""

from __future__ import annotations

import pytest

from calivet.catalogue.load import CatalogueError
from calivet.catalogue.model import Harmless, Trace
from calivet.search import scanner
from calivet.signs.sighting import Key
from calivet.signs.sign_detector import MOST_KEPT, SignDetector
from tests.facts.drawing import nodes, picture_of, pods
from tests.reasoning.made_up import catalogue, cause, effect, sign, watch_of, words

OUTPUT = "[root@birch-2 ~]# dmesg\nkernel: the frobnicator is gone\n"
NOTE = {"note.md": "I looked for a while and then I saw it: the frobnicator is gone.\n"}


def look(known, text):
    return watch_of(known).look(picture_of(text))


def seen(text, **more):
    known = catalogue(cause("fault", sign("gone", pattern="frobnicator is gone", **more)))
    return look(known, text).get(Key("fault", "gone"), [])


class TestScope:
    @pytest.mark.parametrize(
        ("scope", "in_output", "in_note"), [("any", True, True), ("output", True, False), ("note", False, True)]
    )
    def test_each_scope(self, scope, in_output, in_note):
        assert bool(seen(OUTPUT, scope=scope)) is in_output
        assert bool(seen(NOTE, scope=scope)) is in_note

    def test_a_note_is_marked_as_the_authors_word(self):
        assert [one.note for one in seen(NOTE)] == [True]
        assert [one.note for one in seen(OUTPUT)] == [False]

    def test_a_scanner_for_prose_is_made_where_there_is_prose(self, monkeypatch):
        made = []

        def noted(name, _made_from, make):
            made.append(name)
            return make()

        monkeypatch.setattr(scanner, "load_or_make", noted)
        watch = SignDetector(catalogue(cause("fault", sign("gone", pattern="frobnicator is gone"))))
        for text, names in ((OUTPUT, ["output"]), (NOTE, ["output", "prose"]), (NOTE, ["output", "prose"])):
            watch.look(picture_of(text))
            assert made == names

    def test_effects_and_harmless_messages_are_looked_for_in_output_alone(self):
        known = catalogue(
            effect("lost", traces=[Trace(pattern="frobnicator is gone")]),
            Harmless(id="noise", why=words("never mind"), trace=Trace(pattern="frobnicator is gone")),
        )
        assert look(known, OUTPUT).keys() == {Key("lost", "0"), Key("noise", "harmless")}
        assert look(known, NOTE) == {}


class TestDenials:
    @pytest.mark.parametrize(
        "words",
        [
            "It is not true that the frobnicator is gone.",
            "I first suspected that the frobnicator is gone.",
            "Maybe the frobnicator is gone?",
            "We could rule out that the frobnicator is gone.",
            "网上有说 frobnicator is gone 会这样，但与此无关",
            "一开始怀疑 frobnicator is gone，后来排除",
            "并不是 frobnicator is gone 的问题",
        ],
    )
    def test_what_the_author_denies_or_supposes_is_no_sign(self, words):
        assert seen({"note.md": words + "\n"}) == []

    @pytest.mark.parametrize(
        "words",
        [
            "We found that the frobnicator is gone since the last update.",
            "It is not the network; the frobnicator is gone.",
            "最终发现 frobnicator is gone，重装后恢复",
            "不是网络问题。原因是 frobnicator is gone",
        ],
    )
    def test_what_the_author_states_is(self, words):
        assert len(seen({"note.md": words + "\n"})) == 1

    def test_output_cannot_deny(self):
        assert len(seen("[root@birch-2 ~]# dmesg\nkernel: not good, maybe the frobnicator is gone\n")) == 1

    def test_the_sentence_before_does_not_deny(self):
        assert len(seen({"note.md": "It is not the network. We found that the frobnicator is gone.\n"})) == 1

    @pytest.mark.parametrize(
        "words",
        [
            "The frobnicator is gone; we put it back and all is fine now.".replace(";", ","),
            "原因是 frobnicator is gone，重装后恢复正常",
        ],
        ids=["English", "Chinese"],
    )
    def test_that_all_is_well_after_the_cure_does_not_deny_the_fault(self, words):
        assert len(seen({"note.md": words + "\n"})) == 1

    def test_a_later_statement_in_the_same_line_counts(self):
        text = "At first I thought the frobnicator is gone was a joke; but yes, the frobnicator is gone.\n"
        assert len(seen({"note.md": text})) == 1


class TestSightings:
    def test_a_line_with_the_pattern_twice_is_one_sighting(self):
        assert len(seen("[root@birch-2 ~]# dmesg\nfrobnicator is gone, frobnicator is gone\n")) == 1

    def test_letter_case_does_not_matter(self):
        assert len(seen(OUTPUT.replace("frobnicator is gone", "Frobnicator IS gone"))) == 1

    def test_values_and_node_are_kept(self):
        known = catalogue(
            cause("fault", sign("gone", pattern=r"frobnicator (?P<name>\w+) gone(?: at (?P<place>\w+))?"))
        )
        text = nodes("birch-2 Ready 10.71.0.12") + "[root@BIRCH-2 ~]# dmesg\nkernel: frobnicator main gone\n"
        (one,) = look(known, text)[Key("fault", "gone")]
        assert (one.node, one.values, one.line.number) == ("birch-2", {"name": "main"}, 5)
        assert one.line.text == "kernel: frobnicator main gone"

    def test_a_bound_on_a_gap_holds(self):
        known = catalogue(cause("fault", sign("gone", pattern=r"frobnicator.{0,10}gone")))
        assert look(known, OUTPUT.replace("frobnicator is gone", "frobnicator " + "x" * 11 + " gone")) == {}
        assert Key("fault", "gone") in look(known, OUTPUT)

    def test_what_is_seen_again_and_again_is_kept_only_so_often(self):
        assert (
            len(seen("[root@birch-2 ~]# dmesg\n" + "kernel: the frobnicator is gone\n" * (MOST_KEPT * 3))) == MOST_KEPT
        )

    def test_each_sign_has_its_own_bound(self):
        known = catalogue(cause("fault", sign("one", pattern="gone one"), sign("two", pattern="gone two")))
        found = look(known, "[root@birch-2 ~]# dmesg\n" + "kernel: gone one\n" * (MOST_KEPT * 2) + "kernel: gone two\n")
        assert [len(found[Key("fault", name)]) for name in ("one", "two")] == [MOST_KEPT, 1]

    def test_a_chatty_node_does_not_hide_another(self):
        line = "Oct 12 08:44:19 {} kernel: the frobnicator is gone\n"
        places = seen(
            "[root@birch-1 ~]# cat all.log\n" + line.format("birch-1") * (MOST_KEPT * 2) + line.format("birch-2")
        )
        assert {one.node for one in places} == {"birch-1", "birch-2"}

    def test_signs_of_two_causes_in_one_line(self):
        known = catalogue(cause("one", sign("gone")), cause("two", sign("gone")))
        assert look(known, OUTPUT).keys() == {Key("one", "gone"), Key("two", "gone")}


class TestComputed:
    KNOWN = catalogue(cause("fault", sign("down", computed="node-not-ready"), sign("gone")))

    def test_a_computed_sign_is_asked(self):
        found = look(self.KNOWN, nodes("birch-2 NotReady 10.71.0.12"))
        assert [one.node for one in found[Key("fault", "down")]] == ["birch-2"]

    def test_what_it_does_not_see_is_not_there(self):
        assert look(self.KNOWN, pods("calico-node-7tq4n 1/1 Running 0 9d 10.71.0.12 birch-2")) == {}

    def test_a_catalogue_without_any_pattern(self):
        known = catalogue(cause("fault", sign("down", computed="node-not-ready")))
        assert Key("fault", "down") in look(known, nodes("birch-2 NotReady 10.71.0.12"))

    def test_an_unknown_name_is_an_error_of_the_catalogue(self):
        with pytest.raises(CatalogueError, match="fault: there is no computed sign named moon-phase"):
            watch_of(catalogue(cause("fault", sign("down", computed="moon-phase"))))

    def test_a_pattern_the_engine_does_not_take_is_named(self):
        with pytest.raises(CatalogueError, match="fault: sign ahead: the pattern is not usable"):
            watch_of(catalogue(cause("fault", sign("ahead", pattern="(?=x)y"))))
