"""Numbers tell an author nothing of others."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sql

from tournaments.store.submission_tables import SCRIMMAGE, SUBMISSION, SUBMISSIONS, next_number

VALUES = {
    SUBMISSION: {"entry": "", "bot": "", "source": "", "size": 0, "state": "", "built_size": 0, "received_ms": 0},
    SCRIMMAGE: {"bot": "", "against": "", "table": "", "deals": 1, "stage": "", "reason": "", "asked_ms": 0},
}


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sql.Connection]:
    engine = sql.create_engine(f"sqlite:///{tmp_path / 'numbers.sqlite'}")
    with engine.begin() as connection:
        SUBMISSIONS.create_all(connection)
        yield connection
    engine.dispose()


def added(connection: sql.Connection, author: str, table: sql.Table = SUBMISSION, league: str = "autumn") -> int:
    number = next_number(connection, table, league, author)
    row = VALUES[table] | {"number": number, "league": league, "author": author, "changed_ms": 0}
    connection.execute(sql.insert(table), row)
    return number


@pytest.mark.parametrize("table", [SUBMISSION, SCRIMMAGE])
def test_what_others_do_in_between_does_not_show_in_the_numbers_of_an_author(
    connection: sql.Connection, table: sql.Table
) -> None:
    mine = []
    for others in (0, 3, 1, 20):
        mine.append(added(connection, "eva", table))
        for _ in range(others):
            added(connection, "max", table)
            added(connection, "eva", table, "spring")
    assert [second - first for first, second in pairwise(mine)] == [1, 1, 1]


def test_where_an_author_begins_is_drawn_each_time(connection: sql.Connection) -> None:
    firsts = [added(connection, f"author-{number}") for number in range(50)]
    assert firsts != sorted(firsts)
    assert len({first // 1_000 for first in firsts}) > 40
    assert all(1 << 20 <= first < 1 << 30 for first in firsts)


def test_a_number_that_is_taken_is_not_given_again(connection: sql.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    first = added(connection, "eva")
    drawn = iter([first, first + 1, first + 5])
    monkeypatch.setattr("secrets.choice", lambda _: next(drawn))
    assert added(connection, "max") == first + 1
    assert added(connection, "eva") == first + 5
