"""The enemies of the plain engine of Agonía: attacks on them, their turn, and how they appear."""

from collections.abc import Generator, Iterable
from typing import Any, NamedTuple, TypeAlias, TypeVar

from tests.games.agonia.plain_box import (
    ALL_AROUND,
    BARRICADES,
    DOWN,
    ENEMIES,
    Board,
    Cell,
    Enemy,
    Token,
    beyond,
    distance,
)

T = TypeVar("T")


class Draw(NamedTuple):
    """Luck is needed: so many `numbers` below `faces`, or a permutation of `range(numbers)` if `faces` is 0."""

    label: str
    faces: int
    numbers: int


class Choice(NamedTuple):
    """A seat must choose one of these actions."""

    seat: int
    legal: list[tuple[Any, ...]]


Needs: TypeAlias = Generator[Draw | Choice, Any, T]
"""A part of a match. It yields what it needs, and goes on when it is sent."""


class MatchOver(Exception):
    """The match has ended in this way."""

    def __init__(self, ending: str) -> None:
        super().__init__(ending)
        self.ending = ending


class Street:
    """The enemies and tokens of a match, and its counter."""

    def __init__(self, board: str, seats: int, last: int) -> None:
        self.board, self.seats, self.last = Board(board), seats, last
        self.counter = 0
        self.round = self.rolls = self.appeared = self.killed = self.restocks = 0
        self.enemies: list[Enemy] = []
        self.tokens: list[Token] = []
        self.pile = [kind for kind, table in ENEMIES.items() for _ in range(table["tokens"])]
        self.dead: list[str] = []
        self.trapped_now: set[Enemy] = set()
        self.calm = False
        self.stampedes = 0

    def shuffle(self, label: str, things: list[T]) -> Needs[list[T]]:
        """The things in another order."""
        drawn: tuple[int, ...] = yield Draw(label, 0, len(things))
        return [things[number] for number in drawn]

    def roll(self) -> Needs[int]:
        """One die of an attack."""
        self.rolls += 1
        drawn: tuple[int, ...] = yield Draw(f"attack/{self.round}/{self.rolls}", 6, 1)
        return drawn[0] + 1

    def test_end(self) -> None:
        """End the match if it is won or lost (AG-39, AG-41)."""
        if any(enemy.cell in self.board.entrance for enemy in self.enemies):
            raise MatchOver("entrance")
        if self.counter == self.last and not self.enemies:
            raise MatchOver("victory")

    def in_order(self, enemies: Iterable[Enemy]) -> list[Enemy]:
        """In the order in which they would move."""
        return sorted(enemies, key=lambda enemy: self.board.place_in_order(enemy.cell))

    def enemy_on(self, cell: Cell) -> Enemy | None:
        return next((enemy for enemy in self.enemies if enemy.cell == cell), None)

    def token_on(self, cell: Cell) -> Token | None:
        return next((token for token in self.tokens if cell in token.cells), None)

    def barrel(self) -> Token | None:
        return next((token for token in self.tokens if token.kind == "barril"), None)

    # Attacks

    def needed(self, enemy: Enemy, damage: int) -> int:
        """What a die must show (AG-10)."""
        swarm = any(other.kind == "enjambre" and distance(other.cell, enemy.cell) <= 1 for other in self.enemies)
        return int(ENEMIES[enemy.kind]["defence"]) - damage + swarm

    def attack(self, enemies: Iterable[Enemy], damage: int) -> Needs[None]:
        """Roll for each enemy, in their order; what each roll must reach is fixed before (AG-50)."""
        for enemy, needed in [(enemy, self.needed(enemy, damage)) for enemy in self.in_order(enemies)]:
            hit = (yield from self.roll()) >= needed
            if hit and enemy.kind == "oseo":
                hit = (yield from self.roll()) >= needed
            if hit:
                self.wound(enemy)

    def attack_area(self, cells: Iterable[Cell], damage: int, alight: bool = False) -> Needs[None]:
        """Attack all that is on some cells (AG-49)."""
        cells = set(cells)
        tokens = sorted(self.tokens, key=lambda token: (token.cells[0][1], token.cells[0][0]))
        in_area = [token for token in tokens if cells.intersection(token.cells)]
        yield from self.attack([enemy for enemy in self.enemies if enemy.cell in cells], damage)
        for token in in_area:
            if token.fire:
                self.tokens.remove(token)
            elif token.kind in BARRICADES and (alight or (yield from self.roll()) >= 4 - damage):
                token.fire = 2
        if any(token.kind == "barril" for token in in_area):
            yield from self.explode()

    def explode(self) -> Needs[None]:
        """The barrel explodes (AG-36)."""
        barrel = self.barrel()
        assert barrel
        self.tokens.remove(barrel)
        yield from self.attack_area([beyond(barrel.cells[0], way) for way in ALL_AROUND], 2)

    def wound(self, enemy: Enemy) -> None:
        """It loses a life."""
        enemy.life -= 1
        if not enemy.life:
            self.kill(enemy)

    def kill(self, enemy: Enemy) -> None:
        """It leaves the board, and with it the trap that it is in (AG-53)."""
        enemy.life = 0
        self.leave_trap(enemy)
        self.enemies.remove(enemy)
        self.dead.append(enemy.kind)
        self.killed += 1
        self.test_end()

    def leave_trap(self, enemy: Enemy) -> None:
        if enemy.trapped:
            enemy.trapped = False
            self.remove_token(enemy.cell)

    def remove_token(self, cell: Cell) -> None:
        self.tokens = [token for token in self.tokens if cell not in token.cells]

    # The enemies' turn

    def advance(self) -> Needs[None]:
        """Each enemy moves once (AG-30)."""
        self.trapped_now = set()
        for enemy in self.in_order(self.enemies):
            if enemy.life:
                yield from self.move(enemy)

    def move(self, enemy: Enemy) -> Needs[None]:
        """The move of one enemy."""
        if enemy.trapped:
            if enemy not in self.trapped_now:
                self.leave_trap(enemy)
            return
        near = [other for other in self.enemies if other is not enemy and distance(other.cell, enemy.cell) == 1]
        food = [other for other in near if other.kind in ("comun", "fresco", "corpulento")]
        if enemy.kind == "devorador" and enemy.life < ENEMIES["devorador"]["life"] and food:
            enemy.life += 1
            self.wound(self.in_order(food)[-1])
            return
        steps = ENEMIES[enemy.kind]["move"] + self.stampedes + any(other.kind == "agitador" for other in near)
        for _ in range(steps):
            if not (yield from self.step(enemy)):
                return

    def step(self, enemy: Enemy) -> Needs[bool]:
        """One step straight on or aside; whether the enemy can go on (AG-31)."""
        ahead = beyond(enemy.cell, enemy.facing)
        if ahead in self.board.of_enemies:
            if enemy.kind == "arrasador":
                if not (yield from self.clear_way(ahead, enemy.facing)):
                    return False
                enemy.aside = 0
                return (yield from self.enter(enemy, ahead))
            token = self.token_on(ahead)
            if not self.enemy_on(ahead) and not (token and token.blocks):
                enemy.aside = 0
                return (yield from self.enter(enemy, ahead))
        ways = {1: (-1, 0), 2: (1, 0)} if enemy.facing == DOWN else {1: (0, 1), 2: (0, -1)}
        for side in (2, 1) if enemy.aside == 2 else (1, 2):
            cell = beyond(enemy.cell, ways[side])
            ground = cell in self.board.street or cell in self.board.spawn
            if ground and not self.enemy_on(cell) and not self.token_on(cell):
                enemy.aside = side
                return (yield from self.enter(enemy, cell))
        return False

    def enter(self, enemy: Enemy, cell: Cell, pushed: bool = False) -> Needs[bool]:
        """What happens when an enemy comes onto a cell; whether it can go on (AG-32 to AG-35, AG-42)."""
        token, before, enemy.cell = self.token_on(cell), enemy.cell, cell
        self.test_end()
        kind = token.kind if token else ""
        if kind == "foso" and enemy.kind not in ("corpulento", "arrasador"):
            self.remove_token(cell)
            self.kill(enemy)
            return False
        if kind == "aceite":
            self.remove_token(cell)
            if not pushed:
                enemy.cell = before
                return False
        self.turn_by_arrow(enemy)
        if kind == "cepo" and enemy.kind != "arrasador":
            enemy.trapped = True
            self.trapped_now.add(enemy)
            return False
        if token and token.fire:
            yield from self.attack([enemy], 0)
            token.fire -= 1
            if not token.fire or enemy.kind == "arrasador":
                self.remove_token(cell)
        return enemy.life > 0

    def turn_by_arrow(self, enemy: Enemy) -> None:
        arrow = self.board.arrow(enemy.cell)
        if arrow and arrow != enemy.facing:
            enemy.facing, enemy.aside = arrow, 0

    def clear_way(self, ahead: Cell, way: Cell) -> Needs[bool]:
        """The arrasador pushes what is before it; whether its way is free then (AG-37, AG-46)."""
        line: list[Enemy] = []
        while enemy := self.enemy_on(ahead):
            line.append(enemy)
            ahead = beyond(ahead, way)
        if ahead not in self.board.of_enemies:
            return False
        token = self.token_on(ahead)
        if token and token.blocks:
            self.remove_token(ahead)
            if line and token.kind in BARRICADES:
                self.wound(line[-1])
        for enemy in reversed(line):
            if enemy.life:
                self.leave_trap(enemy)
                yield from self.enter(enemy, beyond(enemy.cell, way), pushed=True)
        return True

    # How enemies appear

    def free_spawn(self) -> list[Cell]:
        return [cell for cell in self.board.spawn if not self.enemy_on(cell)]

    def how_many_appear(self, wanted: int) -> int:
        """How many enemies can appear (AG-38, AG-52)."""
        if self.calm or self.counter == self.last:
            return 0
        return min(wanted, len(self.free_spawn()), len(self.pile) + len(self.dead))

    def appear(self, die: int) -> Needs[None]:
        """One enemy appears in a column, from 0, or in the next free one (AG-38)."""
        if not self.pile:
            self.restocks += 1
            dead = sorted(self.dead, key=list(ENEMIES).index)
            self.pile = yield from self.shuffle(f"tokens/{self.restocks}", dead)
            self.dead = []
        self.appeared += 1
        columns = self.board.spawn[die:] + self.board.spawn[:die]
        cell = next(cell for cell in columns if not self.enemy_on(cell))
        self.enemies.append(Enemy(self.appeared, self.pile.pop(0), cell))

    def spawn(self) -> Needs[None]:
        """Enemies appear at the end of a round, and the counter moves (AG-38, AG-52)."""
        full = not self.free_spawn() and not self.calm
        if count := self.how_many_appear(self.seats):
            dice: tuple[int, ...] = yield Draw(f"spawn/{self.round}", 6, count)
            for die in dice:
                yield from self.appear(die)
        if not full:
            self.counter = min(self.last, self.counter + 1)
        self.calm, self.stampedes = False, 0
        self.test_end()

    def horde(self) -> Needs[None]:
        """One enemy appears at once."""
        if self.how_many_appear(1):
            drawn: tuple[int, ...] = yield Draw(f"horde/{self.round}/{self.appeared + 1}", 6, 1)
            yield from self.appear(drawn[0])
