"""The number of stores, and all that it stands for.

If a test here says that the number means something else, raise `FORMAT` (`tournaments/store/schema.py`), and write down
the new values here. Until 0.1.0 a change raises the number and writes no reader for the stores of the one before.
"""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import count, product
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import Metadata, Record
from tests.tournaments.leagues import league
from tests.tournaments.seasons import decided, result
from tests.tournaments.stores import CONTENTS, DRAWN, in_sql, killed_after, opened, saved, tables
from tournaments.league.deals import ClosedDeals, own_deals
from tournaments.league.format_settings import KnockoutSettings, OpenSettings, SwissSettings
from tournaments.league.model import Entry, League, PlayRules, StoredVoid
from tournaments.league.roster import with_authors
from tournaments.league.scrimmages import Stage
from tournaments.league.status import Fleet
from tournaments.league.submissions import Event, State
from tournaments.maintenance.simulated_league import simulated
from tournaments.schedule.counting_rules import VOIDS_ALLOWED
from tournaments.schedule.formats.format import PlayedWaves
from tournaments.schedule.formats.issued_waves import IssuedWave
from tournaments.schedule.formats.round_robin import EveryGroup
from tournaments.schedule.formats.wave import Wave
from tournaments.schedule.league_state import LeagueState
from tournaments.schedule.play_order import drawn_order
from tournaments.schedule.suspension import TOLERATED_FAULTS, TOLERATED_SHARE
from tournaments.store import Store, StoreError, address_without_password
from tournaments.store.schema import FORMAT, TABLES
from tournaments.store.trees import StoredTree

RULES_OF_COUNTING = (
    f"A match without a result is abandoned when {VOIDS_ALLOWED} of its void matches count.",
    f"A fault suspends a bot with more than {TOLERATED_FAULTS} faults, in more than one match of {TOLERATED_SHARE}.",
    "A suspension is decided in plan order. It skips the later matches of the bot, for its opponents too.",
    "A reinstatement exempts a bot from the first deal that was open when the organizer said so.",
    "No match of a bot counts in the wave in which it was withdrawn. Its matches of other waves count.",
    "A pairing counts if each of its line-ups was played on at least half of its deals. Else its wave decides nothing.",
    "On a closed deal nothing remains to be played.",
    "A bye in a Swiss is worth the mean of the bot's own rounds.",
    "A match counts for no rating if two entries of one author are opposed, unless same_author is count.",
    "Points of a Swiss and a knock-out are shares of the bots of other authors.",
    "In a group of one author named seeds go on, and else those that the league's seed draws.",
)
"""What the rows of a store mean for its standings. If you change such a rule, change its sentence too."""

MEANING = {
    "format": 9,
    "tables": "72be499b5268d906ca8862a4b1e0cc79711bf5f737961124d8800008ffdb693b",
    "values": "3c78875f292a36725afe23e37eaa9824a8cf3e8d7aec7fdf8ed8f7e462a9e403",
    "rules of counting": "f127f3c9229e3d090ed5a38dd4d3af5e336232afcf9c8b291b17d1712429e7e2",
    "order of play": "cd60a69285de0ef9e4af0e378c0611435994e08deda3fc524b33d6bf03714f49",
    "pairings": "5a19cb4ba1ace28ad7c6ae7a4a7ae8cb27649399c8b1a5910a75220e69523ad0",
    "verdicts": "29b62e92d1ab7e1ef72a5ae268858eeb292414627c6979ac5945bd520a01355e",
}
"""The number and, as SHA-256, what it stands for. If any of the others changes, raise the number too."""


def statements() -> Iterator[str]:
    """What makes all tables, by their names, in both dialects."""
    for table in sorted(TABLES, key=lambda table: table.name):
        for dialect in (sqlite.dialect(), postgresql.dialect()):  # type: ignore[no-untyped-call]
            yield str(CreateTable(table).compile(dialect=dialect))
            yield from sorted(str(CreateIndex(index).compile(dialect=dialect)) for index in table.indexes)


