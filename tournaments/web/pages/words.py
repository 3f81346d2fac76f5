"""The words of the pages: facts in, sentences out. `english.toml` has the sentences, by keys, with named gaps."""

import shlex
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from referee.core.errors import WrongUse
from referee.core.outcome import Outcome
from referee.core.text import several
from referee.drawing.drawer import options_text, setting_text
from referee.drawing.registry import drawer
from referee.drawing.seat_names import bot_in_words as bot
from referee.match.terms import Clock
from referee.wire.registry import game_entry
from tournaments.league.model import Luck
from tournaments.results.bot_losses import VersionLead
from tournaments.results.league_events import LeagueEvent
from tournaments.results.standings import StandingView
from tournaments.web.pages.number_format import interval, limit, signed, span
from tournaments.web.pages.urls import Kind
from tournaments.web.visibility.league_view import LeagueView, Phase, TableView
from tournaments.web.visibility.match_view import MatchView
from tournaments.web.visibility.table_views import TableStamp

_TEXTS: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    files("tournaments.web.pages").joinpath("english.toml").read_text(encoding="utf-8")
)


def say(key: str, **facts: object) -> str:
    """The sentence of a key, such as `match.title`, with these facts in its gaps; empty if there is none."""
    part, _, name = key.partition(".")
    return str(_TEXTS[part].get(name, "")).format(**facts)


def count_of(number: int, what: str) -> str:
    """So many things; `what` is a key of the part `counts`."""
    return several(number, *_TEXTS["counts"][what])


MENU: Mapping[Kind, str] = _TEXTS["menu"]  # type: ignore[assignment]
"""The pages of the menu in their order, with their headings."""

PHASES: Mapping[Phase, str] = _TEXTS["phase"]  # type: ignore[assignment]

SUSPENDED_WHY = say("suspended.why")

_MANY = 4
"""With so many seats the bots of a match are listed."""

_DASH = "\u2013"


def format_of(league: LeagueView) -> str:
    """The kind of a league."""
    kind = str(league.format.get("kind", ""))
    return say(f"format.{kind}") or kind


def title(league: LeagueView) -> str:
    """The heading of the pages of a league: what its organizer wrote, or its name."""
    return league.about.title or league.name.replace("-", " ").replace("_", " ").strip().capitalize() or league.name


def league_text(league: LeagueView) -> str:
    """A few sentences about a league: what its organizer wrote, or what its game and its settings are."""
    if league.about.text:
        return league.about.text
    kind, luck = format_of(league), say("league.own" if league.own_luck else "league.common")
    played = say("league.text", format=kind[:1].upper() + kind[1:], deals=count_of(league.deals, "deal"), luck=luck)
    try:
        return f"{getattr(game_entry(league.game).game, 'about', '')} {played}".strip()
    except WrongUse:
        return played


def place(line: StandingView) -> str:
    """The place of a bot, or all places that it may have."""
    return _DASH if line.ranks is None else _DASH.join(map(str, sorted({*line.ranks})))


def record_heading(lines: Sequence[StandingView]) -> str:
    """The heading of the matches that the bots of these lines won and lost."""
    drawn = [say("standings.drawn")] * any(line.draws for line in lines)
    return f" {_DASH} ".join([say("standings.won"), *drawn, say("standings.lost")])


def record(line: StandingView, lines: Sequence[StandingView]) -> str:
    """The matches that a bot won and lost, and drew if one of these lines has such matches."""
    drawn = [f"{line.draws:,}"] * any(each.draws for each in lines)
    return f" {_DASH} ".join([f"{line.wins:,}", *drawn, f"{line.losses:,}"])


def ordinal(number: int) -> str:
    """A number of an order, such as 2nd."""
    last = 0 if number % 100 in {11, 12, 13} or number % 10 > 3 else number % 10
    return f"{number}{_TEXTS['several']['ends'][last]}"


def deal(number: int, rotation: int) -> str:
    """A match in a list: its deal, and which of the seatings on it."""
    return say("match.in_list", deal=number, seating=ordinal(rotation + 1))


def against(view: MatchView) -> str:
    """The bots of a match and their versions, as opponents."""
    return say("match.against").join(bot(it.bot) for it in view.seats) if len(view.seats) < _MANY else players(view)


def result(view: MatchView) -> str:
    """The winners and the losers of a match whose result the viewer may know."""
    won, others = ([seat.bot for seat in view.seats if (seat.place == 1) == is_won] for is_won in (True, False))
    if is_together(view) or not others or not won:
        bots = players(view) if is_together(view) else against(view)
        return say("match.ended", bots=bots, result=winners(view))
    return say("match.beat", winners=_bots(won), losers=_bots(others))


def board_heading(league: LeagueView, latest: MatchView | None) -> str:
    """The heading of the board of a league that everybody may see."""
    if latest is None:
        return format_of(league).capitalize()
    is_new = league.phase == "under way" and league.own_luck
    return say("league.just_played" if is_new else "league.on_deal", deal=latest.deal)


