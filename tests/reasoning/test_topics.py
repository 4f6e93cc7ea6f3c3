"""Topics: what a text is about by its words, where no sign understands it. A hint that asserts nothing."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from calivet.evidence.artifact import Evidence, Line
from calivet.evidence.safe_yaml import load_yaml
from calivet.pipeline import diagnose
from calivet.reasoning.finding import judge_certainty
from calivet.reasoning.topics import Topic, add_worded, find_topics, join_topics, load_topics, split_words, weigh_topics
from calivet.signs.sections import Conclusion
from calivet.signs.sign_detector import prepare_detector
from tests.facts.drawing import artifacts_of, picture_of
from tests.reasoning.made_up import catalogue, cause, judged, seen_at, sign

PHRASES = sorted((Path(__file__).parents[2] / "corpus" / "phrases").glob("*.yaml"))
UNUSUAL = "Our calico agents keep failing; it took a defragmentation of the members, and disarming the alarm.\n"
PODS = """NAMESPACE     NAME                READY   STATUS    RESTARTS   AGE   IP          NODE
kube-system   calico-node-7xk2p   1/1     Running   0          9d    10.2.0.11   oak
kube-system   calico-node-9fzqw   1/1     Running   0          9d    10.2.0.12   elm
"""
NODES = """NAME   STATUS   ROLES    AGE   VERSION
oak    Ready    <none>   9d    v1.30.2
elm    Ready    <none>   9d    v1.30.2
"""


@cache
def shipped():
    return prepare_detector()


def diagnose_text(text):
    return diagnose(Evidence(artifacts_of(text)), *shipped())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("veth_mtu is 1440", ["veth_mtu", "veth", "mtu", "is", "1440"]),
        ("Firewalld", ["firewalld", "firew*"]),
        ("双网卡 eth0", ["双网", "网卡", "eth0"]),
        ("网", ["网"]),
        ("10:22 at 3.27", ["at"]),
    ],
)
def test_words_are_cut_alike_in_both_languages(text, words):
    assert list(split_words(text)) == words


FORM = """**Environmental Info:**
Node(s) CPU architecture, OS, and Version:
Linux oak 5.14.0-70.el9.x86_64 #1 SMP Tue Jun 20 11:48:01 UTC 2023 x86_64 x86_64 x86_64 GNU/Linux
* Calico dataplane (bpf, nftables, iptables, windows etc.)
* Orchestrator version (e.g. kubernetes, openshift, etc.):
- Kernel (e.g. `uname -a`):
**What you expected to happen**:
"""


def test_what_a_form_asks_everybody_is_no_word_of_the_authors():
    bare, asked = diagnose_text(UNUSUAL), diagnose_text(FORM + UNUSUAL)
    assert [found.cause.id for found in asked.candidates] == [found.cause.id for found in bare.candidates]
    assert asked.candidates[0].evidence[0].line.number == 8
    assert diagnose_text(f"{FORM}Calico pods do not start since this morning.\n").candidates == []


def test_what_is_answered_behind_the_label_of_a_form_counts():
    answered = diagnose_text(f"**What happened**: {UNUSUAL}")
    assert answered.candidates[0].cause.id == "etcd-unhealthy"


def test_a_text_that_no_sign_understands_has_a_cause_to_look_at_with_its_line():
    diagnosis = diagnose_text(UNUSUAL)
    first = diagnosis.candidates[0]
    assert (diagnosis.findings, first.cause.id) == ([], "etcd-unhealthy")
    assert first.evidence[0].line.number == 1
    assert first.evidence[0].note


def test_words_alone_assert_nothing_however_many_there_are():
    assert diagnose_text(UNUSUAL * 30).findings == []


RESOLVER = """Our calico nodes are unhappy since the weekend, calico-node is not ready anywhere.
Somebody cleaned the hosts file of all machines, and since then the name localhost is looked up at the resolver of the
office, which does not know it. Felix wants to open its health endpoint on that name, gets no such host, and tries again
every second, so the liveness and readiness probes of the pod fail.
With 127.0.0.1 localhost back in /etc/hosts of one machine its pod recovers.
"""


def test_words_far_ahead_of_all_others_name_a_cause_that_no_sign_understands():
    (found,) = diagnose_text(RESOLVER).findings
    assert (found.cause.id, found.certainty) == ("localhost-unresolvable", "likely")
    assert [(item.line.artifact, item.note, item.strength) for item in found.evidence] == [
        ("session.txt", True, "weak")
    ]
    assert 0.6 <= found.confidence < 0.9


def test_they_name_none_beside_a_good_state_or_where_another_network_is_meant():
    state = f"\n$ kubectl get pods -A -o wide\n{PODS}\n$ kubectl get nodes\n{NODES}"
    elsewhere = RESOLVER.replace("calico-node", "cilium-agent").replace("calico", "cilium").replace("Felix", "It")
    assert diagnose_text(RESOLVER + state).findings == []
    assert diagnose_text(elsewhere).findings == []


def test_they_must_be_somebodys_words_and_not_what_is_shown():
    shown = "".join(f"    {line}\n" for line in RESOLVER.splitlines())
    answer = diagnose_text(f"The calico pods of rack three time out since noon.\n\n```\n{shown}```\n")
    assert "localhost-unresolvable" not in [found.cause.id for found in answer.findings]


def test_they_outdo_remarks_and_a_line_but_not_what_programs_prove():
    best = {"about": Topic(60, 1.0, Line("a.txt", 1, "words"), 1.0, suffices=True)}
    known = catalogue(cause("about"), SAID, SHOWN, PROVEN)
    told, line = (judged([one], **seen) for one, seen in ((SAID, REMARK), (SHOWN, {"line": seen_at(3)})))
    for found in (told, line):
        other, first = add_worded(found, best, known, is_well=False)
        assert (first.cause.id, other.confidence) == ("about", 0.2)
        assert first.confidence > 0.5
    for found, is_well in ((judged([PROVEN], shown=seen_at(3)), False), (told, True)):
        assert [one.cause.id for one in add_worded(found, best, known, is_well=is_well)] == [found[0].cause.id]


def test_they_name_none_where_nobody_tells_of_trouble():
    notes = """# The health endpoint of calico-node in our tests
