"""What a text is about, by its words: the causes that people tell of in such words.

Nobody can list all the ways to say what went wrong, and a text that no sign understands still has words that are used
of one fault rather than of others (`defrag`, `fstab`, 网卡). They rank what is open, and make likelier or less likely
what an author is understood to say; alone they name a cause only where it is far ahead of all others. Words and
weights (`causes/topics.json`) are counted by `scripts/generate-topics` over the catalogue and the labelled texts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from calivet.catalogue.model import Catalogue, Strength
from calivet.evidence.artifact import Artifact, Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.platform import find_platform
from calivet.reasoning.presence import names_cluster
from calivet.reasoning.weigh import WeighedCause, shift_confidence
from calivet.search.expressions import expression

TOPICS = Path(__file__).parent.parent / "causes" / "topics.json"
SCALE = 10
"""Weights are written as whole numbers, so many to one of log-odds."""
LONGEST = 4_000
"""Characters of a text that are looked at: what it is about stands near its beginning."""
CLOSING = 1_200
"""So many of them from the end of a long story, where it comes out; what was pasted between is not counted."""
MOST_TEXTS = 3
SPREAD = 6.0
"""So far behind the best, in log-odds, a cause has a third of its share: words of one text are not independent."""
FEWEST_WORDS = 3
LEAST_SCORE = 8.0
"""Below these a text is too short or too general to tell."""
LEAST_SHARE = 0.3
ENOUGH_WORDS = 20
"""From so many on, words tell something of their own; in a short sentence they are those of its concepts."""
PLAIN_ENOUGH = 0.5
"""So plain must they be to stand beside what a program hints, or to contradict what an author gives as the cause."""
HARDLY_CHANCE = 0.2
"""So plain at least must they be to be a second witness of what an author is understood to say."""
PRINTED = 0.5
"""What a word counts that only programs say: they print of everything, and somebody writes of one thing."""
PLAIN = 20.0
"""So far ahead of the next, in log-odds, the words leave little doubt: the best was right in 29 of 29 fresh texts."""
AGREES, DISAGREES = 1.9, 0.5
AGREES_PLAINLY, DISAGREES_PLAINLY = 1.3, 1.0
"""What the words add to a cause that is understood to be named, or take from it; so much more if they are plain."""
MOST_DISBELIEVED = 0.5
"""No likelier is what somebody says in words that are plainly those of another cause."""
FAR_AHEAD, FAR_AHEAD_FOR_WORD = 28.0, 0.25
"""So far ahead of the next, of long texts so far for each word, words name a cause alone."""
WORDED = 0.57
"""How likely it is then, before it is asked whether anything rivals it."""
OUTDONE = 0.2
"""No likelier is anything else then."""
SHOWN = 0.9
"""As sure as this, several lines that programs print prove a cause together."""
MOST_BELIEVED = 0.94
"""So likely at most does what somebody says become by his words."""
UNTOLD, ALONE, ALONE_PLAINLY = 0.018, 3.0, 1.0
"""How likely a cause is that nobody names, and what words that do not suffice add to it: too little to assert it."""
_WORD = expression(r"[a-z][a-z0-9]+(?:[_./-][a-z0-9]+)*|\d{3,5}(?!\d)|[\u3400-\u9fff]+")
_JOINT = expression(r"[_./-]")
# What the forms of trackers ask everybody, "Calico dataplane (iptables, windows etc.)": no words of the author's.
_HINT = r"(?: ?\([^)\n]{1,80}\))?"
_ASKED = (
    r"(?:your |relevant )?environment(?:al info)?|context|possible solution|screenshots?",
    r"cluster (?:configuration|information)|describe the bug|is this a bug report or feature request",
    r"node\(s\) cpu architecture, os, and version|(?:rke2?|k3s|microk8s|rancher|calico|talos|k0s) version",
    rf"(?:calico dataplane|orchestrator version|cluster type|installation option|kernel|(?:host )?os){_HINT}",
    r"operating system and version|link to your project \(optional\)|proxy/cert details|install tools",
    r"(?:expected|current|actual) (?:behaviou?r|result)|to reproduce",
    rf"(?:steps to|how to|how can we) reproduce(?: it)?{_HINT}|anything else (?:we|do we) need to know",
    r"what (?:happened|did you|you|should happen|commands|cloud|kubernetes version|`kops`|is the role)[^:\n]{0,160}",
    rf"(?:kubernetes version|network plugin(?: and version| used)|cloud provider(?: or hardware [a-z]+)?){_HINT}",
    rf"container runtime \(cri\) and version{_HINT}|related plugins[^:\n]{{0,60}}",
    r"if (?:helm chart|downstream|custom), [^:\n]{1,120}|version of (?:ansible|python|kubespray)[^:\n]{0,20}",
    r"full inventory with variables|command used to invoke ansible|output of ansible run",
    r"additional (?:context|info)[^:\n]{0,20}|version if a cluster is running[^\n]{0,80}",
    r"please (?:provide your cluster manifest|run the commands with)[^\n]{0,160}",
    r"`kops get --name[^\n]{0,100}|you may want to remove your[^\n]{0,80}|paste the logs into this report[^\n]{0,80}",
)
_FORM = expression(rf"(?i:[\s#>*-]{{0,8}}(?:\d\. )?(?:{'|'.join(_ASKED)})[*?]{{0,3}}(?=[\s:*]|$)[\s:?*]{{0,4}})")
# What `uname -a` prints stands in most reports, whatever is wrong: it is about no processor.
_UNAME = expression(r"\bLinux \S{1,80} \d+\.\d+[^\n]{1,160} GNU/Linux\b")
STEM = 5


class TopicWords(Struct):
    """The words that tell causes apart."""

    causes: list[str]
    words: dict[str, str]
    """For each word the numbers of the causes and their weights, by turns; as text, because few are ever asked for."""

    def weigh(self, word: str) -> Iterator[tuple[int, int]]:
        """What a word says: number of a cause, weight."""
        row = iter(map(int, self.words.get(word, "").split()))
        return zip(row, row, strict=True)


class Topic(Struct, frozen=True):
    """How well the words of a text fit a cause."""

    words: int
    """How many of them are known."""

    share: float
    """1 for the cause that they fit best."""
    line: Line
    """Where most of them stand."""

    plain: float
    """How little doubt the words leave, whatever they are about: 1 where the best cause is far ahead of the next."""

    suffices: bool = False
    """It is the best, and so far ahead that the words name it alone."""


def split_words(text: str) -> Iterator[str]:
    """The words of a text, their parts and beginnings; of Chinese, every two signs that follow each other."""
    for found in _WORD.finditer(text.lower()):
        word = found[0]
        if word[0] >= "\u3400":
            yield from (word[start : start + 2] for start in range(max(len(word) - 1, 1)))
            continue
        parts = _JOINT.split(word)
        if len(parts) > 1 or word.isdigit():
            yield word
        for part in parts:
            if len(part) > 1 and not part.isdigit():
                yield part
            if len(part) > STEM:
                yield f"{part[:STEM]}*"


def damp(count: int) -> float:
    """What a word that is said so often counts."""
    return 1 + math.log(count)


def find_topics(catalogue: Catalogue, picture: ClusterFacts) -> dict[str, Topic]:
    """The causes that the words of somebody's texts fit best, likeliest first; none where no text tells."""
    texts = list(_list_texts(picture))
    if not texts or not names_cluster(picture):
        return {}
    known = load_topics()
    counts = _count_words(texts, known)
    platform = find_platform(picture)
    scores = {
        name: score
        for name, score in _score(counts, known).items()
        if name in catalogue.causes and platform.fits(catalogue.causes[name].when)
    }
    best = max(scores.values(), default=0.0)
    if best < LEAST_SCORE or len(counts) < FEWEST_WORDS:
        return {}
    shares = {name: math.exp((score - best) / SPREAD) for name, score in scores.items()}
    ranked = sorted((name for name in shares if shares[name] >= LEAST_SHARE), key=lambda name: (-shares[name], name))
    first, second = sorted((*scores.values(), 0.0), reverse=True)[:2]
    ahead, words = first - second, len(counts)
    plain = min(ahead / PLAIN, 1.0) if words >= ENOUGH_WORDS else 0.0
    suffices = (
        plain == 1 and ahead >= max(FAR_AHEAD, FAR_AHEAD_FOR_WORD * words) and _are_authors(texts, ranked[0], known)
    )
    return {
        name: Topic(words, shares[name], _find_line(texts, name, known), plain, suffices and shares[name] == 1)
        for name in ranked
    }


