"""The answers of the service: their readers, their status, and no more data than allowed."""

import errno
import socket
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.core.errors import GameBug
from referee.http_server.client_clock import ClientTimeouts
from tests.tournaments.stores import in_sql
from tests.tournaments.web.service.hall import OPEN, Hall, hall, token_of
from tests.tournaments.workshops import FakeWorkshop, archive
from tournaments.league.service_terms import SubmissionTerms
from tournaments.play.cores import hold_lease
from tournaments.store import StoreError, lock_path
from tournaments.web.client.http_client import ServiceUnreachable
from tournaments.web.client.submit import followed, mine
from tournaments.web.queries import PublishedLeague
from tournaments.web.service.app import ServiceLimits
from tournaments.web.service.token_bucket import Rate
from tournaments.web.service.uploads import UploadLimits
from tournaments.web.visibility.entry_view import SubmissionAdmission, SubmissionStep

API = "/leagues/autumn/api"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """A league that is only asked for what everybody may see."""
    with hall(f"sqlite:///{tmp_path_factory.mktemp('store')}/league.sqlite") as here:
        yield here


@pytest.fixture
def served(url: str) -> Iterator[Hall]:
    with hall(url) as here:
        yield here


def test_an_archive_is_received_built_checked_entered_and_followed_to_the_end(served: Hall) -> None:
    sent = served.send(archive().getvalue())
    number = sent.json["number"]
    assert (sent.status, sent.headers["location"]) == (201, f"{API}/submissions/{number}")
    assert (sent.json["bot"], sent.json["author"], sent.json["state"]) == ("bee@1", "eva", "received")
    assert served.work()
    assert not served.work()
    shown: list[str] = []
    assert followed(served.line("eva"), number, shown.append) == "entered"
    assert "".join(shown) == "building\ncompiling\nchecking\nplaying\nit plays from the next run\nentered\n"
    seen = served.ask(f"{API}/submissions/{number}", "eva").json
    assert (seen["state"], [part["state"] for part in seen["log"]]) == ("entered", ["building", "checking"])
    assert served.told == [f"autumn: submission {number}: bee@1 of eva is entered"]


def test_the_same_archive_again_is_the_same_submission(served: Hall) -> None:
    first, second = served.send(archive().getvalue()), served.send(archive().getvalue())
    assert first.json == second.json
    labelled = served.send(archive().getvalue(), path="submissions?label=b")
    assert labelled.json["bot"] == "bee+b@1"
    assert served.send(archive().getvalue(), path="submissions?label=no+plus").status == 409


def test_who_follows_hears_what_is_written_while_it_is_written(url: str) -> None:
    heard = threading.Event()

    def before(what: str) -> None:
        if what == "check":
            assert heard.wait(60)  # the check goes on only when the follower has heard of the build

    with hall(url, build_environment=FakeWorkshop(before=before)) as here:
        number = here.send(archive().getvalue()).json["number"]
        shown: list[str] = []

        def show(text: str) -> None:
            shown.append(text)
            if "compiling" in text:
                heard.set()

        working = threading.Thread(target=here.work)
        working.start()
        assert followed(here.line("eva"), number, show) == "entered"
        working.join()
    assert "".join(shown).endswith("checking\nplaying\nit plays from the next run\nentered\n")


def test_only_the_author_sees_a_submission_and_nobody_learns_that_it_is_there(served: Hall) -> None:
    number = served.send(archive().getvalue()).json["number"]
    theirs, none = (served.ask(f"{API}/submissions/{each}", "max") for each in (number, 7))
    assert (theirs.status, none.status) == (404, 404)
    assert theirs.detail.replace(str(number), "N") == none.detail.replace("7", "N")
    events = served.ask(f"{API}/submissions/{number}/events", "max")
    assert (events.status, events.detail) == (404, theirs.detail)
    assert served.ask(f"{API}/submissions", "max").json["items"] == []
    assert served.ask(f"{API}/submissions/{number}").status == 401


