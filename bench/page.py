"""How big the page of a large cluster is, how long it takes to write, and how soon a browser has it ready.

The browser's own clock counts: from the start of the navigation to the first paint, to the parsed document, and to the
end of the first layout and a scroll to its foot, when a reader can use all of it.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from calivet.evidence.gather import gather
from calivet.pipeline import examine
from calivet.reports.html.page import to_html
from calivet.scene.draw import scene
from calivet.signs.ready import ready
from tests.browser.conftest import FLAGS, PROGRAMS
from tests.pages.big import write_big

SIZES = {200: 4, 5000: 6}
ROUNDS = 5
READY = """() => new Promise(done => {
    scrollTo(0, document.documentElement.scrollHeight);
    requestAnimationFrame(() => requestAnimationFrame(() => {
        const [opened] = performance.getEntriesByType('navigation');
        const painted = performance.getEntriesByName('first-contentful-paint')[0];
        done([painted ? painted.startTime : NaN, opened.domContentLoadedEventEnd, performance.now()]);
    }));
})"""


def opened(browser: Browser, file: Path) -> list[float]:
    """Milliseconds until paint, document and use; the median of some openings."""
    rounds = []
    for _ in range(ROUNDS):
        page = browser.new_page()
        page.goto(file.as_uri())
        rounds.append(page.evaluate(READY))
        page.close()
    return [statistics.median(figures) for figures in zip(*rounds, strict=True)]


def written(nodes: int, folder: Path) -> tuple[Path, float, float]:
    """The page in a file, and the seconds that the scene and the page took."""
    evidence = write_big(folder / "evidence", nodes, SIZES[nodes])
    found = examine(gather([str(evidence)]), *ready())
    start = time.perf_counter()
    drawn = scene(found)
    middle = time.perf_counter()
    file = folder / "page.html"
    file.write_text(to_html(found.diagnosis, drawn, "en"), "utf-8")
    return file, middle - start, time.perf_counter() - middle


def main() -> None:
    """Print one table."""
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        print("no browser: chromium is not installed (scripts/test-browser says how)")
        return
    print("nodes      size    scene     page    paint   parsed   usable")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        for nodes in SIZES:
            with tempfile.TemporaryDirectory() as folder:
                file, drawing, writing = written(nodes, Path(folder))
                size = file.stat().st_size / 1e6
                figures = "".join(f"{figure:6.0f} ms" for figure in opened(browser, file))
                print(f"{nodes:5d} {size:6.2f} MB {drawing:6.2f} s {writing:6.2f} s{figures}")
        browser.close()


if __name__ == "__main__":
    main()
