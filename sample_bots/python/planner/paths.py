"""Where enemies will be after each advance, if nobody shoots at them."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np
from board import Board
from cards import KINDS
from numpy.typing import NDArray
from referee_bot.v1 import agonia_pb2 as ag
from street import Street, Token, Walker

Indices: TypeAlias = NDArray[np.int64]

NEVER = 99  # instead of a number of advances
LONGEST = 14  # an enemy that walks longer will never come


class Paths(NamedTuple):
    """Where enemies will be.

    Attributes:
        cells: by enemy and number of advances, its cell. NOWHERE when it is not on the board.
        arrivals: by enemy, the advance that brings it into the entrance, or NEVER.
    """

    cells: Indices
    arrivals: Indices


class Layout(NamedTuple):
    """The paths with certain tokens: of the enemies on the board, and by future of those that will appear."""

    now: Paths
    later: Paths


class Coming(NamedTuple):
    """Enemies that will appear, in several drawn futures: arrays by future and enemy."""

    kinds: Indices
    columns: Indices
    advances: Indices


def walked(street: Street, walkers: Sequence[Walker], stampedes: int, horizon: int) -> Paths:
    """The paths of all enemies of a street.

    In the first advance the enemies are in each other's way. Later only those are that are stuck between tokens.
    """
    cells = np.zeros((len(walkers), horizon + 1), int)
    arrivals = np.full(len(walkers), NEVER)
    place = {walker.number: number for number, walker in enumerate(walkers)}
    cells[:, 0] = [walker.cell for walker in walkers]
    street.advance(stampedes)
    for walker in street.arrived:
        arrivals[place[walker.number]] = 1
    stuck: dict[int, Walker] = {}
    for walker in sorted(street.at.values(), key=lambda walker: street.board.rank[walker.cell]):
        path, arrival = _alone(street, walker, stuck)
        at, path = place[walker.number], path[:horizon]
        cells[at, 1 : len(path) + 1] = path
        if arrival is not None and arrival < horizon:
            arrivals[at] = arrival + 1
        elif walker.cell in street.at:
            cells[at, len(path) + 1 :] = walker.cell
            stuck[walker.cell] = walker
    return Paths(cells, arrivals)


def _alone(street: Street, walker: Walker, stuck: Mapping[int, Walker]) -> tuple[list[int], int | None]:
    """The cells of an enemy from now on, and the advance that brings it into the entrance.

    Only tokens and enemies that are stuck are in its way.
    """
    street.at, street.arrived = {**stuck, walker.cell: walker}, []
    path = [walker.cell]
    while walker.cell in street.at and len(path) < LONGEST:
        street.move(walker)
        if street.arrived:
            return path, len(path)
        if walker.cell in street.at:
            path.append(walker.cell)
    return path, None


def draw_coming(luck: Random, futures: int, pile: Sequence[int], dead: Sequence[int], rounds: Sequence[int]) -> Coming:
    """Draw several futures. `rounds` says how many enemies appear after each advance.

    The futures are spread evenly: over them, an enemy appears in all columns alike, and is of many kinds.
    """
    advances = [advance for advance, count in enumerate(rounds, 1) for _ in range(count)]
    shape = (futures, len(advances))
    again = list(dead) or [int(ag.ENEMY_KIND_COMUN)]
    kinds, columns = np.zeros(shape, int), np.zeros(shape, int)
    first, later = luck.sample(pile, len(pile)), luck.sample(again, len(again))
    for number in range(futures):
        pack = first[number * len(first) // futures :] + first[: number * len(first) // futures]
        while len(pack) < len(advances):
            pack += later
        kinds[number] = pack[: len(advances)]
    for at in range(len(advances)):
        columns[:, at] = [column % 6 for column in luck.sample(range(6 * -(-futures // 6)), futures)]
    return Coming(kinds, columns, np.broadcast_to(np.array(advances, int), shape))


def future(board: Board, tokens: Mapping[int, Token], coming: Coming, horizon: int) -> Paths:
    """The paths of enemies that will appear, by drawn future. Only barricades and barrels are in their way."""
    blocked = frozenset(cell for cell, token in tokens.items() if token.blocks)
    lanes, ages = _lanes(board, blocked, horizon)
    moves = np.array([it.move - 1 if (it := KINDS.get(kind)) else 0 for kind in range(len(KINDS) + 1)])[coming.kinds]
    age = np.arange(horizon + 1) - coming.advances[..., None] + horizon
    cells = lanes[coming.columns[..., None], moves[..., None], np.maximum(age, 0)]
    arrivals = coming.advances + ages[coming.columns, moves]
    return Paths(cells, np.where(arrivals > horizon, NEVER, arrivals))


@lru_cache(256)
def _lanes(board: Board, blocked: frozenset[int], horizon: int) -> tuple[Indices, Indices]:
    """By column and speed: the cell at each age, from -horizon to horizon; and the age on arrival."""
    cells, ages = np.zeros((6, 2, 2 * horizon + 1), int), np.full((6, 2), NEVER)
    tokens = [Token(ag.TOKEN_KIND_BARRIL, (cell,)) for cell in sorted(blocked)]
    for column, spawn in enumerate(board.spawn):
        for speed, kind in enumerate((ag.ENEMY_KIND_COMUN, ag.ENEMY_KIND_FRESCO)):
            walker = Walker(0, kind, spawn, 1, ag.FACING_DOWN, held=False, aside=0)
            path, arrival = _alone(Street(board, [], tokens, lambda _: False), walker, {})
            path = path[: horizon + 1]
            cells[column, speed, horizon : horizon + len(path)] = path
            if arrival is None:
                free_cells, free_ages = _lanes(board, frozenset(), horizon)
                cells[column, speed], ages[column, speed] = free_cells[column, speed], free_ages[column, speed]
            else:
                ages[column, speed] = arrival
    return cells, ages
