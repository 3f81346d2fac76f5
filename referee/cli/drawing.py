"""Writing pages and pictures of a match."""

from pathlib import Path

from referee.cli.console import fail
from referee.core.errors import Exit
from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.drawing.page.html import page_of_all, page_of_seat
from referee.drawing.playback import Playback, watch
from referee.drawing.registry import drawer
from referee.drawing.steps import drawn_steps, still
from referee.files.write_file import write
from referee.match.replay import blame_game
from referee.match.transcript import Transcript


def write_page(html: Path, game: AnyGame, transcript: Transcript) -> None:
    """Write the page of a match for everyone.

    Raises:
        FileProblems: the file cannot be written.
    """
    _write_page(html, watch(game, transcript), None)


def draw(
    game: AnyGame, transcript: Transcript, seat: Seat | None, html: Path | None, svg: Path | None, step: int | None
) -> None:
    """Write the page of a match to `html` and the picture of a step to `svg`, as everyone sees them or one seat.

    Raises:
        Difference: the match does not follow from its record by the rules.
        FileProblems: a file cannot be written.
    """
    watched = watch(game, transcript)
    if svg is not None:
        write(svg, "picture", _still(watched, seat, step).encode())
    if html is not None:
        _write_page(html, watched, seat)


def _write_page(html: Path, watched: Playback, seat: Seat | None) -> None:
    of_the_game = drawer(watched.game)
    page = page_of_all(watched, of_the_game) if seat is None else page_of_seat(watched, of_the_game, seat)
    write(html, "page", page.encode())


def _still(watched: Playback, seat: Seat | None, step: int | None) -> str:
    of_the_game = drawer(watched.game)
    with blame_game(watched.transcript.record):
        steps = tuple(drawn_steps(watched, of_the_game, seat))
    if step is not None and not 0 <= step < len(steps):
        fail(Exit.WRONG_USE, f"there is no step {step}; this match has steps 0 to {len(steps) - 1}")
    with blame_game(watched.transcript.record):
        return still(watched, of_the_game, steps[-1 if step is None else step])
