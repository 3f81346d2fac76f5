"""Documents of headings, tables and sentences, written as Markdown or as one HTML file without scripts.

Names and sentences may come from bots. They are data: nothing in them becomes markup.
"""

import re
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from referee.core.text import one_line
from referee.drawing.svg import Element, markup

_MARKS = re.compile(r"([\\`*_\[\]#|~])")
"""What Markdown could read as markup, besides HTML."""

_LONG = 60
"""Cells of more characters may be broken into lines."""

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1d21; --paper: #ffffff; --line: #d5d8de; --faint: #6a7080; --head: #f3f4f7 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7e9ee; --paper: #15171a; --line: #343942; --faint: #9aa1b0; --head: #1e2126 }
}
body { margin: 0 auto; padding: 24px 16px; max-width: 1200px; color: var(--ink); background: var(--paper);
  font: 15px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums }
h1 { font-size: 24px } h2 { font-size: 18px; margin-top: 40px }
.wide { overflow-x: auto; margin: 12px 0 }
pre { font: 13px/1.3 ui-monospace, monospace }
table { border-collapse: collapse; font-size: 14px }
th, td { padding: 4px 12px 4px 0; text-align: left; border-bottom: 1px solid var(--line); white-space: nowrap }
th { background: var(--head); padding-left: 4px } td { padding-left: 4px }
td.number, th.number { text-align: right }
td.long { min-width: 320px; white-space: normal; overflow-wrap: anywhere }
svg { max-width: 100%; height: auto }
ul { padding-left: 20px; color: var(--faint) }
"""


class Grid(NamedTuple):
    """A table.

    Attributes:
        titles: above its columns.
        rows: its cells, line by line.
    """

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Section(NamedTuple):
    """A part of a document.

    Attributes:
        title: its heading.
        tables: its tables.
        notes: sentences below them.
        drawing: lines that are drawn with letters, above the tables.
        picture: what a page shows above the tables; Markdown leaves it out.
    """

    title: str
    tables: tuple[Grid, ...]
    notes: tuple[str, ...]
    drawing: tuple[str, ...] = ()
    picture: Element | None = None


class Document(NamedTuple):
    """A document.

    Attributes:
        title: of all of it.
        lines: the sentences before everything else.
        sections: its parts, in order.
    """

    title: str
    lines: tuple[str, ...]
    sections: tuple[Section, ...]


def markdown(document: Document) -> str:
    """The document in GitHub's Markdown."""
    return "\n".join(_markdown(document))


def _markdown(document: Document) -> Iterator[str]:
    yield f"# {_quoted(document.title)}"
    for line in document.lines:
        yield f"\n{_quoted(line)}"
    for section in document.sections:
        yield f"\n## {_quoted(section.title)}"
        if section.drawing:
            yield ""
        yield from (f"    {one_line(line)}" for line in section.drawing)  # so much indented it is no markup
        for table in section.tables:
            yield ""
            yield _markdown_row(table.titles)
            yield f"|{'|'.join(' --- ' for _ in table.titles)}|"
            yield from map(_markdown_row, table.rows)
        if section.notes:
            yield ""
        yield from (f"- {_quoted(note)}" for note in section.notes)
    yield ""


def _markdown_row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(map(_quoted, cells))} |"


def _quoted(text: str) -> str:
    return _MARKS.sub(r"\\\1", escape(one_line(text), quote=False))


def html(document: Document) -> str:
    """The document as an HTML file that needs nothing else and runs nothing."""
    return "\n".join(_html(document))


def _html(document: Document) -> Iterator[str]:
    title = _text(document.title)
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>"
    yield from (f"<p>{_text(line)}</p>" for line in document.lines)
    for section in document.sections:
        yield f"<h2>{_text(section.title)}</h2>"
        if section.drawing:
            yield '<pre class="wide">'
            yield from map(_text, section.drawing)
            yield "</pre>"
        if section.picture:
            yield markup(section.picture)
        for table in section.tables:
            yield from _html_table(table)
        if section.notes:
            yield f"<ul>{''.join(f'<li>{_text(note)}</li>' for note in section.notes)}</ul>"
    yield "</body>\n</html>\n"


def _html_table(table: Grid) -> Iterator[str]:
    kinds = [_kind(cells) for cells in zip(*table.rows, strict=True)] or [""] * len(table.titles)
    yield '<div class="wide"><table>'
    yield _html_row("th", table.titles, kinds)
    yield from (_html_row("td", row, kinds) for row in table.rows)
    yield "</table></div>"


def _html_row(tag: str, cells: tuple[str, ...], kinds: list[str]) -> str:
    html_cells = (f"<{tag}{kind}>{_text(cell)}</{tag}>" for cell, kind in zip(cells, kinds, strict=True))
    return f"<tr>{''.join(html_cells)}</tr>"


def _kind(cells: tuple[str, ...]) -> str:
    """How the cells of a column are set: numbers to the right, and sentences on as many lines as they need."""
    if all(map(_is_number, cells)):
        return ' class="number"'
    return ' class="long"' if max(map(len, cells)) > _LONG else ""


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[<>+-]?[\d.,]*%?|[\d.-]+\.\.[\d.-]+", cell) is not None


def _text(text: str) -> str:
    return escape(one_line(text))
