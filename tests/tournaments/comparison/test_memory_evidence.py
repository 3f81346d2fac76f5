"""The test for memory, on simulated leagues that are played in the order that the seed draws."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from random import Random
from statistics import fmean
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.core.outcome import Outcome
from tests.conftest import Tell
from tests.tournaments.leagues import SEED, league, wave
from tournaments.comparison.memory_evidence import FALSE_ALARMS, MemoryBets, MemoryReport, Outcomes, memory_report
from tournaments.league.deals import own_deals
from tournaments.league.model import League
from tournaments.schedule.formats.wave import LineUp, pieces
from tournaments.schedule.play_order import drawn_order

PAIR = ("ann", "bob")
WON, LOST = Outcome("won", (1, 2), ()), Outcome("won", (2, 1), ())
DEALS = 200


class Game(NamedTuple):
    """How much decides a match, in logarithms of odds.

    Attributes:
        bots: the standard deviation of the strengths of bots.
        seat: the advantage of the first seat.
        cards: the standard deviation of the advantage that the cards of a deal give to the first seat.
        learning: what each bot gains with every match of a sitting, as it learns how its opponents play.
        memory: what each bot gains on a deal that it met before.
        hides: in how many of its last meetings with a deal a bot does not use what it remembers.
        early: what each bot gains in the first fifth of a piece.
        drift: what each bot gains from the beginning of the league to its end.
    """

    bots: float = 0.0
    seat: float = 0.0
    cards: float = 0.0
    learning: Mapping[str, float] = {}
    memory: Mapping[str, float] = {}
    hides: int = 0
    early: Mapping[str, float] = {}
    drift: Mapping[str, float] = {}


def odds(chance: float) -> float:
    """What a bot must gain to win even matches with this chance."""
    return math.log(chance / (1 - chance))


def played(of: League, game: Game, luck: Random) -> Outcomes:
    """The matches of a league of two seats, in the order of play, on one worker."""
    strength = {entry.name: luck.gauss(0, game.bots) for entry in of.entries}
    cards = [luck.gauss(game.seat, game.cards) for _ in range(of.deals)]
    met: dict[str, Counter[int]] = {name: Counter() for name in strength}
    outcomes: defaultdict[LineUp, dict[int, Outcome]] = defaultdict(dict)
    planned, order = wave(of), drawn_order(bytes.fromhex(of.seed or ""), own_deals(of))
    meetings = sum(next(iter(strength)) in line_up.entries for _, line_up in planned.line_ups.numbered())

    def gain(name: str, deal: int, number: int, now: float, ever: float) -> float:
        """What a bot gains in a match, when these parts of the piece and of the league have been played."""
        remembers = 0 < met[name][deal] < meetings - game.hides
        found = game.learning.get(name, 0) * number + game.memory.get(name, 0) * remembers
        return found + game.early.get(name, 0) * (now < 0.2) + game.drift.get(name, 0) * ever

    at = 0
    for piece in pieces(planned.deals, of.batch):
        start, size = at, len(piece) * len(planned.line_ups)
        for _, line_up, deals in order(planned.line_ups, piece):
            one, other = line_up.entries
            for number, deal in enumerate(deals):
                when = (at - start) / size, at / len(planned)
                ahead = strength[one] - strength[other] + gain(one, deal, number, *when)
                chance = 1 / (1 + math.exp(gain(other, deal, number, *when) - ahead - cards[deal]))
                outcomes[line_up][deal] = WON if luck.random() < chance else LOST
                at += 1
            met[one].update(deals)
            met[other].update(deals)
    return outcomes


def reports(count: int, bots: tuple[str, ...], deals: int, game: Game) -> Iterator[MemoryReport]:
    """What the test says of so many leagues."""
    for number in range(count):
        luck = Random(f"{number} {bots} {deals} {game}")
        of = league(bots, deals, seed=luck.randbytes(32).hex())
        yield memory_report(of, bytes.fromhex(of.seed or ""), [wave(of)], played(of, game, luck))


def alarms(found: Iterator[MemoryReport]) -> int:
    """In how many leagues a bot is noticed."""
    return sum(any(bot.noticed for bot in each.bots) for each in found)


def times_noticed(found: Iterator[MemoryReport], bot: str) -> int:
    return sum(each.noticed and each.bot == bot for report in found for each in report.bots)


UNEQUAL = Game(bots=1.0, seat=1.5, cards=1.0)
"""The first seat wins 82 % of the matches of equal bots, and bots and cards differ about as much."""

LEARNS = UNEQUAL._replace(learning={"ann@1": 0.1})
FOUR = ("ann", "bob", "cid", "dan")


@pytest.mark.slow
@pytest.mark.parametrize("game", [UNEQUAL, LEARNS])
def test_bots_without_a_memory_are_hardly_ever_noticed(game: Game) -> None:
    assert alarms(reports(20, FOUR, 56, game)) <= 1


@pytest.mark.slow
def test_of_a_thousand_leagues_without_a_memory_at_most_fifteen_raise_an_alarm(tell: Tell) -> None:
    """A quarter of each of four kinds; in all of them one alarm in a hundred is allowed."""
    kinds = product(((PAIR, DEALS), (FOUR, 56)), (UNEQUAL, LEARNS))
    found = sum(alarms(reports(250, bots, deals, game)) for (bots, deals), game in kinds)
    tell("1,000 leagues of 2 and 4 bots without a memory", {"alarms": found})
    assert found <= 15


@pytest.mark.slow
@pytest.mark.parametrize("bots", [PAIR, FOUR])
def test_a_bot_that_wins_65_of_100_matches_by_its_memory_is_noticed(bots: tuple[str, ...]) -> None:
    """It wins half of the deals that it meets first, and 80 % of the others."""
    memory = Game(memory={"ann@1": odds(0.8)})
    assert times_noticed(reports(10, bots, DEALS, memory), "ann@1") >= 9


@pytest.mark.slow
@pytest.mark.parametrize(("again", "least"), [(0.72, 120), (0.8, 190)])
@pytest.mark.parametrize("bots", [PAIR, FOUR])
def test_how_often_a_bot_with_a_memory_is_noticed_within_200_deals(
    again: float, least: int, bots: tuple[str, ...], tell: Tell
) -> None:
    """A bot that wins 72 % of the deals that it met before wins 61 of 100 matches, and one that wins 80 % wins 65."""
    found = times_noticed(reports(200, bots, DEALS, Game(memory={"ann@1": odds(again)})), "ann@1")
    tell(f"200 leagues of {len(bots)} bots, one wins {again:.0%} of the deals that it met before", {"noticed": found})
    assert found >= least


@pytest.mark.slow
def test_where_cards_decide_the_results_of_others_on_the_deal_show_what_a_bot_remembers() -> None:
    """Almost every deal is won by the same seat. The bot wins some of them at the other seat if it met them before."""
    memory = Game(cards=6.0, memory={"ann@1": 3.5})
    assert times_noticed(reports(20, FOUR, 150, memory), "ann@1") >= 12
    assert times_noticed(reports(20, PAIR, 150, memory), "ann@1") <= 6


SIX = ("ann", "bob", "cid", "dan", "eve", "fay")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("again", "hides", "least"), [(0.8, 0, 21), (0.8, 1, 12), (0.95, 1, 24), (0.95, 3, 18)], ids=str
)
def test_a_bot_that_hides_its_memory_in_its_last_meetings_is_noticed_and_no_innocent(
    again: float, hides: int, least: int, tell: Tell
) -> None:
    found = list(reports(30, SIX, 120, Game(memory={"ann@1": odds(again)}, hides=hides)))
    noticed = times_noticed(iter(found), "ann@1")
    others = sum(any(each.noticed and each.bot != "ann@1" for each in report.bots) for report in found)
    tell(f"30 leagues of 6 bots, one wins {again:.0%} and hides {hides} times", {"noticed": noticed, "others": others})
    assert noticed >= least
    assert others <= 1


@pytest.mark.slow
def test_what_others_did_against_a_bot_that_was_noticed_does_not_count_against_them() -> None:
    game = Game(memory={"cid@1": odds(0.95)}, hides=3)
    found = [(report, each) for report in reports(12, SIX, 120, game) for each in report.bots if each.bot != "cid@1"]
    assert any(each.evidence >= report.needed for report, each in found)
    assert not any(each.noticed for _, each in found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [Game(early={"ann@1": -odds(0.75)}), Game(drift={"ann@1": 2.0})], ids=["weak early", "drift"]
)
def test_what_time_explains_is_no_memory(game: Game, tell: Tell) -> None:
    """A bot is weak whenever a piece begins, or becomes better all the time."""
    found = alarms(reports(100, SIX, 120, game))
    tell("100 leagues of 6 bots, one of which is better with time", {"alarms": found})
    assert found <= 3


def test_a_gain_that_time_explains_is_not_noticed() -> None:
    def bets(first: float, second: float) -> MemoryBets:
        found = MemoryBets()
        found.take([True, False] * 32, [0.5, -0.5] * 32, [0.5, -0.5] * 32)
        found.meet(0, [first] * 32)
        found.meet(1, [second] * 32)
        return found

    assert bets(0.5, 0.5).gain == 0.5
    assert [bets(0.5, second).time for second in (0.5, 1.0)] == [0, 0.5]
    assert bets(0.5, 0.5).is_enough(2)
    assert bets(0.5, 0.8).is_enough(2)  # the error is 1/8
    assert not bets(0.5, 0.9).is_enough(2)
    assert not bets(0.5, 1.0).is_enough(2)
    assert MemoryBets().is_enough(1)
    assert not MemoryBets().is_enough(2)


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 1 / 3, 1.0]), min_size=1, max_size=6))
def test_whatever_the_results_no_bet_gains_on_average_over_the_draws(differences: list[float]) -> None:
    capitals = []
    for half in combinations(range(len(differences)), len(differences) // 2):
        bets = MemoryBets()
        bets.take([at in half for at in range(len(differences))], differences, [2 * each for each in differences])
        capitals.append(bets.capital)
    assert fmean(capitals) == pytest.approx(1)


def test_the_evidence_is_the_highest_capital_so_far() -> None:
    bets = MemoryBets()
    assert (bets.deals, bets.gain, bets.evidence) == (0, None, 1)
    bets.take([True, False] * 8, [1.0, -1.0] * 8, [1.0, -1.0] * 8)
    best = bets.evidence
    bets.take([True, False] * 8, [-1.0, 1.0] * 8, [-1.0, 1.0] * 8)
    assert (bets.deals, bets.gain, bets.evidence) == (32, 0, best)
    assert bets.capital < 1 < best


def test_the_advantage_of_a_seat_is_no_evidence() -> None:
    bets = MemoryBets()
    bets.take([True, False, True, False], [1.0] * 4, [0.5] * 4)
    assert bets.evidence == 1


def test_a_piece_counts_only_when_all_matches_of_its_two_line_ups_do() -> None:
    of = league(PAIR, 24, seed=SEED.hex())
    outcomes = played(of, Game(), Random(1))
    for missing, deals in ((0, 16), (8, 8)):
        some = {line_up: {d: it for d, it in found.items() if d != missing} for line_up, found in outcomes.items()}
        assert {each.deals for each in memory_report(of, SEED, [wave(of)], some).bots} == {deals}


def test_with_own_luck_there_is_nothing_to_test() -> None:
    of = league(PAIR, 8)
    own = replace(of, tables=tuple(replace(table, luck="own") for table in of.tables))
    assert memory_report(own, SEED, [wave(own)], played(of, Game(), Random(1))).bots == ()


def test_the_more_bots_the_more_evidence_is_needed() -> None:
    (found,) = reports(1, FOUR, 8, Game())
    assert found.needed == 4 / FALSE_ALARMS
