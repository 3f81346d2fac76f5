"""`referee rerun`."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
import uvloop
from msgspec.structs import replace

from referee.cli.bot_arguments import CaFile, SandboxChoice, TokenFile, confinement_for, named_bots
from referee.cli.console import AsJson, fail, print_json, say
from referee.cli.transcripts import File, verified
from referee.core.bot_limits import Sandbox
from referee.core.errors import Exit, UserError
from referee.core.outcome import Seat
from referee.files.entry_arguments import check_plain
from referee.files.manifest import unlabelled
from referee.match.narrator import tell_outcome
from referee.match.replay import Difference, compare
from referee.match.terms import LONGEST_MS, EntryTerms
from referee.match.transcript import Transcript
from referee.runtime.confinement import Confinement
from referee.runtime.host import Bot, HostSettings
from referee.runtime.person import PLACE
from referee.runtime.process_sessions import temporary_folder
from referee.runtime.substitution import Departure, NobodyThere, SubstitutedTable
from referee.runtime.table import play_once
from referee.wire.registry import game_entry

_SEAT = re.compile(r"(\d+)=(.*)")

_Named: TypeAlias = Callable[[Sequence[str]], list[Bot]]
"""Gives the bots that some words name."""


def rerun(
    file: File,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            help="The address or folder of a bot now. Give one for each seat, in order; or SEAT=BOT, for another bot."
        ),
    ] = None,
    others: Annotated[
        str | None,
        typer.Option(metavar="BOT", help="With SEAT=BOT: stands in for bots of the record that cannot be had."),
    ] = None,
    start_ms: Annotated[
        int | None, typer.Option(min=1, max=LONGEST_MS, help="As in `play`. Default: the limit of the recorded match.")
    ] = None,
    sandbox: SandboxChoice = None,
    ca: CaFile = None,
    token_file: TokenFile = None,
    json: AsJson = False,
) -> None:
    """Play a recorded match again with the live bots and compare their choices, or with another bot in a seat."""
    recorded = _recorded(file)
    words, terms, named = bot or [], _terms(file, recorded, start_ms), partial(named_bots, ca=ca, token_file=token_file)
    if start_ms is not None:
        clock = replace(recorded.metadata.clock, start_ms=start_ms)
        recorded = replace(recorded, metadata=replace(recorded.metadata, clock=clock))
    seats = [_SEAT.match(word) for word in words]
    if any(seats):
        if not all(seats):
            fail(Exit.WRONG_USE, "name all seats with --bot SEAT=BOT, or none")
        places = {int(each[1]): each[2] for each in seats if each}
        found, sentences = _substituted(recorded, terms, places, others, named, sandbox)
    elif others is not None:
        fail(Exit.WRONG_USE, "--others is for the seats beside another bot: name this bot with --bot SEAT=BOT")
    else:
        found, sentences = _again(file, recorded, terms, words, named, sandbox)
    if json:
        print_json(found)
    else:
        say(sentences)
    if not found["same"]:
        raise typer.Exit(Exit.DOES_NOT_HOLD)


def _again(
    file: Path,
    recorded: Transcript,
    terms: Sequence[EntryTerms],
    words: Sequence[str],
    named: _Named,
    sandbox: Sandbox | None,
) -> tuple[dict[str, Any], str]:
    """What `--json` prints, and the same in words."""
    header, places = recorded.record.header, words or recorded.metadata.bots
    if len(places) != len(header.entries):
        fail(Exit.WRONG_USE, f"the match has {len(header.entries)} seats; name as many bots with --bot, by seat")
    if PLACE in places:
        fail(Exit.WRONG_USE, f"{file}: a person played in this match, and cannot be asked again; verify checks it")
    bots = [bot.on_terms(own) for bot, own in zip(named(places), terms, strict=True)]
    for entry, bot in zip(header.entries, bots, strict=True):
        if bot.entry != unlabelled(entry):
            fail(Exit.WRONG_USE, f"{bot.place}: this is {bot.entry}, but {entry} played the match")
    confinement = confinement_for(bots, sandbox)
    again = uvloop.run(play_once(game_entry(header.game), bots, header, recorded.metadata.clock, confinement))
    difference = compare(recorded.record, again.record)
    faults = ", ".join(f"{fault.kind} of seat {fault.seat}" for fault in again.record.faults)
    same = "the same match, choice by choice" + (f", with the same fault: {faults}" if faults else "")
    found = {"same": difference is None, "difference": difference, "digest": again.digest}
    return found, difference or same


def _substituted(
    recorded: Transcript,
    terms: Sequence[EntryTerms],
    places: Mapping[Seat, str],
    others: str | None,
    named: _Named,
    sandbox: Sandbox | None,
) -> tuple[dict[str, Any], str]:
    """As `_again`."""
    header = recorded.record.header
    if missing := [seat for seat in places if seat >= len(terms)]:
        fail(Exit.WRONG_USE, f"there is no seat {missing[0]}; this match has seats 0 to {len(terms) - 1}")
    here = dict(zip(places, named(list(places.values())), strict=True))
    for seat, bot in here.items():
        if refusal := bot.refusal(header.game, header.options):
            fail(Exit.WRONG_USE, f"seat {seat}: {refusal}")
    for seat, (place, entry) in enumerate(zip(recorded.metadata.bots, header.entries, strict=True)):
        if seat not in here and (bot_then := _of_the_record(place, entry, named)) is not None:
            here[seat] = bot_then
    absent = tuple(seat for seat in range(len(terms)) if seat not in here)
    if others is not None:
        here |= dict(zip(absent, named([others] * len(absent)), strict=True))
    bots = {seat: bot.on_terms(terms[seat]) for seat, bot in here.items()}
    departure, now = uvloop.run(_play(recorded, bots, absent, confinement_for(bots.values(), sandbox)))
    found = {
        "same": departure is None,
        "departure": departure,
        "places": recorded.record.outcome.places,
        "now": None if now is None else now.record.outcome.places,
        "absent": absent,
    }
    names = tuple(bots[seat].entry if seat in bots else entry for seat, entry in enumerate(header.entries))
    return found, "\n".join(_told(recorded, departure, now, names, absent))


def _of_the_record(place: str, entry: str, named: _Named) -> Bot | None:
    """The bot that played in a seat, if it can be had."""
    try:
        (found,) = named([place])
    except UserError:
        return None
    return found if found.entry == unlabelled(entry) else None


async def _play(
    recorded: Transcript, bots: Mapping[Seat, Bot], standing_in: Sequence[Seat], confinement: Confinement
) -> tuple[Departure | None, Transcript | None]:
    """Where the match leaves the record, and the match that follows; None if it is the turn of nobody."""
    entry, clock = game_entry(recorded.record.header.game), recorded.metadata.clock
    with temporary_folder() as run_dir:
        table = SubstitutedTable(entry, recorded, bots, HostSettings(run_dir, confinement, clock.start_ms), standing_in)
        try:
            played = await table.play(entry, recorded.record.header, clock)
            return table.departure, played
        except NobodyThere:
            return table.departure, None
        finally:
            await table.stop()


def _told(
    recorded: Transcript,
    departure: Departure | None,
    now: Transcript | None,
    names: tuple[str, ...],
    absent: Sequence[Seat],
) -> Iterator[str]:
    header = recorded.record.header
    if departure is None:
        yield "the same match, choice by choice"
        return
    yield (
        f"the same up to decision {departure.number}, which is decision {departure.decision} of seat {departure.seat}:"
        f" recorded {departure.recorded}, now {departure.now}"
    )
    away = ", ".join(f"{header.entries[seat]} (seat {seat})" for seat in absent)
    if now is None:
        yield f"nobody goes on: {away} cannot be had; --others BOT lets a bot stand in"
        return
    if absent:
        yield f"{names[absent[0]]} stands in for {away}, from this decision on"
    yield f"recorded: {tell_outcome(header, recorded.record.outcome)}"
    yield f"now: {tell_outcome(replace(header, entries=names), now.record.outcome)}"


def _recorded(file: Path) -> Transcript:
    """The match in a file, which holds by the rules that will play it again."""
    try:
        return verified(file)
    except Difference as difference:
        fail(Exit.WRONG_USE, f"{file}: it cannot be compared with another match: {difference}")


def _terms(file: Path, recorded: Transcript, start_ms: int | None) -> list[EntryTerms]:
    """The terms of the bots' entries, by seat, with another time to start if one is given.

    Commands will run on these terms, so a league file must allow them, too.
    """
    for seat, terms in enumerate(recorded.terms):
        try:
            check_plain(terms)
        except ValueError as error:
            fail(Exit.WRONG_USE, f"{file}: the terms of seat {seat} cannot be used: {error}")
    if start_ms is None:
        return list(recorded.terms)
    return [
        replace(terms, clock=replace(terms.clock, start_ms=start_ms)) if terms.clock else terms
        for terms in recorded.terms
    ]
