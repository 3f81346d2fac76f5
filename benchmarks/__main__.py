"""All benchmarks: prints the rows as a table and writes them to `results.json` beside this file.

    python -m benchmarks [NAME...]

If names are given, only these are measured, and nothing is written.
"""

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from rich.console import Console

from benchmarks import (
    batched,
    bot_servers,
    boxes,
    cost,
    encoding,
    environments,
    far,
    leagues,
    line_bots,
    memory,
    onlookers,
    pages,
    pairing,
    ratings,
    rules,
    scale,
    seats,
    shares,
    standings,
    start,
    stores,
    submissions,
    verdicts,
    worlds,
)
from benchmarks.peers import libraries, pipes
from benchmarks.rows import Row, table, write

RESULTS = Path(__file__).with_name("results.json")

MEASUREMENTS: dict[str, Callable[[], list[Row]]] = {
    "rules": rules.rows,
    "worlds": worlds.rows,
    "encoding": encoding.rows,
    "environments": environments.rows,
    "cost": cost.rows,
    "league": leagues.rows,
    "batched": batched.rows,
    "bots": bot_servers.rows,
    "lines": line_bots.rows,
    "shares": shares.rows,
    "far": far.rows,
    "pipes": pipes.rows,
    "libraries": libraries.rows,
    "memory": memory.rows,
    "rating": ratings.rows,
    "standings": standings.rows,
    "scale": scale.rows,
    "stores": stores.rows,
    "submissions": submissions.rows,
    "pages": pages.all_rows,
    "onlookers": onlookers.rows,
    "verdict": verdicts.rows,
    "pairing": pairing.rows,
    "seats": seats.rows,
    "start": start.rows,
    "boxes": boxes.rows,
}


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all of them; return the exit code."""
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        print(f"{', '.join(unknown)}: not known; allowed: {', '.join(MEASUREMENTS)}", file=sys.stderr)
        return 2
    # Wide enough for the table where the output is no terminal.
    console = Console(width=None if sys.stdout.isatty() else 130)
    rows: list[Row] = []
    for name in names or MEASUREMENTS:
        with console.status(f"measuring: {name}"):
            rows += _apart(MEASUREMENTS[name])
    console.print(table(rows))
    if not names:
        write(rows, RESULTS)
    return 0


def _apart(measure: Callable[[], list[Row]]) -> list[Row]:
    """Measure in a new process, so that earlier measurements leave no traces in it."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(measure).result()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