@pytest.mark.parametrize("shown", ["Bearer", "Bearer wrong", "Basic ZXZhOnB3", "Bearer a b", "Bearer \x00", "bearer é"])
def test_a_token_that_is_none_of_ours_is_refused_everywhere_in_the_same_words(asked: Hall, shown: str) -> None:
    for path in ("", "/submissions", "/admission"):
        answer = asked.ask(API + path, authorization=shown)
        assert answer.status in {400, 401}
        if answer.status == 401:
            assert answer.headers["www-authenticate"].startswith("Bearer")
            assert "this token is not valid here" in answer.detail


def test_a_token_that_is_revoked_opens_nothing_from_then_on(served: Hall) -> None:
    assert served.ask(f"{API}/admission", "eva").status == 200
    served.store.people.remove("eva", 5, erase=False)
    assert served.ask(f"{API}/admission", "eva").status == 401
    assert served.send(archive().getvalue()).status == 401


def test_a_quota_refuses_before_the_body_is_read(url: str) -> None:
    tight = replace(OPEN, submissions=SubmissionTerms(free_mib=0, a_day=1))
    with hall(url, tight) as here:
        assert here.send(archive().getvalue()).status == 201
        refused = here.send(b"not even an archive")
        assert (refused.status, refused.detail) == (
            409,
            "eva has submitted 1 time within a day; try again tomorrow",
        )
        assert here.line("eva").get(SubmissionAdmission, "admission").refusals == (refused.detail,)
        assert here.send(b"not even an archive", "max").status == 422


def test_a_league_without_a_box_takes_nothing_over_the_network(url: str) -> None:
    with hall(url, replace(OPEN, sandbox="none")) as here:
        refused = here.send(archive().getvalue())
        assert (refused.status, "only the organizer's bots" in refused.detail) == (409, True)
        assert in_sql(url, "SELECT count(*) FROM submission") == [(0,)]


def test_who_asks_too_often_hears_when_to_come_back_and_others_are_not_in_the_way(url: str) -> None:
    with hall(url, limits=ServiceLimits(requests=Rate(burst=3, a_second=0.01))) as here:
        answers = [here.ask(f"{API}/admission", "eva") for _ in range(4)]
        assert [answer.status for answer in answers] == [200, 200, 200, 429]
        assert 90 <= int(answers[-1].headers["retry-after"]) <= 101
        assert here.ask(f"{API}/admission", "max").status == 200
        assert here.ask(API).status == 200


def test_an_answer_that_did_not_change_is_not_sent_again(asked: Hall) -> None:
    first = asked.ask(API)
    assert (first.status, first.headers["cache-control"]) == (200, "public, no-cache")
    again = asked.ask(API, if_none_match=f'"x", W/{first.headers["etag"]}')
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert asked.ask(f"{API}/admission", "eva").headers["cache-control"] == "private, no-cache"


