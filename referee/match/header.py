"""The facts that are fixed before a match begins, seeds included. All seeds follow by path from the league's seed.

The path of a deal's seed has no name and no rotation, so every line-up meets the same deals. The values
that a bot is sent (its own seed, the match's id) depend on the fixture instead. So they do not reveal the deal.
"""

from typing import Any

import msgspec

from referee.core import seeds
from referee.core.errors import WrongUse
from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.match.transcript import Header

BOT_SEED_BYTES = 16
MATCH_ID_BYTES = 8


def deal_seed(root: bytes, deal: int) -> bytes:
    """32 bytes, the root of all luck in a deal: root / "deal" / number."""
    return seeds.child(root, "deal", str(deal))


def own_deal_seed(root: bytes, fixture: str) -> bytes:
    """32 bytes, the root of all luck in a match that shares its deal with no other: root / "own deal" / fixture id."""
    return seeds.child(root, "own deal", fixture)


def bot_seed(root: bytes, fixture: str, seat: Seat) -> bytes:
    """16 bytes for a seat's own randomness: root / "bot" / fixture id / seat."""
    return seeds.child(root, "bot", fixture, str(seat))[:BOT_SEED_BYTES]


def match_id(root: bytes, fixture: str) -> bytes:
    """8 bytes, the id that the bots are given for a match: root / "match" / fixture id."""
    return seeds.child(root, "match", fixture)[:MATCH_ID_BYTES]


def header(
    *,
    game: str,
    rules_version: int,
    options: dict[str, Any],
    fixture: str,
    entries: tuple[str, ...],
    root: bytes,
    deal: int,
) -> Header:
    """The header of a match.

    `options` are plain values, defaults included; `entries` are by seat; `root` is the league's seed, 32 bytes.
    """
    return Header(
        game=game,
        rules_version=rules_version,
        options=options,
        fixture=fixture,
        deal_seed=deal_seed(root, deal).hex(),
        match_id=match_id(root, fixture).hex(),
        bot_seeds=tuple(bot_seed(root, fixture, seat).hex() for seat in range(len(entries))),
        entries=entries,
    )


def single(game: AnyGame, options: Any, entries: tuple[str, ...], seed: str) -> Header:
    """The header of a match outside any league.

    `options` is an instance of the game's `options_type`; `seed` stands for the root of all seeds.

    Raises:
        WrongUse: this number of players does not fit the game with these options, or the seed is not UTF-8.
    """
    require_seats(game, options, len(entries))
    return header(
        game=game.name,
        rules_version=game.rules_version,
        options=msgspec.to_builtins(options),
        fixture=f"{game.name}/play/{'+'.join(entries)}/seed-{seed}",
        entries=entries,
        root=seeds.from_text(seed),
        deal=0,
    )


def require_seats(game: AnyGame, options: Any, seats: int) -> None:
    """Check that a number of players fits.

    Raises:
        WrongUse: this number of players does not fit the game with these options.
    """
    fits = game.seats(options)
    if seats not in fits:
        either = " or ".join(map(str, fits))
        raise WrongUse(f"{game.name} with these options takes {either} players, not {seats}")
