"""Small made-up catalogues: what is tested is the reasoning, not what calivet knows about Calico."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from unittest import mock

from calivet.catalogue.model import (
    Catalogue,
    Cause,
    Check,
    Effect,
    Harmless,
    Mistaken,
    Question,
    Scope,
    Sign,
    Step,
    Strength,
    Trace,
)
from calivet.evidence.artifact import Evidence, Line
from calivet.messages.command_line import Command
from calivet.messages.words import Words
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import Diagnosis
from calivet.reasoning.weigh import WeighedCause, weigh_causes
from calivet.signs.sighting import Key, Sighting
from calivet.signs.sign_detector import SignDetector
from tests.facts.drawing import Text, artifacts_of

Entry = Cause | Effect | Question | Harmless


def words(text: str) -> Words:
    """The text, and something that is plainly its other language."""
    return Words(text, f"〔{text}〕")


def sign(name: str, strength: str = "fair", says: str | None = None, **more: Any) -> Sign:
    """A sign that is looked for by its name, where nothing else is given."""
    if "pattern" not in more and "computed" not in more:
        more["pattern"] = rf"\b{name}\b"
    scope = Scope(more.pop("scope", "any"))
    return Sign(id=name, says=words(says or f"says {name}"), strength=Strength(strength), scope=scope, **more)


def cause(name: str, *signs: Sign, **more: Any) -> Cause:
    """A cause with these signs."""
    more["mistaken_for"] = [Mistaken(other, words("look twice")) for other in more.pop("mistaken_for", ())]
    usual: dict[str, Any] = {
        "layer": "host",
        "title": words(f"title of {name}"),
        "summary": words("It broke on {nodes}."),
        "explain": words("It breaks."),
        "leads_to": [],
        "ask": [],
        "fix": [],
        "verify": [],
        "references": [],
    }
    return Cause(id=name, signs=list(signs), **(usual | more))


def effect(name: str, *leads_to: str, **more: Any) -> Effect:
    """An effect that is looked for by its name, where nothing else is given."""
    traces = more.pop("traces", [Trace(pattern=rf"\b{name}\b")])
    return Effect(id=name, title=words(f"title of {name}"), leads_to=list(leads_to), traces=traces)


def question(name: str, run: str = "", where: str = "cluster", **more: Any) -> Question:
    """A question whose command is its name."""
    return Question(id=name, run=run or name, why=words(f"why {name}"), where=where, **more)  # type: ignore[arg-type]


def step(run: str, **more: Any) -> Step:
    """A safe step on the node."""
    usual: dict[str, Any] = {"run": run, "why": words("helps"), "where": "node", "risk": "safe"}
    return Step(**(usual | more))


def check(run: str) -> Check:
    """A command that shows that all is well."""
    return Check(Command(run), words("all is well"))


def catalogue(*entries: Entry) -> Catalogue:
    """All of these together."""

    def of(kind: type[Any]) -> dict[str, Any]:
        return {entry.id: entry for entry in entries if isinstance(entry, kind)}

    return Catalogue(causes=of(Cause), effects=of(Effect), questions=of(Question), harmless=of(Harmless))


def watch_of(known: Catalogue) -> SignDetector:
    """The catalogue made ready for looking, without leaving anything in the user's cache."""
    with mock.patch("calivet.search.scanner.load_or_make", lambda _name, _made_from, make: make()):
        watch = SignDetector(known)
        assert watch.prose, "made now, for later it would be kept"
        return watch


def diagnosed(known: Catalogue, text: Text) -> Diagnosis:
    """The whole way from text to answer."""
    return diagnose(Evidence(artifacts_of(text)), known, watch_of(known))


def seen_at(*numbers: int, node: str | None = None, note: bool = False, artifact: str = "a.txt") -> list[Sighting]:
    """Sightings on these lines."""
    return [Sighting(line=Line(artifact, number, f"line {number}"), node=node, note=note) for number in numbers]


def judged(known: Cause | Iterable[Cause], **sightings: list[Sighting]) -> list[WeighedCause]:
    """The judgement over sightings by the names of signs; _ stands for a dash."""
    causes = [known] if isinstance(known, Cause) else list(known)
    seen = {
        Key(one.id, each.id): sightings[name]
        for one in causes
        for each in (*one.signs, *one.against)
        for name in [each.id.replace("-", "_")]
        if name in sightings
    }
    return weigh_causes(catalogue(*causes), seen)


def confidence_of(known: Cause, **sightings: list[Sighting]) -> float:
    """How sure one cause is; 0 where nothing speaks for it."""
    found = judged(known, **sightings)
    return found[0].confidence if found else 0.0
