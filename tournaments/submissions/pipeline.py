"""Receives the archive of a bot, builds and checks the bot, and enters it into a league.

The store records each finished step. If we are killed in between, the submission stays in its last state, and the same
bot submitted again continues from there. A bot may name only certain programs in its `bot.toml`.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol, TypeAlias

from referee.core.errors import OurFailure, Void
from referee.core.game import AnyGame
from referee.core.text import one_line
from referee.core.tree_listing import Listing, digest, size_of
from referee.files.bot_toml import read_manifest
from referee.files.manifest import MANIFEST, Manifest
from referee.runtime.process_sessions import temporary_folder
from tournaments.config.league_file import LeagueFileError, entry_in
from tournaments.league.model import League
from tournaments.league.service_terms import SubmissionTerms
from tournaments.league.submissions import (
    ORGANIZER,
    UNDER_WAY,
    Event,
    NoSuchEntry,
    NotNow,
    State,
    Submission,
    SubmissionOffer,
    SubmissionRefused,
    SubmissionRegistry,
    refused_now,
)
from tournaments.results.league_location import NeverRun, game_of
from tournaments.results.progress import league_moment
from tournaments.results.stored_league import StoredLeague, stored_league
from tournaments.schedule.leaving import LeagueMoment
from tournaments.store import (
    Damaged,
    LogPart,
    NoSuchPerson,
    Store,
    TreeGone,
    address_without_password,
    is_missing,
    store_file,
    trees_folder,
)
from tournaments.submissions.bot_folders import BotFolders, keep, make
from tournaments.submissions.build_environment import BotKilled, BuildEnvironment, BuildFailed, Tell, WorkLog
from tournaments.submissions.tree_cache import FOLDER, CacheError, TreeCache, give_rights
from tournaments.submissions.unpack import unpack


def unknown_programs(manifest: Manifest) -> Iterator[str]:
    """One sentence for each program that the bot names by a path outside of its folder.

    The sandbox shows a bot the folder around the program that starts it. So a stranger who names a path could look
    into any folder of the organizer, such as that of another bot.
    """
    for key, words in (("run", manifest.run), ("build", manifest.build)):
        if words and _leads_out(words[0]):
            yield (
                f"{MANIFEST}: {key}[0]: {words[0]} is not in the bot's folder; name a program in the folder by its path"
                " there, or one that is installed by its name alone"
            )


def _leads_out(program: str) -> bool:
    path = PurePosixPath(program)
    return path.is_absolute() or ".." in path.parts


Clock: TypeAlias = Callable[[], int]
"""Gives the time, in milliseconds since 1970 (UTC)."""

Step: TypeAlias = Callable[[Submission, Clock, Tell], Submission]

_TRIES = 3
"""How often to store an archive that others delete, and to do a build or a check in which the bot is killed."""


class SubmissionEnvironment(Protocol):
    """The services of the machine that a pipeline needs."""

    def now_ms(self) -> int:
        """Milliseconds since 1970 (UTC)."""

    def new_seed(self) -> bytes:
        """32 random bytes."""

    def build_environment(self, league: League) -> BuildEnvironment:
        """The environment in which the league's submitted bots are built and checked."""


class DiskFull(OurFailure):
    """The disk of the store has too little room for another bot."""


