"""Whether the stored matches follow from the bots' choices, the league's seed and the rules."""

from collections.abc import Iterator

from referee.core.game import AnyGame
from referee.match.replay import Difference, verify
from referee.match.transcript import Header, Transcript
from tournaments import seeding
from tournaments.formats.plan import Plan
from tournaments.model import League
from tournaments.pins import Pinned
from tournaments.store import Store


def differences(
    game: AnyGame, league: League, pinned: Pinned, plan: Plan, store: Store
) -> Iterator[tuple[str, str | None]]:
    """The fixture id of every stored match, with the first thing that is wrong with the match, or None.

    Matches that are no longer in the plan are held to the rules, but not to the seed.
    """
    stored = store.digests()
    changed = {played.fixture for played in store.results() if played.digest != stored.get(played.fixture)}
    for fixture_id, transcript in store.transcripts():
        planned = plan.find(fixture_id)
        expected = seeding.header(league, pinned.seed_bytes, planned.fixture) if planned else None
        difference = _difference(game, transcript, expected)
        if difference is None and fixture_id in changed:
            difference = "its record keeps the rules but is not the one that was stored: its digest differs"
        yield fixture_id, difference


def _difference(game: AnyGame, transcript: Transcript, expected: Header | None) -> str | None:
    if expected is not None and transcript.record.header != expected:
        return "its header (options, seeds, entries) is not what the league's seed and plan give"
    try:
        verify(game, transcript)
    except Difference as difference:
        return str(difference)
    return None
