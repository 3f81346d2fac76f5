"""The ratings of a league, computed from its export as docs/exports.md says, with nothing of the referee."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

MU, SIGMA = 25.0, 25 / 3
BETA = SIGMA / 2
NORMAL = NormalDist()

Team = dict[str, tuple[float, bool]]
"""By player: its weight, and whether it learns from the match."""


class Comparison(NamedTuple):
    """Two teams of which the first won, or which tied. Its messages count `weight` times."""

    upper: Team
    lower: Team
    tie: bool
    weight: float


def ratings(folder: Path) -> dict[str, tuple[float, float]]:
    """Mean and standard deviation by bot, from `league.json` and `matches.jsonl`."""
    league = json.loads((folder / "league.json").read_text(encoding="utf-8"))
    tables = {table["name"]: table for table in league["tables"]}
    lines = (folder / "matches.jsonl").read_text(encoding="utf-8").splitlines()
    matches = [match for match in map(json.loads, lines) if match["counts"]]
    comparisons = [each for match in matches for each in compared(match, tables[match["table"]])]
    bots = [bot["bot"] for bot in league["bots"]]
    known = propagated(comparisons, bots, league["draw_probability"])
    shift = MU - math.fsum(known[bot][1] / known[bot][0] for bot in bots) / len(bots)
    return {bot: (known[bot][1] / known[bot][0] + shift, known[bot][0] ** -0.5) for bot in bots}


def compared(match: dict[str, Any], table: dict[str, Any]) -> Iterator[Comparison]:
    """Every two teams of a match."""
    teams = list(teams_of(match, table))
    for at, (team, place) in enumerate(teams):
        for other, other_place in teams[at + 1 :]:
            pair = (without(team, other), without(other, team))
            if all(pair) and any(learns for each in pair for _, learns in each.values()):
                upper, lower = pair if place <= other_place else pair[::-1]
                yield Comparison(upper, lower, place == other_place, 2 / len(teams))


def teams_of(match: dict[str, Any], table: dict[str, Any]) -> Iterator[tuple[Team, int]]:
    """The teams of a match with their places."""
    bots, places, sides = match["entries"], match["outcome"]["places"], match["outcome"]["sides"]
    failed = {fault["seat"] for fault in match["faults"]}
    offenders = {bots[seat] for seat in failed}
    seats = [side["seats"] for side in sides] or [[seat] for seat in range(len(bots))]
    setting = f"~{table['seats']}/{table['options']}"
    if len(sides) == 1:
        yield (together(offenders) if failed else side_of(bots, seats[0], set())), places[0]
        yield {setting: (1.0, not failed)}, 3 - places[0]
    elif failed and len(seats) != 2:
        others = set(bots) - offenders
        if others:
            yield together(others), 1
            yield together(offenders), 2
    else:
        uneven = bool(sides) and (not table["sides"] or len({*map(len, seats)}) > 1)
        for number, held in enumerate(seats):
            pseudo = {f"{setting}/{sides[number]['name']}": (1.0, not failed)} if uneven else {}
            yield side_of(bots, held, failed) | pseudo, places[held[0]]


def side_of(bots: list[str], seats: list[int], failed: set[int]) -> Team:
    """The team of these seats. If some of them failed, only those learn."""
    learners = failed.intersection(seats) or seats
    held = {bot: [seat for seat in seats if bots[seat] == bot] for bot in {bots[seat] for seat in seats}}
    return {bot: (len(own) / len(seats), any(seat in learners for seat in own)) for bot, own in held.items()}


def together(bots: set[str]) -> Team:
    """A team in which every bot counts equally."""
    return {bot: (1 / len(bots), True) for bot in bots}


def without(team: Team, other: Team) -> Team:
    """The team without what the other has in common with it."""
    left = {}
    for player, (weight, learns) in team.items():
        twin_weight, twin_learns = other.get(player, (0.0, False))
        if weight - twin_weight > 1e-9:
            left[player] = (weight - twin_weight, learns or twin_learns)
    return left


def propagated(comparisons: list[Comparison], bots: list[str], draws: float) -> dict[str, list[float]]:
    """Expectation propagation: for every player the precision, and the precision times the mean."""
    names = {*bots, *(player for each in comparisons for player in {**each.upper, **each.lower})}
    known = {name: [SIGMA**-2, MU * SIGMA**-2] for name in names}
    messages: list[dict[str, list[float]]] = [{} for _ in comparisons]
    for _ in range(5_000):
        largest = 0.0
        for each, said in zip(comparisons, messages, strict=True):
            for player, new in told(each, known, said, draws).items():
                old = said.get(player, [0.0, 0.0])
                largest = max(largest, abs(new[0] - old[0]), abs(new[1] - old[1]))
                for part in (0, 1):
                    known[player][part] += each.weight * (new[part] - old[part])
                said[player] = new
        if largest < 1e-9:
            return known
    raise RuntimeError("the ratings do not settle")


def told(
    each: Comparison, known: dict[str, list[float]], said: dict[str, list[float]], draws: float
) -> dict[str, list[float]]:
    """What a comparison says about those who learn from it, given what is known without it."""
    members = [(1, each.upper), (-1, each.lower)]
    without_it: dict[str, tuple[float, float]] = {}
    for player in (*each.upper, *each.lower):
        own = said.get(player, [0.0, 0.0])
        precision, product = (known[player][part] - each.weight * own[part] for part in (0, 1))
        without_it[player] = (product / precision, 1 / precision)
    signed = [(player, sign * weight, learns) for sign, team in members for player, (weight, learns) in team.items()]
    mean = sum(weight * without_it[player][0] for player, weight, _ in signed)
    deviation = math.sqrt(sum(weight**2 * (without_it[player][1] + BETA**2) for player, weight, _ in signed))
    margin = NORMAL.inv_cdf((draws + 1) / 2) * math.sqrt(len(signed)) * BETA
    v, w = (within if each.tie else above)(mean / deviation, margin / deviation)
    new = {}
    for player, weight, learns in signed:
        if learns:
            mu, variance = without_it[player]
            after = variance * (1 - weight**2 * variance * w / deviation**2)
            moved = mu + weight * variance * v / deviation
            new[player] = [1 / after - 1 / variance, moved / after - mu / variance]
    return new


def above(x: float, margin: float) -> tuple[float, float]:
    """How far a standard normal around x moves, and what it loses of its variance, if it is above the margin."""
    v = NORMAL.pdf(x - margin) / NORMAL.cdf(x - margin)
    return v, v * (v + x - margin)


def within(x: float, margin: float) -> tuple[float, float]:
    """The same if it is between the margin below 0 and the margin above it."""
    low, high = -margin - x, margin - x
    mass = NORMAL.cdf(high) - NORMAL.cdf(low)
    v = (NORMAL.pdf(low) - NORMAL.pdf(high)) / mass
    return v, v * v + (high * NORMAL.pdf(high) - low * NORMAL.pdf(low)) / mass