Felix opens its health endpoint on the name localhost; the tests replace the resolver of the container and the file
/etc/hosts, look the name up, and see that 127.0.0.1 localhost is taken from the file. Liveness and readiness are asked
on the loopback address of the host, port 9099, and the name localhost is looked up by the resolver only as the last.
"""
    assert diagnose_text(notes).findings == []


def test_a_word_in_passing_asserts_nothing_where_nobody_tells_of_trouble():
    wish = "# If WireGuard is disabled, its module should not be loaded\n\nWhen calico is installed and encryption by WireGuard is"
    assert (
        diagnose_text(
            f"{wish} off in felix, the kernel module wireguard is loaded all the same; is that wanted?\n"
        ).findings
        == []
    )


def test_words_do_not_keep_a_cluster_from_being_called_healthy():
    assert (
        diagnose_text(f"Inventory of the calico nodes before the firewall change:\n\n```\n{PODS}\n{NODES}```\n").verdict
        == "healthy"
    )


def test_a_text_that_is_about_no_cluster_has_none():
    picture = picture_of("The etching was defragmented, the alarm disarmed, and all members of the club went home.\n")
    assert find_topics(shipped()[0], picture) == {}


def test_programs_alone_have_no_topic():
    assert find_topics(shipped()[0], picture_of(PODS)) == {}


def test_the_order_of_sentences_changes_nothing():
    first, second = "calico-node restarts all night.", "The swap line in fstab was back after the reboot."
    one, other = (diagnose_text(f"{a}\n{b}\n") for a, b in ((first, second), (second, first)))
    assert [found.cause.id for found in one.candidates] == [found.cause.id for found in other.candidates]


def test_every_cause_has_words_and_phrases_in_both_languages():
    causes = shipped()[0].causes.keys()
    told = [msgspec.convert(load_yaml(path.read_bytes()), dict[str, list[dict[str, str]]]) for path in PHRASES]
    languages = {name: {one["lang"] for one in row} for layer in told for name, row in layer.items()}
    assert set(load_topics().causes) == causes
    assert languages == {name: {"en", "zh"} for name in causes}


OVERFLOWS = "Felix crashes when a thousand pods start on one host, the netlink socket overflows with no buffer space available.\n"


def test_what_concepts_and_words_both_lead_to_is_asserted_as_likely():
    (found,) = diagnose_text(OVERFLOWS).findings
    assert (found.cause.id, found.certainty) == ("netlink-exhausted", "likely")


def test_beside_a_good_state_it_stays_a_candidate():
    answer = diagnose_text(f"{OVERFLOWS}\n$ kubectl get pods -A -o wide\n{PODS}\n$ kubectl get nodes\n{NODES}")
    assert not answer.findings
    assert answer.verdict == "insufficient"


ADDRESSES = """1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000
    inet 127.0.0.1/8 scope host lo