def _are_authors(texts: Sequence[tuple[Artifact, str]], cause: str, known: TopicWords) -> bool:
    """Whether what somebody writes leads to the cause, without what he shows."""
    written = [one for one in texts if one[0].prose]
    scores = _score(_count_words(written, known), known)
    best = scores.pop(cause, 0.0)
    return best - max(scores.values(), default=0.0) >= 0


def add_worded(
    weighed: Sequence[WeighedCause], topics: Mapping[str, Topic], catalogue: Catalogue, *, is_well: bool
) -> list[WeighedCause]:
    """The causes, and the one that an author's words name alone; only what is proven by programs goes before it.

    In 618 stories that were left out in turn, such words were right wherever a remark or a line led elsewhere.
    """
    best = next((name for name, topic in topics.items() if topic.suffices), None)
    is_shown = any(found.proven or (found.confidence >= SHOWN and not found.is_told) for found in weighed)
    if best is None or is_well or is_shown or catalogue.causes[best].words_tell == "symptom":
        return list(weighed)
    for other in weighed:
        other.confidence = min(other.confidence, OUTDONE) if other.cause.id != best else other.confidence
    known = next((one for one in weighed if one.cause.id == best), None)
    found = known or WeighedCause(catalogue.causes[best], [])
    found.worded, found.fits_words = topics[best].line, True
    found.confidence = max(found.confidence, WORDED)
    return list(weighed) if known else [*weighed, found]


