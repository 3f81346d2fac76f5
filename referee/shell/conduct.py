"""The conduct of a bot: it plays against itself, and what a bot must do is judged point by point."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any, TypeGuard

import msgspec
from msgspec.structs import replace

from referee.core import seeds
from referee.match.clock import Clock
from referee.match.header import header
from referee.match.replay import compare
from referee.match.transcript import FaultKind, Header, Remark, Transcript
from referee.shell.bot import Bot
from referee.shell.line import Line, NoDescription
from referee.shell.peer import Peer
from referee.shell.process import BotProcess, no_sandbox
from referee.shell.seat import AnyBot, House
from referee.shell.table import Table, play_once
from referee.wire.codec import GameEntry

MATCHES = 20
"""Matches that are played on warm processes, one after the other."""

_RULES = {
    FaultKind.NO_START: "starts in time, is who its bot.toml says, and is ready for every match",
    FaultKind.TIMEOUT: "answers every decision in time",
    FaultKind.CRASH: "stays up as long as it is needed",
    FaultKind.ILLEGAL: "chooses legal actions only",
    FaultKind.PROTOCOL: "speaks the protocol, and only when asked",
}


class Point(msgspec.Struct, frozen=True):
    """One thing that was tested.

    Attributes:
        rule: what a bot must do.
        kept: whether it did; None where another point's failure left it open.
        text: what was seen.
        stderr: the bot's last words, where it failed.
    """

    rule: str
    kept: bool | None
    text: str
    stderr: str = ""


class Trial(msgspec.Struct, frozen=True):
    """What a bot is tried at.

    Attributes:
        entry: the game.
        options: an instance of the game's `options_type`.
        bot: who is tried; it takes every seat.
        seats: how many.
        clock: the limits.
    """

    entry: GameEntry
    options: Any
    bot: AnyBot
    seats: int
    clock: Clock

    @property
    def bots(self) -> list[AnyBot]:
        """The bot, for every seat."""
        return [self.bot] * self.seats

    def header(self, deal: int) -> Header:
        """Of the match number `deal`."""
        return header(
            game=self.entry.game.name,
            rules_version=self.entry.game.rules_version,
            options=msgspec.to_builtins(self.options),
            fixture=f"check/{deal}",
            entries=(self.bot.entry,) * self.seats,
            root=seeds.from_text("check"),
            deal=deal,
        )


async def check(trial: Trial) -> tuple[Point, ...]:
    """Play `MATCHES` matches, fewer if one of them ends by a fault, and judge.

    Raises:
        Void: the matches do not count, for reasons that are not the bot's.
    """
    played, clean = await _play_warm(trial)
    remarks = {mark.kind: remark for mark, remark in _faults(played[-1])}
    points = [_judged(kind, remarks, played) for kind in _RULES]
    points += [_repeatable(await _play_again(trial, played), played), _clean_end(clean, remarks, played)]
    return (*points, *([await _strangers(trial, trial.bot)] if _has_a_token(trial.bot) else []))


async def _play_warm(trial: Trial) -> tuple[list[Transcript], bool]:
    """The matches, and whether all streams ended cleanly after them."""
    played: list[Transcript] = []
    with tempfile.TemporaryDirectory(prefix="referee-") as run_dir:
        table = Table(trial.bots, House(Path(run_dir), no_sandbox, trial.clock.start_ms))
        try:
            while len(played) < MATCHES and not (played and played[-1].record.faults):
                played.append(await table.play(trial.entry, trial.header(len(played)), trial.clock))
        finally:
            clean = await table.stop()
    return played, all(clean)


async def _play_again(trial: Trial, played: list[Transcript]) -> Transcript | None:
    """The last match on fresh processes; None after a fault."""
    last = played[-1].record
    return None if last.faults else await play_once(trial.entry, trial.bots, last.header, trial.clock)


def _judged(kind: FaultKind, remarks: dict[FaultKind, Remark], played: list[Transcript]) -> Point:
    remark = remarks.get(kind) or (_after_the_end(played) if kind is FaultKind.PROTOCOL else None)
    if remark is not None:
        return Point(_RULES[kind], False, f"in match {len(played)}, seat {remark.seat}: {remark.text}", remark.stderr)
    if kind is not FaultKind.NO_START and not any(transcript.aside.spent for transcript in played):
        return Point(_RULES[kind], None, "not tested, since no match came to a decision")
    return Point(_RULES[kind], True, _measured(kind, played))


def _measured(kind: FaultKind, played: list[Transcript]) -> str:
    slowest = max((spent.us for transcript in played for spent in transcript.aside.spent), default=0)
    decisions = sum(len(transcript.aside.spent) for transcript in played)
    if kind is FaultKind.TIMEOUT:
        return f"the slowest of {decisions} decisions took {slowest / 1000:.1f} ms"
    return f"{len(played)} matches, {decisions} decisions"


def _repeatable(again: Transcript | None, played: list[Transcript]) -> Point:
    rule = "makes the same choices on a fresh and on a warm process"
    if again is None:
        return Point(rule, None, "not tested, since a match ended by a fault")
    difference = compare(played[-1].record, again.record)
    if difference:
        return Point(rule, False, f"match {len(played)} on a warm process (recorded) and a fresh one: {difference}")
    return Point(rule, True, f"match {len(played)} came out the same")


def _clean_end(clean: bool, remarks: dict[FaultKind, Remark], played: list[Transcript]) -> Point:
    rule = "ends its stream when the referee ends it"
    if remarks:
        return Point(rule, None, "not tested, since a match ended by a fault")
    return Point(rule, clean, "did so" if clean else f"did not do so within a second after match {len(played)}")


def _has_a_token(bot: AnyBot) -> TypeGuard[Bot]:
    """Whether it is for the bot to keep others out: on a port of this machine, where anybody could call."""
    return isinstance(bot, Bot) and bot.manifest.transport != "unix"


async def _strangers(trial: Trial, bot: Bot) -> Point:
    rule = "refuses who does not show its token (REFEREE_TOKEN) with UNAUTHENTICATED"
    with tempfile.TemporaryDirectory(prefix="referee-") as run_dir:
        process = await BotProcess.start(bot, Path(run_dir), no_sandbox)
        try:
            async with asyncio.timeout(trial.clock.start_ms / 1000):
                peer = await process.peer()
            if await _answers(peer, trial.clock):
                strangers = [replace(peer, token=token) for token in (None, "a guess")]
                answered = [stranger for stranger in strangers if await _answers(stranger, trial.clock)]
                return Point(rule, not answered, f"answered {len(answered)} of 2 who had none")
        except TimeoutError:
            pass
        finally:
            await process.bury()
    return Point(rule, None, "not tested, since it does not answer even with its token")


async def _answers(peer: Peer, clock: Clock) -> bool:
    line = Line(peer, on_fault=_leave_alone)
    try:
        await line.describe(clock.start_ms)
    except NoDescription:
        return False
    finally:
        await line.drop()
    return True


def _leave_alone() -> None:
    """Nothing is asked that could be answered wrongly."""


def _faults(transcript: Transcript) -> list[tuple[Any, Remark]]:
    """The faults of a match, each with what was said about it."""
    marks = {(mark.seat, mark.decision): mark for mark in transcript.record.faults}
    return [
        (marks[remark.seat, remark.decision], remark)
        for remark in transcript.aside.remarks
        if remark.decision is not None
    ]


def _after_the_end(played: list[Transcript]) -> Remark | None:
    """Misconduct after a seat's last decision, which cost it nothing but is misconduct all the same."""
    remarks = (remark for transcript in played for remark in transcript.aside.remarks)
    return next((remark for remark in remarks if remark.decision is None), None)
