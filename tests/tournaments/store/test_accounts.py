"""The people of a store: accounts, teams, and secrets of one kind."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.tournaments.accounts import give, let_in, token_of
from tests.tournaments.stores import in_sql, opened
from tournaments.config.course_file import read_class_list
from tournaments.league.people import INVITED_MS, BadPeople, Person, SecretKind
from tournaments.league.service_terms import DAY_MS
from tournaments.store import NoSuchPerson, NoSuchSecret, People, Store, sha256_of
from tournaments.store.database import Database

KINDS: tuple[SecretKind, ...] = ("token", "session")


def speaks(people: People, secret: str, now_ms: int) -> bool:
    """Whether a secret speaks for somebody, as a token or as a session."""
    return any(people.account(sha256_of(secret), kind, now_ms) is not None for kind in KINDS)


def listed(*names: str) -> dict[int, Person]:
    return {line: Person(name, name) for line, name in enumerate(names, 1)}


def held_by(people: People, name: str, now_ms: int = 5) -> set[str]:
    return {each.kind for each in people.secrets_of(name, now_ms)}


def test_of_secrets_the_store_has_only_digests(url: str) -> None:
    with opened(url) as store:
        link = store.people.add(listed("eva"), 1)["eva"]
        session = store.people.activate(sha256_of(link), "Eva", 2)
        token = store.people.new_token("eva", "laptop", 3)
    assert {len(bytes.fromhex(each)) for each in (link, session, token)} == {32}
    kept = {row[0] for row in in_sql(url, "SELECT sha256 FROM secret")}
    assert kept == {sha256_of(session), sha256_of(token)}


def test_a_list_with_a_fault_adds_nobody(url: str) -> None:
    with opened(url) as store:
        store.people.add(listed("eva"), 1)
        with pytest.raises(BadPeople, match=r"^line 3: ") as found:
            store.people.add(listed("ann", "bob", "Eva"), 2)
        assert str(found.value).count("line") == 1
        with pytest.raises(BadPeople, match=r"^line 9: a\nline 3: "):  # with what is wrong with other lines
            store.people.add(listed("ann", "bob", "Eva"), 2, ["line 9: a"])
        assert store.people.add(listed("ann", "eva"), 2, dry_run=True) == {"ann": ""}
        assert list(store.people.all()) == ["eva"]
        assert set(store.people.add(listed("ann", "eva"), 3)) == {"ann"}


def test_a_link_is_used_once_and_a_wrong_display_name_does_not_use_it_up(url: str) -> None:
    with opened(url) as store:
        people = store.people
        links = people.add(listed("eva", "ann", "bob"), 1)
        people.activate(sha256_of(links["ann"]), "Ann", 2)
        people.activate(sha256_of(links["bob"]), "Robert", 2)
        link = sha256_of(links["eva"])
        for display_name in ("=1", "ANN", "bob", "0rganizer"):
            with pytest.raises(BadPeople):
                people.activate(link, display_name, 2)
        assert people.account(link, "link", 3) is not None
        session = people.activate(link, "  Eva   Mu\u0308ller ", 3)
        assert [each.display_name for each in people.all().values()] == ["Ann", "Robert", "Eva Müller"]
        found = people.account(sha256_of(session), "session", 4)
        assert found is not None
        assert found.display_name == "Eva Müller"
        for dead in (link, sha256_of("nonsense")):
            with pytest.raises(NoSuchSecret):
                people.activate(dead, "Eva", 5)


def test_a_secret_speaks_only_as_its_kind_and_only_until_its_end(url: str) -> None:
    with opened(url) as store:
        people = store.people
        link = people.add(listed("eva"), 1)["eva"]
        assert not speaks(people, link, 2)
        assert people.account(sha256_of(link), "link", INVITED_MS) is not None
        assert people.account(sha256_of(link), "link", INVITED_MS + 1) is None
        with pytest.raises(NoSuchSecret):
            people.activate(sha256_of(link), "Eva", INVITED_MS + 1)
        let_in(store, "max")
        session = people.begin_session(sha256_of(token_of("max")), 5)
        assert people.account(sha256_of(session), "token", 6) is None
        assert speaks(people, session, 4 + 30 * DAY_MS)
        assert not speaks(people, session, 5 + 30 * DAY_MS)
        with pytest.raises(NoSuchSecret):  # a session makes no other
            people.begin_session(sha256_of(session), 7)
        let_in(store, "organizer")
        ends = [each.ends_ms for each in people.secrets_of("teacher", 1)]
        people.begin_session(sha256_of(token_of("organizer")), 5)
        assert [each.ends_ms for each in people.secrets_of("teacher", 6)] == [*ends, 5 + DAY_MS // 2]


def test_a_new_link_a_new_role_and_removal_end_all_secrets_of_the_person(url: str) -> None:
    with opened(url) as store:
        people = store.people
        for change in (
            lambda: people.renew("eva", "link", 9),
            lambda: people.set_role("eva", "assistant", 9),
            lambda: people.remove("eva", 9, erase=False),
        ):
            let_in(store, "eva")
            let_in(store, "max")
            people.begin_session(sha256_of(token_of("eva")), 5)
            assert held_by(people, "eva") == {"token", "session"}
            change()
            assert held_by(people, "eva") == set()
            assert held_by(people, "max") == {"token"}
        give(store, "eva", "late")  # even if somebody wrote it
        assert not speaks(people, "late", 10)
        for act in (lambda: people.renew("eva", "link", 11), lambda: people.new_token("eva", "", 11)):
            with pytest.raises(NoSuchPerson):
                act()
        with pytest.raises(BadPeople):  # nor may another have her name
            people.add(listed("EVA"), 12)
        assert [what for _, _, what, _ in store.submissions.audit()].count("remove-person") == 1


def test_erasure_leaves_nothing_private_in_any_byte_of_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shrinks, shrink = list[str](), Database.shrink
    monkeypatch.setattr(Database, "shrink", lambda database: (shrinks.append(database.place), shrink(database)))
    with opened(f"sqlite:///{tmp_path / 'one.sqlite'}") as store:
        text = "name,full_name,mail,reference\neva,Eva Geheim,geheim@x.org,4711-geheim\n"
        store.people.activate(sha256_of(store.people.add(read_class_list(text)[0], 1)["eva"]), "Frau Geheim", 2)
        assert b"eheim" in (tmp_path / "one.sqlite").read_bytes() + (tmp_path / "one.sqlite-wal").read_bytes()
        store.people.remove("eva", 3, erase=True)
    assert all(b"eheim" not in file.read_bytes() for file in tmp_path.iterdir())
    assert len(shrinks) == 1  # some builds of SQLite overwrite what is deleted, and others keep it


def test_a_person_has_one_account_in_all_leagues_of_a_store(url: str) -> None:
    with opened(url) as store, Store(url, "winter") as other:
        let_in(store, "eva", team="foxes")
        found = other.people.account(sha256_of(token_of("eva")), "token", 5)
        assert found is not None
        assert (found.name, found.team, found.owners) == ("eva", "foxes", {"eva", "foxes"})


def test_the_oldest_sessions_of_a_person_end_and_no_one_elses(url: str) -> None:
    with opened(url) as store:
        let_in(store, "eva")
        let_in(store, "max")
        other = store.people.begin_session(sha256_of(token_of("max")), 1)
        made = [store.people.begin_session(sha256_of(token_of("eva")), at) for at in range(1, 12)]
        alive = [store.people.account(sha256_of(each), "session", 20) is not None for each in made]
        assert alive == [False] * 3 + [True] * 8
        assert store.people.account(sha256_of(other), "session", 20) is not None


@pytest.mark.slow
def test_a_thousand_log_in_at_once_and_each_is_who_they_are(url: str) -> None:
    names = [f"student-{number}" for number in range(1_000)]
    with opened(url) as store:
        links = store.people.add(listed(*names), 1)

        def join(name: str) -> str:
            return store.people.activate(sha256_of(links[name]), name, 2)

        with ThreadPoolExecutor(8) as threads:
            sessions = list(threads.map(join, names))
        found = [store.people.account(sha256_of(each), "session", 3) for each in sessions]
        assert [each.name for each in found if each] == names
