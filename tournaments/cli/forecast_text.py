"""The output of `league check`."""

from collections.abc import Iterator, Mapping

from referee.core.text import several
from tournaments.maintenance.forecast import Forecast
from tournaments.maintenance.separation import Separation
from tournaments.schedule.formats import Balance


def told(found: Forecast) -> Iterator[str]:
    """A forecast in lines for people."""
    yield from _told(found)
    if found.separation is not None:
        yield _length(found.separation, found)


def _told(found: Forecast) -> Iterator[str]:
    planned, tried = found.planned, found.tried
    first = " in the first wave; results decide what comes after it" if found.goes_on else ""
    bots, deals = several(len(planned.bots), "bot", "bots"), several(found.deals, "deal", "deals")
    yield f"{found.league}: {_matches(planned.matches)} of {bots} on {deals}{first}"
    yield from (f"table {name}: {_matches(matches)}" for name, matches in sorted(planned.tables.items()))
    yield f"each bot: {_each(planned.bots)}"
    yield from _luck(found)
    yield from map(_choice, found.choice)
    if found.apart is not None:
        yield found.apart
    processes = several(found.processes, "process", "processes")
    yield f"at once: {several(found.workers, 'worker', 'workers')}, {processes} of bots, {_memory(found)}"
    yield from found.away
    yield (
        f"tried: {_matches(tried.matches)} of {several(tried.line_ups, 'line-up', 'line-ups')} with {tried.bots} of"
        f" {bots}" + (f"; {_matches(tried.void)} void" if tried.void else "")
    )
    yield from (f"fault: {sentence}" for sentence in tried.faults)
    if not tried.faults and tried.matches:
        yield "no bot had a fault"
    if tried.cost is None or found.hours is None or found.megabytes is None:
        yield "no match was finished, so nothing can be said about time and store"
        return
    yield f"estimated: {tried.cost.match_s:.2g} s a match, {tried.cost.start_s:.2g} s to start the bots of a line-up"
    whole, then = ("the first wave", " after it") if found.goes_on else ("in all", "")
    yield f"{whole}: {_time(found.hours)} with {several(found.workers, 'worker', 'workers')}"
    yield f"the store takes {_size(found.megabytes)}{then}"


def _length(needed: Separation, found: Forecast) -> str:
    """How long the league must be to tell two bots apart."""
    pair = f"two bots of which one beats the other in {100 * needed.share:.4g} % of their matches"
    often = f"in {100 * needed.power:.0f} of 100 leagues"
    if needed.deals is None or needed.matches is None:
        return f"no number of deals separates {pair} {often}"
    most = "" if needed.format_matches is None else f" and matches = {needed.format_matches}"
    hours, workers = found.separation_hours, several(found.workers, "worker", "workers")
    time = "" if hours is None else f", {_time(hours)} with {workers}"
    keys = f"deals = {needed.deals}{most}"
    return f"to separate {pair} {often} (95 % intervals): {keys}, which makes {_matches(needed.matches)}{time}"


def _luck(found: Forecast) -> Iterator[str]:
    """The tables whose matches have luck of their own; of the others there is nothing to say."""
    own = [name for name, luck in found.luck.items() if luck == "own"]
    if own and set(own) <= set(found.assumed_luck):
        yield (
            "luck: each match has its own, because the league takes bots of others or is served; write"
            ' luck = "common" into the league file if all bots shall play the same deals'
        )
    elif own:
        yield f"luck: each match has its own at {several(len(own), 'table', 'tables')}: {', '.join(own)}"


def _choice(choice: Balance) -> str:
    least, most = choice.fewest_meetings, choice.most_meetings
    often = f"{least}" if least == most else f"{least} to {most}"
    groups = several(choice.every, "group", "groups")
    return f"table {choice.table}: {choice.groups:,} of {groups}; any two bots meet in {often} of them"


def _matches(number: int) -> str:
    return several(number, "match", "matches")


def _each(bots: Mapping[str, int]) -> str:
    """How many matches a bot has, if all have as many; else the bots one by one."""
    if len(set(bots.values())) == 1:
        return _matches(next(iter(bots.values())))
    return ", ".join(f"{name} {matches:,}" for name, matches in sorted(bots.items()))


def _memory(found: Forecast) -> str:
    if found.memory_mib is None:
        return "whose memory nothing limits"
    return f"which may take {found.memory_mib:,} MiB together"


def _time(hours: float) -> str:
    return f"{hours:,.1f} hours" if hours >= 1 else f"{60 * hours:.1f} minutes"


def _size(megabytes: float) -> str:
    return f"{megabytes:,.0f} MB" if megabytes >= 10 else f"{megabytes:.2g} MB"