"""


def test_what_programs_print_counts_less_than_what_somebody_writes():
    catalogue, _ = shipped()
    head = "The loopback device of this calico node is set down after each boot, nothing listens on localhost.\n"
    plain = [
        find_topics(catalogue, picture_of(text))["loopback-down"].plain
        for text in (head, f"{head}\n```\n{ADDRESSES}```\n", f"{head}{ADDRESSES.replace(chr(10), ' and ')}")
    ]
    assert plain == sorted(plain)


def test_words_about_calico_name_a_candidate_without_a_complaint():
    text = "kube-proxy is what sets up the service address 10.3.0.1 of the kubernetes API for calico-kube-controllers, look at its log.\n"
    answer = diagnose_text(text)
    assert (answer.findings, answer.candidates[0].cause.id) == ([], "service-vip-unreachable")


SAID = cause("said", sign("remark", "strong", scope="note"))
SHOWN, HINTED = cause("shown", sign("line", "strong")), cause("hinted", sign("hint", "fair"))
PASSING = cause("hinted", sign("hint", "weak"))
PROVEN = cause("proven", sign("shown", "proof"))
REMARK = {"remark": seen_at(1, note=True)}


def weighed(*causes, plain=1.0, about="said", is_well=False, suffices=False, **seen):
    """How likely each cause is after words that are about one of them."""
    found = judged(causes, **seen)
    weigh_topics(found, {about: Topic(30, 1.0, Line("a.txt", 1, "words"), plain, suffices)}, is_well=is_well)
    return {one.cause.id: one for one in found}


def test_the_plainer_the_words_the_likelier_what_is_said_and_the_less_likely_what_is_said_besides():
    about, besides = (
        [weighed(SAID, about=name, plain=plain, **REMARK)["said"].confidence for plain in (0.0, 0.5, 1.0)]
        for name in ("said", "shown")
    )
    assert about == sorted(about)
    assert besides == sorted(besides, reverse=True)
    assert about[-1] > 0.9


def test_words_that_tell_only_a_symptom_are_no_second_witness_of_its_cause():
    plainly, only_the_stop = (cause("said", *SAID.signs, words_tell=tells) for tells in ("cause", "symptom"))
    alone = judged([only_the_stop], **REMARK)[0].confidence
    assert weighed(only_the_stop, **REMARK)["said"].confidence == alone
    assert not weighed(only_the_stop, **REMARK)["said"].fits_words
    assert weighed(plainly, **REMARK)["said"].confidence > alone


def test_they_prove_nothing():
    assert judge_certainty(weighed(SAID, **REMARK)["said"]) == "likely"


def test_plain_words_make_no_hint_likelier_where_a_program_speaks_plainly():
    alone = weighed(HINTED, about="hinted", hint=seen_at(2))["hinted"]
    beside = weighed(HINTED, SHOWN, about="hinted", hint=seen_at(2), line=seen_at(3))["hinted"]
    assert (alone.fits_words, beside.fits_words) == (True, False)
    assert beside.confidence == judged([HINTED], hint=seen_at(2))[0].confidence < alone.confidence


def test_what_a_program_shows_in_passing_is_no_witness_beside_plain_words():
    plain, enough = (
        weighed(PASSING, about="hinted", suffices=suffices, hint=seen_at(2))["hinted"].confidence
        for suffices in (False, True)
    )
    assert plain == judged([PASSING], hint=seen_at(2))[0].confidence < enough


def test_plain_words_make_nothing_likelier_beside_a_good_state():
    hinted = judged([HINTED], hint=seen_at(2))[0].confidence
    assert weighed(HINTED, about="hinted", is_well=True, hint=seen_at(2))["hinted"].confidence == hinted
    well, ill = (weighed(SAID, is_well=is_well, **REMARK)["said"] for is_well in (True, False))
    assert well.confidence < ill.confidence
    assert not well.fits_words


def test_what_a_program_shows_goes_before_the_words_and_a_mere_hint_of_it_does_not():
    known = catalogue(SAID, SHOWN, HINTED)
    topics = {"said": Topic(30, 1.0, Line("a.txt", 1, "words"), 1.0)}
    beside_shown = join_topics(judged(SHOWN, line=seen_at(3)), topics, known)
    beside_hint = join_topics(judged(PASSING, hint=seen_at(2)), topics, known)
    assert [one.cause.id for one in beside_shown] == ["shown", "said"]
    assert [one.cause.id for one in beside_hint] == ["said", "hinted"]


def test_a_few_words_do_not_go_before_what_is_said():
    known = catalogue(SAID, SHOWN)
    remark = judged(SAID, **REMARK)

    def name_first(words):
        return join_topics(remark, {"shown": Topic(words, 1.0, Line("a.txt", 1, "words"), 1.0)}, known)[0].cause.id

    remark[0].confidence = 0.2
    assert (name_first(5), name_first(30)) == ("said", "shown")


def test_the_words_of_a_line_are_no_second_witness_of_it():
    line = "bird: Mesh_10_2_0_12: Error: Hold timer expired"
    assert not diagnose_text(f"calico-node does not get ready, the log says: {line}\n").findings


def test_an_applications_crash_is_no_likelier_for_being_told_in_words_of_crashes():
    found = diagnose_text(
        "my app gets a nil pointer dereference in its pod, the cluster has calico 3.26\n"
        "panic: runtime error: invalid memory address or nil pointer dereference\n"
        "goroutine 1 [running]:\nmain.main()\n\t/app/main.go:14\n"
    )
    assert found.findings == []


def test_a_long_story_is_also_what_it_comes_to_in_the_end_whatever_was_pasted_between():
    walk = "The pods of calico-node were restarted one after the other, and we went on to the next machine.\n"
    end = "It took a defragmentation of the etcd members, and disarming the alarm.\n"
    pasted = "```\n" + "eth0: flags=4163 mtu 1500 netmask 255.255.255.0\n" * 200 + "```\n"
    assert "etcd-unhealthy" not in find_topics(shipped()[0], picture_of(walk * 80))
    for text in (walk * 80 + end * 3, walk + pasted + end * 3):
        assert next(iter(find_topics(shipped()[0], picture_of(text)))) == "etcd-unhealthy"


@pytest.mark.parametrize("how", [Conclusion.SAID, Conclusion.CURE])
def test_only_words_that_suffice_take_anything_from_what_is_given_as_the_cause_or_cured_it(how):
    given = [replace(one, conclusion=how) for one in seen_at(1, note=True)]
    enough, certain, none = (
        weighed(SAID, about="shown", plain=plain, suffices=suffices, remark=given)["said"].confidence
        for plain, suffices in ((1.0, True), (1.0, False), (0.0, False))
    )
    assert certain == none == judged([SAID], remark=given)[0].confidence
    assert enough <= 0.5 < certain


def test_beside_a_good_state_they_do():
    given = [replace(one, conclusion=Conclusion.SAID) for one in seen_at(1, note=True)]
    beside = weighed(SAID, about="shown", plain=0.0, is_well=True, remark=given)["said"].confidence
    assert beside < judged([SAID], remark=given)[0].confidence
