"""The client and a service that cannot answer now, and says when it can."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tournaments.web.service.hall import Hall, hall, token_of
from tests.tournaments.workshops import bot_toml
from tournaments.store import StoreAway
from tournaments.web.client.address import address
from tournaments.web.client.http_client import LeagueClient, ServiceUnreachable
from tournaments.web.client.submit import followed, mine, submitted
from tournaments.web.queries import LeagueQueries
from tournaments.web.service import replies
from tournaments.web.service.league_service import LeagueService
from tournaments.web.visibility.entry_view import SubmissionAdmission


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Hall]:
    with hall(f"sqlite:///{tmp_path}/league.sqlite") as here:
        yield here


@pytest.fixture
def waited_s() -> list[float]:
    return []


@pytest.fixture
def line(served: Hall, waited_s: list[float]) -> LeagueClient:
    return LeagueClient(address(served.url), token_of("eva"), wait=waited_s.append)


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bee"
    folder.mkdir()
    (folder / "bot.toml").write_bytes(bot_toml("bee", "1"))
    (folder / "bot.sh").write_text("#!/bin/sh\n")
    return folder


def away(whole: Callable[..., object], failures: int, does: bool) -> Callable[..., object]:
    """The same function, whose first calls say that the store is away; whether they do their work before that."""
    left = [None] * failures

    def failing(*given: object) -> object:
        done = whole(*given) if does or not left else None
        if left:
            left.pop()
            raise StoreAway("the connection was lost")
        return done

    return failing


@pytest.mark.parametrize("does", [False, True])
def test_a_bot_that_the_service_cannot_take_now_is_sent_again_and_entered_once(
    served: Hall, line: LeagueClient, bot: Path, waited_s: list[float], monkeypatch: pytest.MonkeyPatch, does: bool
) -> None:
    monkeypatch.setattr(LeagueService, "receive", away(LeagueService.receive, 3, does))
    sent = submitted(line, bot, None)
    assert waited_s == [5, 5, 5]
    assert served.work()
    assert followed(line, sent.number, lambda _text: None) == "entered"
    assert [each.state for each in mine(line)] == ["entered"]
    assert submitted(line, bot, None).number == sent.number


def test_what_only_reads_is_asked_again_and_what_may_do_something_twice_is_not(
    line: LeagueClient, waited_s: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LeagueService, "admission", away(LeagueService.admission, 1, does=False))
    monkeypatch.setattr(LeagueService, "withdraw", away(LeagueService.withdraw, 1, does=False))
    line.get(SubmissionAdmission, "admission")
    assert waited_s == [5]
    with pytest.raises(ServiceUnreachable):
        line.ask(SubmissionAdmission, "submissions", "1", "withdrawal")
    assert waited_s == [5]


@pytest.mark.parametrize(("retry_after", "waits"), [(5, [5] * 11), (30, [])])
def test_the_client_asks_so_often_and_never_waits_long(
    line: LeagueClient, waited_s: list[float], monkeypatch: pytest.MonkeyPatch, retry_after: int, waits: list[float]
) -> None:
    monkeypatch.setattr(replies, "_RETRY_AFTER_S", retry_after)
    monkeypatch.setattr(LeagueService, "admission", away(LeagueService.admission, 100, does=False))
    with pytest.raises(ServiceUnreachable, match="the service cannot do this now; try again later"):
        line.get(SubmissionAdmission, "admission")
    assert waited_s == waits


def test_who_follows_a_submission_hears_all_of_it_though_the_store_is_away_in_the_middle(
    served: Hall, line: LeagueClient, bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = submitted(line, bot, None).number
    whole, calls = LeagueQueries.submission, iter([True, False])

    def failing(queries: LeagueQueries, number: int) -> object:
        if next(calls, True):  # the first one begins the stream, the second is in the middle
            return whole(queries, number)
        raise StoreAway("the connection was lost")

    monkeypatch.setattr(LeagueQueries, "submission", failing)
    heard: list[str] = []

    def show(text: str) -> None:
        if not heard:
            served.work()
        heard.append(text)

    assert followed(line, number, show, wait=lambda _seconds: None) == "entered"
    assert "".join(heard).endswith("entered\n")
    assert "".join(heard).count("received\n") == 1
