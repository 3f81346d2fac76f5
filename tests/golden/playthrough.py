"""A playthrough: one match that the real `Match` carries out in this process, and its text."""

import hashlib
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from referee.core import seeds
from referee.core.game import AnyGame
from referee.match.conversation import Answer, Ready, Reply, SeatQuestion
from referee.match.header import header
from referee.match.match import Ask, Match, Open, Request
from referee.match.terms import Clock
from tests.golden.narrator import GoldenNarrator
from tests.golden.tables import Golden

_THINKING_US = 1_000

Decide: TypeAlias = Callable[[Match, Ask], int]
"""The index that the asked seat answers with. An index that is not legal is a fault."""


class Played(msgspec.Struct, frozen=True):
    """A match that is over.

    Attributes:
        seed: the seed of its luck and its seats.
        manner: the manner in which the seats chose when it was found. They are named after it.
        choices: the answer to each question, in order.
        ending: the ending that it came to.
        text: its text.
    """

    seed: str
    manner: str
    choices: tuple[int, ...]
    ending: str
    text: str

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


def play(golden: Golden, seed: str, manner: str, decide: Decide) -> Played:
    """A match at the table of `golden`. Whether it comes to that ending depends on `decide`."""
    match = _match(golden, seed, manner)
    choices: list[int] = []

    def noted(match: Match, ask: Ask) -> int:
        choices.append(decide(match, ask))
        return choices[-1]

    text = tell(golden.rules, match, f"seed {seed}, played {manner}", noted)
    return Played(seed, manner, tuple(choices), match.transcript().record.outcome.ending, text)


def _match(golden: Golden, seed: str, manner: str) -> Match:
    game, table = golden.rules, golden.table
    of_the_match = header(
        game=game.name,
        rules_version=game.rules_version,
        options=msgspec.to_builtins(table.options),
        fixture=f"{game.name}/{table.name}/golden/seed-{seed}",
        entries=tuple(f"{manner}-{seat}@1" for seat in range(table.seats)),
        root=seeds.from_text(seed),
        deal=0,
    )
    return Match(game, of_the_match, Clock())


def tell(game: AnyGame, match: Match, how: str, decide: Decide) -> str:
    """Carry out a match from its first request to its last. `how` says how to do so again."""
    narrator = GoldenNarrator(game, match, how)
    for request in match:
        reply = _reply(match, request, decide)
        narrator.before(request, reply)
        match.reply(reply, _THINKING_US)
        narrator.after()
    return narrator.text(match.transcript())


def _reply(match: Match, request: Request, decide: Decide) -> Reply | None:
    if isinstance(request, Open):
        return Ready()
    if not isinstance(request, Ask):
        return None
    return SeatQuestion(request.number, len(request.legal)).judge(Answer(request.number, decide(match, request)))
