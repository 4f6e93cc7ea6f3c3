"""The page of a fleet: which clusters have which cause, on a desk, on a phone, in the dark and on paper."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.making import FLEET
from tests.browser.test_access import RULES
from tests.pages.fleet import CAUSES, LONG, make_summary
from tests.reports.answers import LANGUAGES

ROWS = sum(hits for _, hits in CAUSES.values())
OVER = sum(not hit.now for cause in make_summary().causes for hit in cause.hit)


@pytest.mark.parametrize(("language", "theme", "width"), [("en", "light", 1440), ("zh", "dark", 390)])
def test_axe_finds_nothing(opened, language, theme, width):
    found = Axe().run(opened(FLEET, language, width, color_scheme=theme), options=RULES)
    assert found.response["violations"] == [], found.generate_report()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [1440, 820, 390, 320])
def test_every_cell_is_on_the_screen(opened, language, width):
    """Nothing is beyond the edge, the longest name included; nothing of the page stays empty beside the table."""
    page = opened(FLEET, language, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cells = page.locator(".fleet td > span")
    edges = cells.evaluate_all("all => all.map(one => one.getBoundingClientRect()).map(box => [box.left, box.right])")
    assert len(edges) > ROWS * 4
    assert all(left >= 0 and right <= width for left, right in edges)
    assert page.locator(".fleet").bounding_box()["width"] > width * 0.85
    assert LONG in page.locator(".fleet").inner_text()


def test_on_a_phone_each_cell_says_what_it_is(opened):
    page = opened(FLEET, width=390)
    named = (
        page.locator(".fleet tbody tr")
        .first.locator("td")
        .evaluate_all("all => all.filter(one => one.textContent).map(one => getComputedStyle(one, '::before').content)")
    )
    assert named[:2] == ['"Cluster"', '"Cause"']
    assert "none" not in named


def test_filters_leave_what_was_asked_for(opened):
    page = opened(FLEET)
    rows = page.locator(".fleet tbody tr:visible")
    assert rows.count() == ROWS
    page.locator("#cause").select_option("conntrack-full")
    assert rows.count() == CAUSES["conntrack-full"][1]
    expect(page.locator("#shown")).to_have_text(f"{rows.count()} / {ROWS} rows")
    page.locator("#cause").select_option("")
    page.locator("#now").check()
    assert rows.count() == ROWS - OVER
    page.locator("#filter").fill("prod-us v3.27")
    assert 0 < rows.count() < ROWS - OVER
    assert all("prod-us" in text and "v3.27" in text for text in rows.all_inner_texts())


def test_without_scripts_it_is_a_plain_table(opened):
    page = opened(FLEET, java_script_enabled=False)
    assert page.locator(".filters:visible").count() == 0
    assert page.locator(".fleet tbody tr:visible").count() == ROWS


def test_on_paper_it_is_dark_on_white_with_its_head_on_every_page(opened):
    page = opened(FLEET, color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('thead')).display") == "table-header-group"
    expect(page.locator(".filters")).to_be_hidden()
    printed = page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) <= 2


def test_on_paper_no_date_or_version_is_broken(opened):
    page = opened(FLEET, width=696)
    page.emulate_media(media="print")
    cells = page.locator(".fleet td:nth-child(n + 3) > span")
    assert set(cells.evaluate_all("all => all.map(one => one.getClientRects().length)")) == {1}
