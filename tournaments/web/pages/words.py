"""The sentences of the pages that depend on what is shown, and those that several pages have."""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from referee.core.errors import WrongUse
from referee.core.outcome import Outcome
from referee.core.text import several
from referee.drawing.drawer import options_text, setting_text
from referee.drawing.registry import drawer
from referee.drawing.seat_names import bot_in_words as bot
from referee.match.terms import Clock
from referee.wire.registry import game_entry
from tournaments.league.model import Luck
from tournaments.league.submissions import State
from tournaments.results.bot_losses import VersionLead
from tournaments.results.league_events import EventKind, LeagueEvent
from tournaments.results.standings import StandingView
from tournaments.web.pages.number_format import interval, limit, signed, span
from tournaments.web.pages.urls import Kind
from tournaments.web.visibility.bot_view import BotView
from tournaments.web.visibility.entry_view import SubmissionView
from tournaments.web.visibility.league_view import LeagueView, Phase, TableView
from tournaments.web.visibility.match_view import MatchView
from tournaments.web.visibility.table_views import TableStamp

MENU: Mapping[Kind, str] = MappingProxyType(
    {
        "standings": "Overview",
        "rounds": "Rounds",
        "matches": "Matches",
        "crosstable": "Two by two",
        "crossplay": "Together",
        "fared": "Seats and sides",
        "history": "Ratings over matches",
        "entries": "Bots",
        "league": "How it works",
    }
)
"""The pages of the menu in their order, with their headings."""

SUSPENDED_WHY = (
    "Five or more of its matches, and more than a fifth of all, ended by its own fault. Its later matches are "
    "skipped. The organizer can end this."
)

_MANY = 4
"""With so many seats the bots of a match are listed."""

_DASH = "\u2013"
_SMALL = ("no", "one", "two", "three", "four", "five", "six", "many")
_ENDS = ("th", "st", "nd", "rd")
_SEATING = {
    "distinct": "different bots",
    "copies": "any bots, also several of one",
    "teams": "one bot has all seats of a side",
}

PHASES: dict[Phase, str] = {
    "waiting": "not begun",
    "under way": "under way",
    "counting": "being counted",
    "paused": "paused",
    "between waves": "between waves",
    "over": "finished",
    "closed": "closed",
}

_FORMATS = {
    "round-robin": "round robin",
    "gauntlet": "gauntlet",
    "swiss": "Swiss",
    "knockout": "knock-out",
    "open": "open league",
}


def format_of(league: LeagueView) -> str:
    """The kind of a league."""
    kind = str(league.format.get("kind", ""))
    return _FORMATS.get(kind, kind)


def title(league: LeagueView) -> str:
    """The heading of the pages of a league: what its organizer wrote, or its name."""
    return league.about.title or league.name.replace("-", " ").replace("_", " ").strip().capitalize() or league.name


def league_text(league: LeagueView) -> str:
    """A few sentences about a league: what its organizer wrote, or what its game and its settings are."""
    if league.about.text:
        return league.about.text
    luck = "each match with luck of its own" if league.own_luck else "the same cards and dice for all"
    played = (
        f"{format_of(league)[:1].upper()}{format_of(league)[1:]}; {several(league.deals, 'deal', 'deals')}, {luck}."
    )
    return f"{_about_game(league.game)} {played}".strip()


def _about_game(name: str) -> str:
    """What a game is about, if an installed package says it."""
    try:
        return str(getattr(game_entry(name).game, "about", ""))
    except WrongUse:
        return ""


def place(line: StandingView) -> str:
    """The place of a bot, or all places that it may have."""
    if line.ranks is None:
        return _DASH
    first, last = line.ranks
    return f"{first}" if first == last else f"{first}{_DASH}{last}"


def record_heading(lines: Sequence[StandingView]) -> str:
    """The heading of the matches that the bots of these lines won and lost."""
    return f" {_DASH} ".join(["won", *["drawn"] * any(line.draws for line in lines), "lost"])


