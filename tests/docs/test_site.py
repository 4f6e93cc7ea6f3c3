"""The documentation site: it builds, every link inside it leads somewhere, and it loads nothing from elsewhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from docs.site.examples import with_output
from docs.site.searching import Both

DOCS = Path(__file__).parents[2] / "docs"
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href", "object": "data"}
"""Elements for which a browser fetches something, and where it is named."""
FETCHED = re.compile(r"""@import\s|url\(\s*["']?(?!data:|#)(?=https?:|//)|(?:fetch|import)\(\s*["']https?:""")


class Page(HTMLParser):
    """The addresses and anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.anchors |= {named[name] for name in ("id", "name") if name in named}
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        if tag in LOADED and LOADED[tag] in named:
            self.loads.append(named[LOADED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder that `make docs` would build."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "-c", DOCS / "site", DOCS, folder],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site):
    """Every page by its path."""
    return {path: Page(path.read_text("utf-8")) for path in site.rglob("*.html")}


def broken(path: Path, link: str, pages: dict[Path, Page]) -> Iterator[str]:
    """Why a link leads nowhere."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        yield f"{path.name}: {link} does not exist"
    elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
        yield f"{path.name}: {link} has no such anchor"


@pytest.mark.xdist_group("site")
class TestSite:
    def test_every_page_is_there(self, site):
        sources = {path.relative_to(DOCS).with_suffix(".html") for path in DOCS.rglob("*.md")}
        sources = {path for path in sources if path.parts[0] != "site"}
        assert {path for path in sources if not (site / path).exists()} == set()
        assert len(sources) > 150

    def test_no_link_is_broken(self, pages):
        found = [why for path, page in pages.items() for link in page.links for why in broken(path, link, pages)]
        assert found == []

    def test_nothing_is_loaded_from_elsewhere(self, site, pages):
        assert [url for page in pages.values() for url in page.loads if urlsplit(url).netloc] == []
        files = [path for path in site.rglob("*") if path.suffix in (".css", ".js", ".svg", ".html")]
        assert [path.name for path in files if FETCHED.search(path.read_text("utf-8"))] == []

    def test_what_is_loaded_exists(self, pages):
        found = [why for path, page in pages.items() for link in page.loads for why in broken(path, link, pages)]
        assert found == []

    def test_the_examples_were_run(self, site):
        text = re.sub(r"<[^>]+>", "", (site / "inputs.html").read_text("utf-8"))
        assert "FAULT  " in text
        assert "console run" not in text
        assert "发现故障  " in re.sub(r"<[^>]+>", "", (site / "zh.html").read_text("utf-8"))

    def test_chinese_pages_say_so(self, site):
        chinese = (site / "causes/zh/kubelet-swap-on.html").read_text("utf-8")
        assert re.search(r'<html[^>]+lang="zh-Hans"', chinese)
        assert 'href="kubelet-down.html"' in chinese

    def test_chinese_can_be_searched(self, site):
        assert json.dumps("反复") in (site / "searchindex.js").read_text("utf-8")

    def test_it_names_no_path_of_the_builder(self, site):
        here = str(DOCS.parent)
        text = [path for path in site.rglob("*") if path.suffix in (".html", ".js", ".css", ".svg")]
        assert [path.name for path in text if here in path.read_text("utf-8")] == []


class TestExamples:
    def test_output_stands_under_each_command(self, tmp_path):
        text = "before\n\n```console run\n$ echo one\n$ echo two | tr a-z A-Z\n```\n\nafter\n"
        wanted = "before\n\n```console\n$ echo one\none\n$ echo two | tr a-z A-Z\nTWO\n```\n\nafter\n"
        assert with_output("page", text, tmp_path) == wanted

    def test_an_exit_code_may_be_announced(self, tmp_path):
        assert "$ exit 2" in with_output("page", "```console run exit=2\n$ exit 2\n```\n", tmp_path)

    @pytest.mark.parametrize("head", ["console run", "console run exit=1"])
    def test_another_one_fails_the_build(self, head, tmp_path):
        with pytest.raises(Exception, match="page: '\\$ echo oh; exit 3' ended with exit code 3"):
            with_output("page", f"```{head}\n$ echo oh; exit 3\n```\n", tmp_path)

    def test_other_fences_stay_as_they_are(self, tmp_path):
        text = "```console\n$ exit 3\n```\n```sh\nexit 4\n```\n"
        assert with_output("page", text, tmp_path) == text


def test_pairs_of_chinese_characters_are_words():
    assert Both({}).split("calico-node 反复重启 v3") == ["calico", "node", "反复", "复重", "重启", "v3"]