def weigh_topics(weighed: Sequence[WeighedCause], topics: Mapping[str, Topic], *, is_well: bool) -> None:
    """Let what is said or hinted be likelier where the author's words are those used of it, else less likely.

    Beside a good state somebody's words may be about another machine or another day, however plain they are; and where
    a program speaks plainly, of whatever cause, they only say which of an author's remarks to believe.
    """
    is_first = not is_well and not any(found.is_shown(Strength.STRONG) for found in weighed)
    plain = max((topic.plain for topic in topics.values()), default=0.0) if is_first else 0.0
    # A few words fit something by chance.
    has_all_words = any(topic.words >= ENOUGH_WORDS for topic in topics.values())
    suffice = any(topic.suffices for topic in topics.values())
    for found in weighed:
        topic = topics.get(found.cause.id)
        if not topics or found.proven or found.is_foreign or not (found.is_told or is_first):
            continue
        if found.cause.words_tell == "symptom":
            continue
        has_enough = topic is not None and topic.words >= ENOUGH_WORDS and (found.is_told or plain >= PLAIN_ENOUGH)
        if topic and (found.is_told or (has_enough and (topic.suffices or found.is_shown(Strength.FAIR)))):
            # The words of a short text are mostly those of the line that a program prints: no second witness of it.
            found.fits_words = not is_well and has_enough and topic.share == 1 and topic.plain >= HARDLY_CHANCE
            raised = shift_confidence(found.confidence, (AGREES + AGREES_PLAINLY * plain) * topic.share)
            found.confidence = max(found.confidence, min(raised, MOST_BELIEVED))
        elif found.is_told and has_all_words and not (is_first and found.is_concluded and not suffice):
            lowered = shift_confidence(found.confidence, -DISAGREES - DISAGREES_PLAINLY * plain)
            found.confidence = min(lowered, MOST_DISBELIEVED) if plain == 1 else lowered


