"""A call on a bot that plays no match: what it says of itself, whom it lets in, and how it ends."""

import asyncio
import tempfile
from pathlib import Path

import msgspec
from msgspec.structs import replace

from referee.check.trial import Trial
from referee.match.clock import Clock
from referee.match.conversation import Failed, Question
from referee.match.match import Match
from referee.match.transcript import FaultKind
from referee.shell.bot import Bot
from referee.shell.line import Line, NoDescription, TokenRefused
from referee.shell.peer import Peer
from referee.shell.process import BotProcess, no_sandbox
from referee.wire.messages import PROTOCOL_MINOR, match_start


class Visit(msgspec.Struct, frozen=True):
    """What was seen.

    Attributes:
        games: what it says it plays.
        knows_later: whether it answers a referee that speaks a later minor version, too.
        let_in: which calls it answered that did not show its token; None where it has none.
        ended: whether it ended when it was asked to; None where it is not ours to end.
    """

    games: tuple[str, ...]
    knows_later: bool
    let_in: tuple[str, ...] | None
    ended: bool | None


async def visit(trial: Trial) -> Visit | None:
    """Call on the bot, which is started for it if it is on this machine; None if it does not answer.

    Raises:
        Void: it could not be started or judged, for reasons that are not the bot's.
    """
    if not isinstance(trial.bot, Bot):
        return await _call_on(trial, trial.bot.peer)
    with tempfile.TemporaryDirectory(prefix="referee-") as run_dir:
        process = await BotProcess.start(trial.bot, Path(run_dir), no_sandbox)
        try:
            async with asyncio.timeout(trial.clock.start_ms / 1000):
                peer = await process.peer()
            seen = await _call_on(trial, peer)
        except TimeoutError:
            seen = None
        finally:
            await process.terminate()
        return None if seen is None else replace(seen, ended=process.own_end is not None)


async def _call_on(trial: Trial, peer: Peer) -> Visit | None:
    line = Line(peer)
    try:
        said = await line.describe(trial.clock.start_ms)
        return Visit(
            games=tuple(said.games),
            knows_later=await _answers_later_version(line, trial.clock),
            let_in=None if peer.token is None else await _let_in(trial, peer),
            ended=None,
        )
    except NoDescription:
        return None
    finally:
        await line.drop()


async def _answers_later_version(line: Line, clock: Clock) -> bool:
    try:
        await line.describe(clock.start_ms, protocol_minor=PROTOCOL_MINOR + 1)
    except NoDescription:
        return False
    return True


async def _let_in(trial: Trial, peer: Peer) -> tuple[str, ...]:
    calls = []
    for whose, token in (("without a token", None), ("with a wrong token", "a guess")):
        stranger = replace(peer, token=token)
        if not await _refuses_to_describe(stranger, trial.clock):
            calls.append(f"Describe {whose}")
        if not await _refuses_to_play(stranger, trial):
            calls.append(f"Play {whose}")
    return tuple(calls)


async def _refuses_to_describe(stranger: Peer, clock: Clock) -> bool:
    line = Line(stranger)
    try:
        await line.describe(clock.start_ms)
    except TokenRefused:
        return True
    except NoDescription:
        return False
    finally:
        await line.drop()
    return False


async def _refuses_to_play(stranger: Peer, trial: Trial) -> bool:
    match = Match(trial.entry.game, trial.header(0), trial.clock)
    start = match_start(trial.entry.codec, match, 0)
    line = Line(stranger)
    try:
        line.open()
        reply, _ = await line.ask(Question(decision=0), start, trial.clock.start_ms)
    finally:
        await line.drop()
    return isinstance(reply, Failed) and reply.kind is FaultKind.CRASH
