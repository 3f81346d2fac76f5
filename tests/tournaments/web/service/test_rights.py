"""What each role may do: every operation, with a token, with a session, and with an account of another store."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
import sqlalchemy as sql
from msgspec.structs import replace

from tests.tournaments.accounts import give, let_in, token_of
from tests.tournaments.web.service.hall import OPEN, Hall, hall
from tests.tournaments.workshops import archive
from tournaments.league.people import RIGHTS, ROLES, Person, Role
from tournaments.store import Store, sha256_of
from tournaments.store.schema import TABLES
from tournaments.web.pages.words import MENU
from tournaments.web.service.app import ServiceLimits, path_of
from tournaments.web.service.operations import OPERATIONS, Operation
from tournaments.web.service.token_bucket import Rate

DOCS = Path(__file__).parents[4] / "docs" / "people.md"
LIMITS = ServiceLimits(requests=Rate(burst=1 << 20, a_second=1e6))
NAMES = {None: None, "spectator": "sue", "author": "eva", "assistant": "amy", "organizer": "olga"}
ACCOUNT_PAGES = {
    ("GET", "/me"): "account",
    ("POST", "/me/tokens"): "account",
    ("POST", "/me/end"): "account",
    ("POST", "/logout"): "account",
    ("GET", "/people"): "links",
    ("POST", "/people/max/link"): "links",
}
FORM = {"content_type": "application/x-www-form-urlencoded", "sec_fetch_site": "same-origin"}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Hall]:
    with hall(f"sqlite:///{tmp_path}/league.sqlite", limits=LIMITS) as found:
        for role, name in NAMES.items():
            if role and name:
                let_in(found.store, name, role)
                give(found.store, name, f"session of {name}", "session")
        number = found.send(archive().getvalue()).json["number"]
        while found.work():  # a stream of events ends with the work
            pass
        assert found.number() == number
        yield found


def address(operation: Operation, number: int) -> str:
    path = path_of(operation).replace("{league}", "autumn").replace("{number}", str(number))
    return re.sub(r"\{[^}]+\}", "x", path)


def ways(role: Role | None) -> Iterator[dict[str, str]]:
    """With a token, and with a session of a page of ours."""
    name = NAMES[role]
    if name is None:
        yield {"sec_fetch_site": "same-origin"}
    else:
        yield {"authorization": f"Bearer {token_of(name)}"}
        yield {"cookie": f"referee=session of {name}", "sec_fetch_site": "same-origin"}


def rows(store: Store) -> list[object]:
    with store._database.reading() as connection:
        return [connection.execute(sql.select(table)).all() for table in TABLES]


@pytest.mark.parametrize("role", NAMES)
def test_each_role_may_do_what_its_rights_say_and_nothing_else_by_token_and_by_session(
    served: Hall, role: Role | None
) -> None:
    number = served.number()
    for operation in OPERATIONS:
        for headers in ways(role):
            found = served.ask(address(operation, number), None, operation.method, b"", **headers).status
            refused = 401 if role is None else 403
            assert (found == refused) == (operation.needs not in RIGHTS[role]), (operation.name, role, found)
            assert found < 500


@pytest.mark.parametrize("role", ROLES)
def test_an_account_of_another_store_is_a_visitors(served: Hall, role: Role, tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path}/other.sqlite", "winter") as other:
        let_in(other, "zoe", role)
        give(other, "zoe", "session of zoe", "session")
    for operation in OPERATIONS:
        path = address(operation, served.number())
        assert served.ask(path, "zoe", operation.method, b"").status == 401
        visits = served.ask(path, None, operation.method, b"", cookie="referee=session of zoe").status
        assert visits == served.ask(path, None, operation.method, b"").status


def test_no_get_changes_anything(served: Hall) -> None:
    link = served.store.people.add({1: Person("ann", "ann")}, time.time_ns() // 1_000_000)["ann"]
    before = rows(served.store)
    for role in NAMES:
        for headers in ways(role):
            for operation in OPERATIONS:
                if operation.method == "GET" and operation.kind != "events":
                    served.ask(address(operation, served.number()), **headers)
            for way, path in ACCOUNT_PAGES:
                served.ask(path if way == "GET" else path.replace("/link", ""), **headers)
            for path in (f"/join/{link}", "/login?league=autumn", "/", *(f"/leagues/autumn/{kind}" for kind in MENU)):
                assert served.ask(path, **headers).status == 200
    assert rows(served.store) == before


@pytest.mark.parametrize("role", NAMES)
def test_nobody_finds_the_pages_of_accounts_without_the_right(served: Hall, role: Role | None) -> None:
    for (way, path), needs in ACCOUNT_PAGES.items():
        if role is not None:
            give(served.store, str(NAMES[role]), f"session of {NAMES[role]}", "session")
        *_, headers = ways(role)
        body = b"" if way == "POST" else None
        found = served.ask(path, None, way, body, **headers | (FORM if way == "POST" else {}))
        if role is None:
            assert (found.status, found.headers["location"]) == (303, "/login")
        else:
            assert (found.status == 403) == (needs not in RIGHTS[role]), (path, role)


def test_the_table_of_the_documents_is_the_table_of_the_program() -> None:
    lines = [line.split("|")[1:-1] for line in DOCS.read_text().splitlines() if line.startswith("| `")]
    told = {
        (right.strip(" `"), role)
        for right, _, *cells in lines
        for role, cell in zip(NAMES, cells, strict=True)
        if cell.strip()
    }
    assert told == {(right, role) for role, rights in RIGHTS.items() for right in rights}


def test_an_assistant_reads_all_submissions_with_their_logs_and_no_file(served: Hall) -> None:
    number = served.number()
    seen = served.ask(f"/leagues/autumn/api/submissions/{number}", "amy")
    assert seen.json["log"]
    assert [each["number"] for each in served.ask("/leagues/autumn/api/submissions", "amy").json["items"]] == [number]
    assert served.ask(f"/leagues/autumn/api/submissions/{number}", "max").status == 404
    bots = [served.ask("/leagues/autumn/api/entries/bee@1", name).json for name in ("amy", None, "eva")]
    assert bots[0] == bots[1]
    assert not bots[0]["source"]


def test_an_assistant_with_entries_is_an_author_and_nothing_more(served: Hall) -> None:
    number = served.number()
    assert served.ask("/leagues/autumn/api/me", "eva").json["role"] == "author"
    served.store.people.set_role("eva", "assistant", 9)
    give(served.store, "eva", token_of("eva"))
    assert served.ask("/leagues/autumn/api/me", "eva").json["role"] == "author"
    assert served.ask("/leagues/autumn/api/me", "amy").json["role"] == "assistant"
    other = served.send(archive(name="cow").getvalue(), "max").json["number"]
    assert served.ask(f"/leagues/autumn/api/submissions/{number}", "eva").status == 200
    assert served.ask(f"/leagues/autumn/api/submissions/{other}", "eva").status == 404
    give(served.store, "eva", "session of eva", "session")  # a link would let her act as another author
    form = {"cookie": "referee=session of eva", **FORM}
    assert served.ask("/people", cookie="referee=session of eva").status == 403
    assert served.ask("/people/max/link", None, "POST", b"", **form).status == 403


def test_an_assistant_makes_no_link_of_staff_and_an_organizer_does(served: Hall) -> None:
    for name, asker, status in (("max", "amy", 200), ("amy", "amy", 404), ("olga", "amy", 404), ("amy", "olga", 200)):
        found = served.ask(f"/people/{name}/link", None, "POST", b"", cookie=f"referee=session of {asker}", **FORM)
        assert (found.status, b"/join/" in found.body) == (status, status == 200), (name, asker)


def test_a_team_has_one_set_of_entries_which_all_members_see(tmp_path: Path) -> None:
    assert OPEN.submissions is not None
    of_teams = replace(OPEN, submissions=replace(OPEN.submissions, teams=True, entries=1))
    with hall(f"sqlite:///{tmp_path}/league.sqlite", of_teams, authors=()) as served:
        for name, team in (("eva", "foxes"), ("ann", "foxes"), ("max", "")):
            let_in(served.store, name, team=team)
        sent = served.send(archive().getvalue(), "eva").json
        assert sent["author"] == "foxes"
        assert served.ask(f"/leagues/autumn/api/submissions/{sent['number']}", "ann").status == 200
        assert served.ask(f"/leagues/autumn/api/submissions/{sent['number']}", "max").status == 404
        assert "foxes has 1 bot in the league already" in served.send(archive(name="cow").getvalue(), "ann").detail
        assert [each.who for each in served.store.submissions.audit() if each.what == "submit"] == ["eva"]
        with pytest.raises(Exception, match="takes nobody any more"):
            let_in(served.store, "joe", team="foxes")


def test_the_words_of_people_are_escaped_on_every_page(served: Hall) -> None:
    with served.store._database.writing() as connection:  # as if the rules for names had let it through
        connection.execute(
            sql.text("UPDATE person SET display_name = '<script>x', full_name = '<b>y' WHERE name = 'olga'")
        )
    for path in ("/me", "/people", "/leagues/autumn/entries"):
        page = served.ask(path, cookie="referee=session of olga").body
        assert b"&lt;script&gt;x" in page
        assert b"<script>x" not in page
        assert b"<b>y" not in page


def test_no_mail_address_is_told_to_anybody_but_staff(served: Hall) -> None:
    with served.store._database.writing() as connection:
        connection.execute(sql.text("UPDATE person SET mail = 'secret@x.org', full_name = 'Secret'"))
    for role in (None, "spectator", "author"):
        *_, headers = ways(role)
        for path in ("/me", "/people", "/leagues/autumn/entries", "/leagues/autumn/api/me", "/login"):
            assert b"ecret" not in served.ask(path, **headers).body
    assert b"secret@x.org" in served.ask("/people", cookie="referee=session of amy").body


def test_neither_a_login_nor_a_link_takes_a_session_that_was_put_there_before(served: Hall) -> None:
    link = served.store.people.add({1: Person("ann", "ann")}, time.time_ns() // 1_000_000)["ann"]
    for path, fields in (("/login", {"token": token_of("eva")}), (f"/join/{link}", {"display_name": "Ann"})):
        found = served.ask(path, None, "POST", urlencode(fields).encode(), cookie="referee=known to another", **FORM)
        assert found.status == 303
        assert "known to another" not in found.headers["set-cookie"]
        assert served.ask("/me", cookie="referee=known to another").status == 303


def test_a_store_is_asked_the_same_for_every_secret_and_never_sees_the_secret_itself(served: Hall) -> None:
    give(served.store, "eva", "ended", ends_ms=2)
    asked = list[tuple[str, object]]()
    engine = served.store._database.engine
    sql.event.listen(engine, "before_cursor_execute", lambda *words: asked.append((words[2], words[3])))
    valid, ended, invented, alike = token_of("eva"), "ended", "0" * 64, token_of("eva")[:-1] + "x"
    questions = []
    for secret in (valid, ended, invented, alike):
        asked.clear()
        found = served.store.people.account(sha256_of(secret), "token", 5)
        assert (found is not None) == (secret == valid)
        assert secret not in repr(asked)
        questions.append([statement for statement, _ in asked if "secret" in statement])
    assert [each == questions[0] for each in questions] == [True] * 4  # so its time says nothing of how much was right
    assert len(questions[0]) == 1