def values() -> list[Any]:
    """The forms of what columns have as JSON, and the words that some of them have."""
    kinds = (Clock, EntryTerms, Entry, IssuedWave, StoredTree, Fleet, Record, Metadata, PlayRules)
    return [msgspec.json.schema_components(kinds), *map(get_args, (State, Event, Stage))]


def order_of_play() -> list[Any]:
    """What a piece of each length plays in turn. A league that has begun goes on with it."""
    of = league(("ann", "bob", "cid", "dan"))
    pieces_ = (range(8), range(8, 24), range(24, 56))
    return [list(drawn_order(DRAWN, own_deals(of))(EveryGroup(of), piece)) for piece in pieces_]


def pairings() -> list[Any]:
    """What formats decide by results, with bots of one author and without."""
    found = []
    for settings, seats in product((SwissSettings(), KnockoutSettings(), OpenSettings(matches=80)), (2, 3)):
        for author in (None, "yan"):
            of = league("abcdefghi", 2, (seats,), format=settings)
            own = (each if at > 3 else replace(each, author=author) for at, each in enumerate(of.entries))
            of = with_authors(replace(of, entries=tuple(own)))
            played = simulated(of, {each.name: 25.0 for each in of.entries}, {}, DRAWN).matches
            found.append([fixture.id for fixture, _ in played])
    return found


def without_descriptions(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_descriptions(each) for key, each in value.items() if key != "description"}
    return [without_descriptions(each) for each in value] if isinstance(value, list | tuple) else value


class TwoWaves:
    """A format of two waves with ten deals each."""

    def __init__(self, of: League) -> None:
        self._of = of

    def wave(self, number: int, _so_far: PlayedWaves) -> Wave | None:
        deals = range(10 * number, 10 * number + 10)
        return Wave(self._of.game, EveryGroup(self._of), deals) if number < 2 else None


def verdict(luck: Random) -> bytes:
    """The verdict on a league in which bots failed, matches were void, and the organizer decided something."""
    of = league()
    names = sorted(entry.name for entry in of.entries)
    fails = {name: luck.choice((0, 0.1, 0.3)) for name in names}
    missing = luck.choice((0, 0.3))
    results, voids = [], []
    for fixture in Wave(of.game, EveryGroup(of), range(20)):
        if luck.random() < missing:
            often = luck.randrange(VOIDS_ALLOWED + 2)
            voids += [StoredVoid(fixture.id, "lost", 0, counts=luck.random() < 0.9) for _ in range(often)]
        else:
            results.append(result(fixture, {name for name in fixture.entries if luck.random() < fails[name]}))
    gone = {luck.randrange(2): {luck.choice(names)}} if luck.random() < 0.5 else {}
    decisions = decided(luck.sample(names, luck.randrange(2)), gone, deal=luck.randrange(20))
    closing = ClosedDeals(luck.choice((0, 0, 5, 10, 15)), luck.choice((None, None, 1)))
    offenders = [(each.fixture, each.offenders) for each in results]
    state = LeagueState(TwoWaves(of), offenders, voids, lambda: results, lambda: decisions, closing)
    return msgspec.json.encode([state.verdict(), [fixture.id for fixture, _ in state.counted()]], order="sorted")


def test_a_change_of_a_table_a_value_or_a_rule_of_counting_raises_the_number() -> None:
    meaning = {
        "tables": list(statements()),
        "values": without_descriptions(values()),
        "rules of counting": RULES_OF_COUNTING,
        "order of play": order_of_play(),
        "pairings": pairings(),
        "verdicts": [verdict(Random(seed)).decode() for seed in range(200)],
    }
    found = {name: sha256(json.dumps(what, sort_keys=True).encode()).hexdigest() for name, what in meaning.items()}
    assert {"format": FORMAT, **found} == MEANING


# Which stores are refused

SENTENCE = (
    f"the store {{}} {{}}, and this Referee reads and writes format {FORMAT} only; export it with the Referee that made"
    " it (`referee league export`), or name another store (--store)"
)


