"""How long the page of a large cluster takes to write, and how soon a browser has it ready.

The browser's own clock counts: from the start of the navigation to the first paint, to the parsed document, and to the
end of the first layout and a scroll to its foot, when a reader can use all of it.
"""

from __future__ import annotations

import shutil
import statistics
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from bench.bench import Bench, Result
from bench.figures import Contest, Entry
from calivet.evidence.gather import gather
from calivet.pipeline import examine
from calivet.reports.diagnosis.html.page import to_html
from calivet.reports.diagnosis.html.page_model.build import build_page_model
from calivet.signs.sign_detector import prepare_detector
from tests.browser.conftest import FLAGS, PROGRAMS
from tests.pages.big import write_big

ZONES = 6
ROUNDS = 5
STAGES = ("painted", "parsed", "usable")
READY = """() => new Promise(done => {
    scrollTo(0, document.documentElement.scrollHeight);
    requestAnimationFrame(() => requestAnimationFrame(() => {
        const [opened] = performance.getEntriesByType('navigation');
        const painted = performance.getEntriesByName('first-contentful-paint')[0];
        done([painted ? painted.startTime : NaN, opened.domContentLoadedEventEnd, performance.now()]);
    }));
})"""


def run(bench: Bench) -> Result:
    """A page for each size."""
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        return Result(remarks=["no browser: chromium is not installed (scripts/test-browser says how)"])
    result = Result()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        for nodes in bench.scale.pages:
            bench.say(f"  the page of {nodes:,} nodes")
            with bench.place("page") as folder:
                result.contests.append(_contest(browser, nodes, folder))
        browser.close()
    return result


def _contest(browser: Browser, nodes: int, folder: Path) -> Contest:
    file, entries = _written(nodes, folder)
    milliseconds = dict(zip(STAGES, _opened(browser, file), strict=True))
    shown = [Entry(stage, milliseconds[stage] / 1000, runs=ROUNDS) for stage in reversed(STAGES)]
    name = f"the page of {nodes:,} nodes, {file.stat().st_size / 1e6:.2f} MB"
    return Contest(name=name, entries=[*shown, *entries], alone=True)


def _written(nodes: int, folder: Path) -> tuple[Path, list[Entry]]:
    """The page in a file, and what its model and the page took."""
    evidence = write_big(folder / "evidence", nodes, ZONES)
    found = examine(gather([str(evidence)]), *prepare_detector())
    start = time.perf_counter()
    drawn = build_page_model(found)
    middle = time.perf_counter()
    file = folder / "page.html"
    file.write_text(to_html(found.diagnosis, drawn, "en"), "utf-8")
    return file, [Entry("drawn", middle - start), Entry("written", time.perf_counter() - middle)]


def _opened(browser: Browser, file: Path) -> list[float]:
    """Milliseconds until each stage; the median of some openings."""
    rounds = []
    for _ in range(ROUNDS):
        page = browser.new_page()
        page.goto(file.as_uri())
        rounds.append(page.evaluate(READY))
        page.close()
    return [statistics.median(figures) for figures in zip(*rounds, strict=True)]
