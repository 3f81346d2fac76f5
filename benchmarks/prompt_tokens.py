"""How many tokens a language model takes for a match: `python -m benchmarks.prompt_tokens [MATCHES]`.

Plays random matches, builds the prompts that the sample bot `chat` would send, and counts four characters as a token,
and 100 tokens for each answer. `chat` sends the rules with each request. It also sends its earlier questions and
answers of the match, unless it has the option `--forget`. It does not ask when only one action is legal.
"""

import sys
from collections.abc import Iterator
from random import Random
from statistics import fmean
from typing import NamedTuple

import referee
from referee import words

TABLES = (("agent-avenue", 2), ("inside-job", 4), ("agonia", 2))
"""The games, with their usual options and so many players."""
MATCHES = 100
_CHARACTERS_A_TOKEN = 4
_TOKENS_AN_ANSWER = 100
_OPENING = "You play this game, to win.\n\n"


class Seat(NamedTuple):
    """One seat in one match: how many questions, and the tokens with `--forget` and without it."""

    questions: int = 0
    forgetting: float = 0
    remembering: float = 0
    talk: float = 0
    """The tokens of its earlier questions and answers."""

    def after(self, rules: float, question: float) -> "Seat":
        """With one question more; `rules` and `question` are in tokens."""
        request = rules + question + _TOKENS_AN_ANSWER
        return Seat(
            self.questions + 1,
            self.forgetting + request,
            self.remembering + self.talk + request,
            self.talk + question + _TOKENS_AN_ANSWER,
        )


def rules_of(game: str, players: int) -> float:
    """The tokens that each request begins with."""
    return len(_OPENING + words.rules(game, players, {})) / _CHARACTERS_A_TOKEN


def seats_of(game: str, players: int, number: int) -> Iterator[Seat]:
    """The seats of a random match."""
    rng, rules, seats = Random(number), rules_of(game, players), [Seat()] * players
    match = referee.start(game, players, seed=number)
    for decision in match:
        if len(decision.legal) > 1:
            question = len(words.prompt(decision)) / _CHARACTERS_A_TOKEN
            seats[decision.seat] = seats[decision.seat].after(rules, question)
        match.choose(rng.randrange(len(decision.legal)))
    yield from seats


def main(matches: int) -> None:
    """Play and print, game by game."""
    for game, players in TABLES:
        seats = [seat for number in range(matches) for seat in seats_of(game, players, number)]
        questions, forgetting, remembering, _ = (fmean(column) for column in zip(*seats, strict=True))
        print(
            f"{game}, {players} players: {questions:.1f} decisions, "
            f"{rules_of(game, players):,.0f} tokens of the rules, "
            f"{forgetting:,.0f} of a match with --forget, {remembering:,.0f} without it",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES)
