"""Every colour is legible on its ground, in both themes and on paper (WCAG AA: 4.5 to 1 for text, 3 to 1 for shapes)."""

from __future__ import annotations

import re

import pytest

from calivet.reports.diagnosis.html.page import ASSETS

TEXT, SHAPE = 4.5, 3.0
PAIRS = [
    *((ink, ground, TEXT) for ink in ("ink", "muted", "accent") for ground in ("paper", "card", "wash")),
    *((ink, "card", TEXT) for ink in ("good", "bad", "warn")),
    *((ink, f"{ink}-wash", TEXT) for ink in ("good", "bad", "warn")),
    *((ink, f"{ground}-wash", TEXT) for ink in ("ink", "muted", "accent") for ground in ("good", "bad", "warn")),
    ("mark-ink", "mark", TEXT),
    *((ink, "paper", SHAPE) for ink in ("good", "bad", "warn", "accent", "muted")),
]


def themes() -> dict[str, dict[str, str]]:
    """The colours by name, as the style sheets define them one after the other."""
    style = "".join((ASSETS / name).read_text("utf-8") for name in ("page.css", "print.css"))
    blocks = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    roots = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)) for block in blocks]
    return dict(zip(("light", "dark", "paper"), roots, strict=True))


def brightness(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(one: str, other: str) -> float:
    dark, light = sorted((brightness(one), brightness(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
@pytest.mark.parametrize("theme", ["light", "dark", "paper"])
def test_colours_are_legible(theme, ink, ground, least):
    colours = themes()[theme]
    assert ratio(colours[ink], colours[ground]) >= least


def test_each_theme_has_the_same_colours():
    light, dark, paper = themes().values()
    assert light.keys() == dark.keys() == paper.keys()