def entrants(league: LeagueView) -> str:
    """How many bots a league has, and of how many authors."""
    bots = count_of(league.bots, "bot")
    return say("league.bots_of", bots=bots, authors=count_of(league.authors, "author")) if league.bots else bots


def counted_matches(league: LeagueView) -> str:
    """What follows the number of stored matches: of how many, if somebody knows."""
    found = league.progress
    if found is None or found.at_end is None or league.phase in {"over", "closed"}:
        return str(_TEXTS["counts"]["match"][league.stored != 1])
    return say("league.at_most" if league.format.get("kind") == "open" else "league.of", n=found.at_end)


def happened(event: LeagueEvent) -> str:
    """What happened in a league, in a sentence."""
    key = f"happened.{event.kind}{'_from' if event.kind == 'leads' and event.other else ''}"
    return say(key, bot=bot(event.bot), other=bot(event.other), deals=count_of(event.deals, "deal_is"))


def verdict(entry: str, other: VersionLead) -> str:
    """Whether a version of a bot is better than another one, by matches on equal deals."""
    low, high = other.interval or (-1.0, 1.0)
    key = f"verdict.{'better' if low > 0 else 'worse' if high < 0 else 'unknown'}"
    deals, range_ = count_of(other.deals, "equal_deal"), interval(other.interval)
    return say(key, bot=bot(entry), other=bot(other.bot), lead=signed(other.lead), interval=range_, deals=deals)


def left(seconds: float) -> str:
    """The time that the rest of a league may take."""
    return say("league.left", time=span(seconds))


def group(number: int | None, groups: int) -> str:
    """The heading of a group of bots in the standings; None: of those that played nothing yet."""
    key = "unplayed" if number is None else "title" if groups < 2 else "group"
    return say(f"standings.{key}", number=number)


def sorted_standings(bots: int, find: str) -> str:
    """The heading of standings that a reader sorted, or searched for a part of a name."""
    return say("standings.found" if find else "standings.title", bots=count_of(bots, "bot"), find=find)


def at_table(league: LeagueView, name: str | None) -> str:
    """The text beside the standings of one table: its name and its options. Empty for the standings of all matches."""
    text = options_of(league, name or "")
    return say(f"standings.at_table{'_with' if text else ''}", table=name, options=text) if name else ""


def options(game: str, table: TableView) -> str:
    """The options of a table, in the words of the game."""
    try:
        return options_text(drawer(game_entry(game).game), table.options)
    except WrongUse:
        return options_text(None, table.options)


def options_of(league: LeagueView, name: str) -> str:
    """The options of the table of this name; empty if the file no longer has it."""
    return next((options(league.game, seen) for seen in league.tables if seen.name == name), "")


def sides(table: TableView) -> str:
    """The seats of each side. Readers count them from 1."""
    if len(table.sides) < 2:
        return say("sides.together" if table.sides else "sides.open")
    named = ([str(seat + 1) for seat in side] for side in table.sides)
    return say("match.against").join(say(f"sides.{'several' if it[1:] else 'one'}", seats=_listed(it)) for it in named)


def settings(league: LeagueView) -> str:
    """The format of a league, with its keys."""
    rest = (setting_text(key, value) for key, value in league.format.items() if key != "kind" and value)
    return ", ".join((format_of(league), *rest))


def clock(limits: Clock) -> str:
    """The time limits of a bot."""
    given = {"move": limits.move_ms, "bank": limits.bank_ms, "increment": limits.increment_ms, "start": limits.start_ms}
    return ", ".join(say(f"clock.{key}", time=limit(ms)) for key, ms in given.items() if ms or key == "start")


def of_matches(of: TableStamp) -> str:
    """The matches that a table covers."""
    return say(f"standings.{'interim' if of.interim else 'matches'}", matches=count_of(of.matches, "match"))


def on_deals(deals: int, luck: Luck) -> str:
    """The number of deals that a table covers, and whether everybody played the same ones."""
    return say(f"together.{luck}", deals=count_of(deals, "deal"))


def together(bots: Sequence[str], share: str, matches: int, mean_score: float | None) -> str:
    """A cell of the cross-play in words."""
    key = "one" if len(bots) == 1 else "alone" if bots[0] == bots[1] else "pair"
    of = count_of(matches, "match")
    record_text = say(f"together.{key}", bot=bot(bots[0]), other=bot(bots[-1]), share=share, matches=of)
    return record_text if mean_score is None else say("together.score", what=record_text, score=mean_score)


def suspension(faults: Mapping[str, int]) -> str:
    """Why a bot is suspended, with the faults that are known to the viewer."""
    known = ", ".join(f"{kind} {often:,}" for kind, often in sorted(faults.items()))
    return say("suspended.faults" if known else "suspended.why", why=SUSPENDED_WHY, faults=known)


def board(outcome: Outcome) -> str:
    """The end of a match in words, for readers who do not see the picture."""
    places = (say("match.place", seat=seat, place=place) for seat, place in enumerate(outcome.places, 1))
    return say("match.end", ending=outcome.ending.replace("_", " "), places=", ".join(places))