class SubmissionPipeline:
    """Takes bots into a league that is open for submissions. It needs no run lock; a run may play the league meanwhile.

    Attributes:
        league: the league, as its file describes it now.
    """

    def __init__(
        self,
        league: League,
        store: Store,
        bot_folders: BotFolders,
        build_environment: BuildEnvironment,
        rules: Callable[[League], AnyGame] = game_of,
    ) -> None:
        """Use a pinned league. `bot_folders` unpacks built bots; `build_environment` builds and checks."""
        self.league = league
        self._rules = rules
        self._store = store
        self._bot_folders = bot_folders
        self._build_environment = build_environment

    @property
    def terms(self) -> SubmissionTerms:
        """The terms of submission."""
        return self.league.submissions or SubmissionTerms()

    def terms_of(self, author: str) -> SubmissionTerms:
        """The terms for an author: with the time that somebody gave the author, or all."""
        return self.terms.extended(self._store.calendar.extensions(), author)

    def carry(self, now_ms: int) -> int:
        """Submit the last bots of an earlier league again, if the league says so and takes bots. Returns how many."""
        earlier, terms = self.terms.carries_from, self.terms_of("")
        if earlier is None or any(refused_now(terms, now_ms)):
            return 0
        return self._store.submissions.carry(earlier, now_ms)

    def check_author(self, author: str) -> None:
        """Check that bots may have this owner.

        Raises:
            NoSuchPerson: there is neither a person with a valid account of that name, nor the team of one.
        """
        valid = [each for each in self._store.people.all().values() if each.removed_ms is None]
        if author != ORGANIZER and not any(author in each.owners for each in valid):
            known = ", ".join(each.name for each in valid) or "none"
            raise NoSuchPerson(f"there is no person or team {author} in the store; persons: {known}")

    def closed_to(self, author: str) -> Iterator[str]:
        """The reasons why an author can submit nothing at all to this league; empty if there are none."""
        yield from self.moment("new@1").hindrances()
        if self.league.sandbox == "none" and author != ORGANIZER:
            yield (
                'this league plays without a box (sandbox = "none"), so it takes only the organizer\'s bots;'
                " the organizer can remove that line"
            )

    def registry(self) -> SubmissionRegistry:
        """All submissions so far."""
        return self._store.submissions.registry(self.league)

    def under_way(self) -> Sequence[Submission]:
        """The submissions that are not finished, the oldest first."""
        return self._store.submissions.under_way()

    def of(self, author: str, number: int) -> Submission:
        """A submission of an author.

        Raises:
            NoSuchEntry: the author has none of this number.
        """
        found = next((each for each in self.registry().of(author) if each.number == number), None)
        if found is None:
            raise NoSuchEntry(f"there is no submission {number}")
        return found

    def log(self, submission: Submission) -> list[LogPart]:
        """The log of a submission, for each state that it has left."""
        return self._store.submissions.log(submission.number)

    def receive(
        self, archive: BinaryIO, author: str, label: str | None, now_ms: int, person: str | None = None
    ) -> Submission:
        """Receive an archive: unpack it, identify its bot, and store it.

        `archive` is a tar.gz, which is read to its end. The label distinguishes entries of the same bot.
        `person` sends it, if the author is a team.

        Returns:
            The submission; the earlier one if the author has submitted the same files under this name before.

        Raises:
            ArchiveError, LeagueFileError, SubmissionRefused: it is refused; nothing of it is stored.
            DiskFull, CacheError, StoreError: we cannot receive it now.
        """
        closed = list(self.closed_to(author))
        if closed:
            raise SubmissionRefused(closed)
        self._build_environment.check_confinement()
        self.check_room()
        with temporary_folder() as home:
            try:
                listing = unpack(archive, home / "bot", self._build_environment.limits)
            except OSError as error:
                raise CacheError(f"the archive cannot be unpacked: {error.strerror}") from error
            offer = self._offer(home / "bot", listing, author, label)
            return self._take(home / "bot", listing, offer, now_ms, person)

    def go_on(self, submission: Submission, clock_ms: Clock, tell: Tell) -> Submission:
        """Build, check and enter a bot, from its current state on. Returns the submission in its last state.

        Raises:
            Overtaken: another process works on it, too, and was faster.
            Void: its check does not count, through our fault; call again.
            CannotConfine, CacheError, StoreError: we cannot continue now; call again later.
        """
        while submission.state in UNDER_WAY:
            tell(f"{submission.state}\n")
            submission = self.advance(submission, clock_ms, tell)
        tell(f"{submission.state}\n")
        return submission

    def advance(self, submission: Submission, clock_ms: Clock, tell: Tell) -> Submission:
        """Do the work of the current state of an unfinished submission, which brings it into the next state.

        Raises:
            Overtaken, Void, CannotConfine, CacheError, StoreError: as `go_on`.
        """
        return self._steps[submission.state](submission, clock_ms, tell)

    def recheck(self, submission: Submission, actor: str, clock_ms: Clock, tell: Tell) -> Submission:
        """Build and check a bot once more. A bot on the roster stays there meanwhile, and leaves it if it fails.

        Raises:
            NotNow: the submitted files are deleted.
            Overtaken, Void, CannotConfine, CacheError, StoreError: as `go_on`.
        """
        if submission.state != "entered":
            again = self._store.submissions.step(submission, "recheck", actor, clock_ms())
            return self.go_on(again, clock_ms, tell)
        account = WorkLog(tell)
        try:
            self._build_environment.check(self._built(submission, clock_ms(), account), account)
        except BotKilled as reason:
            raise Void(f"{submission.entry} was killed, so nothing is decided: {reason}") from reason
        except BuildFailed as reason:
            why = f"{account.text}\nchecked again: {reason}"
            return self.take_out(submission, "disable", actor, why, clock_ms())
        self._store.submissions.note(submission, "recheck", actor, clock_ms())
        return submission

    def take_out(self, submission: Submission, event: Event, actor: str, reason: str, now_ms: int) -> Submission:
        """Let a bot leave the league: `withdraw` or `disable`.

        Raises:
            LeavingRefused: it cannot leave the league now.
            NotNow: its state does not allow this.
        """
        return self._store.submissions.leave(submission, event, actor, now_ms, reason, self.moment)

    def stored_league(self) -> StoredLeague | None:
        """The league as it is stored now; None if it was never run."""
        return stored_league(self.league, self._store)

    def moment(self, entrant: str | None = None) -> LeagueMoment:
        """How far the league is; with an entrant, how far it is if that bot enters."""
        return moment_of(self.league, self._store, entrant)

    def delete(self, submission: Submission, actor: str, now_ms: int) -> Submission:
        """Delete the submitted files and their build, unless other submissions need them. Results stay.

        Raises:
            NotNow: it is on the roster of a league that is not over, or on its way there.
        """
        if submission.state == "entered" and self.moment().phase != "over":
            raise NotNow(f"{submission.entry} plays in the league; withdraw it first")
        deleted = self._store.submissions.step(submission, "delete", actor, now_ms)
        self._store.submissions.sweep(now_ms)
        return deleted

    def give(self, name: str, author: str, actor: str, now_ms: int) -> None:
        """Give the name of a bot to another author. Only that author can submit new versions from now on.

        Raises:
            NoSuchEntry: no author has submitted a bot of this name.
            NoSuchPerson: there is no such person or team.
        """
        if name not in {each.name for each in self.registry().submissions}:
            raise NoSuchEntry(f"nobody has submitted a bot {name} to {self.league.name}")
        self.check_author(author)
        self._store.submissions.give(name, author, actor, now_ms)

    def unpack(self, submission: Submission, folder: Path, now_ms: int) -> None:
        """Write the files that play, the build of a submission on this platform, into a new folder.

        Raises:
            BuildFailed: it was built elsewhere, and cannot be built here.
            CacheError, StoreError: it cannot be read, or the folder cannot be written.
        """
        _copy(self._built(submission, now_ms, lambda _text: None), folder)

    def write_sources(self, submission: Submission, folder: Path) -> None:
        """Write the submitted files of a submission into a new folder.

        Raises:
            CacheError, StoreError: they cannot be read, or the folder cannot be written.
        """
        _copy(self._bot_folders.place(submission.source), folder)

    @property
    def _steps(self) -> Mapping[State, Step]:
        return {"received": self._begin, "building": self._build, "checking": self._check}

    def _begin(self, submission: Submission, clock_ms: Clock, _tell: Tell) -> Submission:
        return self._store.submissions.step(submission, "build", submission.author, clock_ms())

    def _build(self, submission: Submission, clock_ms: Clock, tell: Tell) -> Submission:
        account = WorkLog(tell)
        try:
            built = self._make(submission, clock_ms(), account)
        except BuildFailed as reason:
            return self._reject(submission, clock_ms(), account, reason)
        return self._store.submissions.step(submission, "check", submission.author, clock_ms(), account.text, built)

    def _check(self, submission: Submission, clock_ms: Clock, tell: Tell) -> Submission:
        account = WorkLog(tell)
        try:
            self._build_environment.check(self._built(submission, clock_ms(), account), account)
        except BuildFailed as reason:
            return self._reject(submission, clock_ms(), account, reason)
        enter = self._store.submissions.enter
        moment = partial(self.moment, submission.entry)
        return enter(self.league, submission, self.terms, clock_ms(), account.text, moment)

    def _reject(self, submission: Submission, now_ms: int, account: WorkLog, reason: BuildFailed) -> Submission:
        account(f"{one_line(str(reason))}\n")
        earlier = [part.state for part in self.log(submission)[1 - _TRIES :]]
        if isinstance(reason, BotKilled) and earlier != [submission.state] * (_TRIES - 1):
            account(f"a process was killed, by others or by the bot, so the {submission.state} is repeated\n")
            again: Event = "build" if submission.state == "building" else "check"
            self._store.submissions.step(submission, again, submission.author, now_ms, account.text)
            raise Void(f"{submission.entry} was killed, so nothing is decided: {reason}") from reason
        return self._store.submissions.step(submission, "reject", submission.author, now_ms, account.text)

    def _built(self, submission: Submission, now_ms: int, tell: Tell) -> Path:
        """The folder with the build of a submission on this platform. If there is no build yet, it is made now."""
        there = self._store.submissions.built(submission.source, self._build_environment.platform)
        return self._bot_folders.place(there or self._make(submission, now_ms, tell)[0])

    def _make(self, submission: Submission, now_ms: int, tell: Tell) -> tuple[str, int]:
        """Build a submission, unless this platform has a build of it. Returns the digest of the build, and its size."""
        there = self._store.submissions.built(submission.source, self._build_environment.platform)
        if there is None:
            return make(self._store, submission.source, self._build_environment, now_ms, tell)
        tell("the same files were built here before\n")
        tree = self._store.trees.find(there)
        return there, 0 if tree is None else size_of(tree.listing)

    def check_room(self) -> None:
        """Check that the disk of the store has room for another bot.

        Raises:
            DiskFull: it has not.
        """
        file = store_file(self._store.url)
        if file is None:
            return  # the server manages its own disk
        free_mib = shutil.disk_usage(file.parent).free >> 20
        if free_mib < self.terms.free_mib:
            raise DiskFull(
                f"{file.parent} has {free_mib:,} MiB free, and bots are only taken while {self.terms.free_mib:,} are"
                " (free_mib in [submissions]); free space on the disk"
            )

    def _offer(self, folder: Path, listing: Listing, author: str, label: str | None) -> SubmissionOffer:
        try:
            entry = entry_in(folder, label, self.league, self._rules(self.league))
            outside = list(unknown_programs(read_manifest(folder)))
            if outside:
                raise SubmissionRefused(outside)
        except LeagueFileError as error:
            raise SubmissionRefused([problem.replace(str(folder), "bot") for problem in error.problems]) from error
        return SubmissionOffer(author, entry.name, entry.answers_to, digest(listing), size_of(listing))

    def _take(
        self, folder: Path, listing: Listing, offer: SubmissionOffer, now_ms: int, person: str | None
    ) -> Submission:
        """Store the tree and the submission. If we are killed in between, the next `sweep` deletes the tree."""
        terms = self.terms_of(offer.author)
        for _ in range(_TRIES):
            self._store.submissions.check_acceptable(self.league, offer, terms, now_ms)
            try:
                keep(folder, listing, self._store.trees, now_ms)
                return self._store.submissions.receive(self.league, offer, terms, now_ms, person)
            except TreeGone:
                continue
            except (Damaged, OSError) as error:
                raise CacheError(f"the bot cannot be kept: {error}") from error
        raise CacheError(f"{offer.entry} is deleted again and again while it is submitted; try again later")


