"""Transcripts are packed, and give back what was packed, or say that they are damaged."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from referee.match.transcript import digest_of
from tests.tournaments.leagues import league, match
from tests.tournaments.stores import CONTENTS, DRAWN, PLAN, in_sql, opened, saved
from tournaments.store import Store, StoreError, rows, transcript_packing
from tournaments.store.transcript_packing import MOST, SAMPLES, Damaged, Packing, dictionary_of

FIRST = SAMPLES
NUMBERS = "SELECT dictionary FROM transcript ORDER BY fixture"

known = Packing(b"".join(match(fixture).record for fixture in PLAN[:3]))


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store whose league is open."""
    with opened(url) as store:
        yield store


# A frame


@given(st.binary(max_size=300), st.binary(min_size=1, max_size=3_000))
def test_what_is_packed_comes_back_whatever_the_dictionary_is(dictionary: bytes, plain: bytes) -> None:
    packed = Packing(dictionary).pack(plain)
    assert Packing(dictionary).unpack(packed) == plain


@given(st.integers(0, len(PLAN) - 1), st.data())
def test_a_frame_of_which_a_byte_was_altered_never_gives_other_bytes(number: int, data: st.DataObject) -> None:
    plain = match(PLAN[number]).record
    packed = bytearray(known.pack(plain))
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    with suppress(Damaged):
        assert known.unpack(bytes(packed)) == plain


@given(st.binary(max_size=200))
def test_any_bytes_are_unpacked_or_said_to_be_damaged(content: bytes) -> None:
    with suppress(Damaged):
        known.unpack(content)


@pytest.mark.parametrize(
    "bomb",
    [
        zstandard.ZstdCompressor().compress(bytes(MOST + 1)),
        zstandard.ZstdCompressor(write_content_size=False).compress(bytes(100)),
        known.pack(b"a record") + b"more",
        known.pack(b""),
    ],
    ids=["too long", "of unknown length", "followed by more", "empty"],
)
def test_a_frame_that_is_too_long_or_does_not_say_how_long_is_refused(bomb: bytes) -> None:
    with pytest.raises(Damaged):
        known.unpack(bomb)
    assert known.unpack(known.pack(bytes(MOST))) == bytes(MOST)


def test_a_dictionary_is_the_transcripts_one_after_the_other_and_of_long_ones_the_end() -> None:
    assert dictionary_of([(b"r1", b"a1"), (b"r2", b"a2")]) == b"r1a1r2a2"
    long = dictionary_of([(b"x" * 100_000, b"y" * 10)])
    assert len(long) == 64 << 10
    assert long.endswith(b"x" + b"y" * 10)


# A store


def test_the_first_matches_are_stored_as_they_are_and_those_after_them_packed_with_these(
    store: Store, url: str
) -> None:
    records = {PLAN[number].id: saved(store, number, winner=number % 2) for number in range(FIRST + 4)}
    assert sorted(in_sql(url, NUMBERS)) == [(0,)] * FIRST + [(1,)] * 4
    first = sorted((fixture.id, match(fixture, winner=n % 2)) for n, fixture in enumerate(PLAN[:FIRST]))
    content = dictionary_of([(played.record, played.metadata) for _, played in first])
    assert in_sql(url, "SELECT league, number, content FROM dictionary") == [("autumn", 1, content)]
    for reader in (store, Store(url, "autumn")):
        assert {played.fixture: played.digest for played in reader.results()} == {
            fixture: digest_of(record) for fixture, record in records.items()
        }
        assert {kept.fixture: kept.record for kept in reader.fixture_rows()} == records
        assert {name: found.record.canonical() for name, found in reader.transcripts()} == records
        one = reader.transcript(PLAN[FIRST].id)
        assert one is not None
        assert one.record.canonical() == records[PLAN[FIRST].id]
        reader.close()


def test_a_packed_transcript_is_much_smaller(store: Store, url: str) -> None:
    plain = {PLAN[number].id: saved(store, number) for number in range(FIRST + 6)}
    packed = in_sql(url, "SELECT fixture, length(record) FROM transcript WHERE dictionary = 1")
    assert len(packed) == 6
    assert all(length < len(plain[fixture]) / 2 for fixture, length in packed)


def test_a_group_that_could_not_be_stored_leaves_no_match_without_its_dictionary(store: Store, url: str) -> None:
    for number in range(FIRST):
        saved(store, number)
    in_sql(url, "ALTER TABLE seat RENAME TO elsewhere")
    with pytest.raises(StoreError):
        store.save([match(PLAN[FIRST])], now_ms=1)
    in_sql(url, "ALTER TABLE elsewhere RENAME TO seat")
    record = saved(store, FIRST)
    with Store(url, "autumn") as reader:
        found = reader.transcript(PLAN[FIRST].id)
    assert found is not None
    assert found.record.canonical() == record


