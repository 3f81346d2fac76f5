"""Every kind of page, of the values in `values.py`."""

from collections.abc import Callable
from functools import cache

from tests.drawing.matches import QUICK, golden_match
from tests.tournaments.web.pages import values
from tournaments.play.bot_logs import LogRecord
from tournaments.web import across
from tournaments.web.page_router import NO_STANDINGS
from tournaments.web.pages import bots, highlights, leagues, matches, result_tables, rounds, words
from tournaments.web.pages.match_pictures import DecidedMoment, PlayedMatch, played
from tournaments.web.pages.rendering import Page, PageFrame
from tournaments.web.pages.urls import Kind, PageAddress
from tournaments.web.visibility.match_view import MatchView

Change = Callable[[object], object]


def place(kind: Kind, key: str = "", after: str = "") -> PageAddress:
    return PageAddress(kind, "autumn", key, after)


@cache
def played_match() -> PlayedMatch:
    again = played(golden_match(min(QUICK, key=str)))
    assert again is not None
    return again


@cache
def replay() -> matches.MatchReplay:
    again = played_match()
    return matches.MatchReplay(again.begin(), again.result(), again.recording())


@cache
def first_decision() -> tuple[DecidedMoment, DecidedMoment]:
    """The first decision of a match."""
    again = played_match()
    moment = again.at(next(number for number, it in enumerate(again.watched.passages) if it.decisions))
    return moment, moment


def same_deal(items: tuple[MatchView, ...]) -> matches.SameDeal:
    """Another match on the deal of the first, and one of a scrimmage."""
    here = place("match", items[0].match)
    other = matches.deal_line(items[1], place("match", items[1].match), here)
    unrated = matches.deal_line(items[1], None, here)._replace(is_rated=False)
    return matches.SameDeal([other, unrated], words.spar(items[0].match))


def decided(text: str | None = None) -> list[bots.DecidedMatch]:
    """Matches that `bob@1`, or the bot named `text`, lost."""
    bob = text or "bob@1"
    others = ("play Sentinel face up, Enforcer face down", "discard Mole")
    won = bots.ReplayedDecision("ann@1", 4, 7, "bob plays Mole face up", "discard Mole", others[0], 0.75, 0.25)
    lost = bots.ReplayedDecision(bob, 5, 8, text or "ann stays", text or others[0], others[1], 0.75, 0.25)
    link = bots.link(values.league(), values.FIXTURE.format(0), None)
    return [bots.DecidedMatch(link, (won, lost))]


def pages(text: str | None = None) -> dict[str, Page]:
    """By name, one page of each kind; `text` replaces all foreign text."""

    def seen(value: values._S) -> values._S:
        return value if text is None else values.with_texts(value, text)

    league = seen(values.league())
    items = tuple(seen(values.match(deal)) for deal in (0, 1))
    found = matches.MatchesView(items, "3")
    searched = dict.fromkeys(matches.SEARCHED, "") | {"bot": text or ""}
    asked = matches.SearchForm(searched, ("simple",), ("caught", "worn_out"), ("crash",))
    worth = highlights.highlights(league, seen(values.HIGHLIGHTS))
    front = highlights.OpenToAll(worth, leaders=seen(values.standings()).lines[1:])
    at = bots.link(league, values.FIXTURE.format(0), None)
    to_watch = highlights.OpenToAll(
        highlights.highlights(league, values.HIGHLIGHTS),
        [(words.result(items[0]), text or "caught", at), (words.result(items[1]), "caught", at._replace(place=None))],
        (items[0], played_match().halfway(), at),
        tuple(seen(each) for each in values.EVENTS),
    )
    entries = bots.EntriesView((seen(values.ENTRY),), "ann@1", (seen(values.SUBMISSION),))
    wrote = [LogRecord("", "", 1, text or "hello\n")]
    return {
        "standings": result_tables.standings(
            league, seen(values.standings()), place("standings"), 4_000.0, to_watch=to_watch
        ),
        "crosstable": result_tables.crosstable(values.crosstable(), place("crosstable")),
        "crossplay": result_tables.crossplay(values.sides(), place("crossplay")),
        "fared": result_tables.seat_results(league, values.sides(), place("fared")),
        "history": result_tables.history(league, values.ratings(), place("history")),
        "swiss": rounds.rounds(seen(values.swiss()), place("rounds")),
        "bracket": rounds.rounds(seen(values.bracket()), place("rounds")),
        "matches": matches.matches(league, found, place("matches"), form=asked),
        "match": matches.match(league, items[0], place("match", items[0].match), wrote=wrote),
        "watched match": matches.match(
            league, items[0], place("match", items[0].match), replay(), ("earlier", "later"), wrote, same_deal(items)
        ),
        "difference": matches.difference(
            league, (items[0], items[1]), place("difference", items[0].match), first_decision()
        ),
        "open match": matches.match(league, seen(values.match(closed=None)), place("match", "x")),
        "bot": bots.bot(league, seen(values.bot()), items, place("bot", "bob@1")),
        "losses": bots.losses(
            league, seen(values.losses()), place("losses", "bob@1"), other=values.losses(), has_search=True
        ),
        "decisions": bots.decisions(text or "bob@1", decided(text), place("decisions", "bob@1")),
        "entries": bots.entries(league, entries, place("entries")),
        "submission": bots.submission(seen(values.SUBMISSION), place("entry", "7")),
        "league": leagues.league(league, place("league")),
        "nodes": leagues.league(seen(values.league(fleet=values.FLEET)), place("league")),
        "operation": leagues.league(league, place("league"), operation=seen(values.OPERATION)),
        "memory": leagues.league(seen(values.league(memory=values.MEMORY, pairs=(values.PAIR,))), place("league")),
        "leagues": leagues.leagues([league], {league.name: front}),
        "show": leagues.show(
            result_tables.standings(league, seen(values.standings()), place("show"), 60.0, to_watch=to_watch),
            played_match().film(),
        ),
        "empty show": leagues.show(result_tables.standings(league, NO_STANDINGS, place("show"))),
        "waiting": leagues.waiting(league, place("standings")),
        "profile": Page(
            PageAddress("profile", key="bob"),
            text or "bob",
            "profile",
            {
                "found": [across.InLeague(league, (seen(values.bot()),), seen(values.losses()))],
                "authors": [text or "dora"],
                "endings": {league.name: {}},
                "link": bots.link,
            },
            None,
        ),
        "author": Page(
            PageAddress("author", key="dora"),
            text or "dora",
            "author",
            {"found": [across.InLeague(league, (seen(values.bot()),))]},
            None,
        ),
        "find": Page(
            PageAddress("find"),
            "Search",
            "find",
            {
                "text": text or "o",
                "leagues": [league],
                "bots": [text or "bob"],
                "authors": [text or "dora"],
                "matches": [(place("match", values.FIXTURE.format(0)), text or "ann v1, bob v1: Deal 0")],
            },
            None,
        ),
    }


FRAME = PageFrame(values.league(), values.NOW_MS)
