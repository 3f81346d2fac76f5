"""Formats that decide by results, over the waves that were issued so far."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tournaments.league.roster import OrganizerDecisions
from tournaments.schedule.formats.format import PlayedWaves
from tournaments.schedule.formats.wave import Wave
from tournaments.schedule.formats.wave_decider import Decider, IssuedLineUps, IssuedWave, next_deal


class RosterSnapshot(NamedTuple):
    """The roster of a league at one moment.

    Attributes:
        entries: their names, in the order of the roster.
        changes: how many times it has been changed.
    """

    entries: tuple[str, ...]
    changes: int


class IssuedWaves:
    """A `Format`: the waves that were issued, and no further one. This is for readers."""

    def __init__(self, game: str, issues: Sequence[IssuedWave]) -> None:
        """`issues` are all waves so far, in order."""
        self._game = game
        self._issues = list(issues)

    @property
    def count(self) -> int:
        """How many waves were issued so far, as far as it knows."""
        return len(self._issues)

    def wave(self, number: int, so_far: PlayedWaves) -> Wave | None:  # noqa: ARG002 - issued waves never change
        """The wave with this number; None if it was not issued."""
        if number >= len(self._issues):
            return None
        issue = self._issues[number]
        return Wave(self._game, IssuedLineUps(issue.line_ups), range(issue.first_deal, issue.first_deal + issue.deals))


class IssuingWaves(IssuedWaves):
    """A `Format`: the waves that were issued, and then those that are decided now. This is for the league's runner."""

    def __init__(
        self,
        game: str,
        issues: Sequence[IssuedWave],
        decider: Decider,
        roster: Callable[[], RosterSnapshot],
        keep: Callable[[int, IssuedWave, OrganizerDecisions], bool],
        end: Callable[[int, OrganizerDecisions], None],
    ) -> None:
        """Go on after the waves so far.

        Args:
            game: the name of the game.
            issues: all waves so far, in order.
            decider: decides the next one.
            roster: asked when a wave is decided: the present roster.
            keep: stores a wave under its number, unless the organizer has decided more than these decisions; whether it
                did. No match of the wave begins before that.
            end: called when the last wave has ended and no other one follows, with the number of the first deal that no
                wave has had. It has no effect if the organizer has decided more than these decisions.
        """
        super().__init__(game, issues)
        self._decider = decider
        self._roster = roster
        self._keep = keep
        self._end = end

    def wave(self, number: int, so_far: PlayedWaves) -> Wave | None:
        """The wave with this number, issued now if it was not yet; None if the league is over before it.

        None, too, while a pairing of the waves before was played too little to count: nothing follows from it. Then no
        deal is closed, so that the abandoned matches can be taken up again.
        """
        if number == len(self._issues) and not so_far.undecided:
            self._issue(number, so_far)
        return super().wave(number, so_far)

    def _issue(self, number: int, so_far: PlayedWaves) -> None:
        known, roll = so_far.decisions, self._roster()
        if roll.changes != len(known.changes):
            return
        able = [entry for entry in roll.entries if entry not in so_far.suspensions]
        issue = self._decider.decide(self._issues, able, so_far.counted, so_far.gone)
        if issue is None:
            self._end(next_deal(self._issues), known)
            return
        if self._keep(number, issue, known):
            self._issues.append(issue)
