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
    recorded, named = _recorded(file, start_ms), partial(named_bots, ca=ca, token_file=token_file)
    seats = [_SEAT.fullmatch(word) for word in bot or []]
    if any(seats) and not all(seats):
        fail(Exit.WRONG_USE, "name all seats with --bot SEAT=BOT, or none")
    if others is not None and not any(seats):
        fail(Exit.WRONG_USE, "--others is for the seats beside another bot: name this bot with --bot SEAT=BOT")
    if any(seats):
        places = {int(each[1]): each[2] for each in seats if each}
        bots = dict(zip(places, named(list(places.values())), strict=True))
    else:
        bots = dict(enumerate(_as_recorded(file, recorded, bot, named)))
    course = play_again(recorded, bots, others, named, sandbox)
    if json:
        now = course.again and {"now": course.again.record.outcome.places, "digest": course.again.digest}
        found = {"same": course.departure is None, "departure": course.departure, "absent": course.standing_in}
        then = {"places": recorded.record.outcome.places, "now": None, "digest": None}
        print_json(found | then | (now or {}))
    else:
        say(course.words())
    if course.departure is not None:
        raise typer.Exit(Exit.DOES_NOT_HOLD)


def play_again(
    recorded: Transcript, bots: Mapping[Seat, Bot], others: str | None, named: NameBots, sandbox: Sandbox | None
) -> Course:
    """Play a match again.

    Args:
        recorded: the match. It holds, and its terms can be used.
        bots: those that play now, by seat. In the other seats, those of the record play.
        others: stands in for those of the record that cannot be had.
        named: finds bots.
        sandbox: the sandbox; None: the usual one.

    Raises:
        WrongUse: a bot does not play such matches, or there is no such seat.
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
    here |= dict(zip(absent, named([others] * len(absent)), strict=True)) if others is not None else {}
    seated = {seat: bot.on_terms(_terms(bot, header.entries[seat], terms[seat])) for seat, bot in here.items()}
    entry, confinement = game_entry(header.game), confinement_for(here.values(), sandbox)
    return uvloop.run(play_substituted(entry, recorded, seated, confinement, recorded.metadata.clock, absent))


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


def _recorded(file: Path, start_ms: int | None) -> Transcript:
    """The match in a file, which holds by the rules that will play it again; with another time to start, if given."""
    try:
        recorded = verified(file)
    except Difference as difference:
        fail(Exit.WRONG_USE, f"{file}: it cannot be compared with another match: {difference}")
    return on_plain_terms(str(file), recorded, start_ms)


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
    own = tuple(
        replace(terms, clock=replace(terms.clock, start_ms=start_ms)) if terms.clock else terms
        for terms in recorded.terms
    )
    return replace(recorded, metadata=replace(recorded.metadata, clock=clock, terms=own))
