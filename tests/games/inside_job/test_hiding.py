"""What each seat sees and hears (IJ-11, IJ-12, IJ-17, IJ-35). Two worlds, with every phase and role met often."""

from collections import Counter
from functools import lru_cache
from random import Random

import pytest

from referee.check.random_play import ChoiceStep, anyhow, prolonging, walk
from referee.games.inside_job.options import Options, read_roles
from referee.games.inside_job.roles import ROLES
from referee.games.inside_job.state import State
from referee.wire.inside_job import entry
from tests.games.inside_job.kit import InsideJobKit
from tests.games.inside_job.table import FOUR, GAME, Table
from tests.games.inside_job.worlds import Shown, another_world
from tests.games.two_worlds import leaks

KIT = InsideJobKit()
DEALT = ("yellow 1", "blue 2", "green 3")


# At the table


def test_ij_02_nobody_is_told_the_hands_of_others_or_the_unseen_cards() -> None:
    table = Table.begun(*FOUR)
    table.luck(*range(52))
    assert table.heard(1)[1].startswith("seat 1 is dealt 12 cards: yellow 13, green 1,")
    assert [words for seat, words in enumerate(table.heard(1)) if seat != 1] == [
        f"seat {seat} is dealt 12 cards" for seat in (0, 2, 3)
    ]


def test_ij_02_a_hand_is_sorted_whatever_order_it_was_dealt_in() -> None:
    first = Table.dealt(*FOUR, first=DEALT)
    second = Table.dealt(*FOUR, first=DEALT[::-1])
    assert first.view(0) == second.view(0)


def test_ij_12_what_a_seat_may_play_depends_on_its_own_role_and_hand_alone() -> None:
    offered = {}
    for roles in (FOUR, (*FOUR[1:], FOUR[0]), ("agent", *FOUR[:3])):
        table = Table.arranged(*roles).with_mission("M10").with_hand(0, "green 7")
        table = table.with_hand(1, "green 2", "yellow 3")
        table.plays("green 7")
        offered[roles[1]] = table.legal
        table = table.with_hand(2, "green 4").with_hand(3, "red 4")
        assert table.legal == offered[roles[1]]
    assert offered == {
        "agent": ["play green 2", "play green 2 with a token"],
        "insider": ["play yellow 3", "play green 2", "play green 2 with a token"],
    }


def test_ij_17_hands_and_missions_put_away_are_not_shown_at_the_end() -> None:
    table = Table.arranged(*FOUR, tokens=(4, 1, 1, 1))
    table = table.goes_on(put_away=((), ("M01",), (), ()), unseen=(101,))
    table.won_by(0)
    table = Table(table.state)
    assert table.result == ("tokens", [0])
    assert [table.view(seat).put_away for seat in range(4)] == [(), ("M01",), (), ()]
    assert table.told == []


# Two worlds


def table_id(table: tuple[Options, int]) -> str:
    options, seats = table
    return f"{options.roles}-{seats}"


every_table = pytest.mark.parametrize("table", KIT.tables, ids=table_id, scope="module")
"""All tests of a table come together, so that mostly one process looks for its worlds."""


@lru_cache(2)
def worlds_of(table: tuple[Options, int]) -> list[tuple[int, ChoiceStep, list[State]]]:
    """The decisions of some random matches, each with the match's number and another world for every seat."""
    options, seats = table
    rng, others = Random(7), Random(9)
    return [
        (number, step, [KIT.redeal(step.before, seat, others) for seat in range(seats)])
        for number in range(6)
        for step in walk(GAME, options, seats, prolonging if number % 2 else anyhow, rng)
        if isinstance(step, ChoiceStep)
    ]


def phases(options: Options) -> dict[str, int]:
    """How often each phase must come up at least, with another world for every seat."""
    wanted = {"mission": 15, "card": 50}
    special = {role.id for role in read_roles(options.roles)}
    # With the Wired Agent, Prof. No or the Daredevil Agent few games come to a vote.
    wanted["vote"] = 1 if special & {"wired", "prof_no", "daredevil"} else 2
    if options.talk != "none":
        wanted["talk"] = 25 if options.talk == "every_trick" else wanted["vote"]
    if "accomplice" in special:
        wanted["partner"] = 5
    return wanted


