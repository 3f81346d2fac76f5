"""An author takes an own bot out of a league that is served."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from tests.cli.command import referee
from tests.tournaments.web.service.hall import OPEN, Answer, Hall, hall, token_of
from tests.tournaments.workshops import archive
from tournaments.league.format_settings import OpenSettings
from tournaments.league.roster import roster
from tournaments.web.visibility.entry_view import SubmissionView

API = "/leagues/autumn/api"
BY_RESULTS = replace(OPEN, format=OpenSettings())
STAYS = "it plays no more, and what it has played still counts"


@pytest.fixture
def served(url: str) -> Iterator[Hall]:
    """An open league with a bot of eva's."""
    with hall(url, BY_RESULTS) as here:
        here.send(archive().getvalue(), "eva")
        here.work()
        yield here


def withdrawn(served: Hall, author: str | None) -> Answer:
    return served.ask(f"{API}/submissions/{served.number()}/withdrawal", author, "POST")


def on_roster(served: Hall) -> list[str]:
    return [entry.name for entry in roster((), served.store.changes())]


def test_the_author_takes_a_bot_out_and_it_is_noted_who_did(served: Hall) -> None:
    assert on_roster(served) == ["bee@1"]
    answer = withdrawn(served, "eva")
    assert (answer.status, answer.json["bot"], answer.json["state"]) == (200, "bee@1", "withdrawn")
    assert on_roster(served) == []
    assert [(each.who, each.what) for each in served.store.submissions.audit()][-1] == ("eva", "withdraw")
    log = served.line("eva").get(SubmissionView, "submissions", str(served.number())).log
    assert log[-1].text == f"withdrawn by its author\n{STAYS}"


def test_nobody_else_does_and_nobody_does_it_twice(served: Hall) -> None:
    theirs = withdrawn(served, "max")
    assert (theirs.status, theirs.detail) == (404, f"there is no submission {served.number()}")
    assert withdrawn(served, None).status == 401
    assert on_roster(served) == ["bee@1"]
    assert withdrawn(served, "eva").status == 200
    again = withdrawn(served, "eva")
    assert (again.status, "is withdrawn, so there is no withdraw now" in again.detail) == (409, True)


def test_where_its_results_would_not_count_any_more_only_the_organizer_does(url: str) -> None:
    with hall(url) as here:
        here.send(archive().getvalue(), "eva")
        here.work()
        refused = withdrawn(here, "eva")
        assert (refused.status, refused.detail) == (
            409,
            "what bee@1 has played would not count any more; only the organizer can take it out",
        )
        assert on_roster(here) == ["bee@1"]


def test_the_command_withdraws_at_an_address(served: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_TOKEN", token_of("eva"))
    assert referee("entry", "withdraw", "bee@1", served.url, "--why", "old").code == 2
    done = referee("entry", "withdraw", "bee@1", served.url)
    assert (done.code, done.out) == (
        0,
        f"bee@1 is withdrawn; {STAYS}\n",
    )
    assert on_roster(served) == []
    assert referee("entry", "withdraw", "wasp@1", served.url).code == 2
