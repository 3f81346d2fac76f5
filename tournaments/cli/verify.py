"""`referee league verify`: how many matches were checked, and which do not hold."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, nullcontext
from typing import Annotated

import typer

from referee.cli.console import AsJson, err, print_json, say
from referee.core.errors import Exit
from referee.core.text import several
from tournaments.cli.arguments import File, Url
from tournaments.cli.open_league import opened
from tournaments.cli.progress_bar import bar
from tournaments.play.environment import LocalEnvironment
from tournaments.results.verify import NotPlayed


def verify(
    file: File,
    store: Url = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many processes check. Default: one a core.")] = None,
    json: AsJson = False,
) -> None:
    """Run the rules on every stored match again, and compare it with the league's seed and plan."""
    with opened(file, store) as kept:
        checking = VerifyProgress(kept.transcripts_kept())
        processes = LocalEnvironment(workers).workers
        with bar(checking) if err.is_terminal else nullcontext(), closing(kept.differences(workers=processes)) as found:
            for fixture, difference in found:
                checking.take(fixture, difference)
        trees = dict(kept.trees())
    wrong = checking.wrong
    damaged = {tree: what for tree, what in trees.items() if what is not None}
    if json:
        of_trees = {"trees": len(trees), "damaged_trees": damaged}
        of_matches = {"matches": checking.done, "differences": wrong, "not_played": checking.not_played}
        print_json({"league": kept.league.name, **of_matches, **of_trees})
    else:
        for line in _by_kind(wrong):
            say(line)
        for tree, what in damaged.items():
            say(f"the tree {tree} of a bot: {what}")
        for what, count in checking.not_played.items():
            say(f"{several(count, 'match', 'matches')} {what}; check them with the referee that played them")
        checked = checking.done - sum(checking.not_played.values())
        say(f"{several(checked, 'match', 'matches')} checked: {_in_all(wrong)}")
        if trees:
            say(f"{several(len(trees), 'tree of a bot', 'trees of bots')} checked: {_in_all(damaged)}")
    if wrong or damaged:
        raise typer.Exit(Exit.DOES_NOT_HOLD)
    if checking.not_played:
        raise typer.Exit(Exit.WRONG_USE)


def _by_kind(wrong: dict[str, str]) -> Iterator[str]:
    """What is wrong, in a line for each kind, with the first match of the kind."""
    first = {difference: fixture for fixture, difference in reversed(wrong.items())}
    for difference, count in Counter(wrong.values()).items():
        besides = f" and {several(count - 1, 'other', 'others')}" if count > 1 else ""
        yield f"{first[difference]}{besides}: {difference}"


def _in_all(wrong: Mapping[str, str]) -> str:
    return f"{len(wrong)} do not hold" if wrong else "all hold"


class VerifyProgress:
    """An audit in progress.

    Attributes:
        planned: how many matches there are.
        done: how many of them were checked.
        wrong: by the fixture ids of those that do not hold, why.
        not_played: by the words that say why they could not be checked, how many.
    """

    def __init__(self, planned: int) -> None:
        self.planned = planned
        self.done = 0
        self.wrong: dict[str, str] = {}
        self.not_played = Counter[str]()

    def take(self, fixture: str, difference: str | None) -> None:
        """Note the fault of a match; None if it is valid."""
        self.done += 1
        if isinstance(difference, NotPlayed):
            self.not_played[difference] += 1
        elif difference:
            self.wrong[fixture] = difference

    def numbers(self) -> str:
        """How many were checked, and how many of them do not hold."""
        return f"{self.done} of {self.planned}" + (f", {len(self.wrong)} do not hold" if self.wrong else "")
