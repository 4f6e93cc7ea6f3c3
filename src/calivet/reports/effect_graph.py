"""A picture of the effects and what follows from what, as SVG: causes stand on the left only as a count."""

from __future__ import annotations

from html import escape

from calivet.catalogue.model import Catalogue, Effect
from calivet.messages.message import say
from calivet.reports.layout.wrapping import wrap_text

BOX, HEIGHT, GAP_X, GAP_Y, MARGIN = 190, 46, 60, 18, 20
STYLE = (
    "text{font:12px sans-serif;fill:#1f2933}rect{fill:#eef4fb;stroke:#5b7fa6}path{fill:none;stroke:#8a99a8}"
    ".count{fill:#7a4b00;font-size:11px}"
)

GridCell = tuple[int, int]


def draw_effect_graph(catalogue: Catalogue, language: str) -> str:
    """The picture. Each effect stands one column behind the last effect that leads to it."""
    effects = {
        name: effect for name, effect in catalogue.effects.items() if effect.leads_to or _count_causes(name, catalogue)
    }
    places = _place_effects(effects)
    width = MARGIN * 2 + (max(x for x, _ in places.values()) + 1) * (BOX + GAP_X) - GAP_X
    height = MARGIN * 2 + (max(y for _, y in places.values()) + 1) * (HEIGHT + GAP_Y) - GAP_Y
    title = say("drawing.effects", language)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{title}">',
            f"<title>{title}</title><style>{STYLE}</style>",
            *(
                _draw_arrow(places[name], places[after])
                for name in effects
                for after in effects[name].leads_to
                if after in places
            ),
            *(
                _draw_box(effect, places[name], _count_causes(name, catalogue), language)
                for name, effect in effects.items()
            ),
            "</svg>\n",
        ]
    )


def _count_causes(name: str, catalogue: Catalogue) -> int:
    return sum(name in cause.leads_to for cause in catalogue.causes.values())


def _place_effects(effects: dict[str, Effect]) -> dict[str, GridCell]:
    """Column and row of each effect."""
    columns: dict[str, int] = dict.fromkeys(effects, 0)
    for _ in effects:  # the graph has no cycles, so this settles
        for name, effect in effects.items():
            for after in effect.leads_to:
                if after in columns:
                    columns[after] = max(columns[after], columns[name] + 1)
    rows: dict[int, int] = {}
    places = {}
    for name, column in columns.items():
        places[name] = (column, rows.get(column, 0))
        rows[column] = rows.get(column, 0) + 1
    return places


def _find_corner(place: GridCell) -> GridCell:
    return MARGIN + place[0] * (BOX + GAP_X), MARGIN + place[1] * (HEIGHT + GAP_Y)


def _draw_box(effect: Effect, place: GridCell, causes: int, language: str) -> str:
    x, y = _find_corner(place)
    lines = wrap_text(effect.title.read(language), 26)[:2]
    texts = [f'<text x="{x + 8}" y="{y + 16 + 14 * n}">{escape(line)}</text>' for n, line in enumerate(lines)]
    count = (
        f'<text class="count" x="{x + BOX - 8}" y="{y + HEIGHT - 5}" text-anchor="end">← {causes}</text>'
        if causes
        else ""
    )
    return f'<rect x="{x}" y="{y}" width="{BOX}" height="{HEIGHT}" rx="5"/>{"".join(texts)}{count}'


def _draw_arrow(start: GridCell, end: GridCell) -> str:
    (x1, y1), (x2, y2) = _find_corner(start), _find_corner(end)
    x1, y1, y2 = x1 + BOX, y1 + HEIGHT // 2, y2 + HEIGHT // 2
    middle = x1 + GAP_X // 2
    return f'<path d="M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}"/>'
