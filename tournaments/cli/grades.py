"""The commands of `referee league` for whoever grades a course: grades, and the files that others compare."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import AsJson, fail, print_json, remark, say
from referee.core.errors import Exit
from referee.core.text import several
from tournaments.cli.arguments import File, Url
from tournaments.cli.submit import to_enter
from tournaments.league.service_terms import SubmissionTerms
from tournaments.league.submissions import Submission
from tournaments.results.computed_tables import league_crosstable, league_standings
from tournaments.results.grades import NOTE, csv_of, grades
from tournaments.results.league_location import past_league
from tournaments.results.stored_league import open_results


def show(
    file: File,
    baseline: Annotated[
        list[str] | None,
        typer.Option(help="A bot that others should beat; may be repeated. Default: the file's."),
    ] = None,
    store: Url = None,
    json: AsJson = False,
) -> None:
    """Print the grades of a league as CSV: a line for each person of the course, also without a bot."""
    league, url = past_league(file, store)
    with open_results(league, url) as results:
        for name in baseline or ():
            results.require_known(name)
        baselines = baseline or [entry.name for entry in league.entries if entry.author is None]
        people = [each for each in results.store.people.all().values() if each.role == "author"]
        terms, extensions = league.submissions or SubmissionTerms(), results.store.calendar.extensions()
        owners = {owner for each in people for owner in each.owners}
        found = grades(
            people,
            results.store.submissions.registry(league),
            {owner: terms.extended(extensions, owner) for owner in owners},
            league_standings(results),
            league_crosstable(results),
            baselines,
        )
    if json:
        print_json(found)
        return
    remark(NOTE)
    say(csv_of(found, baselines).rstrip("\n"))


def write_submissions(
    file: File,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write. It must not exist yet.")],
    store: Url = None,
) -> None:
    """Write the submitted files of each owner into a folder of its own, for programs that compare them."""
    if folder.exists():
        fail(Exit.WRONG_USE, f"{folder}: is there already; name a folder that is not")
    last: dict[str, Submission] = {}
    with to_enter(file, store) as pipeline:
        for each in pipeline.registry().submissions:
            if each.state != "deleted":
                last[each.author] = each
        for owner, each in sorted(last.items()):
            pipeline.write_sources(each, folder / owner)
    say(f"the last files of {several(len(last), 'owner', 'owners')} are in {folder}")
