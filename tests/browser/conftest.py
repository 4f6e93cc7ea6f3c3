"""One browser for all tests of pages, on one worker; where there is none they are one line in the summary."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Request, sync_playwright

from tests.browser.making import page_of

HERE = Path(__file__).parent
NO_BROWSER = "no browser to look at pages with: chromium is not installed (scripts/test-browser says how)"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Opened = Callable[..., Page]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker looks at all pages."""
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """All that is skipped for want of a browser is one line in the summary: skipped here, not test by test."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple) and NO_BROWSER in report.longrepr[2]:
        report.longrepr = (str(HERE / "conftest.py"), 1, report.longrepr[2])
    return report


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        if os.environ.get("CI"):
            pytest.fail(NO_BROWSER, pytrace=False)
        pytest.skip(NO_BROWSER)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    """Opens a page from disk; no page may complain, ask for anything beside itself, or open a dialog."""
    heard: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(name: str, language: str = "en", width: int = 1280, **settings: Any) -> Page:
        file = tmp_path / f"{len(contexts)}.html"
        file.write_text(page_of(name, language), "utf-8")
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **settings))
        page = contexts[-1].new_page()
        listen(page, file.as_uri(), heard)
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert heard == []


def listen(page: Page, address: str, heard: list[str]) -> None:
    """Note all that a page should never do."""

    def on_dialog(dialog: Dialog) -> None:
        heard.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def on_request(asked: Request) -> None:
        if asked.url.partition("#")[0] != address:
            heard.append(f"request: {asked.url}")

    page.on("console", lambda message: heard.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: heard.append(f"error: {error}"))
    page.on("dialog", on_dialog)
    page.on("request", on_request)
