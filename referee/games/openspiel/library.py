"""The games of OpenSpiel: which of them is played with which options, and which can be refereed."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec

MOST_MOVES = 20_000
"""A game whose matches can be longer is refused: nothing promises that they end."""

_PLACE = re.compile(r"^\S+\.(cc|h):\d+ ")
"""The place in the source of OpenSpiel, with which some of its errors begin."""

_READS_FILE = re.compile(r"(filename|_file|_root)\s*=")


@lru_cache(maxsize=64)
def load_game(text: str) -> Any:
    """The game with these parameters, such as `kuhn_poker(players=3)`. `refusal` found nothing wrong with it."""
    import pyspiel  # noqa: PLC0415 - an extra, and not needed before a game of OpenSpiel is played

    return pyspiel.load_game(text)


def name_of(text: str) -> str:
    """The name of a game without its parameters."""
    return text.partition("(")[0].strip()


@lru_cache(maxsize=64)
def has_perfect_information(text: str) -> bool:
    """Whether everybody sees everything in this game, but for choices that others make at the same time."""
    kind = load_game(text).get_type()
    return bool(kind.information == type(kind).Information.PERFECT_INFORMATION)


@lru_cache(maxsize=64)
def told_as(text: str, sees: str, form: str) -> str | None:
    """The method of a position that tells a seat what it `sees` as a `string` or `tensor`; None if the game lacks it.

    Where a game has no observation, its information state is one. It is never the other way round: an observation need
    not tell what the seat saw and did before.
    """
    kind = load_game(text).get_type()
    kinds = ("information_state",) if sees == "information" else ("observation", "information_state")
    return next((f"{what}_{form}" for what in kinds if getattr(kind, f"provides_{what}_{form}")), None)


@lru_cache(maxsize=64)
def refusal(text: str) -> str | None:
    """Why the referee cannot play this game, in a sentence; None if it can."""
    try:
        wrong = _wrong_words(text) or next(_unfit(load_game(text)), None)
    except Exception as error:  # OpenSpiel names several
        wrong = f"OpenSpiel does not load it: {_PLACE.sub('', ' '.join(str(error).split()))[:200]}"
    return wrong and f"game: {text!r} cannot be played: {wrong}"


def _wrong_words(text: str) -> str | None:
    """What can be seen without loading the game: OpenSpiel writes about its own errors to stderr."""
    import pyspiel  # noqa: PLC0415

    name, known = name_of(text), pyspiel.registered_names()
    if name not in known:
        near = ", ".join(get_close_matches(name, known, n=3)) or "kuhn_poker, leduc_poker, tic_tac_toe"
        return f"OpenSpiel has no game {name!r}; it has, for example, {near}"
    if _READS_FILE.search(text):
        return "it reads a file, and a match may depend on its options alone"
    kind = next(kind for kind in pyspiel.registered_games() if kind.short_name == name)
    parameters, given = sorted(kind.parameter_specification), pyspiel.game_parameters_from_string(text)
    if not kind.default_loadable and len(given) < 2:  # the name is one
        return f"it needs parameters, such as {name}({parameters[0]}=...)"
    unknown = sorted(set(given) - {"name", *parameters})
    if unknown:
        return f"it has no parameter {unknown[0]!r}; it has: {', '.join(parameters) or 'none'}"
    least, most = kind.min_num_players, kind.max_num_players
    if not least <= given.get("players", least) <= most:
        return f"it has {least} to {most} players"
    return None


def _unfit(game: Any) -> Iterator[str]:
    kind = game.get_type()
    kinds = type(kind)
    if kind.dynamics == kinds.Dynamics.MEAN_FIELD:
        yield "it is a mean-field game, without single players"
    if kind.chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC:
        yield "it draws its luck itself, and the referee must draw it"
    if game.num_players() < 2:
        yield "it has one player, and a match needs two"
    formats = [f"{what}_{form}" for what in ("observation", "information_state") for form in ("string", "tensor")]
    if not any(getattr(kind, f"provides_{each}") for each in formats):
        yield "it tells players nothing, neither as text nor as numbers"
    if game.max_game_length() > MOST_MOVES:
        yield f"a match may have {game.max_game_length()} moves, and the most is {MOST_MOVES}"
    game.new_initial_state()  # some games look at their parameters only here


GameText = Annotated[
    str, msgspec.Meta(description="a game of OpenSpiel with its parameters, such as kuhn_poker(players=3)")
]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Making one validates it.

    Attributes:
        game: the game, as `pyspiel.load_game` takes it.
        sees: what a seat gets of a position: OpenSpiel's observation, or its information state, which adds what the
            seat saw and did before. Where the game has no observation, the seat gets the information state.

    Raises:
        ValueError: the game is not known, or the referee cannot play it.
    """

    game: GameText = "leduc_poker"
    sees: Literal["information", "observation"] = "observation"

    def __post_init__(self) -> None:
        wrong = refusal(self.game)
        if wrong is not None:
            raise ValueError(wrong)
        if not any(told_as(self.game, self.sees, form) for form in ("string", "tensor")):
            raise ValueError(f"sees: {self.game} tells no seat what it saw before; take sees=observation")
