"""`referee league watch`: a live table of a league that another process plays."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import msgspec
from msgspec.structs import replace
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from referee.cli.console import AsJson, Console, out, print_json_line, say, wide
from referee.core.text import one_line, several
from tournaments.cli.arguments import File, Url
from tournaments.cli.early_exit import until_ctrl_c
from tournaments.cli.progress import LINE_EVERY_S, node_lines, rate, span, steady, summary
from tournaments.cli.results_text import standings_table, swiss_table
from tournaments.cli.table_layout import COLUMNS
from tournaments.cli.times import local_time
from tournaments.league.status import Trouble
from tournaments.results.league_location import past_league
from tournaments.results.live_status import LiveSnapshot, LiveStatus, TableSnapshot
from tournaments.schedule.formats import Bracket
from tournaments.schedule.formats.knockout_bracket import drawn
from tournaments.store import whereabouts

Show: TypeAlias = Callable[[LiveSnapshot, TableSnapshot | None], None]
"""Shows how a league is now, with the last table."""

_FEWEST_LINES = 4
"""The table has so many lines however low the terminal is. What went wrong lately gives way to them."""

_BESIDES = 7
"""Lines besides what is counted: the name, two empty lines, three about the table, and the last line of the screen."""


def watch(file: File, store: Url = None, json: AsJson = False) -> None:
    """Show the progress of a league that another process plays, until the run ends or you press Ctrl-C."""
    league, url = past_league(file, store)
    watched = LiveStatus(league, url)
    view = _documents() if json else _screen(whereabouts(url)) if out.is_terminal else _lines(whereabouts(url))
    with until_ctrl_c(), view as show:
        for snapshot in watched.snapshots():
            show(snapshot, watched.table)


# In JSON


@contextmanager
def _documents() -> Iterator[Show]:
    """A JSON document for each change, on a line of its own. It has a table if there is a new one."""
    last_snapshot: LiveSnapshot | None = None
    last_table: TableSnapshot | None = None

    def show(snapshot: LiveSnapshot, table: TableSnapshot | None) -> None:
        nonlocal last_snapshot, last_table
        if _timeless(snapshot) == _timeless(last_snapshot) and table is last_table:
            return
        new = None if table is None or table is last_table else table._asdict()
        print_json_line(msgspec.structs.asdict(snapshot) | {"left_s": snapshot.left_s, "table": new})
        last_snapshot, last_table = snapshot, table

    yield show


def _timeless(snapshot: LiveSnapshot | None) -> LiveSnapshot | None:
    """A glance without what changes though nothing happens."""
    if snapshot is None:
        return None
    return replace(snapshot, at_ms=0, a_second=None, fleet=snapshot.fleet and steady(snapshot.fleet))


# In lines


@contextmanager
def _lines(place: str) -> Iterator[Show]:
    """A line every minute of play, and at once when somebody begins or ends to play; the table at the end."""
    last_state: tuple[object, ...] = ()
    next_s = 0.0

    def show(snapshot: LiveSnapshot, table: TableSnapshot | None) -> None:
        nonlocal last_state, next_s
        what = (snapshot.state, snapshot.runner)
        if what != last_state or (time.monotonic() >= next_s and snapshot.state == "playing"):
            say(": ".join((snapshot.league, "; ".join(head(snapshot, place)))))
            last_state, next_s = what, time.monotonic() + LINE_EVERY_S
        if snapshot.state == "over" and table is not None:
            for part in _body(table, COLUMNS):
                wide.print(part)

    yield show


# On a terminal


@contextmanager
def _screen(place: str) -> Iterator[Show]:
    """The whole terminal, drawn anew each time. The last picture remains at the end."""
    console = Console()
    last: RenderableType = ""

    def show(snapshot: LiveSnapshot, table: TableSnapshot | None) -> None:
        nonlocal last
        last = frame(snapshot, table, place, *console.size)
        live.update(last, refresh=True)

    try:
        with Live(console=console, screen=True, auto_refresh=False) as live:
            yield show
    finally:
        console.print(last)


def frame(snapshot: LiveSnapshot, table: TableSnapshot | None, place: str, width: int, height: int) -> RenderableType:
    """All that is shown, in so many lines of so many characters."""
    above = [*head(snapshot, place)]
    room = height - len(above) - _BESIDES
    nodes = [] if snapshot.fleet is None else [*node_lines(snapshot.fleet)]
    below = [*map(_trouble_line, snapshot.trouble), *nodes][: max(0, room - _FEWEST_LINES)]
    body: list[RenderableType] = []
    if table is not None:
        body = ["", *_body(table, width, max(_FEWEST_LINES, room - len(below)))]
    elif snapshot.progress is not None and snapshot.progress.stored:
        body = ["", "the ratings are being computed"]
    name = Text(one_line(snapshot.league), style="bold", no_wrap=True, overflow="ellipsis")
    return Group(name, *map(_line, above), *body, "", *map(_line, below))


def _line(text: str) -> Text:
    """A line that is cut where the terminal ends."""
    return Text(one_line(text), no_wrap=True, overflow="ellipsis")


def head(snapshot: LiveSnapshot, place: str) -> Iterator[str]:
    """The progress of the league, and the process that plays it."""
    progress = snapshot.progress
    if progress is None:
        yield "nothing was played so far; waiting for the first run"
        yield f"its results will be in {place}"
        return
    matches = progress.matches
    parts = [f"{matches.planned - matches.remaining:,} of {several(matches.planned, 'match', 'matches')}"]
    parts += [] if snapshot.a_second is None else [rate(snapshot.a_second)]
    parts += [] if not snapshot.left_s else [f"about {span(snapshot.left_s)} left"]
    parts += [f"wave {progress.waves}"] if progress.waves > 1 else []
    counts = {"skipped": matches.skipped, "abandoned": matches.abandoned, "void": progress.void}
    parts += [f"{count:,} {what}" for what, count in counts.items() if count]
    yield f"as of {_clock(snapshot.at_ms)}, {', '.join(parts)}"
    yield {
        "playing": f"{snapshot.runner} plays it",
        "over": "it is over",
    }.get(snapshot.state, "nobody plays it now")
    if snapshot.fleet is not None:
        yield summary(snapshot.fleet)


def _trouble_line(trouble: Trouble) -> str:
    if trouble.bot is None:
        return f"{_clock(trouble.at_ms)}  void: {trouble.match}: {trouble.what}"
    return f"{_clock(trouble.at_ms)}  fault: {trouble.bot}: {trouble.what} in {trouble.match}"


def _body(table: TableSnapshot, width: int, lines: int | None = None) -> Iterator[RenderableType]:
    """The table and the moment that it is of; in so many lines, or all of it."""
    count, first = _drawn(table, width)
    limit = count if lines is None or count <= lines else lines - 1
    yield _line(f"table as of {_clock(table.at_ms)}, after {several(table.stored, 'match', 'matches')}")
    yield first(limit)
    if limit < count:
        yield _line(f"... and {count - limit:,} more")


def _drawn(table: TableSnapshot, width: int) -> tuple[int, Callable[[int], RenderableType]]:
    """How many lines the table of the league's format has, and a function that draws the first n of them."""
    standings, rounds = table.standings, table.rounds
    if isinstance(rounds, Bracket):
        tree = drawn(rounds, width).splitlines()
        return len(tree), lambda n: Group(*map(_line, tree[:n]))
    if rounds is not None:
        ratings = {line.bot: line.rating for line in standings.standings}
        return len(rounds), lambda n: swiss_table(standings.league, rounds[:n], ratings, width).table
    found = standings.standings
    return len(found), lambda n: standings_table(replace(standings, standings=found[:n]), width).table


def _clock(at_ms: int) -> str:
    """The time of day here."""
    return local_time(at_ms).strftime("%H:%M:%S")
