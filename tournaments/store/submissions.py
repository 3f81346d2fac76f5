"""The submissions to a league: their states, logs and owners, and who did what. This needs no run lock.

Every method is one short transaction, and no other process writes about submissions during it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sql

from tournaments.league.model import Entry, League
from tournaments.league.roster import RosterChange, everybody, roster
from tournaments.league.service_terms import SubmissionTerms
from tournaments.league.submissions import (
    ORGANIZER,
    UNDER_WAY,
    Event,
    NotNow,
    State,
    Submission,
    SubmissionOffer,
    SubmissionRefused,
    SubmissionRegistry,
    after,
    hindrances,
    refusals,
    superseded,
)
from tournaments.schedule.leaving import ActorKind, LeagueMoment, Leaving
from tournaments.store import decision_rows
from tournaments.store.database import Database, insert_of
from tournaments.store.rows import value_of
from tournaments.store.schema import ENTRY, TREE
from tournaments.store.submission_tables import AUDIT, BUILD, LOG, OWNER, SUBMISSION, next_number, note, wait_for_turn
from tournaments.store.trees import delete

_LOCK = 7234298816

_SETTLED_MS = 3_600_000
"""A tree that came within this time may belong to a submission that is just being received."""


_OLDEST_FIRST = (SUBMISSION.c.received_ms, SUBMISSION.c.number)

_WAS_ENTERED = ("entered", "withdrawn", "disabled")
"""The states that no submission has whose bot was never on the roster."""


class Overtaken(NotNow):
    """Somebody else has gone on with the submission meanwhile."""


class TreeGone(Exception):
    """The submitted tree is not in the store any more: somebody has just deleted it."""


class LogPart(NamedTuple):
    """The log of a submission in one state.

    Attributes:
        state: the state.
        text: the log; it has the output of bots unchanged.
        stored_ms: when the submission left the state, in milliseconds since 1970 (UTC).
    """

    state: State
    text: str
    stored_ms: int


class Audited(NamedTuple):
    """An action of an author or the organizer.

    Attributes:
        at_ms: when, in milliseconds since 1970 (UTC).
        who: the author, or `organizer`.
        what: the action, in one word.
        about: the entry, name or person that it was about, with the number of the submission if there is one.
    """

    at_ms: int
    who: str
    what: str
    about: str


class Submissions:
    """The submissions to one league. Every method raises `StoreError` if the store fails."""

    def __init__(self, database: Database, league: str) -> None:
        self._database = database
        self._name = league

    def registry(self, league: League) -> SubmissionRegistry:
        """All that was submitted so far; `league` is as its file is now."""
        with self._database.reading() as connection:
            return self._book(connection, league)

    def under_way(self) -> Sequence[Submission]:
        """Those with which something remains to be done, the oldest first."""
        with self._database.reading() as connection:
            mine = (SUBMISSION.c.league == self._name) & SUBMISSION.c.state.in_(sorted(UNDER_WAY))
            query = sql.select(SUBMISSION).where(mine).order_by(*_OLDEST_FIRST)
            return tuple(value_of(Submission, row) for row in connection.execute(query))

    def states(self, numbers: Collection[int]) -> Mapping[int, tuple[State, int]]:
        """The state of each of these submissions, and when it got to it, in milliseconds since 1970 (UTC)."""
        with self._database.reading() as connection:
            mine = (SUBMISSION.c.league == self._name) & SUBMISSION.c.number.in_(numbers)
            columns = SUBMISSION.c.number, SUBMISSION.c.state, SUBMISSION.c.changed_ms
            rows = connection.execute(sql.select(*columns).where(mine))
            return {row.number: (row.state, row.changed_ms) for row in rows}

    def authors(self) -> dict[str, str]:
        """By entry, the author who submitted it. It has the submitted bots that were entered, not those of the file."""
        with self._database.reading() as connection:
            owners = self._owners(connection)
            known = everybody((), decision_rows.changes(connection, self._name))
            submitted = {entry.name: entry.answers_to.partition("@")[0] for entry in known if entry.source is not None}
            mine = (SUBMISSION.c.league == self._name) & SUBMISSION.c.state.in_(_WAS_ENTERED)
            query = sql.select(SUBMISSION.c.entry, SUBMISSION.c.author).where(mine).order_by(*_OLDEST_FIRST)
            by = {row.entry: row.author for row in connection.execute(query)}
        # The submission may be deleted, or it was rejected when it was checked again.
        return {entry: by.get(entry) or owners.get(name, ORGANIZER) for entry, name in submitted.items()}

    def check_acceptable(self, league: League, offer: SubmissionOffer, terms: SubmissionTerms, now_ms: int) -> None:
        """Check that an offer would be taken now.

        Raises:
            SubmissionRefused: it would not.
        """
        _check_acceptable(self.registry(league), offer, terms, now_ms)

    def receive(
        self, league: League, offer: SubmissionOffer, terms: SubmissionTerms, now_ms: int, person: str | None = None
    ) -> Submission:
        """Take an offer whose tree is in the store. The same content by the same author is the same submission.

        `person` sent it, if the author is a team.

        Returns:
            The submission; in another state than `received` if it was there before.

        Raises:
            SubmissionRefused: it is not taken. Nothing is written.
            TreeGone: its tree is not in the store.
        """
        with self._writing() as connection:
            registry = self._book(connection, league)
            same = registry.same(offer)
            if same is not None:
                return same
            _check_acceptable(registry, offer, terms, now_ms)
            if not _is_there(connection, offer.source):
                raise TreeGone(offer.source)
            number = self._insert(connection, offer, now_ms)
            note(connection, self._name, now_ms, person or offer.author, "submit", f"{offer.entry} ({number})")
            return self._find(connection, number)

    def carry(self, earlier: str, now_ms: int) -> int:
        """Submit again the last bot of each owner on the roster of an earlier league of the store. Returns how many.

        That is done once. Owners who have submitted a bot already are left out, and so are bots whose files were
        deleted.
        """
        mine = SUBMISSION.c.league == self._name
        with self._writing() as connection:
            if connection.execute(sql.select(SUBMISSION.c.number).where(mine, SUBMISSION.c.carried)).first():
                return 0
            here = set(connection.scalars(sql.select(SUBMISSION.c.author).where(mine)))
            there = (SUBMISSION.c.league == earlier) & (SUBMISSION.c.state == "entered")
            there &= SUBMISSION.c.source.in_(sql.select(TREE.c.digest))
            query = sql.select(SUBMISSION).where(there).order_by(SUBMISSION.c.changed_ms, SUBMISSION.c.number)
            last = {row.author: value_of(Submission, row) for row in connection.execute(query)}
            carried = [each for author, each in sorted(last.items()) if author not in {*here, ORGANIZER}]
            for each in carried:
                self._insert(connection, each, now_ms, carried=True)
                note(
                    connection, self._name, now_ms, ORGANIZER, "carry", f"{each.entry} of {each.author} from {earlier}"
                )
            return len(carried)

    def step(
        self,
        submission: Submission,
        event: Event,
        actor: str,
        now_ms: int,
        log: str = "",
        built: tuple[str, int] | None = None,
    ) -> Submission:
        """Change the state of a submission that is still in the expected state.

        This does not touch the roster: see `enter` and `leave`. `log` is the log of the state that it leaves, `built`
        the digest and the size of its build.

        Raises:
            NotNow: this cannot happen in its state.
            Overtaken: it is no longer in that state.
        """
        with self._writing() as connection:
            return self._step(connection, submission, event, actor, now_ms, log, built)

    def enter(
        self,
        league: League,
        submission: Submission,
        terms: SubmissionTerms,
        now_ms: int,
        log: str,
        moment: Callable[[], LeagueMoment],
    ) -> Submission:
        """Put a bot that was checked on the roster; or reject it, if it cannot enter any more.

        Its name belongs to its author from now on. Older versions leave, if the league keeps so many only. `moment`
        says how far the league is. Nobody stores or decides anything meanwhile.

        Raises:
            Overtaken: it is no longer being checked.
        """
        with self._writing() as connection:
            decision_rows.be_alone(connection, self._name, matches_wait=True)
            registry, now = self._book(connection, league), moment()
            old_ones = superseded(submission, registry, terms)
            reasons = [*hindrances(submission, registry), *now.hindrances(each.entry for each in old_ones)]
            if reasons:
                return self._step(
                    connection, submission, "reject", submission.author, now_ms, "\n".join([log, *reasons])
                )
            for old in old_ones:
                # That the older one leaves is what the organizer wants: `versions` stands in the league file.
                leaving = now.leaving(old.entry, "organizer")
                self._leave(
                    connection,
                    old,
                    "withdraw",
                    submission.author,
                    now_ms,
                    f"{submission.entry} takes its place",
                    leaving,
                )
            label = None if submission.entry == submission.bot else submission.bot
            author = None if submission.author == ORGANIZER else submission.author
            entry = Entry(submission.entry, "", None, label, source=submission.source, author=author)
            decision_rows.change(connection, self._name, submission.entry, entry, now_ms)
            insert = insert_of(self._database.dialect)
            owner = {"league": self._name, "name": submission.name, "author": submission.author}
            connection.execute(insert(OWNER).on_conflict_do_nothing(), owner)
            return self._step(
                connection, submission, "enter", submission.author, now_ms, f"{log.rstrip()}\nit {now.entering()}"
            )

    def leave(
        self,
        submission: Submission,
        event: Event,
        actor: str,
        now_ms: int,
        reason: str,
        moment: Callable[[], LeagueMoment],
    ) -> Submission:
        """Take a bot off the roster, if it is there. `moment` says how far the league is, as in `enter`.

        Raises:
            LeavingRefused: it cannot leave the league now.
            NotNow: it is in no state in which it could be taken out.
            Overtaken: its state has just changed.
        """
        with self._writing() as connection:
            decision_rows.be_alone(connection, self._name, matches_wait=True)
            by: ActorKind = "organizer" if actor == ORGANIZER else "author"
            leaving = moment().leaving(submission.entry, by) if submission.state == "entered" else None
            return self._leave(connection, submission, event, actor, now_ms, reason, leaving)

    def note(self, submission: Submission, event: Event, actor: str, now_ms: int) -> None:
        """Note an action that changed nothing in the audit."""
        with self._writing() as connection:
            note(connection, self._name, now_ms, actor, event, f"{submission.entry} ({submission.number})")

    def log(self, number: int) -> list[LogPart]:
        """The log of a submission, state by state."""
        with self._database.reading() as connection:
            query = sql.select(LOG).where(LOG.c.submission == number).order_by(LOG.c.number)
            return [LogPart(row.state, row.text, row.stored_ms) for row in connection.execute(query)]

    def give(self, name: str, author: str, actor: str, now_ms: int) -> None:
        """Let a name of bots belong to somebody else from now on."""
        with self._writing() as connection:
            mine = (OWNER.c.league == self._name) & (OWNER.c.name == name)
            connection.execute(sql.delete(OWNER).where(mine))
            connection.execute(sql.insert(OWNER), {"league": self._name, "name": name, "author": author})
            note(connection, self._name, now_ms, actor, "give", f"{name} to {author}")

    def audit(self) -> list[Audited]:
        """All that was done, in order."""
        with self._database.reading() as connection:
            mine = AUDIT.c.league.in_((self._name, ""))  # what is done with people is of no league
            rows = connection.execute(sql.select(AUDIT).where(mine).order_by(AUDIT.c.number))
            return [Audited(row.at_ms, row.who, row.what, row.about) for row in rows]

    # Builds, for all leagues of the store

    def built(self, source: str, platform: str) -> str | None:
        """The digest of the build of a source on a platform; None if there is none, or if it was deleted."""
        with self._database.reading() as connection:
            here = (BUILD.c.source == source) & (BUILD.c.platform == platform)
            return connection.scalar(sql.select(BUILD.c.built).join(TREE, TREE.c.digest == BUILD.c.built).where(here))

    def note_build(self, source: str, platform: str, built: str, versions: dict[str, str], now_ms: int) -> str:
        """Store the digest of a build, unless one is stored already. Returns the stored one.

        All starts of the bot must match it.

        Raises:
            TreeGone: it is not in the store.
        """
        here = (BUILD.c.source == source) & (BUILD.c.platform == platform)
        gone = ~sql.exists().where(TREE.c.digest == BUILD.c.built)
        row = {"source": source, "platform": platform, "built": built, "stored_ms": now_ms}
        row["versions"] = msgspec.json.encode(versions).decode()
        with self._writing() as connection:
            if not _is_there(connection, built):
                raise TreeGone(built)
            connection.execute(sql.delete(BUILD).where(here, gone))
            connection.execute(insert_of(self._database.dialect)(BUILD).on_conflict_do_nothing(), row)
            return str(connection.execute(sql.select(BUILD.c.built).where(here)).scalar_one())

    def sweep(self, now_ms: int) -> None:
        """Drop the trees that no submission of any league needs, unless they have just arrived.

        They are the trees of deleted submissions, and those of processes that were killed between storing a tree and
        storing its purpose.
        """
        with self._writing() as connection:
            delete(connection, _unneeded(connection, now_ms))

    # How it is done

    @contextmanager
    def _writing(self) -> Iterator[sql.Connection]:
        with self._database.writing() as connection:
            wait_for_turn(connection, _LOCK)
            yield connection

    def _book(self, connection: sql.Connection, league: League) -> SubmissionRegistry:
        changes = decision_rows.changes(connection, self._name)
        pinned = connection.scalars(sql.select(ENTRY.c.name).where(ENTRY.c.league == self._name)).all()
        known = everybody(league.entries, changes)
        return SubmissionRegistry(
            submissions=self._all(connection),
            owners=self._owners(connection) | _of_the_organizer(league.entries, changes),
            taken={*pinned, *(entry.name for entry in known)},
            roster={entry.name for entry in roster(league.entries, changes)},
            closed=decision_rows.closed_deals(connection, self._name).is_whole,
        )

    def _all(self, connection: sql.Connection) -> Sequence[Submission]:
        query = sql.select(SUBMISSION).where(SUBMISSION.c.league == self._name).order_by(*_OLDEST_FIRST)
        return tuple(value_of(Submission, row) for row in connection.execute(query))

    def _owners(self, connection: sql.Connection) -> dict[str, str]:
        rows = connection.execute(sql.select(OWNER).where(OWNER.c.league == self._name))
        return {row.name: row.author for row in rows}

    def _insert(self, connection: sql.Connection, offer: SubmissionOffer, now_ms: int, *, carried: bool = False) -> int:
        row = {name: getattr(offer, name) for name in SubmissionOffer.__struct_fields__} | {
            "league": self._name,
            "number": next_number(connection, SUBMISSION, self._name, offer.author),
            "state": "received",
            "built_size": 0,
            "received_ms": now_ms,
            "changed_ms": now_ms,
            "carried": carried,
        }
        inserted = connection.execute(sql.insert(SUBMISSION).returning(SUBMISSION.c.number), row)
        return int(inserted.scalar_one())

    def _find(self, connection: sql.Connection, number: int) -> Submission:
        query = sql.select(SUBMISSION).where(SUBMISSION.c.number == number)
        return value_of(Submission, connection.execute(query).one())

    def _step(
        self,
        connection: sql.Connection,
        submission: Submission,
        event: Event,
        actor: str,
        now_ms: int,
        log: str = "",
        built: tuple[str, int] | None = None,
    ) -> Submission:
        state = after(submission.state, event)
        values: dict[str, Any] = {"state": state, "changed_ms": now_ms}
        if built is not None:
            values |= {"built": built[0], "built_size": built[1]}
        same = (SUBMISSION.c.number == submission.number) & (SUBMISSION.c.state == submission.state)
        change = sql.update(SUBMISSION).where(same).values(values).returning(SUBMISSION.c.number)
        if connection.execute(change).first() is None:
            raise Overtaken(f"somebody else has just gone on with {submission.entry}; look at it again")
        if log:
            row = {"submission": submission.number, "state": submission.state, "text": log, "stored_ms": now_ms}
            connection.execute(sql.insert(LOG), row)
        note(connection, self._name, now_ms, actor, event, f"{submission.entry} ({submission.number})")
        return self._find(connection, submission.number)

    def _leave(
        self,
        connection: sql.Connection,
        submission: Submission,
        event: Event,
        actor: str,
        now_ms: int,
        reason: str,
        leaving: Leaving | None,
    ) -> Submission:
        if leaving is None:  # it is not on the roster
            return self._step(connection, submission, event, actor, now_ms, reason)
        left = self._step(connection, submission, event, actor, now_ms, f"{reason}\n{leaving.sentence()}")
        decision_rows.change(connection, self._name, submission.entry, None, now_ms, leaving.wave)
        return left


def _is_there(connection: sql.Connection, tree: str) -> bool:
    return connection.scalar(sql.select(TREE.c.digest).where(TREE.c.digest == tree)) is not None


def _check_acceptable(
    registry: SubmissionRegistry, offer: SubmissionOffer, terms: SubmissionTerms, now_ms: int
) -> None:
    reasons = [] if registry.same(offer) else list(refusals(offer, registry, terms, now_ms))
    if reasons:
        raise SubmissionRefused(reasons)


def _unneeded(connection: sql.Connection, now_ms: int) -> set[str]:
    rows = connection.execute(sql.select(SUBMISSION.c.source, SUBMISSION.c.built, SUBMISSION.c.state)).all()
    builds = connection.execute(sql.select(BUILD.c.source, BUILD.c.built)).all()
    needed = {tree for row in rows if row.state != "deleted" for tree in (row.source, row.built)}
    needed |= {row.built for row in builds if row.source in needed}
    deleted = {row.source for row in rows if row.state == "deleted"}
    deleted |= {row.built for row in builds if row.source in deleted}
    trees = connection.execute(sql.select(TREE.c.digest, TREE.c.stored_ms)).all()
    left = {row.digest for row in trees if row.stored_ms < now_ms - _SETTLED_MS}
    return (deleted | left) - needed


def _of_the_organizer(entries: Iterable[Entry], changes: Iterable[RosterChange]) -> dict[str, str]:
    """The names of the bots in the league file, and of those that were entered from folders."""
    ours = (entry for entry in everybody(entries, changes) if entry.source is None)
    return {entry.answers_to.partition("@")[0]: ORGANIZER for entry in ours}
