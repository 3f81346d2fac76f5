"""The progress of a run: a bar, and a line for each match that was void or postponed."""

from collections.abc import Iterable

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from referee.cli.console import err
from tournaments.executors.work import Postponed, Result, Voided
from tournaments.season import Verdict


def tell_progress(league: str, verdict: Verdict, results: Iterable[Result]) -> None:
    """Show the results of a run as they come; `verdict` says how far the league was before."""
    if not verdict.remaining:
        return
    with _bar() as progress:
        done = verdict.planned - verdict.remaining
        task = progress.add_task(league, total=verdict.planned, completed=done)
        for result in results:
            if isinstance(result, Voided):
                progress.console.print(f"void: {result.fixture.id}: {result.reason}", markup=False)
            elif isinstance(result, Postponed):
                progress.console.print(f"postponed: {result.entry}: {result.reason}", markup=False)
            else:
                progress.advance(task)


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
        console=err,
    )


class _Rate(ProgressColumn):
    """Matches a second."""

    def render(self, task: Task) -> Text:
        """The rate, once there is one."""
        return Text(f"{task.speed:.0f} matches/s" if task.speed else "")
