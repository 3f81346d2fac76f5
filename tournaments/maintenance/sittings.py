"""How often a run starts the bots of a line-up, at most: a worker may keep them for the next sitting."""

from tournaments.league.deals import own_deals
from tournaments.league.model import League
from tournaments.schedule.formats.deal_chunks import pieces
from tournaments.schedule.formats.deal_order import first_meetings
from tournaments.schedule.formats.wave import Wave

_ANY_SEED = bytes(32)
"""The number hardly depends on the seed."""


def count_sittings(league: League, wave: Wave) -> int:
    """How often the bots of a line-up are started for a wave, at most."""
    if league.fresh:
        return len(wave)
    cut = list(pieces(wave.deals, league.batch))
    begins = first_meetings(_ANY_SEED, own_deals(league), wave.line_ups, cut[0])  # two line-ups each, in two parts
    return len(cut) * (len(wave.line_ups) + 2 * len(begins))