def record(line: StandingView, lines: Sequence[StandingView]) -> str:
    """The matches that a bot won and lost, and drew if one of these lines has such matches."""
    drawn = [f"{line.draws:,}"] * any(each.draws for each in lines)
    return f" {_DASH} ".join([f"{line.wins:,}", *drawn, f"{line.losses:,}"])


def ordinal(number: int) -> str:
    """A number of an order, such as 2nd."""
    return f"{number}{_ENDS[0 if number % 100 in {11, 12, 13} or number % 10 > 3 else number % 10]}"


def deal(number: int, rotation: int) -> str:
    """A match in a list: its deal, and which of the seatings on it."""
    return f"{number}, {ordinal(rotation + 1)}"


def against(view: MatchView) -> str:
    """The bots of a match and their versions, as opponents."""
    return " against ".join(bot(seat.bot) for seat in view.seats) if len(view.seats) < _MANY else players(view)


def result(view: MatchView) -> str:
    """The winners and the losers of a match whose result the viewer may know."""
    won, others = ([seat.bot for seat in view.seats if (seat.place == 1) == is_won] for is_won in (True, False))
    if is_together(view) or not others or not won:
        return f"{players(view) if is_together(view) else against(view)}: {winners(view)}"
    return f"{_bots(won)} beat {_bots(others)}"


def board_heading(league: LeagueView, latest: MatchView | None) -> str:
    """The heading of the board of a league that everybody may see."""
    if latest is None:
        return format_of(league).capitalize()
    return "Just played" if league.phase == "under way" and league.own_luck else f"A match on deal {latest.deal}"


def entrants(league: LeagueView) -> str:
    """How many bots a league has, and of how many authors."""
    bots = several(league.bots, "bot", "bots")
    return f"{bots} of {several(league.authors, 'author', 'authors')}" if league.bots else bots


def counted_matches(league: LeagueView) -> str:
    """What follows the number of stored matches: of how many, if somebody knows."""
    found = league.progress
    if found is None or found.at_end is None or league.phase in {"over", "closed"}:
        return "match" if league.stored == 1 else "matches"
    return f"of {'at most ' if league.format.get('kind') == 'open' else ''}{found.at_end:,} matches"


def glyph(game: str) -> str:
    """The name of the icon of leagues of a game."""
    return f"glyph-{game}.svg"


_HAPPENED: Mapping[EventKind, str] = {
    "leads": "{bot} takes the lead{from_other}",
    "ahead": "{bot} is now surely ahead of {other}",
    "enters": "{bot} enters the league",
    "suspended": "{bot} is suspended: too many matches ended by its own fault",
    "closed": "{deals} closed: their matches can be watched",
}


def happened(event: LeagueEvent) -> str:
    """What happened in a league, in a sentence."""
    other = bot(event.other)
    deals = several(event.deals, "deal is", "deals are")
    from_other = f" from {other}" if other else ""
    return _HAPPENED[event.kind].format(bot=bot(event.bot), other=other, from_other=from_other, deals=deals)


def trends(bots: Sequence[BotView]) -> list[tuple[str, Sequence[float | None]]]:
    """The ratings over time of bots, by entry, as far as they have any."""
    return [(each.bot, each.results.standing.trend) for each in bots if each.results is not None]


def verdict(entry: str, other: VersionLead) -> str:
    """Whether a version of a bot is better than another one, by matches on equal deals."""
    low, high = other.interval or (-1.0, 1.0)
    than = "better than" if low > 0 else "worse than" if high < 0 else "not told apart from"
    counted = several(other.deals, "equal deal", "equal deals")
    return f"{bot(entry)} is {than} {bot(other.bot)}: {signed(other.lead)}, {interval(other.interval)}, on {counted}"


