"""Our rules beside libraries of games, in process: RLCard and PettingZoo play games of about the size of ours."""

import subprocess
from pathlib import Path

import msgspec

from benchmarks.peers import environment
from benchmarks.rows import Missing, Pair, Row, missing_row, paired_row
from benchmarks.rules import CASES, decision_rate

_ROUNDS = 5
_STEPS = 10_000
_DECISIONS = 50_000
_OURS = CASES[0]
_PROGRAM = Path(__file__).with_name("random_play.py")


def rows() -> list[Row]:
    """A row for each of their games, or one that says why there is none."""
    ours = f"rules and mover's view, {_OURS.name}: decisions / CPU s"
    try:
        interpreter = environment.python()
    except Missing as missing:
        return [missing_row(f"{ours}, over steps / CPU s of RLCard and PettingZoo", "higher", missing)]
    pairs: dict[str, list[Pair]] = {}
    for _ in range(_ROUNDS):
        rate = decision_rate(_OURS, _DECISIONS)
        for game, theirs in rates(interpreter, _PROGRAM, _STEPS).items():
            pairs.setdefault(game, []).append(Pair(rate, theirs))
    return [paired_row(f"{ours}, over steps / CPU s of {game}", some, "higher") for game, some in pairs.items()]


def rates(interpreter: Path, program: Path, steps: int) -> dict[str, float]:
    """Steps a CPU second by game, as the program measures them in at least so many steps."""
    ended = subprocess.run([interpreter, program, str(steps)], stdout=subprocess.PIPE, check=True)
    # What a library prints when it is imported stands above.
    return msgspec.json.decode(ended.stdout.splitlines()[-1], type=dict[str, float])
