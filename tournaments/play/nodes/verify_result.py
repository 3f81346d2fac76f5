"""Whether what a node sent of a match follows from the rules and the plan. It is stored only if it does."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from referee.core.game import AnyGame
from referee.match.replay import Difference, verify
from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import Header, Metadata, Record, Transcript
from referee.wire.registry import games
from tournaments.league.model import FinishedMatch, Fixture, finished


class ExpectedMatch(msgspec.Struct, frozen=True):
    """The facts that a match must agree with.

    Attributes:
        fixture: the fixture of the match.
        header: the facts that were settled before it.
        clock: the time limits of bots that have none of their own.
        terms: by seat, the terms on which the bots were entered.
        places: by seat, the folders of the bots on the runner. On the node they were in other folders.
    """

    fixture: Fixture
    header: Header
    clock: Clock
    terms: tuple[EntryTerms, ...]
    places: tuple[str, ...]


def judged(expected: ExpectedMatch, match: FinishedMatch) -> FinishedMatch | str:
    """The match as it is stored, or the first thing that is wrong with it. It stops at nothing that it reads."""
    try:
        record = msgspec.json.decode(match.record, type=Record)
        transcript = Transcript(record, msgspec.json.decode(match.aside, type=Metadata))
    except (ValueError, RecursionError) as error:
        return f"it is no transcript: {error}"
    wrong = _wrong(games()[expected.header.game].game, expected, match, transcript)
    if wrong is not None:
        return wrong
    return finished(expected.fixture, replace(transcript, aside=replace(transcript.aside, bots=expected.places)))


def _wrong(game: AnyGame, expected: ExpectedMatch, match: FinishedMatch, transcript: Transcript) -> str | None:
    if transcript.record.header != expected.header:
        return "its header (options, seeds, entries) is not the one that was sent"
    if transcript.aside.clock != expected.clock:
        return "it was played with another clock than the league's"
    if transcript.terms != expected.terms:
        return "its bots were entered with other terms than the league's"
    try:
        verify(game, transcript)
        again = finished(expected.fixture, transcript)
    except Difference as difference:
        return str(difference)
    except (ValueError, IndexError, KeyError) as error:  # seats and decisions that are none
        return f"it does not describe a match: {error}"
    return None if again == match else "what it says of the match besides the transcript does not follow from it"


def all_judged(told: Sequence[tuple[ExpectedMatch | None, FinishedMatch] | None]) -> list[FinishedMatch | str | None]:
    """The verdict on each finished match of a piece. A process of the runner computes it.

    Args:
        told: the results, in order: a match with the facts it must agree with, which are None if nobody asked for it;
            or None for a result that is no finished match, and gets no verdict.
    """
    return [None if one is None or one[0] is None else judged(one[0], one[1]) for one in told]