def board_style(game: str) -> str:
    """The name of the style sheet of a game's pictures."""
    return f"board-{game}.css"


def menu(league: LeagueView) -> list[tuple[Kind, str]]:
    """The pages of a league that the menu has, with their headings."""
    has = {
        "rounds": league.format.get("kind") in {"swiss", "knockout"},
        "crosstable": any(len(table.sides) != 1 for table in league.tables),
        "crossplay": any(len(table.sides) == 1 for table in league.tables),
    }
    return [(kind, heading) for kind, heading in MENU.items() if has.get(kind, True)]


def closed(league: LeagueView) -> str:
    """The deals of a league that are closed."""
    first = league.deals_closed
    key = "rehearsal" if league.rehearsal else "all" if first is None else "own" if league.own_luck else "first"
    return say(f"closed.{key if first != 0 or key != 'first' else 'none'}", deals=count_of(first or 0, "deal_is"))


def takes_bots(league: LeagueView) -> str:
    """Whether bots may be submitted."""
    return say(f"takes.{'yes' if league.takes_bots else 'closed' if league.phase == 'closed' else 'no'}")


def sentence(text: str) -> str:
    """The text of a refusal, as a sentence of its own."""
    result = text[:1].upper() + text[1:]
    return result if result.endswith((".", "!", "?", ":")) else f"{result}."


def matches_heading(name: str, other: str) -> str:
    """The heading of a list of matches: of a bot, or of two that sit together."""
    named = [bot(each) for each in (name, other) if each]
    return say("match.of", bots=_listed(named)) if named else say("match.all")


def match_title(view: MatchView) -> str:
    """The heading of a match."""
    return say("match.title", deal=view.deal, seating=ordinal(view.rotation + 1), table=view.table)


def players(view: MatchView) -> str:
    """The bots that play a match."""
    return ", ".join(_players(Counter(seat.bot for seat in view.seats)))


def _players(often: Mapping[str, int]) -> Iterator[str]:
    small = _TEXTS["several"]["small"]
    for name, times in often.items():
        yield bot(name) if times == 1 else say("several.of_one", times=small[min(times, 7)], bot=bot(name))


def ending(view: MatchView, texts: Mapping[str, str]) -> str:
    """How a match ended; `texts` say what the endings of its game mean."""
    return say("match.no_ending") if view.ending is None else ending_named(view.ending, texts)


def ending_named(name: str, texts: Mapping[str, str]) -> str:
    """An ending, in the words of `texts` if they have it."""
    return texts.get(name, name.replace("_", " "))


def counted(kind: str, name: str, texts: Mapping[str, str]) -> str:
    """What losses are counted by: another bot, a seat, a side or an ending."""
    if kind == "other":
        return bot(name)
    return str(int(name) + 1) if kind == "seat" else ending_named(name, texts)


def is_together(view: MatchView) -> bool:
    """Whether all seats were one side, against the game. Then all have place 1, or all have place 2."""
    sides = {seat.side for seat in view.seats}
    return len(view.seats) > 1 and len(sides) == 1 and None not in sides


def spar(match: str) -> str:
    """The command that has the deal of a match played by other bots."""
    return f"referee scrimmage YOUR-BOT@1 LEAGUE-ADDRESS --against OTHER-BOT@1 --match {shlex.quote(match)}"


def winners(view: MatchView) -> str:
    """The winners of a match, in words."""
    first = [seat.bot for seat in view.seats if seat.place == 1]
    if view.ending is None:
        return say("match.hidden")
    if is_together(view):
        return say("match.all_won" if first else "match.all_lost")
    if len(first) == len(view.seats):
        return say("match.equal")
    return say("match.won", winners=_bots(first)) if first else say("match.nobody_won")


def each_time(views: Sequence[MatchView]) -> str:
    """On one deal: how often a seat won, of those alone on a side the first, else of all the one that won most."""
    matches = count_of(len(views), "match")
    won = Counter(seat.seat for view in views for seat in view.seats if seat.place == 1)
    if is_together(views[0]):
        return say("match.same_all", won=won[0], matches=matches)
    sides = [seat.side or "" for seat in views[0].seats]
    is_so = len(sides) > 2 and all([seat.side or "" for seat in view.seats] == sides for view in views)
    alone = [seat for seat, side in enumerate(sides) if is_so and len(side) > 1 and sides.count(side) == 1]
    seat = (alone or [max(range(len(sides)), key=won.__getitem__)])[0]
    side = sides[seat].replace("_", " ")
    return say(f"match.same_{'side' if alone else 'seat'}", seat=seat + 1, side=side, won=won[seat], matches=matches)


def _bots(entries: Sequence[str]) -> str:
    return _listed([bot(name) for name in dict.fromkeys(entries)])


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else say("several.last_of_list", first=", ".join(names[:-1]), last=names[-1])
