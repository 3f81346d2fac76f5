"""The order in which the bootstrap gives its random numbers to players: it follows from the results alone.

Players with a higher rating come first. Between equal ratings the results decide: whom a player met, how often, and how
it ended, then whom those met, and so on. (Graph theory calls this colour refinement.)

Often the results cannot tell two players apart: exchange the two in all results, and the results are the same. Such
players are alike. Their order cannot follow from anything but a name or a roster, so it may not matter. The first of
them takes any place, and the places of the others follow from what they have to do with it. For example: if a beats b,
b beats c and c beats a, the order is a, c, b or c, b, a or b, a, c. These three say the same under other names. What
is left to chance between alike players is evened out where intervals are computed.

Source: B. Weisfeiler, A. Leman, "The reduction of a graph to canonical form and the algebra which appears therein",
1968. There are graphs that it cannot order; then a name can show. In leagues they are rare.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias, TypeVar

from tournaments.rating.tally import Tally, Unit, kind_key

_NEAR = 1e-6
"""Ratings no further apart, in points, may differ by rounding alone."""

_ITSELF = -1
"""Stands for a player in what it sees of a unit."""

_Colours: TypeAlias = Mapping[str, int]
"""By player, a number. Players with the same number were not told apart so far."""

_Said: TypeAlias = tuple[Any, ...]
"""Nested tuples of numbers: what results say, without names. Those of one kind can be compared."""

_Name = TypeVar("_Name")


class PlayerOrder(NamedTuple):
    """The order of the players of a league.

    Attributes:
        order: all players and pseudo-players.
        alike: the players that the results do not tell apart, in groups of two or more.
    """

    order: tuple[str, ...]
    alike: tuple[tuple[str, ...], ...]


def player_order(results: Tally, mus: Mapping[str, float], pseudo: Sequence[str]) -> PlayerOrder:
    """Put the players in order.

    Args:
        results: what they played.
        mus: by player, its rating. The order matters only between players that are alike.
        pseudo: the pseudo-players, in an order that no name of a player decides. They come last.
    """
    colours = _by_rating(mus)
    colours |= {name: len(mus) + at for at, name in enumerate(pseudo)}
    colours = _refined(results, colours)
    alike = _tied(colours)
    while tied := _tied(colours):
        colours = _with_first(results, colours, tied[0])
    return PlayerOrder(tuple(sorted(colours, key=colours.__getitem__)), alike)


def _by_rating(mus: Mapping[str, float]) -> dict[str, int]:
    order = sorted(mus, key=lambda name: -mus[name])
    found = dict.fromkeys(order[:1], 0)
    for above, name in pairwise(order):
        found[name] = found[above] + (mus[above] - mus[name] > _NEAR)
    return {name: found[name] for name in mus}


def _tied(colours: _Colours) -> tuple[tuple[str, ...], ...]:
    """The players that were not told apart, in groups of two or more, in the order of their colours."""
    groups: defaultdict[int, list[str]] = defaultdict(list)
    for name, colour in colours.items():
        groups[colour].append(name)
    return tuple(tuple(groups[colour]) for colour in sorted(groups) if len(groups[colour]) > 1)


def _with_first(results: Tally, colours: _Colours, tied: Sequence[str]) -> dict[str, int]:
    """The colours after one of these players took the first place among them.

    If the others are still tied, each is to the first what any other is. Then all of them take places.
    """
    found = _refined(results, _placed(colours, tied[:1]))
    left = {found[name] for name in tied[1:]}
    return found if len(left) > 1 or len(tied) == 2 else _refined(results, _placed(colours, tied))


def _placed(colours: _Colours, names: Sequence[str]) -> dict[str, int]:
    """The colours after some players of one colour got colours of their own, before the others of this colour."""
    places = {name: at - len(names) for at, name in enumerate(names)}
    return _numbered({name: (colour, places.get(name, 0)) for name, colour in colours.items()})


def _refined(results: Tally, colours: _Colours) -> dict[str, int]:
    """The colours after the results have told apart whom they can."""
    found = dict(colours)
    while tied := _tied(found):
        told = _told(results, found, frozenset(name for group in tied for name in group))
        finer = _numbered({name: (colour, told.get(name, ())) for name, colour in found.items()})
        if len(set(finer.values())) == len(set(found.values())):
            break
        found = finer
    return found


def _told(results: Tally, colours: _Colours, tied: frozenset[str]) -> dict[str, _Said]:
    """By tied player: all its units as it sees them, each with what was played on the whole block."""
    said = _said(results, colours, results.units())
    number = _numbered(said)
    players = {unit: _players(results, unit) & tied for unit in said}
    seen = {
        (name, unit): view
        for name in tied
        for unit, view in _said(
            results, {**colours, name: _ITSELF}, (unit for unit in said if name in players[unit])
        ).items()
    }
    told: defaultdict[str, list[_Said]] = defaultdict(list)
    for block in results.blocks:
        whole = tuple(sorted(number[unit] for unit in block))
        for unit in block:
            for name in players[unit]:
                told[name].append((whole, seen[name, unit]))
    return {name: tuple(sorted(views)) for name, views in told.items()}


def _said(results: Tally, colours: _Colours, units: Iterable[Unit]) -> dict[Unit, _Said]:
    """What some units say if players of one colour are not told apart."""
    key = kind_key(colours)
    return {unit: tuple(sorted((key(results.kinds[kind]), count) for kind, count in unit)) for unit in units}


def _players(results: Tally, unit: Unit) -> frozenset[str]:
    return frozenset(member.player for kind, _ in unit for member in results.kinds[kind].members)


def _numbered(said: Mapping[_Name, _Said]) -> dict[_Name, int]:
    """The place of each in the order of what is said of it; equal ones have equal places."""
    places = {each: at for at, each in enumerate(sorted(set(said.values())))}
    return {name: places[each] for name, each in said.items()}
