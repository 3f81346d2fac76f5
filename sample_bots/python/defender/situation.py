"""A position as our seat sees it. What several modules need is worked out only once."""

from functools import cached_property

from board import Board, board_of
from cards import Weapon, weapon_of
from referee_bot.v1 import agonia_pb2 as ag
from threat import Foe, foes_of, tokens_of


class Situation:
    """A view, and our player in it."""

    def __init__(self, view: ag.View) -> None:
        self.view = view
        self.me = view.players[view.seat]
        self.others = [player for seat, player in enumerate(view.players) if seat != view.seat]
        self.board: Board = board_of(view.board)
        self.tokens = tokens_of(view)

    @cached_property
    def foes(self) -> list[Foe]:
        """The enemies, nearest first."""
        return foes_of(self.view, self.board, self.tokens)

    @cached_property
    def ways(self) -> dict[int, list[int]]:
        """By number, the cells from each enemy to the entrance, if nothing is in its way."""
        return {enemy.number: self.board.way(enemy.cell, enemy.facing) for enemy in self.view.enemies}

    @cached_property
    def weapon(self) -> Weapon | None:
        """Our weapon, if it can shoot."""
        return weapon_of(self.me)