def test_each_league_has_a_dictionary_of_its_own_and_rows_are_read_with_theirs(store: Store, url: str) -> None:
    for number in range(FIRST + 1):
        saved(store, number)
    with Store(url, "spring") as other:
        other.open_league(league(name="spring"), CONTENTS, DRAWN, now_ms=1)
        for number in range(FIRST + 1):
            other.save([match(PLAN[number], choices=(0, 1, 1, 0))], now_ms=1)
    dictionaries = dict(in_sql(url, "SELECT league, content FROM dictionary"))
    assert dictionaries.keys() == {"autumn", "spring"}
    assert len(set(dictionaries.values())) == 2
    another = Packing(b"another dictionary").pack(match(PLAN[0]).record)
    values = {"content": b"another dictionary", "record": another, "aside": Packing(b"another dictionary").pack(b"{}")}
    in_sql(url, "INSERT INTO dictionary VALUES ('autumn', 2, :content)", content=values["content"])
    in_sql(url, "UPDATE transcript SET record = :record, dictionary = 2 WHERE league = 'autumn' AND fixture = :id",
           record=another, id=PLAN[0].id)  # fmt: skip
    with Store(url, "autumn") as reader:
        assert len(reader.results()) == FIRST + 1
        saved(reader, FIRST + 1)
    assert in_sql(url, "SELECT dictionary FROM transcript WHERE fixture = :id", id=PLAN[FIRST + 1].id) == [(2,)]


def test_a_transcript_too_long_to_be_unpacked_is_not_packed(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(FIRST):
        saved(store, number)
    for module in (transcript_packing, rows):
        monkeypatch.setattr(module, "MOST", 2_000)
    saved(store, FIRST, choices=(0,) * 1_000)
    saved(store, FIRST + 1)
    numbers = dict(in_sql(url, "SELECT fixture, dictionary FROM transcript"))
    assert (numbers[PLAN[FIRST].id], numbers[PLAN[FIRST + 1].id]) == (0, 1)
    assert len(store.results()) == FIRST + 2


DAMAGE = {
    "an altered record": "UPDATE transcript SET record = :bytes WHERE fixture = :id",
    "an altered aside": "UPDATE transcript SET aside = :bytes WHERE fixture = :id",
    "another number": "UPDATE transcript SET dictionary = 7 WHERE fixture = :id",
    "said to be plain": "UPDATE transcript SET dictionary = 0 WHERE fixture = :id",
    "no dictionary": "DELETE FROM dictionary",
    "another dictionary": "UPDATE dictionary SET content = :bytes",
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_to_what_is_packed_is_one_sentence_that_names_the_match(store: Store, url: str, what: str) -> None:
    for number in range(FIRST + 1):
        saved(store, number)
    last = PLAN[FIRST].id
    ((record,),) = in_sql(url, "SELECT record FROM transcript WHERE fixture = :id", id=last)
    altered = bytes(record[:-1]) + bytes([record[-1] ^ 1])
    bound = {"bytes": altered, "id": last}
    statement = DAMAGE[what]
    in_sql(url, statement, **{name: value for name, value in bound.items() if f":{name}" in statement})
    with Store(url, "autumn") as reader:
        with pytest.raises(StoreError, match=r"^the (transcript|record) of nim/\S+ is damaged: ") as caught:
            list(reader.fixture_rows())
        assert last in str(caught.value)
        assert "\n" not in str(caught.value)
        with pytest.raises(StoreError, match="is damaged"):
            reader.transcript(last)


# A stranger


def test_the_program_in_the_documents_reads_every_transcript_of_a_store_by_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(f"sqlite:///{tmp_path / 'league.sqlite'}") as store:
        records = {PLAN[number].id: saved(store, number, winner=number % 2) for number in range(FIRST + 2)}
    by_hand = Path("docs/cli.md").read_text().split("### Reading a store by hand")[1]
    program = by_hand.split("```python\n")[1].split("```")[0]
    monkeypatch.chdir(tmp_path)
    exec(program, {})  # noqa: S102 - it is ours
    told = [f"{fixture} {[1, 2] if winner == 0 else [2, 1]} {digest_of(record)}"
            for winner, (fixture, record) in ((n % 2, item) for n, item in enumerate(records.items()))]  # fmt: skip
    assert capsys.readouterr().out.splitlines() == sorted(told)
