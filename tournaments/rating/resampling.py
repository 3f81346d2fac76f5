"""Other leagues of the same kind, made from one: blocks drawn with replacement, a few units turned round, new priors.

In a unit that is turned round the players have changed places, and the sides fare as they did.

All is drawn from the words of a seed. Blocks, units and players get their words by their places in an order that
follows from the results alone, so no name can show. Players with a higher rating come first. Between equal ratings the
results decide: whom a player met, how often, and how it ended, then whom those met, and so on. (Graph theory calls this
colour refinement.)

Often the results cannot tell two players apart: exchange the two in all results, and the results are the same. Such
players are alike. Their order cannot follow from anything but a name or a roster, so it may not matter. The first of
them takes any place, and the places of the others follow from what they have to do with it. For example: if a beats b,
b beats c and c beats a, the order is a, c, b or c, b, a or b, a, c. These three say the same under other names. What
is left to chance between alike players is evened out where intervals are computed.

Source: B. Weisfeiler, A. Leman, "The reduction of a graph to canonical form and the algebra which appears therein",
1968. There are graphs that it cannot order; then a name can show. In leagues they are rare.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import ndtri

from tournaments.rating.contest import TeamComparison
from tournaments.rating.numerics import Floats
from tournaments.rating.scale import MU
from tournaments.rating.tally import Tally, Unit, kind_key

_NEAR = 1e-6
"""Ratings no further apart, in points, may differ by rounding alone."""

_ITSELF = -1
"""Stands for a player in what it sees of a unit."""

_Colours: TypeAlias = Mapping[str, int]
"""By player, a number. Players with the same number were not told apart so far."""

_Description: TypeAlias = tuple[Any, ...]
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
        descriptions = _units_by_player(results, found, frozenset(name for group in tied for name in group))
        finer = _numbered({name: (colour, descriptions.get(name, ())) for name, colour in found.items()})
        if len(set(finer.values())) == len(set(found.values())):
            break
        found = finer
    return found


def _units_by_player(results: Tally, colours: _Colours, tied: frozenset[str]) -> dict[str, _Description]:
    """By tied player: its units as it sees them, block by block, with what was played on the whole block.

    A bot that won twice on one deal and lost twice on another is not like one that won and lost once on each.
    """
    descriptions = _units_seen(results, colours, results.units())
    number = _numbered(descriptions)
    players = {unit: _players(results, unit) & tied for unit in descriptions}
    seen = {
        (name, unit): view
        for name in tied
        for unit, view in _units_seen(
            results, {**colours, name: _ITSELF}, (unit for unit in descriptions if name in players[unit])
        ).items()
    }
    player_blocks: defaultdict[str, list[_Description]] = defaultdict(list)
    for block in results.blocks:
        whole = tuple(sorted(number[unit] for unit in block))
        own: defaultdict[str, list[_Description]] = defaultdict(list)
        for unit in block:
            for name in players[unit]:
                own[name].append(seen[name, unit])
        for name, views in own.items():
            player_blocks[name].append((whole, tuple(sorted(views))))
    return {name: tuple(sorted(blocks)) for name, blocks in player_blocks.items()}


def _units_seen(results: Tally, colours: _Colours, units: Iterable[Unit]) -> dict[Unit, _Description]:
    """What some units say if players of one colour are not told apart."""
    key = kind_key(colours)
    return {unit: tuple(sorted((key(results.kinds[kind]), count) for kind, count in unit)) for unit in units}


def _players(results: Tally, unit: Unit) -> frozenset[str]:
    return frozenset(member.player for kind, _ in unit for member in results.kinds[kind].members)


def _numbered(descriptions: Mapping[_Name, _Description]) -> dict[_Name, int]:
    """The place of each in the order of the values; equal ones have equal places."""
    places = {each: at for at, each in enumerate(sorted(set(descriptions.values())))}
    return {name: places[each] for name, each in descriptions.items()}


class RandomWords:
    """Random numbers. Every version of numpy makes the same words of a key."""

    def __init__(self, seed: bytes) -> None:
        """`seed` has 32 bytes."""
        self._words = np.random.Philox(key=int.from_bytes(blake2b(seed, digest_size=16).digest(), "little"))

    def uniforms(self, rows: int, columns: int) -> Floats:
        """The next numbers between 0 and 1, both excluded."""
        words = self._words.random_raw(rows * columns).reshape(rows, columns)
        return np.asarray(((words >> np.uint64(11)) + 0.5) * 2.0**-53)


class ResampledLeagues(NamedTuple):
    """Some drawn leagues.

    Attributes:
        times: units x leagues: how often the block of the unit was drawn.
        turned: units x leagues: how many of these times the unit was turned round.
    """

    times: Floats
    turned: Floats


def _chances(results: Tally) -> list[float]:
    """By unit, block after block: how likely it is turned round when it is drawn."""
    learners = results.learners()
    often = Counter(unit for block in results.blocks for unit in block)
    teams = {unit: frozenset().union(*(learners[kind] for kind, _ in unit)) for unit in often}
    played: Counter[str] = Counter()
    for unit, times in often.items():
        played.update(dict.fromkeys(teams[unit], times))
    chances = {unit: 0.5 / (1 + min(played[name] for name in teams[unit])) for unit in often}
    return [chances[unit] for block in results.blocks for unit in block]


class BlockPool:
    """The blocks of a league, from which other leagues are drawn.

    Attributes:
        kinds: the comparisons that can occur: those of the league, and the same with the players exchanged.
        units: how many units all blocks have.
    """

    def __init__(self, results: Tally) -> None:
        """Fill the urn with the blocks of a league, in an order that does not depend on names."""
        turned = [kind.exchanged() for kind in results.kinds]
        self.kinds: tuple[TeamComparison, ...] = tuple(dict.fromkeys((*results.kinds, *turned)))
        chances = _chances(results)
        self.units = len(chances)
        self._blocks = len(results.blocks)
        sizes = np.array([len(block) for block in results.blocks], dtype=np.intp)
        self._block = np.repeat(np.arange(self._blocks), sizes)
        self._hazard = -np.log1p(-np.array(chances))
        units = (unit for block in results.blocks for unit in block)
        entries = (number for at, unit in enumerate(units) for entry in unit for number in (at, *entry))
        unit, kind, count = np.fromiter(entries, dtype=np.intp).reshape(-1, 3).T
        number = {kind: at for at, kind in enumerate(self.kinds)}
        opposite = np.array([number[kind] for kind in turned], dtype=np.intp)
        shape = (len(self.kinds), len(chances))
        self._as_played = sparse.csr_array((count, (kind, unit)), shape)
        self._turned = sparse.csr_array((count, (opposite[kind], unit)), shape)

    def draw(self, luck: RandomWords, leagues: int) -> ResampledLeagues:
        """Leagues of as many blocks as the league has, each any of them."""
        if not self._blocks:
            return ResampledLeagues(np.zeros((0, leagues)), np.zeros((0, leagues)))
        hits = (luck.uniforms(leagues, self._blocks) * self._blocks).astype(np.intp)
        hits += np.arange(0, leagues * self._blocks, self._blocks)[:, None]
        drawn = np.bincount(hits.ravel(), minlength=hits.size).reshape(hits.shape)
        times = drawn[:, self._block].astype(np.float64)
        turned = np.minimum(times, _points(luck, self._hazard * times))
        return ResampledLeagues(times.T, turned.T)

    def counts(self, draw: ResampledLeagues) -> Floats:
        """Kinds x leagues: how often each comparison occurs in each drawn league."""
        return np.asarray(self._as_played @ (draw.times - draw.turned) + self._turned @ draw.turned)


def _points(luck: RandomWords, hazards: Floats) -> Floats:
    """How many points of a Poisson process fall on each of some stretches of these lengths, laid end to end.

    Hardly any do, so this is much quicker than a draw for each stretch. A stretch of length -log(1 - p) is empty with
    the probability 1 - p.
    """
    ends = np.cumsum(hazards)
    enough = int(ends[-1] + 10 * np.sqrt(ends[-1])) + 40
    points = np.cumsum(-np.log(luck.uniforms(1, enough)))
    found = np.bincount(np.searchsorted(ends, points[points < ends[-1]], "right"), minlength=len(ends))
    return found.reshape(hazards.shape).astype(np.float64)


def drawn_priors(
    luck: RandomWords, groups: Sequence[NDArray[np.intp]], players: int, leagues: int, spread: float
) -> Floats:
    """Players x leagues: the means of priors, drawn from the prior, with the mean 25 in every group.

    `spread` is the deviation of the prior. The prior of a pseudo-player stays as it is.
    """
    drawn = ndtri(luck.uniforms(players, leagues)) * spread
    means = np.full((players, leagues), MU)
    for group in groups:
        means[group] += drawn[group] - drawn[group].mean(axis=0)
    return means
