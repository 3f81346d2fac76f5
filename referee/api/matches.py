"""Matches in this process: between functions, or driven decision by decision. Bots would play the same matches."""

import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from referee.api.decisions import Decision, decision, judged
from referee.api.games import InstalledGame, Options, game
from referee.core.errors import WrongUse
from referee.core.outcome import Outcome
from referee.match.clock import Clock
from referee.match.conversation import Ready
from referee.match.header import single
from referee.match.match import Ask, Match, Open
from referee.match.transcript import Header, Transcript

Player: TypeAlias = Callable[[Decision], Any]
"""Anything that can be called with a `Decision` and returns the index of a legal action, or the action itself."""

_NAME = re.compile(r"[A-Za-z0-9_-]+@[A-Za-z0-9._-]+")
_NAME_IN_WORDS = "name@version, both of letters, digits, - and _, the version also of ."


class LocalMatch:
    """A match in this process, driven by a loop.

        for decision in match:
            match.choose(decision.legal[0])

    When the loop ends, the match is over. Then `outcome`, `places`, `transcript` and `digest` are there; before, they
    raise RuntimeError. If a loop stops early, another loop can continue the match.

    Attributes:
        game: the game that is played.
        header: everything that was settled before the match, as it stands in the transcript.
    """

    def __init__(self, game: InstalledGame, header: Header) -> None:
        self.game = game
        self.header = header
        self._match = Match(game.rules, header, Clock())

    def __repr__(self) -> str:
        return f"<match {self.header.fixture}>"

    def __iter__(self) -> Iterator[Decision]:
        """The remaining decisions.

        If several seats decide sealed, the match asks them one after another. None of them hears anything before all
        have chosen.

        Raises:
            RuntimeError: the loop goes on after a decision without a choice.
        """
        for request in self._match:
            if isinstance(request, Open):
                self._match.reply(Ready())
            elif isinstance(request, Ask):
                yield decision(self._match, request)

    def choose(self, choice: Any) -> None:
        """Answer the last decision with an index into its `legal`, or with one of these actions.

        Anything else is a fault of the seat, as it would be over the wire. The transcript stores the fault, and the
        match ends once all seats that decide sealed with this one have chosen.

        Raises:
            RuntimeError: no decision waits for a choice: none came yet, or the last one has a choice already.
        """
        if not isinstance(self._match.open, Ask):
            raise RuntimeError("no decision waits for a choice")
        self._match.reply(judged(self._match.open, choice))

    @property
    def state(self) -> Any:
        """The position with everything that is hidden from players, for onlookers, analysis and search."""
        return self._match.state

    @property
    def events(self) -> Sequence[Any]:
        """All events so far, also with everything hidden, oldest first."""
        return self._match.events

    @property
    def outcome(self) -> Outcome:
        """How the match ended: `ending`, `places`, `sides`, `scores`."""
        return self.transcript.record.outcome

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat: 1 is best, equal places are a tie or a shared win."""
        return self.outcome.places

    @property
    def transcript(self) -> Transcript:
        """The whole match, to be saved and replayed. No clock ran, so its thinking times are 0."""
        return self._match.transcript()

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of the record: header, luck, choices, faults, outcome."""
        return self.transcript.digest


def start(
    name: str,
    seats: int,
    *,
    seed: str | int | None = None,
    options: Options | None = None,
    names: Sequence[str] | None = None,
) -> LocalMatch:
    """A match that has not begun, for a loop to play.

    Its header, and so its luck, are those of `referee play` with the same game, seed, options and names.

    Args:
        name: the name of the game.
        seats: how many players.
        seed: any text, or a number, which stands for its digits. The same seed gives the same deal. None: a random one.
        options: the game's options.
        names: the names of the players by seat, each `name@version`; None: `player-0@1`, `player-1@1` and so on. The
            seeds of the players depend on their names, the deal does not.

    Raises:
        WrongUse: there is no such game, it does not take these options or so many players, or a name or the seed is
            not allowed.
    """
    found = game(name)
    entries = _entries(seats, names)
    return LocalMatch(found, single(found.rules, found.read(options or {}), entries, _text(seed)))


def play(
    name: str,
    players: Sequence[Player],
    *,
    seed: str | int | None = None,
    options: Options | None = None,
    names: Sequence[str] | None = None,
) -> LocalMatch:
    """A finished match between these players, by seat.

    A choice that is not legal is the player's fault and ends the match. An exception in a player's code is not a fault
    of the match; it is passed on to the caller.

    Args:
        name: the name of the game.
        players: one for each seat; a player that is listed twice is called for both seats.
        seed: as in `start`.
        options: as in `start`.
        names: as in `start`.

    Raises:
        WrongUse: as `start` does.
    """
    match = start(name, len(players), seed=seed, options=options, names=names)
    for asked in match:
        match.choose(players[asked.seat](asked))
    return match


def _entries(seats: int, names: Sequence[str] | None) -> tuple[str, ...]:
    entries = tuple(f"player-{seat}@1" for seat in range(seats)) if names is None else tuple(names)
    if len(entries) != seats:
        raise WrongUse(f"names: there are {len(entries)} for {seats} players; give one for each seat, or none")
    for entry in entries:
        if not _NAME.fullmatch(entry):
            raise WrongUse(f"names: {entry!r} is not allowed; write {_NAME_IN_WORDS}")
    return entries


def _text(seed: str | int | None) -> str:
    if seed is None:
        return secrets.token_hex(8)
    if not isinstance(seed, str | int):
        raise WrongUse(f"seed: {seed!r} is not allowed; give a text, a whole number, or None for a seed that is drawn")
    return str(seed)