def join_topics(
    candidates: Sequence[WeighedCause], topics: Mapping[str, Topic], catalogue: Catalogue
) -> list[WeighedCause]:
    """The candidates, and those that nothing but the words speaks for; likeliest first."""
    named = {found.cause.id for found in candidates}
    # What a program shows goes before what somebody's choice of words suggests, unless it is a mere hint.
    most = max((found.confidence for found in candidates if found.is_shown(Strength.FAIR)), default=1.0)
    # Nor do a few words go before what they are understood to say.
    told = max((found.confidence for found in candidates if found.is_told and found.confidence > UNTOLD), default=1.0)
    alone = [
        WeighedCause(
            catalogue.causes[name],
            [],
            min(_weigh_alone(topic), most, told if topic.words < ENOUGH_WORDS else 1.0),
        )
        for name, topic in topics.items()
        if name not in named
    ]
    return sorted([*candidates, *alone], key=lambda found: -found.confidence)


def _weigh_alone(topic: Topic) -> float:
    return shift_confidence(UNTOLD, (ALONE + ALONE_PLAINLY * topic.plain) * topic.share)


@cache
def load_topics() -> TopicWords:
    """As they were generated."""
    return msgspec.json.decode(TOPICS.read_bytes(), type=TopicWords)


def _list_texts(picture: ClusterFacts) -> Iterator[tuple[Artifact, str]]:
    """What somebody writes in the first few documents, and then what he shows, each line with its artifact."""
    names = dict.fromkeys(artifact.name for artifact in picture.artifacts if artifact.prose)
    for name in list(names)[:MOST_TEXTS]:
        own = [artifact for artifact in picture.artifacts if artifact.name == name]
        written = [
            (artifact, line[_skip_form(line) :]) for artifact in own if artifact.prose for line in artifact.lines
        ]
        shown = [
            (artifact, line[_skip_form(line) :]) for artifact in own if not artifact.prose for line in artifact.lines
        ]
        chosen = [*_cut(written, LONGEST - CLOSING), *_cut(written[::-1], CLOSING)] if _is_long(written) else written
        yield from chosen
        yield from _cut(shown, LONGEST - sum(len(line) + 1 for _, line in chosen))


def _is_long(texts: Sequence[tuple[Artifact, str]]) -> bool:
    return sum(len(line) + 1 for _, line in texts) > LONGEST


def _cut(texts: Iterable[tuple[Artifact, str]], left: int) -> Iterator[tuple[Artifact, str]]:
    """The first of these lines, up to so many characters."""
    for artifact, line in texts:
        if left <= 0:
            return
        yield artifact, line[:left]
        left -= len(line) + 1


def _skip_form(line: str) -> int:
    """Where the author's own words begin."""
    if _UNAME.search(line):
        return len(line)
    asked = _FORM.match(line)
    return asked.end() if asked else 0


def _count_words(texts: Sequence[tuple[Artifact, str]], known: TopicWords) -> dict[str, float]:
    """What each known word of a text counts."""
    said: Counter[str] = Counter()
    written: set[str] = set()
    for artifact, line in texts:
        words = [word for word in split_words(line) if word in known.words]
        said.update(words)
        if artifact.prose:
            written.update(words)
    return {word: damp(count) * (1 if word in written else PRINTED) for word, count in said.items()}


def _score(counts: Mapping[str, float], known: TopicWords) -> dict[str, float]:
    scores: dict[int, float] = {}
    for word, count in counts.items():
        for number, weight in known.weigh(word):
            scores[number] = scores.get(number, 0.0) + weight * count / SCALE
    return {known.causes[number]: score for number, score in scores.items()}


def _find_line(texts: Sequence[tuple[Artifact, str]], cause: str, known: TopicWords) -> Line:
    """The one whose words speak most for the cause."""
    wanted = known.causes.index(cause)

    def weigh(text: str) -> int:
        words = set(split_words(text))
        return sum(weight for word in words for number, weight in known.weigh(word) if number == wanted)

    artifact, text = max(texts, key=lambda one: weigh(one[1]))
    return next(artifact.at(index) for index, line in enumerate(artifact.lines) if text in line)
