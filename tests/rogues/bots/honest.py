"""No attack at all."""

import time

from .bot import FIRST, SECOND, Moment, at

THOUGHT_S = 0.5


@at()
def plays(_moment: Moment) -> bool:
    """Answers at once."""
    return False


@at(FIRST, SECOND)
def thinks(_moment: Moment) -> bool:
    """Takes a moment for its first decisions, so that its opponents have an off turn worth stealing."""
    time.sleep(THOUGHT_S)
    return False
