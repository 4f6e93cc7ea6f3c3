"""The page of the documentation, its pictures and the figures behind them: all made from the figures alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bench.figures import Figures, load, store
from bench.plots import plot, told
from bench.summary import rows
from bench.units import digits, duration

HERE = Path(__file__).parent
FIGURES, PAGE = "benchmarks.json", "benchmarks.md"


def files(figures: Figures) -> dict[str, str]:
    """Every file that is made from the figures, by its place in the folder."""
    curves = [curve for part in figures.values() for curve in part.curves]
    return {PAGE: render(figures)} | {f"plots/{curve.name}.svg": plot(curve) for curve in curves}


def render(figures: Figures) -> str:
    """The page."""
    environment = Environment(
        loader=FileSystemLoader(HERE), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"duration": duration, "digits": digits}
    template = environment.get_template("page.md.jinja")
    return template.render(parts=figures, rows=rows(figures), versions=_versions(figures), told=told) + "\n"


def publish(folder: Path, fresh: Figures, order: Sequence[str]) -> Figures:
    """Write it all: the parts that were just run, and the others as they were run last."""
    known = load(folder / FIGURES) | fresh
    figures = {name: known[name] for name in order if name in known}
    (folder / "plots").mkdir(parents=True, exist_ok=True)
    store(folder / FIGURES, figures)
    for name, text in files(figures).items():
        (folder / name).write_text(text, "utf-8")
    return figures


def _versions(figures: Figures) -> dict[str, list[str]]:
    """Of each program every version that was used; parts may have been run at different times."""
    found: dict[str, list[str]] = {}
    for part in figures.values():
        for name, version in part.versions.items():
            known = found.setdefault(name, [])
            if version not in known:
                known.append(version)
    return found
