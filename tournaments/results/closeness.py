"""How close a match was."""

import math
from statistics import fmean

from referee.core.errors import UserError
from referee.match.replay import Difference
from referee.match.transcript import Transcript
from referee.match.turning_points import swings
from referee.wire.registry import game_entry


def mean_gap(transcript: Transcript) -> float:
    """The mean difference between the outlooks of the best winner and the best loser, over all moves.

    It is infinite if the game has no outlook or cannot be replayed, and if nobody lost.
    """
    places = transcript.record.outcome.places
    won, lost = ([seat for seat, place in enumerate(places) if (place == 1) == is_won] for is_won in (True, False))
    try:
        found = swings(game_entry(transcript.record.header.game).game, transcript)
    except (UserError, Difference):
        return math.inf
    if not (found and won and lost):
        return math.inf
    return fmean(
        abs(max(each.before[seat] for seat in won) - max(each.before[seat] for seat in lost)) for each in found
    )
