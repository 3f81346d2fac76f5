"""Stores with a league in them, and changes to them in SQL from outside."""

import os
import signal
from collections.abc import Callable
from itertools import count
from typing import Any

import sqlalchemy as sql

from tests.tournaments.leagues import league, match, plan
from tournaments.store import Store
from tournaments.store.pinned_league import Content

CONTENTS = {f"{bot}@1": Content(bot, f"{bot}, built") for bot in ("ann", "bob", "cid")}
DRAWN = b"\x09" * 32
PLAN = plan(league())

_WRITES = ("ALTER", "CREATE", "DELETE", "INSERT", "UPDATE")


def opened(url: str) -> Store:
    """A store whose league is open."""
    store = Store(url, "autumn")
    store.open_league(league(), CONTENTS, DRAWN, now_ms=1)
    return store


def saved(store: Store, number: int, **how: Any) -> bytes:
    """Play and save a fixture. Returns its record."""
    played = match(PLAN[number], **how)
    assert store.save([played], now_ms=1_000 + number)
    return played.record


def in_sql(url: str, statement: str, **values: object) -> list[tuple[Any, ...]]:
    """Run a statement on the store from outside."""
    engine = sql.create_engine(url)
    with engine.begin() as connection:
        result = connection.execute(sql.text(statement), values)
        rows = [tuple(row) for row in result] if result.returns_rows else []
    engine.dispose()
    return rows


def tables(url: str) -> set[str]:
    """The tables in the store."""
    engine = sql.create_engine(url)
    names = set(sql.inspect(engine).get_table_names())
    engine.dispose()
    return names


def killed_after(statements: int, writing: Callable[[], None]) -> bool:
    """Do something in a process that is killed before its n-th write; whether it came so far."""
    child = os.fork()
    if child == 0:
        numbers = count(1)

        def kill(_connection: object, _cursor: object, statement: str, *_: object) -> None:
            if statement.split(maxsplit=1)[0] in _WRITES and next(numbers) == statements:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            sql.event.listen(sql.Engine, "before_cursor_execute", kill)
            writing()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)
