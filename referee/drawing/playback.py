"""The views of onlookers and of each seat in a recorded match, moment by moment, by the rules alone.

This module plays the match again, and keeps every position. An onlooker sees the positions whole. A seat sees its
view of those in which it has just heard something or must choose, as it was sent, and nothing of the record.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from referee.core.game import AnyGame
from referee.core.outcome import Outcome, Seat
from referee.drawing.drawer import Moment, Question
from referee.drawing.seat_names import bot_in_words
from referee.match.conversation import Chosen, Failed
from referee.match.match import Ask
from referee.match.replay import Replay
from referee.match.transcript import Note, Transcript


class AskedDecision(msgspec.Struct, frozen=True):
    """A decision.

    Attributes:
        ask: what the seat was asked.
        chosen: the index of its choice; None if it failed.
        us: how long it thought, in microseconds.
        note: what its bot noted about it, if anything.
    """

    ask: Ask
    chosen: int | None
    us: int
    note: Note | None = None


class Segment(msgspec.Struct, frozen=True):
    """A position, the events on the way to it, and the questions in it."""

    state: Any
    events: tuple[Any, ...] = ()
    decisions: tuple[AskedDecision, ...] = ()


class ViewerMoment(msgspec.Struct, frozen=True):
    """A moment, and the page's words beside its picture.

    Attributes:
        moment: what is drawn.
        passage: the number of the passage in the whole match, counted from 0.
        lines: the position in words.
        decisions: the decisions of `moment.asked`, with their times.
    """

    moment: Moment[Any]
    passage: int
    lines: tuple[str, ...]
    decisions: tuple[AskedDecision, ...]


class Playback(msgspec.Struct, frozen=True):
    """A match that was played again.

    Attributes:
        game: the game.
        transcript: the match as it is stored.
        options: the game's options, as the game's own type.
        passages: all positions, from before the deal to the end.
    """

    game: AnyGame
    transcript: Transcript
    options: Any
    passages: tuple[Segment, ...]

    @property
    def seats(self) -> int:
        """How many players there are."""
        return len(self.transcript.record.header.entries)


class _Remembering:
    """A game that keeps every position that it leads to, for between two questions there may be many."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.new: list[Segment] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def luck(self, state: Any, drawn: tuple[int, ...]) -> Any:
        return self._keep(self._game.luck(state, drawn))

    def apply(self, state: Any, choices: Any) -> Any:
        return self._keep(self._game.apply(state, choices))

    def _keep(self, step: tuple[Any, tuple[Any, ...]]) -> Any:
        self.new.append(Segment(*step))
        return step


def watch(game: AnyGame, transcript: Transcript) -> Playback:
    """Play a recorded match again and keep everything that viewers can see of it.

    Raises:
        Difference: the record departs from the rules.
    """
    remembering = _Remembering(game)
    walk = Replay(remembering, transcript)
    passages = [Segment(walk.match.state)]
    spent = iter(transcript.metadata.spent)
    for step in walk.steps():
        passages += _taken(remembering)
        if isinstance(step.request, Ask):
            chosen = step.reply.index if isinstance(step.reply, Chosen) else None
            took = next(spent, None)
            last = passages[-1]
            note = step.reply.note if isinstance(step.reply, Chosen | Failed) else None
            decision = AskedDecision(step.request, chosen, took.us if took else 0, note)
            passages[-1] = Segment(last.state, last.events, (*last.decisions, decision))
    return Playback(game, transcript, walk.match.options, tuple(passages))


def _taken(remembering: _Remembering) -> list[Segment]:
    new, remembering.new = remembering.new, []
    return new


def by_everyone(watched: Playback) -> Iterator[ViewerMoment]:
    """The moments for an onlooker who sees everything."""
    for number, passage in enumerate(watched.passages):
        yield ViewerMoment(
            whole_moment(watched, number), number, _whole_in_words(watched, passage.state), passage.decisions
        )


def first_difference(one: Playback, other: Playback) -> int | None:
    """The number of the first passage in which two matches on one deal were decided differently; None: in none."""
    pairs = enumerate(zip(one.passages, other.passages, strict=False))
    return next((number for number, (here, there) in pairs if _choices(here) != _choices(there)), None)


def _choices(passage: Segment) -> list[tuple[Seat, int | None]]:
    return [(it.ask.seat, it.chosen) for it in passage.decisions]


def whole_moment(watched: Playback, number: int) -> Moment[Any]:
    """The passage of this number, for an onlooker who sees everything."""
    passage, record = watched.passages[number], watched.transcript.record
    before = watched.passages[number - 1].state if number else None
    outcome = record.outcome if number == len(watched.passages) - 1 else None
    questions = _questions(passage.decisions)
    names = tuple(map(bot_in_words, record.header.entries))
    return Moment(watched.options, names, before, passage.state, passage.events, questions, outcome)


def by_seat(watched: Playback, seat: Seat) -> Iterator[ViewerMoment]:
    """The moments for one seat. It learns neither the names of the others, nor the sides and scores of the outcome."""
    record, last, before = watched.transcript.record, len(watched.passages) - 1, None
    entries = enumerate(record.header.entries)
    names = tuple(bot_in_words(entry) if at == seat else f"seat {at + 1}" for at, entry in entries)
    ended, failed = record.outcome, any(fault.seat == seat for fault in record.faults)
    for number, passage in enumerate(watched.passages):
        events = tuple(it for it in (watched.game.heard(event, seat) for event in passage.events) if it is not None)
        decisions = tuple(it for it in passage.decisions if it.ask.seat == seat)
        if events or decisions or number in {0, last}:
            view = watched.game.view(passage.state, seat)
            # Of the outcome a seat learns the ending and the places.
            outcome = Outcome(ended.ending, ended.places, ()) if number == last and not failed else None
            moment = Moment(watched.options, names, before, view, events, _questions(decisions), outcome)
            before = view
            lines = tuple(watched.game.describe_view(view).splitlines())
            yield ViewerMoment(moment, number, lines, decisions)


def _questions(decisions: tuple[AskedDecision, ...]) -> tuple[Question, ...]:
    return tuple(Question(it.ask.seat, it.ask.legal, it.chosen) for it in decisions)


def _whole_in_words(watched: Playback, state: Any) -> tuple[str, ...]:
    """The views of all seats in words, each once, and each sentence once. Other lines may be rows of a board."""
    lines, bodies = list[str](), set[str]()
    for seat in range(watched.seats):
        view = watched.game.describe_view(watched.game.view(state, seat))
        if (body := view.removeprefix(f"seat {seat} sees\n")) not in bodies:
            bodies.add(body)
            lines += [line for line in view.splitlines() if line not in lines or not _SENTENCE.search(line)]
    return tuple(lines)


_SENTENCE = re.compile(r"[A-Za-z]{2}\W* \S")
"""Two words after each other."""
