"""A league of Agent Avenue without bots, and its matches, played in this process by chance."""

from collections.abc import Iterable

import msgspec

from referee.match.conversation import Reply
from referee.match.match import Ask
from referee.match.terms import Clock
from referee.match.transcript import Header, Transcript
from referee.wire.agent_avenue import entry
from tests.tournaments.fakes import draws, play_in_process
from tests.tournaments.leagues import league
from tournaments.league.model import League, TableSpec
from tournaments.play.workers.worker_messages import Work, work_of

GAME = entry.game
CLOCK = Clock()


def avenue(bots: Iterable[str] = ("ann", "bob", "cid"), deals: int = 4) -> League:
    """A league that nobody but a test can play: no bot has a folder."""
    table = TableSpec("simple", 2, msgspec.to_builtins(GAME.options_type()))
    return league(bots, deals, game=GAME.name, rules_version=GAME.rules_version, tables=(table,), clock=CLOCK)


def work(planned: League) -> Work:
    """The settings of its matches."""
    return work_of(planned, {})


def played(header: Header) -> Transcript:
    """A match by chance."""
    return play_in_process(GAME, header, CLOCK, [draws] * len(header.entries))


def altered(header: Header) -> Transcript:
    """Another match that is legal, too."""
    return play_in_process(GAME, header, CLOCK, [cheated] * len(header.entries))


def cheated(ask: Ask, seed: str) -> Reply:
    """Another legal action than chance would choose, if there is one."""
    chosen = draws(ask, seed)
    return msgspec.structs.replace(chosen, index=(chosen.index + 1) % len(ask.legal))  # type: ignore[union-attr]
