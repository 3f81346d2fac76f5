"""The trees of bots in a store: kept by content, in pieces, each once, and never given out damaged."""

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from itertools import count
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.core.tree_listing import digest
from tests.tournaments.stores import in_sql, killed_after, opened
from tests.tournaments.trees import chunks, keep, listing_of, read
from tournaments.store import LONGEST, Damaged, Store, StoredTree, StoreError, Trees

RANDOM = Random(1).randbytes(3 * LONGEST)
FILES = {
    "bot.toml": b"name",
    "empty": b"",
    "src/long": RANDOM[: 2 * LONGEST + 5],
    "src/copy": RANDOM[: 2 * LONGEST + 5],
    "src/one": RANDOM[:LONGEST],
    "run": b"exec",
}


def pieces(url: str) -> set[str]:
    return {key for (key,) in in_sql(url, "SELECT digest FROM piece")}


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with opened(url) as store:
        yield store


def test_a_tree_is_given_out_as_it_was_kept(store: Store) -> None:
    key = keep(store, FILES)
    assert key == digest(listing_of(FILES))
    assert read(store, key) == FILES
    tree = store.trees.find(key)
    assert tree is not None
    assert tree.listing == listing_of(FILES)
    assert (store.trees.digests(), store.trees.wrong(key)) == ([key], None)


