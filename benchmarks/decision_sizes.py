"""How large decisions are: `python -m benchmarks.decision_sizes [MATCHES]`.

Plays random matches of every game in every combination of options and players, each choice even over the legal actions,
and prints for each game the largest `Decision` that a seat was sent, in bytes.
"""

import sys
from collections.abc import Iterator
from random import Random

from benchmarks.random_matches import Combination, combinations_of
from referee.match.conversation import Chosen, Ready
from referee.match.header import single
from referee.match.match import Ask, Match, Open
from referee.match.terms import Clock
from referee.wire.codec import GameEntry
from referee.wire.messages import encode
from referee.wire.registry import games

MATCHES = 100
"""Of each combination, unless told otherwise."""


def sizes(entry: GameEntry, combination: Combination, seed: str) -> Iterator[int]:
    """The bytes of every `Decision` in a random match."""
    rng, bots = Random(seed), tuple(f"bot-{seat}@1" for seat in range(combination.players))
    match = Match(entry.game, single(entry.game, combination.options, bots, seed), Clock())
    for request in match:
        if isinstance(request, Ask):
            yield len(encode(entry.codec, match, request))
            match.reply(Chosen(rng.randrange(len(request.legal))))
        elif isinstance(request, Open):
            match.reply(Ready())


def main(matches: int) -> None:
    """Play and print, game by game."""
    for name, entry in games().items():
        combinations = list(combinations_of(entry.game, {}, None))
        every = [
            (max(sizes(entry, combination, f"{combination}: {number}")), str(combination))
            for combination in combinations
            for number in range(matches)
        ]
        largest, where = max(every)
        print(f"{name}: at most {largest} bytes in {len(every)} matches ({where})", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES)
