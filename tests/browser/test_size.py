"""Pages of big clusters stay small: what makes a browser slow is bytes and elements."""

from __future__ import annotations

import pytest

from tests.browser.making import BIG, page_of
from tests.reports.answers import LANGUAGES

MOST_BYTES, MOST_ELEMENTS = 5_000_000, 20_000


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", BIG)
def test_a_page_stays_small(opened, name, language):
    assert len(page_of(name, language).encode()) < MOST_BYTES
    page = opened(name, language)
    assert page.evaluate("document.querySelectorAll('*').length") < MOST_ELEMENTS
    assert page.locator("#map svg").count() > 0
    assert page.locator("#timeline svg").count() > 0