@settings(max_examples=settings().max_examples * 3 // 4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from("abcdef"), st.binary(max_size=40), max_size=5))
def test_any_tree_is(store: Store, files: dict[str, bytes]) -> None:
    assert read(store, keep(store, files)) == files


def test_equal_content_is_kept_once_in_bounded_pieces(url: str, store: Store) -> None:
    keep(store, FILES)
    expected = {sha256(piece).hexdigest() for content in FILES.values() for piece in chunks(content)}
    assert pieces(url) == expected
    assert len(expected) == 5
    keep(store, FILES)
    keep(store, {**FILES, "bot.toml": b"other"})
    assert pieces(url) == expected | {sha256(b"other").hexdigest()}
    assert len(store.trees.digests()) == 2


def test_what_can_be_compressed_is(url: str, store: Store) -> None:
    keep(store, {"x": b"the same words " * 50_000})
    ((size,),) = in_sql(url, "SELECT length(content) FROM piece")
    assert size < 1_000


def test_a_tree_is_kept_in_a_store_without_a_league(url: str) -> None:
    with Store(url, "nobody-ran-it") as store:
        assert read(store, keep(store, FILES)) == FILES
        assert store.trees.find("0" * 64) is None
        assert store.pinned() is None


def test_what_is_not_as_listed_is_not_kept(store: Store) -> None:
    with pytest.raises(Damaged, match=r"its file bot\.toml is not what it was"):
        store.trees.keep(listing_of(FILES), lambda name: [b"other"] if name == "bot.toml" else chunks(FILES[name]), 7)
    assert store.trees.digests() == []


def test_a_dropped_tree_takes_its_pieces_along_but_not_those_of_others(url: str, store: Store) -> None:
    one, other = keep(store, FILES), keep(store, {"bot.toml": b"name", "only": b"mine"})
    store.trees.drop(one)
    assert store.trees.digests() == [other]
    assert pieces(url) == {sha256(b"name").hexdigest(), sha256(b"mine").hexdigest()}
    assert read(store, other) == {"bot.toml": b"name", "only": b"mine"}
    store.trees.drop(other)
    store.trees.drop(other)
    assert pieces(url) == set()


# Damage


FIRST = sha256(RANDOM[:LONGEST]).hexdigest()
NAME = sha256(b"name").hexdigest()
GIVEN = {"first": FIRST, "name": NAME, "junk": b"junk"}

DAMAGES = {
    "a missing piece": (
        ["DELETE FROM tree_piece WHERE piece = :first", "DELETE FROM piece WHERE digest = :first"],
        f"its piece {FIRST} is missing",
    ),
    "a piece that cannot be unpacked": (
        ["UPDATE piece SET content = :junk WHERE digest = :first"],
        f"its piece {FIRST} is damaged",
    ),
    "another piece": (
        ["UPDATE piece SET content = (SELECT content FROM piece WHERE digest = :name) WHERE digest = :first"],
        f"its piece {FIRST} is not what it was",
    ),
    "a list that cannot be unpacked": (["UPDATE tree SET content = :junk"], "its list of files is damaged (cannot"),
    "a list of something else": (
        ["UPDATE tree SET content = (SELECT content FROM piece WHERE digest = :name)"],
        "its list of files is damaged (JSON",
    ),
    "the list of another tree": (
        ["UPDATE tree SET content = (SELECT content FROM tree WHERE digest = :other)"],
        "its list of files is that of another tree",
    ),
    "a piece too few": (
        ["DELETE FROM tree_piece WHERE piece = :name"],
        "the pieces that are kept for it are not those that it needs",
    ),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_damage_is_found(what: str, url: str, store: Store) -> None:
    key = keep(store, FILES)
    given = GIVEN | {"other": keep(store, {"other": b"tree"})}
    statements, sentence = DAMAGES[what]
    for statement in statements:
        in_sql(url, statement, **{name: value for name, value in given.items() if f":{name}" in statement})
    assert sentence in (store.trees.wrong(key) or "nothing is wrong")


def test_what_is_damaged_is_not_given_out(url: str, store: Store) -> None:
    key = keep(store, FILES)
    in_sql(url, "UPDATE piece SET content = :junk WHERE digest = :first", junk=b"junk", first=FIRST)
    with pytest.raises(Damaged, match="is damaged"):
        read(store, key)
    in_sql(url, "UPDATE tree SET content = :junk", junk=b"junk")
    with pytest.raises(Damaged):
        store.trees.find(key)


def test_a_list_that_cuts_a_file_otherwise_is_found_although_its_pieces_are_whole(store: Store) -> None:
    tree = store.trees.find(keep(store, FILES))
    assert tree is not None
    turned = {file: tuple(reversed(pieces)) for file, pieces in tree.cut.items()}
    with pytest.raises(Damaged, match="its file src/long is not what it was"):
        [list(content) for _, _, content in store.trees.files(StoredTree(tree.listing, turned))]


# Crashes, and others at the same time


@pytest.mark.slow
def test_a_keeper_that_is_killed_before_any_of_its_writes_leaves_the_tree_or_nothing_but_pieces(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    there = []
    folder = tmp_path_factory.mktemp("killed")
    opened(f"sqlite:///{folder / 'empty.sqlite'}").close()
    for statements in count(1):
        url = f"sqlite:///{shutil.copy(folder / 'empty.sqlite', folder / f'{statements}.sqlite')}"
        killed = killed_after(statements, partial(keep_the_files, url))
        with Store(url, "autumn") as store:
            there.append(store.trees.digests() != [])
            assert not there[-1] or read(store, digest(listing_of(FILES))) == FILES
            assert read(store, keep(store, FILES)) == FILES
            store.trees.drop(digest(listing_of(FILES)))
        assert pieces(url) == set()
        if not killed:
            break
    assert there[-1]
    assert there.index(True) == len(there) - 1 > 2


def keep_the_files(url: str) -> None:
    keep(Store(url, "autumn"), FILES)


def test_trees_that_are_kept_and_dropped_at_once_are_whole_or_not_there(url: str) -> None:
    opened(url).close()

    def work(number: int) -> None:
        files = {"bot.toml": b"name", "mine": b"%d" % number, "ours": RANDOM[: 5 * (number % 3)]}
        with Store(url, "autumn") as store:
            for turn in range(6):
                key = keep(store, files)
                if turn % 2 == 0:
                    store.trees.drop(key)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(8)))
    with Store(url, "autumn") as store:
        found = store.trees.digests()
        assert len(found) == 8
        assert {store.trees.wrong(key) for key in found} == {None}


def test_pieces_that_are_deleted_before_the_tree_is_named_are_written_again(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, left = Trees._name, [1]

    def name_late(trees: object, *how: object) -> bool:
        if left and left.pop():
            in_sql(url, "DELETE FROM piece")
        return name(trees, *how)  # type: ignore[arg-type]

    monkeypatch.setattr(Trees, "_name", name_late)
    assert read(store, keep(store, FILES)) == FILES


def test_if_they_are_deleted_again_and_again_it_is_said(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trees, "_name", lambda *_: False)
    with pytest.raises(StoreError, match="deleted again and again"):
        keep(store, FILES)
