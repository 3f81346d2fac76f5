"""The pictures: a seat sees its own card, and no other."""

from random import Random

from starter_game.drawer import drawer
from starter_game.rules import Options, StarterGame

from referee.check.random_play import anyhow, walk
from referee.drawing.drawer import Moment
from referee.drawing.svg import markup

GAME = StarterGame()
NAMES = ("ann", "bob")


def test_every_position_is_drawn_for_everybody_and_a_seat_sees_only_its_own_card() -> None:
    for step in walk(GAME, Options(), len(NAMES), anyhow, Random(1)):  # noqa: S311 - it plays
        state = step.after
        (whole,) = drawer.whole(Moment(Options(), NAMES, None, state, (), (), None))
        assert all(f">{card}<" in markup(whole.inside) for card in state.cards)
        for seat in range(len(NAMES)):
            (own,) = drawer.for_seat(Moment(Options(), NAMES, None, GAME.view(state, seat), (), (), None))
            shown = [card for card in state.cards if f">{card}<" in markup(own.inside)]
            assert shown == list(state.cards[seat : seat + 1])
