"""Nothing in the catalogue rests on a case: no host, pod or address of a labelled case stands in a pattern or a sign."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import calivet.signs
from calivet.evaluation import load_cases
from calivet.signs.sighting import list_observations
from tests.shipped import load_shipped_catalogue

ROOT = Path(__file__).parents[2]
CORPORA = [folder for folder in (ROOT / "corpus", ROOT.parent / "shared" / "corpus") if folder.is_dir()]
POD = re.compile(r"\b(?:calico-node|kube-proxy|canal|calico-typha-[a-z0-9]+)-[a-z0-9]{5}\b")
ADDRESS = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])")
# Ranges and addresses that every cluster has.
COMMON = {
    "127.0.0.1",
    "0.0.0.0",
    "169.254.1.1",
    "255.255.255.255",
    "10.96.0.1",
    "10.96.0.10",
    "10.0.2.15",
    "169.254.169.254",
}


def knowledge() -> str:
    """All patterns, and the source of all computed signs."""
    patterns = [str(item.what.pattern) for item in list_observations(load_shipped_catalogue()) if item.what.pattern]
    sources = [path.read_text("utf-8") for path in Path(str(calivet.signs.__file__)).parent.rglob("*.py")]
    return "\n".join([*patterns, *sources])


@pytest.mark.parametrize("corpus", CORPORA, ids=lambda folder: "shared" if folder.parent.name == "shared" else "own")
def test_no_name_or_address_of_a_case(corpus):
    known = knowledge()
    for case in load_cases(corpus):
        text = "\n".join(
            path.read_text("utf-8", "replace") for path in (case.folder / "evidence").rglob("*") if path.is_file()
        )
        own = {node for node in case.expect.nodes if len(node) > 5} | set(POD.findall(text))
        own |= {address for address in ADDRESS.findall(text) if address not in COMMON and not address.endswith(".0")}
        near = [name for name in own if name in known]
        found = [name for name in near if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", known)]
        assert found == [], case.name
