"""A position as our seat sees it, with the futures that all plans of a decision share."""

from collections.abc import Iterable
from random import Random

from board import board_of, within
from cards import KINDS, chance
from hands import Owner, owner_of
from outlook import Forecast
from paths import Layout, draw_coming, future, walked
from plan import Hits, Plan
from referee_bot.v1 import agonia_pb2 as ag
from street import Street, Token, Walker

FUTURES = 6
AFTER_LAST = 12  # the advances that are played after the last enemies have appeared
LEFT: dict[int, float] = {ag.TOKEN_KIND_FOSO: 0.5, ag.TOKEN_KIND_CEPO: 0.3, ag.TOKEN_KIND_ACEITE: 0.25}
"""What a token is worth on which no enemy is about to step."""


class Table:
    """A view, and what follows from it.

    Attributes:
        luck: for all draws of this decision.
        owners: the players by seat.
        coming: the enemies that will appear, in several drawn futures.
        forecast: says how likely the team holds out.
        layouts: the layouts of tokens that were asked for. The first is the one on the board.
    """

    def __init__(self, view: ag.View, luck: Random) -> None:
        self.view, self.luck = view, luck
        self.board = board_of(view.board)
        self.me = view.players[view.seat]
        self.owners = [owner_of(player) for player in view.players]
        rounds = view.last - view.counter
        appearing = [0 if view.calm and not at else len(view.players) for at in range(rounds)]
        self.coming = draw_coming(luck, FUTURES, self._pile(), list(view.dead), appearing)
        enemies = view.enemies
        self.forecast = Forecast([it.kind for it in enemies], [it.life for it in enemies], self.coming.kinds)
        self.layouts: list[Layout] = []
        self._horizon = rounds + AFTER_LAST
        self._lying: list[float] = []
        self._later = self._turns_later()
        self.layout(self.tokens())

    def _pile(self) -> list[int]:
        """The kinds of enemies in the pile. Their order means nothing."""
        pile = [kind for kind, it in KINDS.items() for _ in range(it.copies)]
        for kind in [*(enemy.kind for enemy in self.view.enemies), *self.view.dead]:
            pile.remove(kind)
        return pile

    def _turns_later(self) -> list[float]:
        """In turn order, whether a player has its turn after the one whose turn it is."""
        order = list(self.view.order)
        active = order.index(self.view.active) if self.view.HasField("active") else len(order)
        return [float(at > active) for at in range(len(order))]

    # The street

    def tokens(self) -> list[Token]:
        """The tokens on the board, to be changed at will."""
        return [Token(token.kind, tuple(token.cells), token.fire) for token in self.view.tokens]

    def layout(self, tokens: Iterable[Token]) -> int:
        """The number of a layout of tokens. It decides where the enemies go."""
        walkers = [
            Walker(it.number, it.kind, it.cell, it.life, it.facing, it.held, it.aside) for it in self.view.enemies
        ]
        street = Street(self.board, walkers, tokens, burns=lambda _: False)
        later = future(self.board, street.tokens, self.coming, self._horizon)
        self.layouts.append(Layout(walked(street, walkers, self.view.stampedes, self._horizon), later))
        self._lying.append(sum(LEFT.get(token.kind, 0.0) for token in street.tokens.values()))
        return len(self.layouts) - 1

    def hits(self, cells: frozenset[int], damage: int) -> Hits:
        """What an attack on all these cells does."""
        return tuple(
            (at, chance(enemy.kind, damage, self._swarm(enemy.cell)))
            for at, enemy in enumerate(self.view.enemies)
            if enemy.cell in cells
        )

    def _swarm(self, cell: int) -> int:
        near = within(cell, 0, 1)
        return int(any(it.kind == ag.ENEMY_KIND_ENJAMBRE and it.cell in near for it in self.view.enemies))

    # What follows an action

    @property
    def own(self) -> Owner:
        """Our player."""
        return self.owners[self.view.seat]

    def plan(
        self, changed: dict[int, Owner] | None = None, hits: Hits = (), layout: int = 0, turns: float = 0.0
    ) -> Plan:
        """What follows an action that changes these players. `turns`: how many turns we still have in this round."""
        owners = [(changed or {}).get(seat, owner) for seat, owner in enumerate(self.owners)]
        order = list(self.view.order)
        left = list(self._later)
        left[order.index(self.view.seat)] += turns
        stock = sum(owner.stock for owner in owners) + self._lying[layout]
        return Plan(layout, hits, tuple(owners[seat].shooter for seat in order), tuple(left), stock)
