"""Finds the players that met, directly or by way of others. Players who never met cannot be compared."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from tournaments.rating.contest import Team, TeamComparison


def groups(kinds: Iterable[TeamComparison], players: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The players in groups that never met, in the order of `players`.

    All players of a comparison meet. A pseudo-player lets players meet only if it is an opponent of its own, as the
    game is. If it is the strength of a side, it does not: all bots of a group could be better by a point, and no
    result of the group would be less likely.
    """
    real = set(players)
    nodes = {player: at for at, player in enumerate(players)}
    edges = [(nodes.setdefault(a, len(nodes)), nodes.setdefault(b, len(nodes))) for a, b in _meetings(kinds, real)]
    rows, columns = zip(*edges, strict=True) if edges else ((), ())
    graph = sparse.coo_array((np.ones(len(edges)), (rows, columns)), (len(nodes), len(nodes)))
    found: dict[int, list[str]] = {}
    for player, group in zip(players, connected_components(graph, directed=False)[1].tolist(), strict=False):
        found.setdefault(group, []).append(player)
    return tuple(map(tuple, found.values()))


def _meetings(kinds: Iterable[TeamComparison], real: set[str]) -> Iterator[tuple[str, str]]:
    for teams in dict.fromkeys((kind.upper, kind.lower) for kind in kinds):
        first, *others = (name for team in teams for name in _comparable(team, real))
        yield from ((first, other) for other in others)


def _comparable(team: Team, real: set[str]) -> list[str]:
    names = [member.player for member in team]
    return [name for name in names if name in real] or names
