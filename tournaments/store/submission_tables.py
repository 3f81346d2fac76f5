"""The tables for submissions and people: with the numbers of an author's submissions, and the audit.

The numbers tell an author nothing of others: each author's count on from a random number of their own.
"""

import secrets

import sqlalchemy as sql

_FIRST = range(1 << 20, 1 << 30)
"""Where authors begin to count."""


def wait_for_turn(connection: sql.Connection, lock: int) -> None:
    """Wait until no other transaction is left that waited for this turn, and let others wait until this one ends.

    The numbers of the locks are arbitrary: other programs are unlikely to use them. Of SQLite only one process writes
    at a time anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({lock})")


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
# Text is sorted by code point in every database, even if the database sorts by a language otherwise.
Text = sql.Text().with_variant(sql.Text(collation="C"), "postgresql")
Milliseconds = sql.BigInteger

SUBMISSION = sql.Table(
    "submission",
    SUBMISSIONS,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("league", Text, nullable=False, index=True),
    sql.Column("author", Text, nullable=False),
    sql.Column("entry", Text, nullable=False),
    sql.Column("bot", Text, nullable=False),
    sql.Column("source", Text, nullable=False),
    sql.Column("size", sql.BigInteger, nullable=False),
    sql.Column("state", Text, nullable=False),
    sql.Column("built", Text),
    sql.Column("built_size", sql.BigInteger, nullable=False),
    sql.Column("received_ms", Milliseconds, nullable=False),
    sql.Column("changed_ms", Milliseconds, nullable=False),
    sql.Column("carried", sql.Boolean, nullable=False),
)
"""One row for each submission, with the state in which it is. `author` is its owner, a person or a team. `source`
and `built` are digests of trees. `carried` bots come from an earlier league; nobody sent them."""

LOG = sql.Table(
    "submission_log",
    SUBMISSIONS,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("submission", sql.ForeignKey("submission.number"), nullable=False, index=True),
    sql.Column("state", Text, nullable=False),
    sql.Column("text", Text, nullable=False),
    sql.Column("stored_ms", Milliseconds, nullable=False),
)
"""What happened in each state that a submission was in, as text, in order. Words of bots are in it, as they came."""

OWNER = sql.Table(
    "bot_owner",
    SUBMISSIONS,
    sql.Column("league", Text, primary_key=True),
    sql.Column("name", Text, primary_key=True),
    sql.Column("author", Text, nullable=False),
)
"""To whom the names of bots belong that were submitted."""

PERSON = sql.Table(
    "person",
    SUBMISSIONS,
    sql.Column("name", Text, primary_key=True),
    sql.Column("display_name", Text, nullable=False),
    sql.Column("role", Text, nullable=False),
    sql.Column("team", Text),
    sql.Column("full_name", Text, nullable=False),
    sql.Column("reference", Text, nullable=False),
    sql.Column("mail", Text, nullable=False),
    sql.Column("added_ms", Milliseconds, nullable=False),
    sql.Column("seen_ms", Milliseconds),
    sql.Column("removed_ms", Milliseconds),
)
"""The persons with an account, for all leagues of the store."""

SECRET = sql.Table(
    "secret",
    SUBMISSIONS,
    sql.Column("sha256", Text, primary_key=True),
    sql.Column("person", sql.ForeignKey("person.name"), nullable=False, index=True),
    sql.Column("kind", Text, nullable=False),
    sql.Column("label", Text, nullable=False),
    sql.Column("made_ms", Milliseconds, nullable=False),
    sql.Column("ends_ms", Milliseconds),
)
"""The SHA-256 of links, tokens and sessions. A secret without `ends_ms` is valid until somebody ends it: a token."""

BUILD = sql.Table(
    "build",
    SUBMISSIONS,
    sql.Column("source", Text, primary_key=True),
    sql.Column("platform", Text, primary_key=True),
    sql.Column("built", Text, nullable=False),
    sql.Column("versions", Text, nullable=False),
    sql.Column("stored_ms", Milliseconds, nullable=False),
)
"""What was built of a source on a platform, whichever league it is for. `versions` is JSON: the versions of
runtimes and compilers there, by name."""

AUDIT = sql.Table(
    "audit",
    SUBMISSIONS,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("league", Text, nullable=False, index=True),
    sql.Column("at_ms", Milliseconds, nullable=False),
    sql.Column("who", Text, nullable=False),
    sql.Column("what", Text, nullable=False),
    sql.Column("about", Text, nullable=False),
)
"""Actions on submissions, names and people: who did what, and when. Rows are only added. Those on people have no
league: it is empty."""

DEADLINE = sql.Table(
    "deadline",
    SUBMISSIONS,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("league", Text, nullable=False, index=True),
    sql.Column("owner", Text, nullable=False),
    sql.Column("closes_ms", Milliseconds, nullable=False),
    sql.Column("who", Text, nullable=False),
    sql.Column("at_ms", Milliseconds, nullable=False),
    sql.Column("why", Text, nullable=False),
)
"""The extensions: until when a league takes the bots of an owner, or of all if `owner` is empty. Rows are only
added."""

PAUSE = sql.Table(
    "pause",
    SUBMISSIONS,
    sql.Column("league", Text, primary_key=True),
    sql.Column("who", Text, nullable=False),
    sql.Column("at_ms", Milliseconds, nullable=False),
    sql.Column("why", Text, nullable=False),
)
"""The leagues that are not played, because somebody paused them."""

SCRIMMAGE = sql.Table(
    "scrimmage",
    SUBMISSIONS,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("league", Text, nullable=False, index=True),
    sql.Column("author", Text, nullable=False),
    sql.Column("bot", Text, nullable=False),
    sql.Column("against", Text, nullable=False),
    sql.Column("table", Text, nullable=False),
    sql.Column("deals", sql.Integer, nullable=False),
    sql.Column("stage", Text, nullable=False),
    sql.Column("reason", Text, nullable=False),
    sql.Column("asked_ms", Milliseconds, nullable=False),
    sql.Column("changed_ms", Milliseconds, nullable=False),
)
"""The scrimmages that authors asked for, and how they stand. `against` is JSON: the names of the other entries."""

SCRIMMAGE_DEAL = sql.Table(
    "scrimmage_deal",
    SUBMISSIONS,
    sql.Column("number", sql.ForeignKey("scrimmage.number", ondelete="CASCADE"), primary_key=True),
    sql.Column("match", Text, nullable=False),
)
"""The scrimmages that are played on the deal of a match."""


def note(connection: sql.Connection, league: str, now_ms: int, actor: str, action: str, about: str) -> None:
    """Add a row."""
    row = {"league": league, "at_ms": now_ms, "who": actor, "what": action, "about": about}
    connection.execute(sql.insert(AUDIT), row)
