"""The addresses of pages, and the links to them. The same page has one address in a folder and another at a server."""

import posixpath
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Literal, NamedTuple, TypeAlias
from urllib.parse import parse_qsl, quote, urlencode

PLAY = "/play/"
"""The path where visitors play against bots, if a served league opens some to them."""

Kind: TypeAlias = Literal[
    "leagues",
    "standings",
    "crosstable",
    "crossplay",
    "fared",
    "history",
    "rounds",
    "matches",
    "match",
    "replay",
    "show",
    "difference",
    "bot",
    "losses",
    "decisions",
    "league",
    "entries",
    "entry",
    "profile",
    "author",
    "find",
]
"""The kind of a page."""

_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.@+-]{0,199}")


class PageAddress(NamedTuple):
    """The address of a page.

    Attributes:
        kind: the kind of page.
        league: the name of the league; empty for the list of leagues.
        key: the match, bot, entry or table that it is about; empty if there is only one page.
        after: the position at which the previous part ended, if a page has parts; empty for the first part.
        query: the rest of the search and the order, as in an address; only a server can search and sort.
    """

    kind: Kind
    league: str = ""
    key: str = ""
    after: str = ""
    query: str = ""

    @property
    def section(self) -> Kind:
        """The kind of the menu page that this page belongs to."""
        return _SECTIONS.get(self.kind, self.kind)


_SECTIONS: dict[Kind, Kind] = {
    "match": "matches",
    "difference": "matches",
    "bot": "entries",
    "losses": "entries",
    "decisions": "entries",
    "entry": "entries",
}


class Links(NamedTuple):
    """Writes the links on one page.

    Attributes:
        to: the address of a page.
        json: the address of the content of a page, as JSON.
        look: the address of a style sheet, script or picture of all pages, by its name.
        beside: the address of a file beside the pages of a league, such as its icon: the league, and the name.
    """

    to: Callable[[PageAddress], str]
    json: Callable[[PageAddress], str]
    look: Callable[[str], str]
    beside: Callable[[str, str], str]


def relative_links(here: PageAddress) -> Links:
    """The links on the page `here`, between files of one folder, which may be anywhere."""
    folder = posixpath.dirname(file_of(here)) or "."

    def path(file: str) -> str:
        return quote(posixpath.relpath(file, folder))

    return Links(
        lambda place: path(file_of(place)),
        lambda place: path(data_file_of(place)),
        lambda name: path(look_file(name)),
        lambda league, name: path(f"{league}/{name}"),
    )


def file_of(place: PageAddress) -> str:
    """The file of a page in a site: a path in its folder, with / between its parts."""
    return f"{_stem(place)}.html"


def data_file_of(place: PageAddress) -> str:
    """The file with the content of the page, as JSON."""
    return f"{_stem(place)}.json"


def look_file(name: str) -> str:
    """The file of a style sheet or script."""
    return f"look/{name}"


_FOLDERS: dict[Kind, str] = {"match": "matches", "bot": "bots", "entry": "entries"}
"""The folders of kinds with many pages, if their name is not that of the kind."""


def _stem(place: PageAddress) -> str:
    if place.kind == "leagues":
        return "index"
    after = f"-{_short(place.after)}" if place.after else ""
    if place.key:
        return f"{place.league}/{_FOLDERS.get(place.kind, place.kind)}/{_short(place.key)}{after}"
    return f"{place.league}/{'index' if place.kind == 'standings' else place.kind}{after}"


def _short(name: str) -> str:
    """A file name for a key. Names of bots are file names; the id of a match is too long, and has slashes."""
    return name if _PLAIN.fullmatch(name) else sha256(name.encode()).hexdigest()[:20]


_OF_ALL: dict[Kind, str] = {"leagues": "/", "profile": "/bots", "author": "/authors", "find": "/find"}
"""The paths of pages about all leagues. Only a server has them, but for the list of leagues."""

_KEYS: dict[Kind, str] = {"standings": "table", "matches": "bot"}
"""The name of the parameter for the key, where the key is not a part of the path."""

_DATA: dict[Kind, str] = {
    "leagues": "",
    "league": "",
    "crossplay": "/sides",
    "fared": "/sides",
    "history": "/ratings",
    "match": "/matches",
    "replay": "/transcripts",
    "bot": "/entries",
    "entry": "/submissions",
}
"""The path of the JSON of a page, below the address of the API, if its name is not that of the page."""


def _pages_path(place: PageAddress) -> tuple[str, list[tuple[str, str]]]:
    if place.kind in _OF_ALL:
        return _path(_OF_ALL[place.kind], place, [])
    return _path(f"/leagues/{place.league}/{place.kind}", place, [("after", place.after)])


def _data_path(place: PageAddress) -> tuple[str, list[tuple[str, str]]]:
    path = f"/leagues/{place.league}/api{_DATA.get(place.kind, f'/{place.kind}')}" if place.league else "/leagues"
    if place.kind == "crosstable":
        row, _, column = place.after.partition("-")
        return path, [("row", row), ("column", column)]
    return _path(path, place, [] if place.kind == "crossplay" else [("after", place.after)])


def _path(path: str, place: PageAddress, query: list[tuple[str, str]]) -> tuple[str, list[tuple[str, str]]]:
    query = [*parse_qsl(place.query), *query]
    if place.kind in _KEYS:
        return path, [(_KEYS[place.kind], place.key), *query]
    return (f"{path}/{place.key}" if place.key else path), query


def _address(path: str, query: list[tuple[str, str]]) -> str:
    query_text = urlencode([(name, value) for name, value in query if value])
    return quote(path, safe="/@+") + (f"?{query_text}" if query_text else "")


SERVED = Links(
    lambda place: _address(*_pages_path(place)),
    lambda place: _address(*_data_path(place)),
    lambda name: f"/look/{name}",
    lambda league, name: quote(f"/leagues/{league}/{name}"),
)
"""The links on all pages of a server."""
