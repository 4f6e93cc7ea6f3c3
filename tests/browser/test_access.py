"""Everybody can read it: by keyboard, with a screen reader, in either theme, on paper."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.making import BIG, FAULT, NAMES, UNCLEAR, WELL

RULES = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}


VIEWS = [("light", 1280), ("dark", 390), ("dark", 1280), ("light", 390)]
# axe looks at every element: of big pages two views will do, with their long tables folded.
LOOKS = [(name, *view) for name in NAMES for view in VIEWS[: 2 if name in BIG else 4]]


@pytest.mark.parametrize(("name", "theme", "width"), LOOKS)
def test_axe_finds_nothing(opened, name, theme, width):
    page = opened(name, "en" if width == 1280 else "zh", width, color_scheme=theme)
    if name not in BIG:
        page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    found = Axe().run(page, options=RULES)
    assert found.response["violations"] == [], found.generate_report()


def test_the_first_key_leads_past_the_contents(opened):
    page = opened(FAULT)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


# How an element and what is in it looks; a page shows by any of these where one is.
LOOK = """one => [one, ...one.querySelectorAll('*')].map(part => getComputedStyle(part))
    .map(style => [style.outline, style.stroke, style.strokeWidth, style.textDecoration].join()).join('|')"""


def test_all_is_reached_by_keyboard_and_shows_where_one_is(opened):
    page = opened(FAULT)
    wanted = page.locator("a[href], button, summary, [tabindex='0']").evaluate_all(
        "all => all.filter(one => one.checkVisibility()).length"
    )
    reached = 0
    page.keyboard.press("Tab")
    while page.evaluate("document.activeElement !== document.body") and reached <= wanted:
        reached += 1
        element = page.evaluate_handle("document.activeElement")
        focused = page.evaluate(LOOK, element)
        page.evaluate("one => one.blur()", element)
        assert focused != page.evaluate(LOOK, element), element
        page.keyboard.press("Tab")
    assert reached == wanted


def test_claims_folds_and_buttons_answer_to_the_keyboard(opened):
    page = opened(FAULT, permissions=["clipboard-read", "clipboard-write"])
    page.locator(".claims a.place").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(":target.cited")).to_be_in_viewport()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".finding :target")).to_be_in_viewport()
    page.locator("#set-aside > summary").focus()
    page.keyboard.press("Space")
    expect(page.locator("#set-aside li").first).to_be_visible()
    page.locator(".copy").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("Copied")


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("name", [FAULT, UNCLEAR, WELL])
def test_what_one_acts_on_is_on_paper(opened, name, scripts):
    page = opened(name, width=794, java_script_enabled=scripts)
    page.emulate_media(media="print", color_scheme="dark")
    for kept in page.locator(".verdict, .finding .summary, .steps .command, .finding .claims > li:first-child").all():
        expect(kept).to_be_visible()
    for gone in page.locator(".copy, .contents, .skip").all():
        expect(gone).to_be_hidden()


def test_three_causes_take_six_pages_at_most(opened):
    printed = opened(FAULT).pdf(format="A4")
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) <= 6


A4, LETTER = 1017, 950
"""In pixels, without their margins."""
# Sheets of paper side by side, which a script can measure: columns of A4's height are filled by the rules of pages.
SHEETS = """(height) => {
    const sheet = document.body.style;
    Object.assign(sheet, {width: "695px", height: `${height}px`, columnWidth: "695px", columnGap: "40px", columnFill: "auto"});
    const sheetOf = (box) => Math.floor((box.left + scrollX + 5) / 735);
    const boxes = (one) => [...one.getClientRects()];
    const following = (one) => {
        for (let at = one; at && at !== document.body; at = at.parentElement)
            for (let next = at.nextElementSibling; next; next = next.nextElementSibling)
                if (boxes(next).some((box) => box.height > 1)) return next;
    };
    const heads = [...document.querySelectorAll("h2, h3, h4, .undo > p")].filter((one) => boxes(one).length);
    const alone = heads.filter((one) => following(one) && sheetOf(boxes(one).at(-1)) !== sheetOf(boxes(following(one))[0]));
    const last = Math.max(...[...document.querySelectorAll("main *")].flatMap(boxes).map(sheetOf));
    return {heads: heads.length, alone: alone.map((one) => one.textContent), sheets: last + 1};
}"""


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", [FAULT, "overloaded-node", "stuck-in-init", UNCLEAR])
def test_no_heading_is_left_alone_at_the_foot_of_a_page(opened, name, language):
    page = opened(name, language, 695)
    page.emulate_media(media="print")
    for height in (A4, LETTER, *range(700, 1000, 37)):
        found = page.evaluate(SHEETS, height)
        assert found["heads"] >= 5
        assert found["sheets"] >= 2, "the sheets are filled as paper is"
        assert found["alone"] == [], height


def test_paper_is_white_whatever_the_screen(opened):
    page = opened(FAULT, color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_folds_are_as_before_after_printing(opened):
    page = opened(FAULT)
    before = page.locator("details[open]").count()
    page.pdf(format="A4")
    assert page.locator("details[open]").count() == before
