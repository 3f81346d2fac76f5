"""Matches of Agonía that begin with enemies and tokens on the street and an almost empty deck, in both engines.

From the usual beginning much happens rarely, such as an arrasador that pushes three enemies onto a trap, or never, such
as a counter that stays. Some of these beginnings have cards or walls that no match has; the rules say what follows.
"""

from random import Random
from typing import Any, get_args, get_type_hints

from msgspec.structs import replace

from tests.games.agonia.plain_box import (
    BARRICADES,
    CARD_NUMBERS,
    DOWN,
    KIND_NUMBERS,
    RIGHT,
    TOKENS,
    Cell,
    Enemy,
    Token,
    distance,
)
from tests.games.agonia.plain_enemies import Needs
from tests.games.agonia.plain_engine import PlainMatch


class ScatteredMatch(PlainMatch):
    """A match of the plain engine. If it is `scattered`, things are scattered by `luck` before the first round."""

    luck: Random
    scattered: bool

    def play_round(self) -> Needs[None]:
        """Scatter things first."""
        if not self.round and self.scattered:
            self._scatter()
        yield from super().play_round()

    def _scatter(self) -> None:
        self._thin_out()
        if self.luck.random() < 0.1:
            self._wall_up()
        for _ in range(self.luck.randint(0, 20)):
            self._lay(self.luck.choice(list(TOKENS)))
        nearest = self.luck.choice((1, 2, 4, 5))
        wanted = [self.luck.choice(["arrasador", ""]), *[""] * self.luck.randint(0, 16)]
        for kind in wanted:
            cell = self.luck.choice(self.board.street + self.board.spawn)
            if self.board.place_in_order(cell)[0] >= nearest:
                self._stand(cell, kind)
        if self.enemies and self.last not in (3, 6, 9) and self.luck.random() < 0.3:  # there is no supply in this round
            self.counter, self.rounds_on_last = self.last, self.luck.randint(0, 29)

    def _thin_out(self) -> None:
        """Few cards are in the deck. The others are discards, or out of the match: then the deck can stay empty.

        Among few cards suministros would bring itself again and again.
        """
        if self.luck.random() < 0.2:
            left = [card for card in self.deck if card.name != "suministros"]
            self.deck, self.discards = left[: self.luck.randint(0, 5)], []
        else:
            kept = self.luck.randint(1, len(self.deck))
            self.deck, self.discards = self.deck[:kept], self.discards + self.deck[kept:]

    def _wall_up(self) -> None:
        """Enemies on all cells above a wall, so that the counter may stay. Cards could not place such a wall."""
        one, other, *rest = sorted(cell for cell in self.board.street if cell[1] == 2)
        self.tokens += [Token("barricada_doble", (one, other)), *(Token("barricada", (cell,)) for cell in rest)]
        for cell in self.board.street + self.board.spawn:
            if cell[1] < 2:
                self._stand(cell)

    def _lay(self, kind: str) -> None:
        """A token where a card could have placed it."""
        ground = self.board.street + (self.board.spawn if "spawn" in TOKENS[kind]["ground"] else [])
        x, y = self.luck.choice(ground)
        cells: tuple[Cell, ...] = ((x, y),)
        if kind == "barricada_doble":
            cells = self.luck.choice([((x, y), (x + 1, y)), ((x, y), (x, y + 1))])
        left = sum(token.kind == kind for token in self.tokens) < TOKENS[kind]["tokens"]
        if not left or any(self.token_on(cell) or cell not in ground for cell in cells):
            return
        shut = [cell for token in self.tokens if token.kind in BARRICADES for cell in token.cells]
        shut += self.board.spawn + self.board.entrance
        if kind in BARRICADES and any(distance(cell, other) <= 1 for cell in cells for other in shut):
            return
        token = Token(kind, cells)
        token.fire = self.luck.randint(0, 2) if kind in BARRICADES else 0
        self.tokens.append(token)

    def _stand(self, cell: Cell, wanted: str = "") -> None:
        """An enemy as it could have come there, of this kind if there is one."""
        token = self.token_on(cell)
        if self.enemy_on(cell) or (token and token.blocks) or not self.pile:
            return
        kind = self.luck.choice(sorted({wanted} & {*self.pile} or {*self.pile}))
        on = token.kind if token else ""
        big = kind in ("corpulento", "arrasador")
        if (on == "aceite" or (on == "foso" and not big)) and cell not in self.board.spawn:
            return
        self.pile.remove(kind)
        self.appeared += 1
        enemy = Enemy(self.appeared, kind, cell)
        enemy.life = self.luck.randint(1, enemy.life)
        enemy.aside = self.luck.randint(0, 2)
        enemy.facing = RIGHT if self.board.name == "secondary" and 7 <= sum(cell) < 10 else DOWN
        enemy.trapped = on == "cepo" and kind != "arrasador" and cell not in self.board.spawn
        self.enemies.append(enemy)


def scatter_alike(state: Any, plain: PlainMatch) -> Any:
    """The program's position with the same enemies, tokens, cards and counter as the plain one."""
    types = get_type_hints(type(state))
    enemy_type, token_type = get_args(types["enemies"])[0], get_args(types["tokens"])[0]
    kinds, facings = get_type_hints(enemy_type)["kind"], get_type_hints(enemy_type)["facing"]
    token_kinds = get_type_hints(token_type)["kind"]
    enemies = [
        enemy_type(
            number=enemy.number,
            kind=kinds(KIND_NUMBERS[enemy.kind]),
            cell=_number(enemy.cell),
            life=enemy.life,
            facing=facings(1 if enemy.facing == DOWN else 2),
            held=enemy.trapped,
            aside=enemy.aside,
        )
        for enemy in plain.in_order(plain.enemies)
    ]
    tokens = [
        token_type(
            cells=tuple(_number(cell) for cell in token.cells),
            kind=token_kinds(list(TOKENS).index(token.kind) + 1),
            fire=token.fire,
        )
        for token in sorted(plain.tokens, key=lambda token: _number(token.cells[0]))
    ]
    return replace(
        state,
        enemies=tuple(enemies),
        tokens=tuple(tokens),
        spawned=plain.appeared,
        pile=tuple(kinds(KIND_NUMBERS[kind]) for kind in plain.pile),
        deck=tuple(CARD_NUMBERS[card.name] for card in plain.deck),
        discards=tuple(sorted(CARD_NUMBERS[card.name] for card in plain.discards)),
        counter=plain.counter,
        rounds_on_last=plain.rounds_on_last,
    )


def _number(cell: Cell) -> int:
    return 16 * cell[1] + cell[0]