def left(seconds: float) -> str:
    """The time that the rest of a league may take."""
    return f"about {span(seconds)} left at this speed"


def group(number: int | None, groups: int) -> str:
    """The heading of a group of bots in the standings; None: of those that played nothing yet."""
    if number is None:
        return "Not played yet"
    return "Standings" if groups < 2 else f"Group {number}"


def sorted_standings(bots: int, find: str) -> str:
    """The heading of standings that a reader sorted, or searched for a part of a name."""
    return f"{several(bots, 'bot', 'bots')} with “{find}”" if find else "Standings"


def at_table(league: LeagueView, name: str | None) -> str:
    """The text beside the standings of one table: its name and its options. Empty for the standings of all matches."""
    if name is None:
        return ""
    text = options_of(league, name)
    return f"only matches at table {name}{f': {text}' if text else ''}"


def options(game: str, table: TableView) -> str:
    """The options of a table, in the words of the game."""
    try:
        return options_text(drawer(game_entry(game).game), table.options)
    except WrongUse:
        return options_text(None, table.options)


def options_of(league: LeagueView, name: str) -> str:
    """The options of the table of this name; empty if the file no longer has it."""
    return next((options(league.game, seen) for seen in league.tables if seen.name == name), "")


def seating(table: TableView) -> str:
    """Which bots may sit together."""
    return _SEATING.get(table.seating, table.seating)


def sides(table: TableView) -> str:
    """The seats of each side. Readers count them from 1."""
    if not table.sides:
        return "not fixed before play"
    if len(table.sides) == 1:
        return "all seats against the game"
    return " against ".join(
        f"seat{'s' * (len(seats) > 1)} {listed([str(seat + 1) for seat in seats])}" for seats in table.sides
    )


def settings(league: LeagueView) -> str:
    """The format of a league, with its keys."""
    rest = (setting_text(key, value) for key, value in league.format.items() if key != "kind" and value)
    return ", ".join((format_of(league), *rest))


def clock(limits: Clock) -> str:
    """The time limits of a bot."""
    parts = [f"{limit(limits.move_ms)} a decision"] if limits.move_ms else []
    parts += [f"a bank of {limit(limits.bank_ms)}"] if limits.bank_ms else []
    parts += [f"{limit(limits.increment_ms)} more for each decision"] if limits.increment_ms else []
    return ", ".join((*parts, f"{limit(limits.start_ms)} to start"))


def of_matches(of: TableStamp) -> str:
    """The matches that a table covers."""
    return f"of {several(of.matches, 'match', 'matches')}{' so far' if of.interim else ''}"


def on_deals(deals: int, luck: Luck) -> str:
    """The number of deals that a table covers, and whether everybody played the same ones."""
    which = "that everybody played" if luck == "common" else "each; no two matches had the same luck"
    return f"on {several(deals, 'deal', 'deals')} {which}"


def together(bots: Sequence[str], share: str, matches: int, mean_score: float | None) -> str:
    """A cell of the cross-play in words."""
    first = bot(bots[0])
    who = first if len(bots) == 1 else f"{first} alone" if bots[0] == bots[1] else " with ".join(map(bot, bots))
    score = "" if mean_score is None else f"; mean score {mean_score:.0f}"
    return f"{who}: won {share} of {several(matches, 'match', 'matches')}{score}"


def suspension(faults: Mapping[str, int]) -> str:
    """Why a bot is suspended, with the faults that are known to the viewer."""
    known = ", ".join(f"{kind} {often:,}" for kind, often in sorted(faults.items()))
    return f"{SUSPENDED_WHY}{f' Its faults: {known}.' if known else ''}"