@pytest.mark.slow
@every_table
def test_ij_12_a_seat_is_sent_the_same_in_any_world_it_cannot_tell_apart_in_every_phase(
    table: tuple[Options, int],
) -> None:
    options, seats = table
    rng, met, compared = Random(8), Counter[str](), Counter[str]()
    for number, step, worlds in worlds_of(table):
        if number < 3:
            assert leaks(entry, KIT, step, seats, rng) == []
            compared[step.before.phase] += 1
        met[step.before.phase] += all(world != step.before for world in worlds)
    wanted = phases(options)
    assert met.keys() == compared.keys() == wanted.keys()
    assert {phase: met[phase] for phase, least in wanted.items() if met[phase] < least} == {}


@every_table
def test_every_hidden_role_is_at_another_seat_in_other_worlds_and_seats_of_every_role_see_them(
    table: tuple[Options, int],
) -> None:
    options, seats = table
    moved, watched = Counter[str](), Counter[str]()
    for _, step, worlds in worlds_of(table):
        for seat, world in enumerate(worlds):
            watched[step.before.roles[seat]] += world != step.before
            moved.update(now for was, now in zip(step.before.roles, world.roles, strict=True) if was != now)
    hidden = {role for role in GAME.setup(options, seats).roles if not ROLES[role].open_from_start}
    assert moved.keys() == hidden
    assert {role: moved[role] for role in hidden if moved[role] < 60} == {}
    # For every role there are seats that do not know something.
    assert {role: watched[role] for role in GAME.setup(options, seats).roles if watched[role] < 100} == {}


@every_table
def test_hands_unseen_cards_and_missions_are_others_in_other_worlds(table: tuple[Options, int]) -> None:
    changed = Counter[str]()
    for _, step, worlds in worlds_of(table):
        for seat, world in enumerate(worlds):
            changed.update(_differences(step.before, world, seat))
    assert {part: changed[part] for part in _PARTS if changed[part] < 50} == {}


_PARTS = ("hands", "unseen", "missions", "put_away", "looked_at")


def _differences(state: State, world: State, seat: int) -> list[str]:
    assert (state.hands[seat], state.put_away[seat]) == (world.hands[seat], world.put_away[seat])
    assert (state.common, state.played, state.led) == (world.common, world.played, world.led)
    return [part for part in _PARTS if getattr(state, part) != getattr(world, part)]


# What all saw stays true in the other world, such as who did not follow suit


def in_the_third_trick(*roles: str) -> Table:
    """Seat 1 did not follow green; hands have what is left of yellow and red for it."""
    table = Table.arranged(*roles).with_mission("M01")
    names = (("green 7", "red 9"), ("red 4", "red 5", "yellow 8"), ("green 2", "red 2"), ("green 3", "green 11"))
    for seat, hand in enumerate(names):
        table = table.with_hand(seat, *hand)
    table = table.goes_on(led=(0,), unseen=(207, 208), missions=("M02", "M03", "M04", "M05"))
    table.plays("green 7", "red 4", "green 2", "green 3")
    return table


def test_ij_12_who_did_not_follow_suit_has_none_of_it_in_another_world_or_is_the_insider() -> None:
    table, rng, seen = in_the_third_trick(*FOUR), Random(1), Counter[tuple[bool, bool]]()
    for _ in range(300):
        world = another_world(table.state, 2, rng, Shown())
        greens = any(card // 100 == 2 for card in world.hands[1])
        seen[world.roles[1] == "insider", greens] += 1
    assert seen[False, True] == 0
    assert min(seen[False, False], seen[True, True], seen[True, False]) > 10


def test_ij_12_who_plays_later_of_a_suit_that_it_did_not_follow_is_the_insider_in_every_world() -> None:
    roles = ("agent", "insider", "agent", "agent")
    state = in_the_third_trick(*roles).state
    caught = {"played": (*state.played, 205, 306, 307, 308), "led": (0, 1, 1)}
    table = Table(state).goes_on(**caught)
    assert {another_world(table.state, seat, Random(n), Shown()).roles for seat in (0, 2, 3) for n in range(20)} == {
        roles
    }
