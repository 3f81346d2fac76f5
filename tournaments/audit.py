"""Whether what is stored of a league is what its bots' choices, its seed and the rules make of it."""

from collections.abc import Iterator

from referee.core.game import AnyGame
from referee.match.replay import Difference, verify
from referee.match.transcript import Transcript
from tournaments import seeding
from tournaments.model import Fixture, League
from tournaments.pins import Pinned
from tournaments.store import Store


def differences(
    game: AnyGame, league: League, pinned: Pinned, plan: tuple[Fixture, ...], store: Store
) -> Iterator[tuple[str, str | None]]:
    """Every stored match by fixture id, with the first thing that is wrong about it, or None.

    Matches of fixtures that are no longer planned are held to the rules, but not to the seed.
    """
    planned = {fixture.id: fixture for fixture in plan}
    digests = {played.fixture: played.digest for played in store.results()}
    for fixture_id, transcript in store.transcripts():
        if transcript.digest != digests.get(fixture_id):
            yield fixture_id, "the stored record is not written as the referee writes it"
            continue
        fixture = planned.get(fixture_id)
        expected = seeding.header(league, pinned.seed_bytes, fixture) if fixture else None
        yield fixture_id, _difference(game, transcript, expected)


def _difference(game: AnyGame, transcript: Transcript, expected: object) -> str | None:
    if expected is not None and transcript.record.header != expected:
        return "its header (options, seeds, entries) is not what the league's seed and plan give"
    try:
        verify(game, transcript)
    except Difference as difference:
        return str(difference)
    return None
