"""Where a league is: the rules of its game among the installed ones, and the store with its results."""

from pathlib import Path

from referee.core.errors import WrongUse
from referee.core.game import AnyGame
from referee.wire.registry import game_entry
from tournaments.config.course_file import read_course
from tournaments.config.league_file import SQLITE, LeagueFileError, read_league, read_past_league
from tournaments.league.model import League
from tournaments.store import Store, is_missing, whereabouts
from tournaments.store.pinned_league import keep_rules


class NeverRun(WrongUse):
    """The store has no results of the league."""


def league_in(file: Path) -> League:
    """Read the league in a file. Its game must be installed.

    Raises:
        LeagueFileError: the file is wrong. The error lists all its mistakes.
    """
    return read_league(file, _rules)


def past_league(file: Path, store: str | None) -> tuple[League, str]:
    """The league in a file, to show what was played, and the address of its store; `store` is that which is given.

    Once it was run, neither its bots nor its game need be there any more: the store knows what the game said.

    Raises:
        LeagueFileError: anything else in the file is wrong. The error lists all its mistakes.
        NeverRun: the store is not there, but one lies beside the league file.
        StoreError, WrongAddress: the store fails.
    """
    league = read_past_league(file, _rules)
    url = store_to_read(league, file, store)
    if not (league.lacks_bots or league.lacks_rules):
        return league, url
    pinned = None
    if not is_missing(url):
        with Store(url, league.name) as open_store:
            pinned = open_store.pinned()
    if pinned is None or not pinned.contents or pinned.game != league.game:
        return league_in(file), url
    return keep_rules(league, pinned) if league.lacks_rules else league, url


def past_leagues(file: Path, store: str | None) -> list[tuple[Path, tuple[League, str]]]:
    """The leagues of a course file, or the one in a league file: each with its file, and as `past_league` gives it.

    Raises:
        LeagueFileError, NeverRun, StoreError, WrongAddress: as `past_league`; or a league is kept in another store than
            its course.
    """
    course = read_course(file)
    found = [(each, past_league(each, store or course.store)) for each in course.files]
    others = [each.name for each, (league, _) in found if course.store and league.store not in {None, course.store}]
    if others:
        raise LeagueFileError([f"{name}: store: is not that of {file.name}; remove this line" for name in others])
    return found


def game_of(league: League) -> AnyGame:
    """The rules of a league.

    Raises:
        WrongUse: its game is not installed.
    """
    return _rules(league.game)


def _rules(game: str) -> AnyGame:
    return game_entry(game).game


def store_of(league: League, file: Path) -> str:
    """The address of the store in the league file. By default, a store in the current folder, named after the file."""
    return league.store or f"{SQLITE}{file.stem}.sqlite"


def store_beside(league: League, file: Path, url: str) -> Path | None:
    """The store beside the league file, if `url` says that it is in the current folder, and it is not.

    Raises:
        WrongAddress: `url` is not the address of a store.
    """
    beside = file.with_name(f"{file.stem}.sqlite")
    is_default = league.store is None and url == f"{SQLITE}{file.stem}.sqlite"
    return beside if is_default and is_missing(url) and beside.exists() else None


def store_to_read(league: League, file: Path, store: str | None) -> str:
    """The address of the store in which the results of a league are: the `store` one, or that of `store_of`.

    Raises:
        NeverRun: it is not there, but one lies beside the league file.
    """
    url = store or store_of(league, file)
    beside = store_beside(league, file, url)
    if store is None and beside is not None:
        raise NeverRun(
            f"there is no store {whereabouts(url)}; one lies beside the league file: name it with --store"
            f" {SQLITE}{beside}"
        )
    return url


def never_run(league: League, url: str) -> NeverRun:
    """The error for a league that was never run."""
    return NeverRun(
        f"{whereabouts(url)} has no results of {league.name};"
        " run it first (`referee league run`), or name its store (--store)"
    )
