"""The facts about a match on its page besides the moments: players, ending, its reason, and how to verify it."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from referee.core.outcome import FAULT, Outcome, Seat
from referee.core.text import several
from referee.drawing.drawer import AnyDrawer, ending_text, options_text
from referee.drawing.playback import Playback
from referee.drawing.seat_names import SeatNames, bot_in_words
from referee.drawing.svg import plain
from referee.match.narrator import tell_clock, tell_terms
from referee.match.transcript import FaultMark, Remark

_NAME = 80
_WORDS = 2_000
_REMARKS = 5
"""A page shows so many characters of foreign names and words, and so many remarks on a seat.

There may be megabytes."""


_HOW_TO_VERIFY = (
    "Run `referee verify` on the transcript. It plays the match again by the rules and compares everything. The digest"
    " is that of the transcript. docs/seeds.md says how to deal the match again from its seed, in any language."
)


class CaptionPlayer(NamedTuple):
    """A seat in the list of players.

    Attributes:
        name: its name.
        notes: how often it decided, how long it thought, and the terms of its entry.
        remarks: remarks on its conduct. They can tell how the match ended.
    """

    name: str
    notes: tuple[str, ...]
    remarks: tuple[str, ...]


class Caption(NamedTuple):
    """The facts about a match on its page.

    Attributes:
        heading: who played.
        game: the game and its options.
        result: who won, and why.
        players: by seat.
        facts: names of things and what they are, in order.
        names: what sentences call the players.
    """

    heading: str
    game: str
    result: str
    players: tuple[CaptionPlayer, ...]
    facts: tuple[tuple[str, str], ...]
    names: SeatNames


def for_everyone(watched: Playback, drawer: AnyDrawer) -> Caption:
    """Everything, seeds and digest included."""
    transcript = watched.transcript
    header = transcript.record.header
    entries = tuple(map(_name, header.entries))
    names = SeatNames(header.entries, watched.game.sides(watched.options, watched.seats))
    return Caption(
        heading=", ".join(
            name if often == 1 else f"{name} ({often} times)" for name, often in Counter(entries).items()
        ),
        game=_game(watched, drawer),
        result=_result(watched, transcript.record.outcome, names, _reason(watched, drawer, names)),
        players=tuple(_player(watched, seat, name) for seat, name in enumerate(entries)),
        facts=_facts(
            *_common_facts(watched),
            ("Fixture", header.fixture),
            ("Clock", tell_clock(transcript.metadata.clock)),
            ("Seed of the deal", header.deal_seed),
            ("Id of the match", header.match_id),
            *((f"Seed of seat {seat + 1}", seed) for seat, seed in enumerate(header.bot_seeds[: watched.seats])),
            ("Digest", transcript.digest),
            ("To verify it", _HOW_TO_VERIFY),
        ),
        names=names,
    )  # fmt: skip


def for_seat(watched: Playback, drawer: AnyDrawer, seat: Seat) -> Caption:
    """The facts that this seat knows: nothing of the others, no seed but its own, and no digest."""
    record = watched.transcript.record
    header = record.header
    own = _name(header.entries[seat])
    entries = tuple(own if at == seat else f"seat {at + 1}" for at in range(watched.seats))
    names = SeatNames(entries, watched.game.sides(watched.options, watched.seats))
    outcome = Outcome(record.outcome.ending, record.outcome.places, ())
    fault = tuple(fault for fault in record.faults if fault.seat == seat)
    players = (
        _player(watched, at, name) if at == seat else CaptionPlayer(name, (), ()) for at, name in enumerate(entries)
    )
    return Caption(
        heading=f"{own}, seat {seat + 1}",
        game=_game(watched, drawer),
        result=_failed(names, fault)
        if fault
        else _result(watched, outcome, names, ending_text(drawer, outcome.ending)),
        players=tuple(players),
        facts=_facts(
            *_common_facts(watched),
            ("Clock", tell_clock(watched.transcript.terms[seat].clock or watched.transcript.metadata.clock)),
            ("Id of the match", header.match_id),
            *(("Own seed", seed) for seed in header.bot_seeds[seat : seat + 1]),
            ("What is shown", f"What seat {seat + 1} was sent, and nothing else."),
        ),
        names=names,
    )


def _name(entry: str) -> str:
    return _quoted(bot_in_words(entry), _NAME)


def _quoted(words: str, most: int = _WORDS) -> str:
    line = plain(words[:most])
    return line if len(words) <= most else f"{line}…"


def _game(watched: Playback, drawer: AnyDrawer) -> str:
    """The game, and the options that are not as usual."""
    header = watched.transcript.record.header
    usual = msgspec.to_builtins(watched.game.options_type())
    options = {name: it for name, it in sorted(header.options.items()) if it != usual.get(name)}
    return " · ".join(filter(None, [header.game, options_text(drawer, options)]))


def _facts(*facts: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, _quoted(what)) for name, what in facts)


def _common_facts(watched: Playback) -> tuple[tuple[str, str], ...]:
    header = watched.transcript.record.header
    return ("Game", header.game), ("Version of the rules", str(header.rules_version))


def _result(watched: Playback, outcome: Outcome, names: SeatNames, reason: str) -> str:
    return f"{_winners(watched, outcome, names)}: {reason}"


def _reason(watched: Playback, drawer: AnyDrawer, names: SeatNames) -> str:
    record = watched.transcript.record
    failed = record.outcome.ending == FAULT and record.faults
    return _failed(names, record.faults) if failed else ending_text(drawer, record.outcome.ending)


def _winners(watched: Playback, outcome: Outcome, names: SeatNames) -> str:
    if len(watched.game.sides(watched.options, watched.seats)) == 1:
        return "All win together" if outcome.places[0] == 1 else "All lose together"
    first = [names.of(seat) for seat, place in enumerate(outcome.places) if place == 1]
    if len(first) in {0, watched.seats}:
        return "Nobody wins"
    *others, last = first
    return f"{', '.join(others)} and {last} win" if others else f"{last} wins"


def _failed(names: SeatNames, faults: tuple[FaultMark, ...]) -> str:
    return " and ".join(f"{names.of(fault.seat)} fails ({fault.kind})" for fault in faults)


def _player(watched: Playback, seat: Seat, name: str) -> CaptionPlayer:
    remarks = [remark for remark in watched.transcript.metadata.remarks if remark.seat == seat][:_REMARKS]
    lines = tuple(f"{name}: {line}" for remark in remarks for line in _remarked(remark))
    return CaptionPlayer(name, tuple(_notes(watched, seat)), lines)


def _notes(watched: Playback, seat: Seat) -> Iterator[str]:
    transcript = watched.transcript
    times = [spent.us for spent in transcript.metadata.spent if spent.seat == seat]
    decisions = several(len(times), "decision", "decisions")
    thought = f"{decisions} in {sum(times) / 1000:.1f} ms, the longest {max(times, default=0) / 1000:.1f} ms"
    yield f"seat {seat + 1}, {thought}"
    if terms := tell_terms(transcript.terms[seat]):
        yield _quoted(terms.strip())


def _remarked(remark: Remark) -> Iterator[str]:
    yield _quoted(remark.text)
    if remark.stderr:
        yield f"stderr: {_quoted(remark.stderr)}"
