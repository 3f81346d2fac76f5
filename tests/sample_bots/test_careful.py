"""The bot `careful`: it knows the rules of Inside Job from the proto alone, and knows what each role wants."""

from collections import Counter
from functools import partial
from random import Random
from typing import Any

import pytest
from referee_bot.v1 import inside_job_pb2 as ij

from referee.games.inside_job.common import Laid
from referee.games.inside_job.missions import MISSIONS, holds
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import DECK, SETUPS
from referee.games.inside_job.roles import ROLES, SPECIAL
from referee.games.inside_job.tricks import complete
from referee.wire.inside_job import entry
from tests.games.inside_job.table import FIVE, FOUR, Table
from tests.sample_bots import inside_job_tables as tables
from tests.sample_bots.bots import load_module
from tests.sample_bots.inside_job_tables import CODEC, last_to_play
from tests.sample_bots.matches import Played, bot_seed, play

new_player = partial(tables.new_player, "careful")
chosen = partial(tables.chosen, "careful")


# It knows the rules


@pytest.mark.parametrize("mission", MISSIONS)
def test_it_judges_tricks_as_the_rules_do(mission: str) -> None:
    trick, rng, held = load_module("careful", "trick"), Random(3), Counter[bool]()
    it = MISSIONS[mission]
    sent = ij.Mission(id=it.id, trump=int(it.trump), condition=it.condition, numbers=it.numbers)  # type: ignore[arg-type]  # a Suit
    for number in range(600):
        cards = [(card, rng.random() < 0.3) for card in rng.sample(DECK, 3 + number % 3)]
        whole = complete(tuple(Laid(*card) for card in cards), mission)
        found = trick.result(trick.read(sent), [trick.Laid(*card) for card in cards])
        assert found == (whole.winner, holds(mission, whole), sum(whole.tokens))
        held[found.completed] += 1
    assert held[True]


def test_it_has_the_numbers_of_the_box() -> None:
    aims = load_module("careful", "aims")
    for seats, setup in SETUPS.items():
        assert (aims.TRICKS[seats], aims.MISSIONS[seats], aims.TOKENS[seats]) == (
            setup.tricks,
            setup.missions,
            setup.tokens,
        )
    assert ROLES["prof_no"].reveals_at == aims.WITH_PROF_NO
    assert set(aims.AIMS) < set(ROLES)


# It does what its role wants


def test_an_agent_completes_the_mission() -> None:
    assert chosen(last_to_play(*FOUR, hand=("green 4", "green 12")), 3) == "play green 4"


def test_the_insider_completes_it_too_until_it_is_late_and_then_sabotages() -> None:
    roles = FOUR[::-1]
    hand = ("green 6", "green 12")
    assert chosen(last_to_play(*roles, hand=hand, completed=3), 3) == "play green 6"
    assert chosen(last_to_play(*roles, hand=hand, completed=4), 3) == "play green 12"
    assert chosen(last_to_play(*FOUR, hand=hand, completed=4), 3) == "play green 6"


def test_the_insider_does_not_follow_suit_only_against_the_last_mission() -> None:
    roles, hand = FOUR[::-1], ("green 4", "blue 12")
    assert chosen(last_to_play(*roles, hand=hand, completed=5), 3) == "play green 4"
    assert chosen(last_to_play(*roles, hand=hand, completed=6), 3) == "play blue 12"


def test_the_daredevil_wins_tricks() -> None:
    table = last_to_play("insider", "agent", "agent", "daredevil", hand=("green 4", "green 6"))
    assert chosen(table, 3) == "play green 6"


def test_the_decoy_spoils_missions() -> None:
    table = last_to_play("insider", "agent", "agent", "decoy", hand=("green 4", "green 12"))
    assert chosen(table, 3) == "play green 12"


# It votes by what it has seen


def after_a_spoilt_trick() -> tuple[Table, tuple[Any, ...]]:
    """The mission wants all cards below 7. Seat 2 laid a 13 of the suit that was led. Seat 3 knows all this."""
    table = Table.arranged(*FIVE).goes_on(led=(0,)).with_mission("M19")
    names = ("green 2", "green 3", "green 13", "green 5", "green 1")
    for seat, name in enumerate(names):
        table = table.with_hand(seat, name)
    table.plays(*names[:3])
    return table, table.events


def test_it_votes_for_who_spoilt_a_mission() -> None:
    table, events = after_a_spoilt_trick()
    player = new_player(3, table.state.options, 5)
    memory = player.memory
    memory.hear(ij.View.FromString(CODEC.view(table.view(3))), [])
    chose = ij.Event(chose_mission=ij.ChoseMission(seat=0, mission="M19"))
    heard = [chose, *(ij.Event.FromString(CODEC.event(event)) for event in events)]
    view = ij.View.FromString(CODEC.view(table.view(3)))
    memory.hear(view, heard)
    chances = memory.chances(view)
    assert chances.index(max(chances)) == 2
    assert chances[3] == 0
    assert sum(chances) == pytest.approx(1)


def test_who_plays_of_a_suit_that_it_did_not_follow_is_found_out() -> None:
    memory = new_player(0, Options(), 4).memory
    view = ij.View(seats=[ij.OpenSeat(tokens=1)] * 4)
    plays = [(1, 207), (2, 305), (3, 209), (0, 211), (2, 212)]
    memory.hear(view, [ij.Event(played=ij.Played(seat=seat, card=card)) for seat, card in plays])
    assert memory.chances(view)[2] > 0.99


def test_it_never_suspects_itself_or_an_open_role() -> None:
    table = Table.arranged("wired", *FOUR[:3], revealed=(2,)).at("talk")
    assert chosen(table, 1) in ("suspect nobody", "suspect seat 3")
    assert chosen(table.at("vote"), 1) == "vote for seat 3"


# Whole matches


def match_of(options: Options, seats: int, deal: int) -> Played:
    """A match of `careful` against itself."""
    players = [new_player(seat, options, seats, bot_seed(deal, seat)) for seat in range(seats)]
    return play(entry, options, players, deal)


@pytest.mark.slow
@pytest.mark.parametrize("role", [role.id for role in SPECIAL])
def test_it_plays_every_special_role_and_the_same_match_alike(role: str) -> None:
    options = Options(roles=role, talk="every_trick")
    match = match_of(options, 4, 2)
    assert match == match_of(options, 4, 2)
    assert role in match.last.roles


@pytest.mark.slow
def test_as_the_insider_it_wins_neither_always_nor_never() -> None:
    # The deals are fixed, so chance plays no part. Over many deals it is 54, 48 and 48 %.
    for seats in (3, 4, 5):
        matches = [match_of(Options(), seats, deal) for deal in range(4)]
        wins = sum(match.outcome.places[match.last.roles.index("insider")] == 1 for match in matches)
        assert 0 < wins < len(matches)
