"""The page as text: complete in itself, strict, the same in both languages, and safe whatever the evidence holds."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.reasoning.diagnosis import Contrast, Diagnosis
from calivet.reports.diagnosis.html.claims import collect_claims
from calivet.reports.diagnosis.html.page import to_html
from calivet.reports.diagnosis.html.page_model.model import PageModel
from tests.reports.answers import INCIDENTS, LANGUAGES, commands, demo, doubtful, made_up, nothing, undecided
from tests.reports.html.reading import taken_apart

ANSWERS = {"made up": made_up, "undecided": undecided, "nothing": nothing, "doubtful": doubtful} | {
    name: lambda name=name: demo(name) for name in INCIDENTS
}
OWN = re.compile(r"<style>(.*)</style>.*<script>(.*)</script>\n</body>\n</html>$", re.DOTALL)


def page_of(answer: Diagnosis, language: str = "en") -> str:
    return to_html(answer, PageModel(), language)


def source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ANSWERS)
def test_ids_are_unique_and_every_link_leads_to_one(name, language):
    page = taken_apart(page_of(ANSWERS[name](), language))
    ids = page.every("id")
    assert len(set(ids)) == len(ids)
    assert {address.removeprefix("#") for address in page.every("href")} <= set(ids)
    assert {name for value in page.every("aria-labelledby") for name in value.split()} <= set(ids)


def test_only_its_own_style_and_script_are_allowed():
    text = page_of(made_up())
    style, script = OWN.findall(text)[0]
    policy = next(one["content"] for tag, one in taken_apart(text).elements if "http-equiv" in one)
    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src {source(style)}",
        f"script-src {source(script)}",
        "base-uri 'none'",
        "form-action 'none'",
    ]


@pytest.mark.parametrize("name", ANSWERS)
def test_nothing_is_loaded_and_nothing_styled_in_place(name):
    page = taken_apart(page_of(ANSWERS[name]()))
    assert page.every("src") + page.every("style") + page.every("srcset") == []
    assert {tag for tag, _ in page.elements} & {"img", "link", "iframe", "object", "base", "form"} == set()
    assert "url(" not in page.texts["style"][0]
    assert "@import" not in page.texts["style"][0]


@pytest.mark.parametrize("name", ANSWERS)
def test_both_languages_have_the_same_parts(name):
    english, chinese = (
        [
            (tag, attributes.get("class"), attributes.get("id"))
            for tag, attributes in taken_apart(page_of(ANSWERS[name](), language)).elements
            if tag not in ("text", "tspan", "rect", "path")  # titles wrap otherwise
        ]
        for language in LANGUAGES
    )
    assert english == chinese


@pytest.mark.parametrize("name", ANSWERS)
def test_every_command_can_be_copied(name):
    answer = ANSWERS[name]()
    page = page_of(answer)
    shown = {line.strip() for text in taken_apart(page).texts.get("pre", []) for line in text.splitlines()}
    assert commands(answer, shown=True) <= shown
    assert page.count('class="copy"') == page.count('class="command"')


def test_a_finding_has_all_its_parts():
    page = taken_apart(page_of(made_up()))
    classes = " ".join(page.every("class")).split()
    assert {"summary", "chain", "claims", "effects", "steps", "checks", "risk", "dangerous", "undo"} <= set(classes)
    assert "proof" in classes
    assert "against" in classes


def test_nodes_that_share_a_value_are_told_together():
    answer = made_up()
    answer.contrast = [Contrast("kernel", {"birch-1": "5.4"}, {f"elm-{number}": "6.8" for number in range(40)})]
    page = page_of(answer)
    assert page.count("6.8") == 2, "once in the sentence, once in the table"
    assert "kernel: 5.4 on birch-1, but 6.8 on the 40 healthy nodes" in page
    assert "and 28 more" in page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "value",
    [
        "<script>planted()</script>",
        "</style><img src=x onerror=planted()>",
        "' onmouseover='planted()' \"",
        "{{ 7 * 7 }}{% if x %}",
        "\u202e\u2066 \x9b",
        "W" * 100_000,
        "e" + "\u0301" * 50_000,
    ],
)
def test_hostile_evidence_stays_text(value, language):
    text = page_of(made_up(value, file=f"{value[:100].replace('/', '')}.txt", unreadable=value[:2000]), language)
    calm = page_of(made_up(), language)
    assert [tag for tag, _ in taken_apart(text).elements] == [tag for tag, _ in taken_apart(calm).elements]
    assert not set(text) & set("\u202e\u2066\x9b\x1b")
    assert len(text) < len(calm) + 100_000


@given(st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=60))
def test_whatever_stands_in_the_evidence_the_page_keeps_its_shape(value):
    text = page_of(made_up(value))
    taken_apart(text)
    text.encode()


@pytest.mark.parametrize(
    ("language", "why", "outside"), [("en", "is Error", "cannot get its image"), ("zh", "处于 Error", "拉取镜像失败")]
)
def test_why_it_is_not_healthy_and_what_is_broken_elsewhere(language, why, outside):
    text = page_of(doubtful(), language)
    assert re.search(
        rf'id="doubts".*kube-proxy-9hxkt {why}.*session.txt:8.*id="outside".*shop-0 {outside}', text, re.DOTALL
    )
    assert 'id="doubts"' not in page_of(made_up(), language)


def test_a_line_that_several_claims_rest_on_is_quoted_once():
    claims = collect_claims(demo("overloaded-node"), "en").findings[0]
    lines = [one.claim.line for one in claims]
    assert len(set(lines)) < len(lines), "some line has several claims"
    assert [one.claim.line for one in claims if one.is_quoted] == list(dict.fromkeys(lines))
    assert len({one.evidence.says.en for one in claims}) == len(claims)
