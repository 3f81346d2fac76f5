"""Properties of whole random matches, for every registered game."""

from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.check.game_points import (
    GameSetting,
    Point,
    deals_sides_as_announced,
    distinguishes_actions,
    has_messages,
    has_sound_facts,
    has_words,
    hides,
    is_pure,
    loses_nothing,
    makes_fair_worlds,
    names_draws,
    outcome_fits,
    outlook_fits,
)
from referee.check.random_play import ChoiceStep, Choose, LuckStep, anyhow, prolonging, walk
from referee.core.game import Outlook, Over
from referee.core.outcome import Outcome
from referee.wire.codec import GameEntry
from referee.wire.registry import games
from tests.games.kits import KITS, Kit
from tests.games.two_worlds import leaks


class Table(NamedTuple):
    """A game with options and a number of seats."""

    entry: GameEntry
    kit: Kit
    options: Any
    seats: int

    def match(self, choose: Choose, seed: int) -> list[LuckStep | ChoiceStep]:
        """A whole random match."""
        return list(walk(self.entry.game, self.options, self.seats, choose, Random(seed)))

    def wrong(self, point: Point, match: list[LuckStep | ChoiceStep]) -> list[str]:
        """What a point of `referee check-game` finds in a match."""
        return list(point(GameSetting(self.entry, self.options, self.seats), match, Random(1)))

    def outcome(self, last: LuckStep | ChoiceStep) -> Outcome:
        """The result of a match that ends with this step."""
        over = self.entry.game.awaiting(last.after)
        assert isinstance(over, Over)
        return over.outcome


