"""The facts that are fixed before a match begins, seeds included (`referee.match.deal_seeds`)."""

from typing import Any

import msgspec

from referee.core import seeds
from referee.core.errors import WrongUse
from referee.core.game import AnyGame
from referee.match.deal_seeds import bot_seed, deal_seed, match_id
from referee.match.transcript import Header


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