def test_a_store_has_its_number_and_all_its_tables_from_the_first_write_on(url: str) -> None:
    opened(url).close()
    assert in_sql(url, "SELECT format FROM store_format") == [(FORMAT,)]
    assert tables(url) == {table.name for table in TABLES}


def test_to_open_and_to_read_a_store_writes_nothing(url: str) -> None:
    with Store(url, "autumn") as store:
        assert store.is_empty
        assert store.pinned() is None
        with pytest.raises(StoreError, match="is empty; run a league first"):
            store.results()
    assert tables(url) == set()


@pytest.mark.parametrize(
    ("change", "has"),
    [
        ("UPDATE store_format SET format = format - 1", f"has format {FORMAT - 1}"),
        ("UPDATE store_format SET format = format + 1", f"has format {FORMAT + 1}"),
        ("DELETE FROM store_format", "has a table 'answer' and no format number"),
        ("DROP TABLE store_format", "has a table 'answer' and no format number"),
    ],
)
def test_a_store_of_another_number_or_of_none_is_refused_in_one_sentence_and_left_alone(
    url: str, change: str, has: str
) -> None:
    opened(url).close()
    in_sql(url, change)
    in_sql(url, "DROP TABLE void")
    with pytest.raises(StoreError) as caught:
        Store(url, "autumn")
    assert str(caught.value) == SENTENCE.format(address_without_password(url), has)
    assert "void" not in tables(url)


def test_a_table_of_others_that_is_called_like_one_of_ours_is_named_and_nothing_is_written(url: str) -> None:
    in_sql(url, "CREATE TABLE person (colour TEXT)")
    with pytest.raises(StoreError) as caught:
        opened(url)
    assert str(caught.value) == SENTENCE.format(
        address_without_password(url), "has a table 'person' and no format number"
    )
    assert tables(url) == {"person"}


def test_tables_of_others_are_left_alone(url: str) -> None:
    in_sql(url, "CREATE TABLE player (name TEXT)")
    in_sql(url, "INSERT INTO player VALUES ('zoe')")
    with opened(url) as store:
        saved(store, 0)
    assert in_sql(url, "SELECT * FROM player") == [("zoe",)]


def test_an_empty_store_that_another_referee_makes_after_it_was_opened_is_refused(url: str) -> None:
    with Store(url, "autumn") as reader, Store(url, "autumn") as writer:
        opened(url).close()
        in_sql(url, "UPDATE store_format SET format = format + 1")
        with pytest.raises(StoreError, match=f"has format {FORMAT + 1}"):
            reader.pinned()
        with pytest.raises(StoreError, match=f"has format {FORMAT + 1}"):
            writer.open_league(league(), CONTENTS, DRAWN, now_ms=2)
    assert in_sql(url, "SELECT count(*) FROM league") == [(1,)]


@pytest.mark.slow
def test_a_first_run_that_is_killed_before_any_of_its_writes_leaves_an_empty_store_or_a_whole_one(
    tmp_path: Path,
) -> None:
    found = []
    for writes in count(1):
        url = f"sqlite:///{tmp_path / f'{writes}.sqlite'}"
        if not killed_after(writes, lambda url=url: opened(url).close()):  # type: ignore[misc]
            break
        found.append(tables(url))
        opened(url).close()
        assert in_sql(url, "SELECT format, name FROM store_format, entry") == [(FORMAT, name) for name in CONTENTS]
    everything = {table.name for table in TABLES}
    assert [there for there in found if there not in (set(), everything)] == []
    assert found[0] == set()
    assert found[-1] == everything


def test_leagues_that_begin_at_once_make_their_store_together(url: str) -> None:
    names = [f"league-{number}" for number in range(6)]

    def begin(name: str) -> None:
        with Store(url, name) as store:
            store.open_league(league(name=name), CONTENTS, DRAWN, now_ms=1)

    with ThreadPoolExecutor(len(names)) as threads:
        list(threads.map(begin, names))
    assert in_sql(url, "SELECT league FROM league ORDER BY league") == [(name,) for name in names]
    assert in_sql(url, "SELECT format FROM store_format") == [(FORMAT,)]
