"""Which game of OpenSpiel is played."""

from typing import Annotated, Literal

import msgspec

from referee.games.openspiel.library import refusal

GameText = Annotated[
    str, msgspec.Meta(description="a game of OpenSpiel with its parameters, such as kuhn_poker(players=3)")
]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Making one validates it.

    Attributes:
        game: the game, as `pyspiel.load_game` takes it.
        sees: what a seat gets of a position: OpenSpiel's observation, or its information state, which adds what the
            seat saw and did before. Where the game has only one of them, the seat gets that.

    Raises:
        ValueError: the game is not known, or the referee cannot play it.
    """

    game: GameText = "leduc_poker"
    sees: Literal["information", "observation"] = "observation"

    def __post_init__(self) -> None:
        wrong = refusal(self.game)
        if wrong is not None:
            raise ValueError(wrong)
