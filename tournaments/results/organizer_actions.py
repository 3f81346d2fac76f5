"""What the organizer of a league does about its bots and matches, also while a run plays the league.

Bots enter and leave; a suspension ends; abandoned matches, and those that an outage spoiled, are played again.
"""

import sys
from collections import Counter
from collections.abc import Collection, Set

from referee.core.errors import WrongUse
from tournaments.league.model import Entry, Fixture, StoredMatch
from tournaments.league.submissions import ORGANIZER
from tournaments.results.progress import league_moment
from tournaments.results.stored_league import StoredLeague
from tournaments.schedule.counting_rules import SkippedFixtures
from tournaments.schedule.leaving import Leaving


class BotEntered(WrongUse):
    """A bot of that name is in the league already."""


class WasSubmitted(WrongUse):
    """The bot is kept in the store, and leaves by another command."""


class TooLate(WrongUse):
    """The league takes no more bots in."""


class NotAbandoned(WrongUse):
    """The match is not one that was abandoned."""


def enter_bot(results: StoredLeague, entry: Entry, now_ms: int) -> str:
    """Enter a bot, also while the league is played. Returns from when on it plays, after the word `it`.

    Raises:
        BotEntered: a bot of this name is in the league, or its name is that of an author's bot.
        TooLate: it is a knock-out that has begun, or no wave follows any more.
        LeagueClosed: the league is closed.
    """
    league, store = results.league, results.store
    results.closing.require_open(league.name)
    if entry.name in {each.name for each in league.entries}:
        raise BotEntered(f"{entry.name} is in {league.name} already; a changed bot needs a new version or label")
    name = entry.answers_to.partition("@")[0]
    owner = store.submissions.registry(league).owners.get(name, ORGANIZER)
    if owner != ORGANIZER:
        raise BotEntered(
            f"the name {name} belongs to {owner}; take it first: referee entry give {name} {ORGANIZER} LEAGUE.toml"
        )
    moment = league_moment(results)

    def check() -> None:
        nonlocal moment
        moment = league_moment(results.as_stored_now(), entry.name)
        for hindrance in moment.hindrances():
            raise TooLate(hindrance)

    store.change(entry.name, entry, now_ms, check)
    return moment.entering()


def leaving_of(results: StoredLeague, bot: str) -> Leaving:
    """What it changes that the organizer withdraws a bot now.

    Raises:
        NoSuchBot: it is not in the league.
        LeavingRefused: it cannot leave the league now.
    """
    results.require_entered(bot)
    return league_moment(results).leaving(bot, "organizer")


def lost_matches(results: StoredLeague, leaving: Leaving) -> dict[str, int]:
    """By bot, how many of its matches stop counting when a bot leaves, the leaving bot first."""
    if leaving.wave is None:
        return {}
    deals = results.state.plan.waves[leaving.wave].deals
    seats = (fixture.entries for fixture, _ in results.state.counted() if fixture.deal in deals)
    lost = Counter(entry for entries in seats if leaving.bot in entries for entry in set(entries))
    return dict(sorted(lost.items(), key=lambda each: (each[0] != leaving.bot, -each[1], each[0])))


def withdraw_bot(results: StoredLeague, bot: str, now_ms: int) -> Leaving:
    """Withdraw a bot, also while the league is played. In the wave that is being played nothing of it counts.

    Raises:
        NoSuchBot: it is not in the league.
        LeavingRefused: it cannot leave the league now.
        WasSubmitted: it was submitted, so its submission must know.
    """
    leaving = leaving_of(results, bot)
    if any(entry.name == bot and entry.source is not None for entry in results.league.entries):
        raise WasSubmitted(f"{bot} was submitted; withdraw it with: referee entry withdraw {bot} LEAGUE.toml")

    def wave() -> int | None:
        nonlocal leaving
        leaving = leaving_of(results.as_stored_now(), bot)  # nothing changes any more before the bot is withdrawn
        return leaving.wave

    results.store.change(bot, None, now_ms, wave)
    return leaving