def test_every_answer_tells_browsers_to_do_nothing_with_it(asked: Hall) -> None:
    for answer in (asked.ask(API), asked.ask("/nothing"), asked.ask(f"{API}/submissions")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert "server" not in answer.headers


def test_a_failure_of_ours_is_told_to_the_organizer_and_not_to_the_network(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(what: str) -> None:
        if what == "hold":
            raise StoreError("the disk /srv/secret/place is gone")

    with hall(url, build_environment=FakeWorkshop(before=broken)) as here:
        answer = here.send(archive().getvalue())
    assert (answer.status, answer.detail) == (503, "the service cannot do this now; try again later")
    assert "/srv/secret/place" in capsys.readouterr().err


def test_a_bot_is_not_rejected_if_the_game_fails_in_its_check_and_the_organizer_hears_of_it(url: str) -> None:
    def failing(what: str) -> None:
        if what == "check":
            raise GameBug("the game failed", "7", b"{}")

    with hall(url, build_environment=FakeWorkshop(before=failing)) as here:
        here.send(archive().getvalue())
        assert here.work()
        assert next(mine(here.line("eva"))).state == "checking"
        (sentence,) = here.told
    assert sentence.endswith("the game failed; it is tried again in 30 s")


def test_a_failure_of_ours_behind_a_page_is_told_in_the_same_way(
    asked: Hall, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_shown: PublishedLeague, _viewer: object) -> None:
        raise StoreError("the disk /srv/secret/place is gone")

    monkeypatch.setattr(PublishedLeague, "to", broken)
    for path in ("/", "/leagues/autumn/standings"):
        answer = asked.ask(path, accept="text/html")
        assert (answer.status, answer.headers["retry-after"]) == (503, "5")
        assert b"The service cannot do this now" in answer.body
        assert b"/srv/secret" not in answer.body
        assert "/srv/secret/place" in capsys.readouterr().err


def test_an_author_who_sends_slowly_keeps_nobody_else_waiting(url: str) -> None:
    head = (
        f"POST {API}/submissions HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {token_of('eva')}\r\n"
        "Content-Type: application/gzip\r\nContent-Length: 4000000\r\n\r\n"
    )
    with (
        hall(url, limits=ServiceLimits(uploads=UploadLimits(2, 1)), patience=ClientTimeouts(header_s=600)) as here,
        ExitStack() as stack,
    ):
        for _ in range(3):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", here.port)))
            line.sendall(head.encode() + bytes(100_000))
        assert here.send(archive().getvalue(), "max").status == 201


def test_who_asks_too_often_gets_no_page_either(url: str) -> None:
    with hall(url, limits=ServiceLimits(requests=Rate(burst=1, a_second=0.01))) as here:
        assert [here.ask("/").status for _ in range(3)] == [200, 429, 429]


@pytest.mark.slow
def test_an_author_follows_so_many_submissions_at_once_and_may_again_when_a_stream_ends(url: str) -> None:
    with hall(url, limits=ServiceLimits(followers_each=1)) as here:
        number = here.send(archive().getvalue()).json["number"]
        streams = [here.line("eva").events(SubmissionStep, "submissions", str(number), "events") for _ in range(2)]
        assert next(streams[0]) == SubmissionStep("received")
        with pytest.raises(ServiceUnreachable, match="you follow too many submissions at once"):
            next(streams[1])
        here.work()
        assert [step.state for step in streams[0]][-1] == "entered"
        assert followed(here.line("eva"), number, lambda _text: None) == "entered"


def test_a_copy_of_a_store_that_is_served_is_a_backup_from_which_all_goes_on(tmp_path: Path) -> None:
    first, second = tmp_path / "evening.sqlite", tmp_path / "restored" / "evening.sqlite"
    second.parent.mkdir()
    with hall(f"sqlite:///{first}") as here:
        here.send(archive().getvalue())
        here.work()
        here.send(archive("wasp").getvalue())
        with closing(sqlite3.connect(first)) as store, closing(sqlite3.connect(second)) as copy:
            store.backup(copy)
    with hall(f"sqlite:///{second}", authors=()) as here:
        assert here.work()
        seen = here.ask(f"{API}/submissions", "eva").json["items"]
        assert [(each["bot"], each["state"]) for each in seen] == [("wasp@1", "entered"), ("bee@1", "entered")]


def test_where_a_run_uses_all_cores_bots_are_built_when_it_gives_way(served: Hall) -> None:
    served.send(archive().getvalue())
    with hold_lease(lock_path(served.store.url, "autumn")):
        assert not served.work()
    assert served.work()


def test_an_upload_for_which_there_is_no_room_is_our_failure_and_not_the_author_s(
    asked: Hall, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Full(tempfile.SpooledTemporaryFile):  # type: ignore[type-arg]
        def write(self, _data: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "SpooledTemporaryFile", Full)
    answer = asked.send(archive().getvalue())
    assert (answer.status, answer.headers["retry-after"]) == (503, "5")
    assert "No space left on device" in capsys.readouterr().err


def test_an_upgrade_to_a_websocket_is_refused_where_no_route_takes_it_also_behind_a_proxy(tmp_path: Path) -> None:
    upgrade = {
        "connection": "upgrade",
        "upgrade": "websocket",
        "sec_websocket_version": "13",
        "sec_websocket_key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    with hall(f"sqlite:///{tmp_path / 'league.sqlite'}", proxies="127.0.0.1") as here:
        for path in ("/", "/leagues/autumn/events", "/nowhere"):
            assert here.ask(path, None, "GET", None, **upgrade).status == 403
        assert here.ask("/").status == 200
