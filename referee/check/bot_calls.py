"""Calls to a bot without a match: its description of itself, the callers that it lets in, and how it ends."""

import asyncio

import msgspec
from msgspec.structs import replace

from referee.check.matches import Setup
from referee.match.conversation import Failed, SeatQuestion
from referee.match.match import Match
from referee.match.terms import Clock
from referee.match.transcript import FaultKind
from referee.runtime.bot_address import Peer
from referee.runtime.bot_stream import BotStream, NoDescription, TokenRefused
from referee.runtime.process_sessions import temporary_folder
from referee.wire.messages import PROTOCOL_MINOR, match_start


class Probe(msgspec.Struct, frozen=True):
    """Facts about a bot that the check found without a match.

    Attributes:
        games: the games that it says it plays.
        max_batch: how many matches it says it can play at once; 0 stands for one.
        knows_later: whether it also answers a referee with a later minor version.
        let_in: the calls without its token that it answered, if it has a token.
        ended: whether it ended when the check asked it to.
    """

    games: tuple[str, ...]
    max_batch: int
    knows_later: bool
    let_in: tuple[str, ...]
    ended: bool


async def probe(setup: Setup) -> Probe | None:
    """Call the bot; a bot on this machine is started for this. None if it does not answer.

    Raises:
        Void: it could not be started or judged, for reasons that are not the bot's.
    """
    if (known := setup.bot.description) is not None:  # it listens to no call
        return Probe(tuple(known.games), known.max_batch, knows_later=True, let_in=(), ended=True)
    with temporary_folder() as run_dir:
        host = await setup.bot.host(setup.hosting(run_dir), setup.stderr_listener)
        try:
            async with asyncio.timeout(setup.clock.start_ms / 1000):
                peer = await host.peer()
            seen = await _call(setup, peer)
        except TimeoutError:
            seen = None
        finally:
            await host.terminate()
        return None if seen is None else replace(seen, ended=host.ended_by_itself is not None)


async def _call(setup: Setup, peer: Peer) -> Probe | None:
    line = BotStream(peer)
    try:
        description = await line.describe(setup.clock.start_ms)
        return Probe(
            games=tuple(description.games),
            max_batch=description.max_batch,
            knows_later=await _answers_later_version(line, setup.clock),
            let_in=() if peer.token is None else await _let_in(setup, peer),
            ended=False,
        )
    except NoDescription:
        return None
    finally:
        await line.drop()


async def _answers_later_version(line: BotStream, clock: Clock) -> bool:
    try:
        await line.describe(clock.start_ms, protocol_minor=PROTOCOL_MINOR + 1)
    except NoDescription:
        return False
    return True


async def _let_in(setup: Setup, peer: Peer) -> tuple[str, ...]:
    calls = []
    for whose, token in (("without a token", None), ("with a wrong token", "a guess")):
        stranger = replace(peer, token=token)
        if not await _refuses_to_describe(stranger, setup.clock):
            calls.append(f"Describe {whose}")
        if not await _refuses_to_play(stranger, setup):
            calls.append(f"Play {whose}")
    return tuple(calls)


async def _refuses_to_describe(stranger: Peer, clock: Clock) -> bool:
    line = BotStream(stranger)
    try:
        await line.describe(clock.start_ms)
    except TokenRefused:
        return True
    except NoDescription:
        return False
    finally:
        await line.drop()
    return False


async def _refuses_to_play(stranger: Peer, setup: Setup) -> bool:
    match = Match(setup.entry.game, setup.header(0), setup.clock)
    start = match_start(setup.entry.codec, match, 0)
    line = BotStream(stranger)
    try:
        line.open()
        reply, _ = await line.ask(SeatQuestion(decision=0), start, setup.clock.start_ms)
    finally:
        await line.drop()
    return isinstance(reply, Failed) and reply.kind is FaultKind.CRASH
