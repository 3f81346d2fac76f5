"""Properties of whole random matches, for every registered game."""

from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.game import Decide, Over, Roll, Shuffle
from referee.core.outcome import FAULT, Outcome
from referee.wire.codec import GameEntry
from referee.wire.registry import games
from tests.games.kits import KITS, Kit
from tests.games.two_worlds import leaks
from tests.games.walks import Choose, Chosen, Drawn, anyhow, prolonging, walk


class Table(NamedTuple):
    """A game with options and a number of seats."""

    entry: GameEntry
    kit: Kit
    options: Any
    seats: int

    def match(self, choose: Choose, seed: int) -> list[Drawn | Chosen]:
        """A whole random match."""
        return list(walk(self.entry.game, self.options, self.seats, choose, Random(seed)))

    def outcome(self, last: Drawn | Chosen) -> Outcome:
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
    assert sum(isinstance(step, Chosen) for step in match) <= table.kit.longest
    assert table.outcome(match[-1]).ending in table.entry.game.endings


@every_table
@few
@given(choose=ways, seed=seeds)
def test_a_game_says_whether_its_sides_are_dealt(table: Table, choose: Choose, seed: int) -> None:
    game, sides = table.entry.game, table.outcome(table.match(choose, seed)[-1]).sides
    dealt = set(sides) != set(game.sides(table.options, table.seats))
    assert game.deals_sides(table.options) == dealt


@every_table
@few
@given(choose=ways, seed=seeds)
def test_everybody_has_a_place_from_1_on_and_sides_share_theirs(table: Table, choose: Choose, seed: int) -> None:
    outcome = table.outcome(table.match(choose, seed)[-1])
    assert len(outcome.places) == table.seats
    if len(outcome.sides) == 1:  # against the game
        assert set(outcome.places) in ({1}, {2})
    else:
        assert all(place == 1 + sum(other < place for other in outcome.places) for place in outcome.places)
    assert all(len({outcome.places[seat] for seat in side.seats}) == 1 for side in outcome.sides)


@every_table
@few
@given(choose=ways, seed=seeds)
def test_everything_that_was_in_the_box_is_always_there(table: Table, choose: Choose, seed: int) -> None:
    match = table.match(choose, seed)
    assert table.entry.game.is_whole(match[0].before)
    assert all(table.entry.game.is_whole(step.after) for step in match)


@every_table
@few
@given(choose=ways, seed=seeds)
def test_legal_actions_are_never_none_and_never_equal_on_the_wire(table: Table, choose: Choose, seed: int) -> None:
    game, codec = table.entry.game, table.entry.codec
    for step in table.match(choose, seed):
        awaited = game.awaiting(step.before)
        for seat in awaited.seats if isinstance(awaited, Decide) else ():
            sent = [codec.action(action) for action in game.legal(step.before, seat)]
            assert sent
            assert len(set(sent)) == len(sent)


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
    chosen = [step for step in table.match(anyhow, 5) if isinstance(step, Chosen)]
    for step in chosen:
        for seat in range(table.seats):
            world = table.kit.redeal(step.before, seat, rng)
            changed.append(world != step.before)
            assert table.entry.game.is_whole(world)
    assert sum(changed) > 0.8 * len(changed)


@every_table
def test_choices_elsewhere_are_legal_there_and_nearly_always_elsewhere(table: Table) -> None:
    rng, changed = Random(6), []
    chosen = [step for step in table.match(anyhow, 6) if isinstance(step, Chosen)]
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
    game = table.entry.game
    state = game.setup(table.options, table.seats)
    for step in table.match(choose, seed):
        if isinstance(step, Drawn):
            state, events = game.luck(state, step.drawn)
        else:
            state, events = game.apply(state, step.choices)
        assert (state, events) == (step.after, step.events)


@every_table
@few
@given(choose=ways, seed=seeds)
def test_no_two_draws_of_a_match_have_one_label(table: Table, choose: Choose, seed: int) -> None:
    awaited = [table.entry.game.awaiting(step.before) for step in table.match(choose, seed)]
    labels = [draw.label for draw in awaited if isinstance(draw, Shuffle | Roll)]
    assert len(set(labels)) == len(labels)


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
    game = table.entry.game
    for step in table.match(choose, seed):
        heard = [game.heard(event, seat) for event in step.events for seat in range(table.seats)]
        said = [game.describe(event) for event in (*step.events, *heard) if event is not None]
        said += [game.describe_view(game.view(step.after, seat)) for seat in range(table.seats)]
        if isinstance(step, Chosen):
            said += [game.describe_action(action) for action in step.choices.values()]
        assert all(words.strip() for words in said)


@pytest.mark.parametrize("name", games())
def test_the_varieties_of_options_are_all_different_and_can_all_be_played(name: str) -> None:
    game = games()[name].game
    assert len(set(game.varieties)) == len(game.varieties) > 0
    assert all(game.seats(options) for options in game.varieties)


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
def test_no_ending_bears_the_name_of_a_fault_and_the_seats_fit_the_options(table: Table) -> None:
    assert FAULT not in table.entry.game.endings
    assert table.seats in table.entry.game.seats(table.options)
