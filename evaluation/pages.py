"""Static HTML pages from the templates of this package: one environment, escaping on, style inlined.

Belongs here: rendering and number formats. What is shown is decided by `reporting` and `archive_report`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from evaluation.runs import write_bytes


def write_page(path: Path, template: str, **values: object) -> Path:
    """Writes a page that needs no other file and no network, and returns its path."""
    write_bytes(path, _environment().get_template(template).render(**values).encode("utf-8"))
    return path


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("evaluation", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = environment.loader.get_source(environment, "style.css")[0] if environment.loader else ""
    environment.globals["style"] = Markup(style)  # our own file, not data
    environment.filters.update(
        clock=clock, two=two, dollars=dollars, whole=whole, percent=percent, words=words, seconds=seconds
    )
    return environment


def clock(milliseconds: int) -> str:
    """Returns shift time as minutes and seconds."""
    minutes, rest = divmod(milliseconds // 1000, 60)
    return f"{minutes}:{rest:02d}"


def two(value: float | None) -> str:
    """Returns a reward with two decimals, cut (0.995 is no 1.00), or a dash."""
    return "–" if value is None else f"{int(value * 100 + 1e-9) / 100:.2f}"


def dollars(value: float | None) -> str:
    """Returns a cost; what is below a cent says so."""
    if value is None:
        return "–"
    return "<$0.01" if 0 < value < 0.01 else f"${value:,.2f}"


def whole(value: float | None) -> str:
    """Returns a rounded number with thousands separators, or a dash."""
    return "–" if value is None else f"{round(value):,}"


def percent(ppm: int) -> str:
    """Returns parts per million as a percentage with one decimal."""
    return f"{ppm / 10_000:.1f} %"


def words(identifier: str) -> str:
    """Returns an identifier as words."""
    return identifier.replace("_", " ").replace(".", " ")


def seconds(value: int) -> str:
    """Returns a duration in its largest fitting unit."""
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if value >= size:
            return f"{value / size:.1f} {unit}"
    return f"{value} s"
