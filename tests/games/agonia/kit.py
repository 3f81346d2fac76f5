"""Agonía for the properties that every game must have."""

from collections.abc import Mapping
from random import Random

from msgspec.structs import replace

from referee.check.random_play import Choose
from referee.core.outcome import Seat
from referee.games.agonia import rules
from referee.games.agonia.position.actions import Action
from referee.games.agonia.position.agenda import Deal, Pile, Reshuffle, Restock
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import Ending, State
from tests.games.agonia.besieging import besieging
from tests.games.agonia.defending import defending

_SHORT = Options(board="secondary", rounds=3)


class AgoniaKit:
    """What a seat cannot know: the order of the deck and of the token pile. All seats know the same about them."""

    tables: tuple[tuple[Options, int], ...] = (
        (Options(), 2),
        (Options(board="secondary"), 3),
        (Options(board="secondary", characters="lia,marta,vera,bruno"), 4),
        (Options(rounds=30), 5),
        (_SHORT, 2),
    )
    # 60 rounds of 5 players: each has one action, with a discard or two or an answer, and the free cards that it drew.
    longest = 60 * 5 * 6
    seekers: tuple[Choose, ...] = (besieging, defending)

    def endings(self, options: Options, seats: int) -> set[str]:  # noqa: ARG002  # the options settle it
        return set(Ending) if options == _SHORT else {Ending.ENTRANCE}

    # No method looks at `seat`: all seats know the same.

    def redraw(self, state: State, seat: Seat, drawn: tuple[int, ...], rng: Random) -> tuple[int, ...]:  # noqa: ARG002
        """Everybody sees dice, characters, and what is taken at once from a new deck or a new pile."""
        step = state.agenda[0]
        if isinstance(step, Pile | Restock):
            after, _ = rules.luck(state, drawn)
            return _shuffled_from(len(drawn) - len(after.pile), drawn, rng)
        if isinstance(step, Deal | Reshuffle):
            after, _ = rules.luck(state, drawn)
            return _shuffled_from(len(drawn) - len(after.deck), drawn, rng)
        return drawn

    def redeal(self, state: State, seat: Seat, rng: Random) -> State:  # noqa: ARG002
        return _redealt(state, 0, rng)

    def elsewhere(
        self,
        state: State,
        seat: Seat,  # noqa: ARG002
        choices: Mapping[Seat, Action],
        rng: Random,
    ) -> tuple[State, Mapping[Seat, Action]]:
        """The cards that the choice reveals stay on top of the deck."""
        after, _ = rules.apply(state, choices)
        return _redealt(state, len(state.deck) - len(after.deck), rng), choices


def _redealt(state: State, open_cards: int, rng: Random) -> State:
    """Another order of the pile, and of the deck below the first `open_cards` cards."""
    deck, pile = list(state.deck[open_cards:]), list(state.pile)
    rng.shuffle(deck)
    rng.shuffle(pile)
    return replace(state, deck=(*state.deck[:open_cards], *deck), pile=tuple(pile))


def _shuffled_from(kept: int, drawn: tuple[int, ...], rng: Random) -> tuple[int, ...]:
    rest = list(drawn[kept:])
    rng.shuffle(rest)
    return (*drawn[:kept], *rest)