TABLES = [
    pytest.param(Table(games()[name], kit, *options_and_seats), id=f"{name}-{number}")
    for name, kit in KITS.items()
    for number, options_and_seats in enumerate(kit.tables)
]
every_table = pytest.mark.parametrize("table", TABLES)
ways = st.sampled_from([anyhow, prolonging])
seeds = st.integers(0, 2**32 - 1)
RARE = (98, 109, 143, 180, 222, 235, 332, 361, 467, 655, 693)
"""Seeds that lead some table to an ending that it rarely comes to. Tried early, they save the search for others."""
few = settings(max_examples=settings().max_examples // 5)


def test_every_registered_game_has_a_kit() -> None:
    assert set(KITS) == set(games())


@every_table
@few
@given(choose=ways, seed=seeds)
def test_a_match_ends_within_the_bound_by_an_ending_of_the_game(table: Table, choose: Choose, seed: int) -> None:
    match = table.match(choose, seed)
    assert sum(isinstance(step, ChoiceStep) for step in match) <= table.kit.longest
    assert table.wrong(outcome_fits, match) == []


@every_table
@few
@given(choose=ways, seed=seeds)
def test_a_game_says_whether_its_sides_are_dealt(table: Table, choose: Choose, seed: int) -> None:
    assert table.wrong(deals_sides_as_announced, table.match(choose, seed)) == []


@every_table
@few
@given(choose=ways, seed=seeds)
def test_everybody_has_a_place_from_1_on_and_sides_share_theirs(table: Table, choose: Choose, seed: int) -> None:
    assert table.wrong(outcome_fits, table.match(choose, seed)) == []


@every_table
@settings(max_examples=settings().max_examples // 10)
@given(choose=ways, seed=seeds)
def test_the_outlook_is_a_chance_for_each_seat_and_says_who_won_in_the_end(
    table: Table, choose: Choose, seed: int
) -> None:
    assert isinstance(table.entry.game, Outlook)
    assert table.wrong(outlook_fits, table.match(choose, seed)) == []


@every_table
@few
@given(choose=ways, seed=seeds)
def test_everything_that_was_in_the_box_is_always_there(table: Table, choose: Choose, seed: int) -> None:
    assert table.wrong(loses_nothing, table.match(choose, seed)) == []


@every_table
@few
@given(choose=ways, seed=seeds)
def test_legal_actions_are_never_none_and_never_equal_on_the_wire(table: Table, choose: Choose, seed: int) -> None:
    assert table.wrong(distinguishes_actions, table.match(choose, seed)) == []


@every_table
@settings(max_examples=settings().max_examples // 10)  # in a match every seat is asked dozens of times
@given(choose=ways, seed=seeds)
def test_what_a_seat_is_sent_does_not_depend_on_what_it_cannot_know(table: Table, choose: Choose, seed: int) -> None:
    rng = Random(seed)
    for step in table.match(choose, seed):
        assert leaks(table.entry, table.kit, step, table.seats, rng) == []


@every_table
def test_the_other_world_is_nearly_always_another_one_with_the_same_cards(table: Table) -> None:
    rng, changed = Random(5), []
    chosen = [step for step in table.match(anyhow, 5) if isinstance(step, ChoiceStep)]
    for step in chosen:
        for seat in range(table.seats):
            world = table.kit.redeal(step.before, seat, rng)
            changed.append(world != step.before)
            assert table.entry.game.is_whole(world)
    assert sum(changed) > 0.8 * len(changed)


@every_table
def test_choices_elsewhere_are_legal_there_and_nearly_always_elsewhere(table: Table) -> None:
    rng, changed = Random(6), []
    chosen = [step for step in table.match(anyhow, 6) if isinstance(step, ChoiceStep)]
    for step in chosen:
        for seat in range(table.seats):
            world, choices = table.kit.elsewhere(step.before, seat, step.choices, rng)
            changed.append(world != step.before)
            assert table.entry.game.is_whole(world)
            assert all(action in table.entry.game.legal(world, mover) for mover, action in choices.items())
    assert sum(changed) > 0.8 * len(changed)


@every_table
@few
@given(choose=ways, seed=seeds)
def test_the_same_luck_and_choices_give_the_same_states_and_events(table: Table, choose: Choose, seed: int) -> None:
    assert table.wrong(is_pure, table.match(choose, seed)) == []


@every_table
@few
@given(choose=ways, seed=seeds)
def test_no_two_draws_of_a_match_have_one_label(table: Table, choose: Choose, seed: int) -> None:
    assert table.wrong(names_draws, table.match(choose, seed)) == []


@every_table
@few
@given(choose=ways, seed=seeds)
def test_states_survive_being_written_as_json(table: Table, choose: Choose, seed: int) -> None:
    for step in table.match(choose, seed):
        written = msgspec.json.encode(step.after)
        assert msgspec.json.decode(written, type=type(step.after)) == step.after


@every_table
@settings(max_examples=settings().max_examples // 20)  # one match shows nearly everything, and takes long
@given(choose=ways, seed=seeds)
def test_everything_can_be_said_in_words(table: Table, choose: Choose, seed: int) -> None:
    assert table.wrong(has_words, table.match(choose, seed)) == []


@pytest.mark.parametrize("name", games())
def test_varieties_are_all_different_and_can_all_be_played_and_no_ending_has_the_name_of_a_fault(name: str) -> None:
    assert list(has_sound_facts(games()[name])) == []


@pytest.mark.parametrize(
    "table",
    # One table of each game shows nearly all.
    [table if str(table.id).endswith("-0") else table._replace(marks=(pytest.mark.slow,)) for table in TABLES],
)
@pytest.mark.parametrize("point", [has_messages, makes_fair_worlds, hides])
def test_the_points_about_messages_and_worlds_hold(table: Table, point: Point) -> None:
    assert table.wrong(point, table.match(anyhow, 3)) == []


@pytest.mark.parametrize("name", games())
def test_some_table_can_come_to_every_ending(name: str) -> None:
    kit = KITS[name]
    reachable = {ending for table in kit.tables for ending in kit.endings(*table)}
    assert reachable == set(games()[name].game.endings)


@every_table
def test_random_matches_reach_every_ending(table: Table) -> None:
    endings = table.kit.endings(table.options, table.seats)
    assert endings <= set(table.entry.game.endings)
    ways = (anyhow, prolonging, *table.kit.seekers)
    for seed in (*range(60), *RARE, *range(60, 4000)):
        choose = ways[seed % len(ways)]
        endings.discard(table.outcome(table.match(choose, seed)[-1]).ending)
        if not endings:
            break
    assert not endings, "never reached"


@every_table
def test_the_seats_fit_the_options(table: Table) -> None:
    assert table.seats in table.entry.game.seats(table.options)
