"""Numbers that tell an author nothing of others: each author's count on from a random number of their own."""

import secrets

import sqlalchemy as sql

_FIRST = range(1 << 20, 1 << 30)
"""Where authors begin to count."""


def next_number(connection: sql.Connection, table: sql.Table, league: str, author: str) -> int:
    """A free number for the next row of an author. It is larger than all earlier ones of the author.

    Nobody else may add rows during the transaction.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"LOCK TABLE {table.name} IN SHARE ROW EXCLUSIVE MODE")
    own = (table.c.league == league) & (table.c.author == author)
    last = connection.scalar(sql.select(sql.func.max(table.c.number, type_=sql.Integer)).where(own)) or 0
    number = last + 1 if last else secrets.choice(_FIRST)
    while connection.scalar(sql.select(table.c.number).where(table.c.number == number)) is not None:
        number = secrets.choice(_FIRST)
    return number