def reinstate_bot(results: StoredLeague, bot: str, now_ms: int) -> None:
    """Lift the suspension of a bot for good. The run plays the skipped matches on open deals, or else the next run.

    Raises:
        NoSuchBot: it never was in the league.
        LeagueClosed: the league is closed.
        TooLate: nothing is played any more that results decide.
    """
    name = results.league.name
    results.closing.require_open(name)
    results.require_known(bot)
    moment = league_moment(results, bot)
    if moment.by_results and moment.phase == "over":
        raise TooLate(f"{name} is over, so it does not matter any more whether {bot} is suspended")
    results.store.reinstate(bot, now_ms, lambda: _first_open_deal(results.as_stored_now()))
    results.take_up_decisions()


def _first_open_deal(results: StoredLeague) -> int:
    """The first deal that no complete wave has. Where results decide nothing, no wave is complete for good."""
    return open_deals(results).start


def open_deals(results: StoredLeague) -> range:
    """The deals on which the plan may still change: those of the wave under way, and those that no wave has."""
    waves, moment = results.overview().plan.waves, league_moment(results)
    if not moment.by_results or not waves:
        return range(results.closing.below, sys.maxsize)
    return range(waves[-1].deals.start if moment.phase == "under way" else waves[-1].deals.stop, sys.maxsize)


def retry_abandoned(results: StoredLeague, fixtures: Collection[str] = ()) -> int:
    """Take abandoned matches up again, all of them unless `fixtures` names some.

    The run plays them before it decides another wave, or else the next run.

    Returns:
        How many were taken up.

    Raises:
        NotAbandoned: one of the fixtures is not abandoned, or its deal was closed since.
    """
    count = results.store.retry(lambda: _open_abandoned(results.as_stored_now(), fixtures))
    results.take_up_decisions()
    return count


def _open_abandoned(results: StoredLeague, fixtures: Collection[str]) -> Set[str]:
    """These fixtures if they are abandoned and their deals are open; if none is named, all that are."""
    closing = results.closing
    given_up = [each for each in results.overview().verdict().abandoned if not closing.has(each.deal)]
    still_open = open_deals(results) if given_up else range(0)
    abandoned = [each.id for each in given_up if each.deal in still_open]
    for fixture in fixtures:
        if fixture not in abandoned:
            those = ", ".join(abandoned) or "none"
            raise NotAbandoned(f"{fixture} is not abandoned in {results.league.name}; its abandoned matches: {those}")
    return set(fixtures or abandoned)


def faults_within(results: StoredLeague, span: range) -> list[tuple[Fixture, StoredMatch]]:
    """The matches that a bot's fault cut short and that were stored within a span of time, in plan order.

    The span is in milliseconds since 1970 (UTC). Matches of a wave that a bot has left are not among them.

    Raises:
        LeagueClosed: the league is closed.
        TooLate: one of them is in a complete wave, from which others follow.
    """
    results.closing.require_open(results.league.name)
    state, still_open = results.state, open_deals(results)
    gone = SkippedFixtures(state.plan, {}, results.withdrawn())
    spoiled = (each for each in state.stored() if each.played.offenders and each.played.stored_ms in span)
    placed = ((each.placed, each.played) for each in spoiled if each.placed)
    found = [(it.fixture, played) for it, played in placed if not gone.has(it.at, it.fixture.entries)]
    for fixture, _ in found:
        if fixture.deal not in still_open:
            raise TooLate(f"{fixture.id} is in a wave that is complete, so it stays; name a time without it")
    return found


def retry_faults(results: StoredLeague, span: range, now_ms: int) -> int:
    """Make the matches of `faults_within` void, so that a run plays them as after `retry`. Returns how many.

    Raises:
        LeagueClosed, TooLate: as `faults_within` says.
    """
    return results.store.void_results(
        lambda: [fixture.id for fixture, _ in faults_within(results.as_stored_now(), span)], span, now_ms
    )