def board(outcome: Outcome) -> str:
    """The end of a match in words, for readers who do not see the picture."""
    places = ", ".join(f"seat {seat} place {place}" for seat, place in enumerate(outcome.places, 1))
    return f"How the match ended: {outcome.ending.replace('_', ' ')}; {places}"


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
    if league.rehearsal:
        return "A rehearsal: its seed can be guessed, so everything is told."
    if league.deals_closed is None:
        return "All deals are closed: everything is told."
    if league.own_luck:
        return "Each match has luck of its own, which is told with the match: everybody can watch it when it has ended."
    if league.deals_closed:
        first = several(league.deals_closed, "deal is", "deals are")
        return f"The first {first} closed. The others are open: only results are told."
    return "All deals are open: only results are told, until they are closed."


def takes_bots(league: LeagueView) -> str:
    """Whether bots may be submitted."""
    if league.takes_bots:
        return "Bots may be submitted."
    if league.phase == "closed":
        return "The league is closed, and takes no bots in."
    return "Only the organizer enters bots now."


_NEXT: dict[State, str] = {
    "received": "It waits to be built. Then it is checked, and enters the league if it passes.",
    "building": "It is being built. Then it is checked, and enters the league if it passes.",
    "checking": "It is being checked, and enters the league if it passes.",
    "entered": "It is in the league.",
    "rejected": "It did not enter the league. The last part of the log says why.",
}


def becomes(submission: SubmissionView) -> str:
    """The next step of a submission; empty if its state says all."""
    return _NEXT.get(submission.state, "")


def sentence(text: str) -> str:
    """The text of a refusal, as a sentence of its own."""
    result = text[:1].upper() + text[1:]
    return result if result.endswith((".", "!", "?", ":")) else f"{result}."


def matches_heading(name: str, other: str) -> str:
    """The heading of a list of matches: of a bot, or of two that sit together."""
    named = " and ".join(bot(each) for each in (name, other) if each)
    return f"Matches of {named}" if named else "Matches"


def match_title(view: MatchView) -> str:
    """The heading of a match."""
    return f"Deal {view.deal}, {ordinal(view.rotation + 1)} seating at table {view.table}"


def players(view: MatchView) -> str:
    """The bots that play a match."""
    often = Counter(seat.bot for seat in view.seats)
    many = {name: f"{_SMALL[min(times, len(_SMALL) - 1)]} of " * (times > 1) for name, times in often.items()}
    return ", ".join(f"{many[name]}{bot(name)}" for name in often)


def ending(view: MatchView, texts: Mapping[str, str]) -> str:
    """How a match ended; `texts` say what the endings of its game mean."""
    return "not told yet" if view.ending is None else ending_named(view.ending, texts)


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
    if view.ending is None:
        return "The result is told when the deal is closed."
    first = [seat.bot for seat in view.seats if seat.place == 1]
    if is_together(view):
        return "all won" if first else "all lost"
    if len(first) == len(view.seats):
        return "all places are equal"
    return f"{_bots(first)} won" if first else "nobody won"


def each_time(views: Sequence[MatchView]) -> str:
    """On one deal: how often a seat won, of those alone on a side the first, else of all the one that won most."""
    of = f"of {several(len(views), 'match', 'matches')}"
    won = Counter(seat.seat for view in views for seat in view.seats if seat.place == 1)
    if is_together(views[0]):
        return f"All won {won[0]} {of} on this deal."
    sides = [seat.side or "" for seat in views[0].seats]
    is_so = len(sides) > 2 and all([seat.side or "" for seat in view.seats] == sides for view in views)
    alone = [seat for seat, side in enumerate(sides) if is_so and len(side) > 1 and sides.count(side) == 1]
    seat = (alone or [max(range(len(sides)), key=won.__getitem__)])[0]
    was = f" was the {sides[seat].replace('_', ' ')} each time, and" if alone else ""
    return f"Seat {seat + 1}{was} won {won[seat]} {of} on this deal."


def _bots(entries: Sequence[str]) -> str:
    return listed([bot(name) for name in dict.fromkeys(entries)])


def listed(names: Sequence[str]) -> str:
    """Names with commas, and "and" before the last."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
