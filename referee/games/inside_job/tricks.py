"""Which card wins a trick (IJ-13, IJ-14)."""

from referee.games.inside_job.common import Laid
from referee.games.inside_job.conditions import Trick
from referee.games.inside_job.missions import MISSIONS, MissionId
from referee.games.inside_job.pieces import SUIT, VALUE, Suit


def complete(laid: tuple[Laid, ...], mission: MissionId) -> Trick:
    """The trick of these cards, the leader's first."""
    trump = MISSIONS[mission].trump
    values = tuple([VALUE[it.card] for it in laid])
    suits = tuple([trump if it.wager else SUIT[it.card] for it in laid])
    return Trick(
        values=values,
        suits=suits,
        tokens=tuple([it.wager for it in laid]),
        trump=trump,
        winner=_winner(values, suits, trump if trump in suits else SUIT[laid[0].card]),
    )


def _winner(values: tuple[int, ...], suits: tuple[Suit, ...], strongest: Suit) -> int:
    """The index of the highest card of the strongest suit; of equal cards, the later one (IJ-14)."""
    return max([(value, place) for place, value in enumerate(values) if suits[place] is strongest])[1]
