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
    block: str


def ratings(folder: Path) -> dict[str, tuple[float, float]]:
    """Mean and standard deviation by bot, from `league.json` and `matches.jsonl`."""
    league = json.loads((folder / "league.json").read_text(encoding="utf-8"))
    tables = {table["name"]: table for table in league["tables"]}
    lines = (folder / "matches.jsonl").read_text(encoding="utf-8").splitlines()
    matches = [match for match in map(json.loads, lines) if match["counts"]]
    comparisons = [each for match in matches for each in compared(match, tables[match["table"]])]
    bots = [bot["bot"] for bot in league["bots"]]
    draws = league["draw_probability"]
    spread = SIGMA
    if league["kind"] == "swiss" and comparisons:
        dispersion = dispersion_of(comparisons, bots, draws)
        comparisons = [each._replace(weight=each.weight / dispersion) for each in comparisons]
        spread = spread_of(comparisons, bots, draws)
    known = propagated(comparisons, bots, draws, spread)
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
                yield Comparison(upper, lower, place == other_place, 2 / len(teams), match["block"])


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


def spread_of(comparisons: list[Comparison], bots: list[str], draws: float) -> float:
    """The median of the spread: of 29 values, each as likely as it explains the results, times its third power."""
    spreads = [SIGMA * math.pow(128, step / 28 - 1) for step in range(29)]
    logs = [evidence(comparisons, bots, draws, spread) + 3 * math.log(spread) for spread in spreads]
    weights = [math.exp(log - max(logs)) for log in logs]
    below = [(sum(weights[:at]) + weights[at] / 2) / sum(weights) for at in range(29)]
    at = max((at for at in range(28) if below[at] <= 0.5), default=None)
    if at is None:
        return spreads[0]
    part = min(1.0, (0.5 - below[at]) / (below[at + 1] - below[at]))
    return spreads[at] * math.pow(spreads[at + 1] / spreads[at], part)


def dispersion_of(comparisons: list[Comparison], bots: list[str], draws: float) -> float:
    """How much more the slopes of blocks vary than those of independent comparisons would."""
    names, _ = prior_of(comparisons, bots, SIGMA)
    skills = most_likely(comparisons, bots, draws, SIGMA)[0]
    blocks = sorted({each.block for each in comparisons})
    if len(blocks) < 2:
        return 1.0
    seen = 0.0
    for block in blocks:
        seen += sum(
            push**2 for push in slopes([each for each in comparisons if each.block == block], names, skills, draws)[1]
        )
    matrix = slopes(comparisons, names, skills, draws)[2]
    expected = sum(matrix[at][at] for at in range(len(names)))
    return max(0.25, seen / expected * len(blocks) / (len(blocks) - 1))


def prior_of(comparisons: list[Comparison], bots: list[str], spread: float) -> tuple[list[str], list[float]]:
    """All players, and the precisions of their priors."""
    names = sorted({*bots, *(player for each in comparisons for player in {**each.upper, **each.lower})})
    return names, [(spread if name in bots else SIGMA) ** -2 for name in names]


def evidence(comparisons: list[Comparison], bots: list[str], draws: float, spread: float) -> float:
    """The logarithm of the probability of the results, for a spread, by Laplace's approximation."""
    _, precision = prior_of(comparisons, bots, spread)
    skills, explained, volume = most_likely(comparisons, bots, draws, spread)
    pull = sum(weight * (skill - MU) ** 2 - math.log(weight) for weight, skill in zip(precision, skills, strict=True))
    return explained - (pull + volume) / 2


def most_likely(
    comparisons: list[Comparison], bots: list[str], draws: float, spread: float
) -> tuple[list[float], float, float]:
    """The most likely skills; there, the logarithms of the probability of the results and of the determinant."""
    names, precision = prior_of(comparisons, bots, spread)
    skills = [MU] * len(names)
    for _ in range(50):
        explained, force, matrix = slopes(comparisons, names, skills, draws)
        for at, weight in enumerate(precision):
            force[at] += weight * (MU - skills[at])
            matrix[at][at] += weight
        move, volume = solved(matrix, force)
        if max(map(abs, move)) < 1e-9:
            break
        skills = [skill + step for skill, step in zip(skills, move, strict=True)]
    return skills, explained, volume


def slopes(
    comparisons: list[Comparison], names: list[str], skills: list[float], draws: float
) -> tuple[float, list[float], list[list[float]]]:
    """The logarithm of the probability of the results, its slope by each skill, and how the slopes fall."""
    place = {name: at for at, name in enumerate(names)}
    explained, force = 0.0, [0.0] * len(names)
    matrix = [[0.0] * len(names) for _ in names]
    for each in comparisons:
        signed = [
            (place[player], sign * weight, learns)
            for sign, team in ((1, each.upper), (-1, each.lower))
            for player, (weight, learns) in team.items()
        ]
        deviation = BETA * math.sqrt(sum(weight**2 for _, weight, _ in signed))
        margin = NORMAL.inv_cdf((draws + 1) / 2) * math.sqrt(len(signed)) * BETA / deviation
        x = sum(weight * skills[at] for at, weight, _ in signed) / deviation
        v, w = (within if each.tie else above)(x, margin)
        least = NORMAL.cdf(-margin - x) if each.tie else 0.0
        explained += each.weight * math.log(NORMAL.cdf(margin - x if each.tie else x - margin) - least)
        for at, weight, learns in signed:
            if learns:
                force[at] += each.weight * weight * v / deviation
                for other, other_weight, _ in signed:
                    matrix[at][other] += each.weight * weight * other_weight * w / deviation**2
    return explained, force, matrix


def solved(matrix: list[list[float]], right: list[float]) -> tuple[list[float], float]:
    """The solution of linear equations, and the logarithm of the determinant."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    volume = 0.0
    for at, row in enumerate(rows):
        volume += math.log(row[at])
        for other in rows[at + 1 :]:
            part = other[at] / row[at]
            other[at:] = [value - part * own for value, own in zip(other[at:], row[at:], strict=True)]
    found = [0.0] * len(rows)
    for at in reversed(range(len(rows))):
        row = rows[at]
        found[at] = (row[-1] - sum(row[other] * found[other] for other in range(at + 1, len(rows)))) / row[at]
    return found, volume


def propagated(comparisons: list[Comparison], bots: list[str], draws: float, spread: float) -> dict[str, list[float]]:
    """Expectation propagation: for every player the precision, and the precision times the mean."""
    names = {*bots, *(player for each in comparisons for player in {**each.upper, **each.lower})}
    prior = {name: (spread if name in bots else SIGMA) ** -2 for name in names}
    known = {name: [precision, MU * precision] for name, precision in prior.items()}
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
