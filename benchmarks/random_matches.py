"""Random matches of a game in every combination of options and players: whether all of them end, and how.

    python -m benchmarks.random_matches GAME [MATCHES] [--option NAME=VALUE]... [--players N]

Plays in process, every choice even over the legal actions, and prints a line for each combination: decisions a match,
the most actions that were legal at once, the share of matches that each side won, and the shares of the endings. Every
finished match is checked; the exit code is 1 if something is wrong with one.

The combinations are the game's `varieties` of options, each with every number of players that fits. `--option` fixes an
option in all of them; combinations that become equal are played only once.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Annotated, Any, NamedTuple

import msgspec
import typer

from benchmarks.matches import Match, play
from referee.cli.console import fail, report_errors_plainly
from referee.cli.play import GameOptions, option_values
from referee.core.errors import Exit
from referee.core.game import AnyGame
from referee.core.outcome import Outcome
from referee.files.options import OptionsError, read_options
from referee.match.narrator import tell_option
from referee.wire.registry import games

MATCHES = 10_000
"""How many of each combination are played unless told otherwise: some minutes of each of our games."""


class Combination(NamedTuple):
    """Options with a number of players."""

    options: Any
    players: int

    def __str__(self) -> str:
        values = msgspec.to_builtins(self.options).items()
        return f"{' '.join(f'{name}={tell_option(value)}' for name, value in values)}, {self.players} players"


def combinations_of(game: AnyGame, given: Mapping[str, object], players: int | None) -> Iterator[Combination]:
    """The combinations to play.

    Args:
        game: the game.
        given: the values that options are fixed to, as text.
        players: the number of players; None for every number that fits.

    Raises:
        OptionsError: none of the game's `varieties` goes together with the given values.
    """
    for options in _fixed(game, given):
        for fitting in game.seats(options):
            if players in {None, fitting}:
                yield Combination(options, fitting)


def _fixed(game: AnyGame, given: Mapping[str, object]) -> list[Any]:
    found, wrong = [], None
    for options in game.varieties:
        try:
            found.append(read_options(game, msgspec.to_builtins(options) | given, "--option "))
        except OptionsError as error:  # not with these options, but maybe with others
            wrong = error
    if wrong and not found:
        raise wrong
    return list(dict.fromkeys(found))


class Tally:
    """The totals of the matches of one combination."""

    def __init__(self) -> None:
        self.matches = self.decisions = self.most_actions = 0
        self.wins = Counter[str]()
        self.endings = Counter[str]()

    def add(self, match: Match) -> None:
        """Count a match."""
        self.matches += 1
        self.decisions += match.decisions
        self.most_actions = max(self.most_actions, match.most_actions)
        self.endings[match.outcome.ending] += 1
        for side in match.outcome.sides:
            self.wins[side.name] += match.outcome.places[side.seats[0]] == 1

    def __str__(self) -> str:
        lengths = f"{self.decisions / self.matches:.1f} decisions, at most {self.most_actions} actions"
        return f"{lengths}; won by {self._shares(self.wins)}; endings {self._shares(self.endings)}"

    def _shares(self, counts: Counter[str]) -> str:
        return ", ".join(f"{name} {count / self.matches:.2%}" for name, count in counts.most_common())


def wrong_with(game: AnyGame, players: int, match: Match) -> list[str]:
    """What is wrong with a finished match; empty if nothing is."""
    outcome, together = match.outcome, [seat for side in match.outcome.sides for seat in side.seats]
    claims = {
        "the ending is one of the game's": outcome.ending in game.endings,
        "every seat has a place": len(outcome.places) == players,
        "every seat is on one side": sorted(together) == list(range(players)),
        "seats of a side have one place": all(
            len({outcome.places[seat] for seat in side.seats}) == 1 for side in outcome.sides
        ),
        "places are counted from 1, by who is better": outcome.places == _counted(outcome),
        "everything that was in the box is still there": game.is_whole(match.last),
    }
    return [claim for claim, holds in claims.items() if not holds]


def _counted(outcome: Outcome) -> tuple[int, ...]:
    """The places as they must be. If all seats are one side, they only say whether it won (see `Outcome`)."""
    if len(outcome.sides) == 1:
        return (min(outcome.places[0], 2),) * len(outcome.places)
    return tuple(1 + sum(other < place for other in outcome.places) for place in outcome.places)


def tally_of(game: AnyGame, combination: Combination, matches: int) -> Tally:
    """The figures of some matches. At the first wrong one the program ends and says how to play it again."""
    tally = Tally()
    for number in range(matches):
        seed = f"{combination}: {number}"
        match = play(game, combination.options, combination.players, Random(seed))
        if wrong := wrong_with(game, combination.players, match):
            fail(Exit.DOES_NOT_HOLD, f"of the match played with Random({seed!r}) these do not hold:", *wrong)
        tally.add(match)
    return tally


def main(
    name: Annotated[str, typer.Argument(metavar="GAME", help="The name of an installed game.")],
    matches: Annotated[int, typer.Argument(min=1, help="How many of each combination.")] = MATCHES,
    option: GameOptions = None,
    players: Annotated[int | None, typer.Option(help="Only combinations of so many players.")] = None,
) -> None:
    """Play every combination and print its figures."""
    if name not in games():
        fail(Exit.WRONG_USE, f"{name}: not known; installed: {', '.join(games())}")
    game = games()[name].game
    with report_errors_plainly():
        chosen = list(combinations_of(game, option_values(option or []), players))
    if not chosen:
        fail(Exit.WRONG_USE, f"--players {players}: {name} with these options is not played by so many; leave it out")
    print(f"{matches} random matches of {name} for each combination")
    for combination in chosen:
        print(f"{combination}: {tally_of(game, combination, matches)}", flush=True)


if __name__ == "__main__":
    typer.run(main)
