from calivet.evidence.artifact import Artifact, Line
from calivet.signs.conclusions import drop_mended_states, settle_conclusions
from calivet.signs.sections import Conclusion
from calivet.signs.sighting import Key, Sighting
from calivet.signs.sign_detector import prepare_detector


def settle(*found, artifacts=()):
    seen: dict[Key, list[Sighting]] = {}
    for number, (owner, conclusion) in enumerate(found):
        sighting = Sighting(line=Line("note.md", number + 1, "words"), note=True, conclusion=conclusion)
        seen.setdefault(Key(owner, "told"), []).append(sighting)
    settled = settle_conclusions(seen, list(artifacts))
    return {key.owner: [one.conclusion for one in sightings] for key, sightings in settled.items()}


def test_the_surest_conclusion_of_a_text_counts():
    assert settle(("a", Conclusion.STATED), ("b", Conclusion.SAID), ("c", Conclusion.CURE)) == {
        "a": [Conclusion.STATED],
        "b": [Conclusion.NONE],
        "c": [Conclusion.NONE],
    }


def test_a_cure_counts_where_no_cause_is_named():
    assert settle(("a", Conclusion.CURE), ("b", Conclusion.NONE)) == {"a": [Conclusion.CURE], "b": [Conclusion.NONE]}


def test_a_text_with_many_conclusions_is_a_guide():
    found = settle(*((name, Conclusion.STATED) for name in "abcd"))
    assert found == {name: [Conclusion.GUIDE] for name in "abcd"}


def test_a_list_of_causes_concludes_nothing():
    guide = Artifact("note.md", 1, ["## Cause", "- one", "- two", "- three"], prose=True)
    assert settle(("a", Conclusion.STATED), ("b", Conclusion.STATED), artifacts=[guide]) == {
        "a": [Conclusion.NONE],
        "b": [Conclusion.NONE],
    }
    assert settle(("a", Conclusion.STATED), artifacts=[guide]) == {"a": [Conclusion.STATED]}


def test_what_the_author_says_he_found_outdoes_what_explains_it():
    def told(owner, number, text):
        line = Line("note.md", number, text)
        return {Key(owner, "told"): [Sighting(line=line, note=True, conclusion=Conclusion.STATED)]}

    seen = told("a", 1, "原因就明确了：探针先把它杀掉") | told("b", 2, "另一区域的延迟更高，所以启动更慢")
    settled = settle_conclusions(seen, [])
    assert {key.owner: found[0].conclusion for key, found in settled.items()} == {"a": "stated", "b": ""}


class TestMendedStates:
    CATALOGUE, _ = prepare_detector()
    AGAINST, FOR = Key("sysctl-ip-forward-off", "forwarding-on"), Key("sysctl-ip-forward-off", "off-now")

    def keep(self, *lines, seen_off=2, seen_on=6):
        def at(number):
            return [Sighting(line=Line("note.md", number, lines[number - 1]))]

        note = Artifact("note.md", 1, list(lines), prose=True)
        seen = {self.AGAINST: at(seen_on)} | ({self.FOR: at(seen_off)} if seen_off else {})
        return self.AGAINST in drop_mended_states(seen, self.CATALOGUE, [note])

    def test_a_good_state_after_the_cure_speaks_against_nothing(self):
        assert not self.keep("现象", "0", "解决方法：", "写入下面一行", "", "net.ipv4.ip_forward=1")

    def test_without_a_cure_it_speaks(self):
        assert self.keep("现象", "0", "另一台机器上", "看到的是", "", "net.ipv4.ip_forward=1")

    def test_what_was_never_seen_bad_was_not_mended(self):
        assert self.keep("现象", "0", "解决方法：", "", "", "net.ipv4.ip_forward=1", seen_off=0)


def test_who_says_that_the_cause_was_not_found_concludes_nothing():
    def conclude(*lines, at=1):
        note = Artifact("note.md", 1, list(lines), prose=True)
        line = Line("note.md", at, lines[at - 1])
        seen = {Key("a", "told"): [Sighting(line=line, note=True, conclusion=Conclusion.SAID)]}
        return settle_conclusions(seen, [note])[Key("a", "told")][0].conclusion

    assert conclude("BIRD 起不来导致 calico 失败", "查了日志，也没有发现问题根因") is Conclusion.NONE
    assert conclude("BIRD 起不来导致 calico 失败", "一开始没有找到原因", "后来问题终于找到了") is Conclusion.SAID
    assert conclude("BIRD 起不来导致 calico 失败") is Conclusion.SAID
    assert conclude("I have no idea why it fails", "Root cause: port 179 was closed", at=2) is Conclusion.SAID


def test_one_sentence_that_may_be_read_in_many_ways_is_no_guide():
    def told(owner, *parts, number=3):
        line = Line("note.md", number, "words")
        sighting = Sighting(line=line, note=True, conclusion=Conclusion.SAID)
        return {Key(owner, part): [sighting] for part in parts}

    one = told("a", "p", "q") | told("b", "p") | told("c", "p") | told("d", "p")
    settled = settle_conclusions(one, [])
    assert {key.owner for key, found in settled.items() if found[0].conclusion is Conclusion.SAID} == {"a"}
    several = one | told("d", "q", number=9)
    settled = settle_conclusions(several, [])
    assert all(found[0].conclusion is Conclusion.GUIDE for found in settled.values())