def moment_of(league: League, store: Store, entrant: str | None = None) -> LeagueMoment:
    """How far a league is; with an entrant, how far it is if that bot enters. `league` is as its file is now."""
    stored = stored_league(league, store)
    return LeagueMoment.of(league.format, "not begun") if stored is None else league_moment(stored, entrant)


def _copy(place: Path, folder: Path) -> None:
    try:
        shutil.copytree(place, folder, symlinks=True)
        give_rights(folder, FOLDER)
    except OSError as error:
        raise CacheError(f"{folder} cannot be written: {error.strerror or error}") from error


@contextmanager
def open_submissions(league: League, url: str, environment: SubmissionEnvironment) -> Iterator[SubmissionPipeline]:
    """Open a league for submissions, also before its first run and while it is played.

    Like the first run, the first submission pins the game, the seed and the tables of the league.

    A missing store is created.

    Raises:
        LeagueChanged: the file differs from the pinned league.
        StoreError, WrongAddress: the store fails.
    """
    with Store(url, league.name) as store, TreeCache(trees_folder(url), store.trees) as cache:
        store.open_league(league, {}, environment.new_seed(), environment.now_ms())
        yield SubmissionPipeline(league, store, BotFolders(store, cache), environment.build_environment(league))


@contextmanager
def open_store(league: League, url: str) -> Iterator[Store]:
    """Open an existing store, to read the submissions of a league. Opening it writes nothing.

    Raises:
        NeverRun: there is no such store, or it is empty.
        StoreError, WrongAddress: the store fails.
    """
    where, so = address_without_password(url), f"so nothing was submitted to {league.name}; or name its store (--store)"
    if is_missing(url):
        raise NeverRun(f"{where} is not there, {so}")
    with Store(url, league.name) as store:
        if store.is_empty:
            raise NeverRun(f"{where} is empty, {so}")
        yield store
