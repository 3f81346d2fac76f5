"""`referee rerun`."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
import uvloop
from msgspec.structs import replace

from referee.cli.bot_arguments import CaFile, SandboxChoice, TokenFile, confinement_for, named_bots
from referee.cli.console import AsJson, fail, print_json, say
from referee.cli.transcripts import File, verified
from referee.core.bot_limits import Sandbox
from referee.core.errors import Exit, UserError, WrongUse
from referee.core.outcome import Seat
from referee.files.entry_arguments import check_plain
from referee.files.manifest import unlabelled
from referee.match.replay import Difference
from referee.match.terms import LONGEST_MS, EntryTerms
from referee.match.transcript import Transcript
from referee.runtime.host import Bot
from referee.runtime.person import PLACE
from referee.runtime.substitution import Course, play_substituted
from referee.wire.registry import game_entry

_SEAT = re.compile(r"(\d{1,2})=(.*)", re.DOTALL)

NameBots: TypeAlias = Callable[[Sequence[str]], list[Bot]]
"""Gives the bots in these folders and at these addresses."""

Others = Annotated[str | None, typer.Option(metavar="BOT", help="Stands in for bots of the record that cannot be had.")]


def rerun(
    file: File,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            help="The address or folder of a bot now. Give one for each seat, in order; or SEAT=BOT, for another bot."
        ),
    ] = None,
    others: Others = None,
    start_ms: Annotated[
        int | None, typer.Option(min=1, max=LONGEST_MS, help="As in `play`. Default: the limit of the recorded match.")
    ] = None,
    sandbox: SandboxChoice = None,
    ca: CaFile = None,
    token_file: TokenFile = None,
    json: AsJson = False,
) -> None:
    """Play a recorded match again with the live bots and compare their choices, or with another bot in a seat."""
    try:
        recorded = on_plain_terms(str(file), verified(file), start_ms)
    except Difference as difference:
        fail(Exit.WRONG_USE, f"{file}: it cannot be compared with another match: {difference}")
    named = partial(named_bots, ca=ca, token_file=token_file)
    places = {int(found[1]): found[2] for word in bot or [] if (found := _SEAT.fullmatch(word))}
    if (places or others is not None) and not 0 < len(places) == len(bot or []):
        fail(Exit.WRONG_USE, "to put another bot into a seat, write every --bot as SEAT=BOT, each seat once")
    bots = named([*places.values()]) if places else _as_recorded(file, recorded, bot, named)
    course = play_again(recorded, dict(zip(places or range(len(bots)), bots, strict=True)), others, sandbox, named)
    if json:
        now = course.again and course.again.record.outcome.places
        same = {"same": course.difference is None, "difference": course.difference, "absent": course.standing_in}
        ends = {"places": recorded.record.outcome.places, "now": now, "digest": course.again and course.again.digest}
        print_json({**same, **ends})
    else:
        say(str(course))
    if course.difference is not None:
        raise typer.Exit(Exit.DOES_NOT_HOLD)


def play_again(
    recorded: Transcript,
    bots: Mapping[Seat, Bot],
    others: str | None,
    sandbox: Sandbox | None,
    named: NameBots = named_bots,
) -> Course:
    """Play a match again.

    Args:
        recorded: the match. It holds, and its terms can be used.
        bots: those that play now, by seat. In the other seats, those of the record play.
        others: stands in for those of the record that cannot be had.
        sandbox: the sandbox; None: the usual one.
        named: finds bots.

    Raises:
        WrongUse: a bot does not play such matches, or there is no such seat, or the record does not hold.
    """
    header, terms, places = recorded.record.header, recorded.terms, dict(enumerate(recorded.metadata.bots))
    if missing := [seat for seat in bots if seat >= len(terms)]:
        raise WrongUse(f"there is no seat {missing[0]}; this match has seats 0 to {len(terms) - 1}")
    for seat, bot in bots.items():
        if refusal := bot.refusal(header.game, header.options):
            raise WrongUse(f"seat {seat}: {refusal}")
    here = dict(bots)
    for seat, name in enumerate(header.entries):
        if seat not in here and (bot_then := _of_the_record(places.get(seat), name, named)) is not None:
            here[seat] = bot_then
    absent = tuple(seat for seat in range(len(terms)) if seat not in here)
    here |= {} if others is None else dict.fromkeys(absent, *named([others]))
    seated = {seat: bot.on_terms(_terms(bot, header.entries[seat], terms[seat])) for seat, bot in here.items()}
    entry, confinement = game_entry(header.game), confinement_for(here.values(), sandbox)
    try:
        return uvloop.run(play_substituted(entry, recorded, seated, confinement, recorded.metadata.clock, absent))
    except Difference as difference:
        raise WrongUse(f"{header.fixture}: it does not hold: {difference}") from difference


def _of_the_record(place: str | None, entry: str, named: NameBots) -> Bot | None:
    """The bot that played in a seat, if it can be had."""
    try:
        (found,) = named([place or ""])
    except (UserError, OSError):  # the name may be too long
        return None
    return found if found.entry == unlabelled(entry) else None


def _terms(bot: Bot, entry: str, terms: EntryTerms) -> EntryTerms:
    """The terms of a recorded entry for a bot that has its seat. Arguments are for versions of the same bot."""
    name, _, _ = unlabelled(entry).partition("@")
    return terms if bot.entry.startswith(f"{name}@") else EntryTerms(clock=terms.clock)


def _as_recorded(file: Path, recorded: Transcript, words: Sequence[str] | None, named: NameBots) -> list[Bot]:
    """By seat, the bots of the record, or those in other places that have the same names."""
    entries, places = recorded.record.header.entries, words or recorded.metadata.bots
    if len(places) != len(entries):
        fail(Exit.WRONG_USE, f"the match has {len(entries)} seats; name as many bots with --bot, by seat")
    if PLACE in places:
        fail(Exit.WRONG_USE, f"{file}: a person played in this match, and cannot be asked again; verify checks it")
    bots = named(places)
    for entry, bot in zip(entries, bots, strict=True):
        if bot.entry != unlabelled(entry):
            fail(Exit.WRONG_USE, f"{bot.place}: this is {bot.entry}, but {entry} played the match")
    return bots


def on_plain_terms(name: str, recorded: Transcript, start_ms: int | None = None) -> Transcript:
    """The match, with another time to start if one is given.

    Commands will run on the terms of its bots, so a league file must allow them, too.
    """
    for seat, terms in enumerate(recorded.terms):
        try:
            check_plain(terms)
        except ValueError as error:
            fail(Exit.WRONG_USE, f"{name}: the terms of seat {seat} cannot be used: {error}")
    if start_ms is None:
        return recorded
    clock = replace(recorded.metadata.clock, start_ms=start_ms)
    clocks = [each.clock and replace(each.clock, start_ms=start_ms) for each in recorded.terms]
    own = tuple(replace(each, clock=clock) for each, clock in zip(recorded.terms, clocks, strict=True))
    return replace(recorded, metadata=replace(recorded.metadata, clock=clock, terms=own))
