"""What a reader meets on a page: the verdict first, from each claim to its line and back, folds, the copy buttons."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.making import FAULT, HOSTILE, NAMES, UNCLEAR, WELL, examined, page_of
from tests.pages.hostile import MARK
from tests.reports.answers import LANGUAGES, commands


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_the_verdict_is_what_one_sees_first(opened, name, language):
    page = opened(name, language)
    expect(page.locator("h1")).to_be_in_viewport()
    for title in page.locator(".causes li").all():
        expect(title).to_be_in_viewport()
    assert page.evaluate("document.documentElement.lang") == {"en": "en", "zh": "zh-CN"}[language]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_wider_than_the_screen(opened, name):
    page = opened(name, "zh")
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    for width in (1280, 820, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_from_a_claim_to_its_line_and_back(opened):
    page = opened(FAULT)
    claims = page.locator(".finding .claims > li")
    assert claims.count() == sum(len(finding.evidence) for finding in examined(FAULT).diagnosis.findings)
    for claim in claims.all():
        claim.locator("a.place").click()
        line = page.locator(":target")
        expect(line).to_be_in_viewport()
        line.locator(f'a[href="#{claim.get_attribute("id")}"]').click()
        expect(claim).to_be_in_viewport()
        assert page.locator(":target").get_attribute("id") == claim.get_attribute("id")


def test_every_link_leads_somewhere(opened):
    page = opened(FAULT)
    lost = page.evaluate("""() => [...document.querySelectorAll('a[href]')]
        .map(link => link.getAttribute('href'))
        .filter(address => !address.startsWith('#') || !document.getElementById(address.slice(1)))""")
    assert lost == []


def test_the_decisive_words_are_marked_in_the_claim_and_in_the_document(opened):
    page = opened(FAULT)
    words = "running with swap on is not supported"
    assert page.locator(".finding .claims mark", has_text=words).count() == 1
    assert page.locator("#lines .cited mark", has_text=words).count() == 1
    assert page.locator("#lines .rows li:not(.cited):not(.skipped)").count() > 10


def test_a_seen_link_of_the_chain_leads_to_its_line(opened):
    page = opened(FAULT)
    page.locator(".chain-wide a", has_text="BIRD is not ready").first.click()
    expect(page.locator(":target.cited")).to_be_in_viewport()


def test_what_is_besides_is_folded_until_asked_for(opened):
    page = opened(FAULT)
    message = page.locator("#set-aside .claims > li").first
    expect(message).to_be_hidden()
    page.locator("#set-aside > summary").click()
    expect(message).to_be_visible()
    page.locator("#set-aside > summary").click()
    expect(message).to_be_hidden()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_jump_into_a_fold_opens_it(opened, scripts):
    page = opened(WELL, java_script_enabled=scripts)
    page.locator("#set-aside > summary").click()
    page.locator("#set-aside a.place").first.click()
    line = page.locator("#lines .cited").filter(has=page.locator('a[href="#aside-1"]'))
    expect(line).to_be_in_viewport()


@pytest.mark.parametrize("name", [FAULT, UNCLEAR])
def test_the_buttons_copy_exactly_the_command(opened, name):
    page = opened(name, permissions=["clipboard-read", "clipboard-write"])
    copied = set()
    for box in page.locator(".command").all():
        box.locator("button").click()
        expect(box.locator("button")).to_have_text("Copied")
        taken = page.evaluate("navigator.clipboard.readText()")
        assert taken == box.locator("code").evaluate("code => code.textContent")
        copied |= {line.strip() for line in taken.splitlines()}
    assert copied == commands(examined(name).diagnosis, shown=True)


def test_without_a_clipboard_the_command_is_copied_the_old_way(opened):
    page = opened(FAULT, permissions=["clipboard-read"])
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true})")
    page.locator(".command button").first.click()
    expect(page.locator(".command button").first).to_have_text("Copied")
    page.evaluate("delete navigator.clipboard")
    assert page.evaluate("navigator.clipboard.readText()") == page.locator(".command code").first.text_content()


def test_without_scripts_only_the_copy_buttons_are_missing(opened):
    page = opened(FAULT, java_script_enabled=False)
    assert page.locator(".copy:visible").count() == 0
    assert page.locator(".command code:visible").count() > 10


def test_an_unclear_case_leads_with_what_to_run_next(opened):
    page = opened(UNCLEAR)
    first = examined(UNCLEAR).diagnosis.next[0].run
    expect(page.locator(".verdict code")).to_have_text(first)
    order = page.evaluate("[...document.querySelectorAll('main > section')].map(one => one.id)")
    assert order.index("next") < order.index("candidates") < order.index("lines")


def test_a_healthy_cluster_has_no_findings(opened):
    page = opened(WELL)
    expect(page.locator("h1 .stamp")).to_have_text("HEALTHY")
    assert page.locator(".finding").count() == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_evidence_does_nothing(opened, language):
    page = opened(HOSTILE, language)
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    assert page.evaluate(f"window.{MARK}") is None
    assert page.locator("iframe, img, object, embed, form, base, link, main style, main script").count() == 0
    events = "[...document.querySelectorAll('*')].flatMap(one => one.getAttributeNames()).filter(name => /^on|^style$/.test(name))"
    assert page.evaluate(events) == []
    assert "{{ 7 * 7 }}" in page.locator("main").inner_text()


def test_hostile_evidence_stays_in_its_direction():
    text = page_of(HOSTILE)
    assert not set(text) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u200e\u200f\x00\x07\x08\x1b\x7f\x85\ufeff")


@pytest.mark.parametrize("width", [1440, 390])
def test_tables_keep_their_columns_and_scroll_sideways(opened, width):
    page = opened(FAULT, width=width)
    rows = page.locator(".rows li.columns code")
    assert rows.count() > 5
    heights = {round(row.evaluate("row => row.getClientRects().length && row.scrollHeight")) for row in rows.all()}
    assert len(heights) == 1, "each row is one line"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the table scrolls, not the page"


@pytest.mark.parametrize("width", [1440, 390])
def test_no_command_breaks_inside_a_word(opened, width):
    page = opened(FAULT, width=width)
    broken = page.evaluate(
        "[...document.querySelectorAll('.command .word')].filter((word) => word.getClientRects().length > 1).length"
    )
    assert page.locator(".command .word").count() > 50
    assert broken == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_healthy_report_has_no_red(opened, theme):
    page = opened(WELL, color_scheme=theme)
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    red = page.evaluate(
        """() => {
          const probe = document.createElement("p");
          probe.style.color = "var(--bad)";
          document.body.append(probe);
          const bad = getComputedStyle(probe).color;
          probe.remove();
          const used = (one, name) => getComputedStyle(one)[name] === bad;
          const seen = [...document.querySelectorAll("main *, header *")].filter((one) => one.getClientRects().length);
          return seen.filter((one) => used(one, "color") || used(one, "fill") || used(one, "backgroundColor"))
            .map((one) => one.outerHTML.slice(0, 120));
        }"""
    )
    assert red == []


def test_touch_and_keyboard_show_what_pointing_shows(opened):
    page = opened(FAULT)
    told = page.locator("#map .drawing-says")
    first = page.locator("#map .drawing-wide :is(a, g):has(> title)").first
    says = first.evaluate("mark => mark.querySelector(':scope > title').textContent")
    first.focus()
    expect(told).to_have_text(says)
    other = page.locator("#timeline .drawing-wide :is(a, [tabindex]):has(> title)").first
    other.focus()
    expect(page.locator("#timeline .drawing-says")).not_to_be_empty()
