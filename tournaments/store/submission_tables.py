"""The tables for submissions: with the numbers of an author's submissions, and the audit: who did what, and when.

The numbers tell an author nothing of others: each author's count on from a random number of their own.
"""

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


SUBMISSIONS = sql.MetaData()
_Text = sql.Text().with_variant(sql.Text(collation="C"), "postgresql")
_Milliseconds = sql.BigInteger

SUBMISSION = sql.Table(
    "submission",
    SUBMISSIONS,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("league", _Text, nullable=False, index=True),
    sql.Column("author", _Text, nullable=False),
    sql.Column("entry", _Text, nullable=False),
    sql.Column("bot", _Text, nullable=False),
    sql.Column("source", _Text, nullable=False),
    sql.Column("size", sql.BigInteger, nullable=False),
    sql.Column("state", _Text, nullable=False),
    sql.Column("built", _Text),
    sql.Column("built_size", sql.BigInteger, nullable=False),
    sql.Column("received_ms", _Milliseconds, nullable=False),
    sql.Column("changed_ms", _Milliseconds, nullable=False),
)
"""One row for each submission, with the state in which it is. `source` and `built` are digests of trees."""

LOG = sql.Table(
    "submission_log",
    SUBMISSIONS,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("submission", sql.ForeignKey("submission.number"), nullable=False, index=True),
    sql.Column("state", _Text, nullable=False),
    sql.Column("text", _Text, nullable=False),
    sql.Column("stored_ms", _Milliseconds, nullable=False),
)
"""What happened in each state that a submission was in, as text, in order. Words of bots are in it, as they came."""

OWNER = sql.Table(
    "bot_owner",
    SUBMISSIONS,
    sql.Column("league", _Text, primary_key=True),
    sql.Column("name", _Text, primary_key=True),
    sql.Column("author", _Text, nullable=False),
)
"""To whom the names of bots belong that were submitted."""

AUTHOR = sql.Table(
    "author",
    SUBMISSIONS,
    sql.Column("league", _Text, primary_key=True),
    sql.Column("name", _Text, primary_key=True),
    sql.Column("token_sha256", _Text, nullable=False, unique=True),
    sql.Column("added_ms", _Milliseconds, nullable=False),
    sql.Column("revoked_ms", _Milliseconds),
)
"""The authors who may submit to a league, and the SHA-256 of the token of each."""

BUILD = sql.Table(
    "build",
    SUBMISSIONS,
    sql.Column("source", _Text, primary_key=True),
    sql.Column("platform", _Text, primary_key=True),
    sql.Column("built", _Text, nullable=False),
    sql.Column("versions", _Text, nullable=False),
    sql.Column("stored_ms", _Milliseconds, nullable=False),
)
"""What was built of a source on a platform, whichever league it is for. `versions` is JSON: the versions of
runtimes and compilers there, by name."""

AUDIT = sql.Table(
    "audit",
    SUBMISSIONS,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("league", _Text, nullable=False, index=True),
    sql.Column("at_ms", _Milliseconds, nullable=False),
    sql.Column("who", _Text, nullable=False),
    sql.Column("what", _Text, nullable=False),
    sql.Column("about", _Text, nullable=False),
)
"""Actions on submissions, names and authors: who did what, and when. Rows are only added."""

SCRIMMAGE = sql.Table(
    "scrimmage",
    SUBMISSIONS,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("league", _Text, nullable=False, index=True),
    sql.Column("author", _Text, nullable=False),
    sql.Column("bot", _Text, nullable=False),
    sql.Column("against", _Text, nullable=False),
    sql.Column("table", _Text, nullable=False),
    sql.Column("deals", sql.Integer, nullable=False),
    sql.Column("stage", _Text, nullable=False),
    sql.Column("reason", _Text, nullable=False),
    sql.Column("asked_ms", _Milliseconds, nullable=False),
    sql.Column("changed_ms", _Milliseconds, nullable=False),
)
"""The scrimmages that authors asked for, and how they stand. `against` is JSON: the names of the other entries."""

SCRIMMAGE_DEAL = sql.Table(
    "scrimmage_deal",
    SUBMISSIONS,
    sql.Column("number", sql.ForeignKey("scrimmage.number", ondelete="CASCADE"), primary_key=True),
    sql.Column("match", _Text, nullable=False),
)
"""The scrimmages that are played on the deal of a match."""


def note(connection: sql.Connection, league: str, now_ms: int, actor: str, action: str, about: str) -> None:
    """Add a row."""
    row = {"league": league, "at_ms": now_ms, "who": actor, "what": action, "about": about}
    connection.execute(sql.insert(AUDIT), row)
