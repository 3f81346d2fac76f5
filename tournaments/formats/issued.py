"""Formats that decide by results, over the waves that were issued so far."""

from collections.abc import Callable, Sequence

from tournaments.formats.format import Counted
from tournaments.formats.issue import Decider, Issue, Listed
from tournaments.formats.wave import Wave


class Issued:
    """A `Format`: the waves that were issued, and no further one. This is for readers."""

    def __init__(self, game: str, issues: Sequence[Issue]) -> None:
        """`issues` are all waves so far, in order."""
        self._game = game
        self._issues = list(issues)

    def wave(self, number: int, counted: Counted) -> Wave | None:  # noqa: ARG002 - what was issued stands
        """The wave with this number; None if it was not issued."""
        return self._wave(self._issues[number]) if number < len(self._issues) else None

    def _wave(self, issue: Issue) -> Wave:
        return Wave(self._game, Listed(issue.line_ups), range(issue.first_deal, issue.first_deal + issue.deals))


class Issuing(Issued):
    """A `Format`: the waves that were issued, and then those that are decided now. This is for the league's runner."""

    def __init__(
        self,
        game: str,
        issues: Sequence[Issue],
        decider: Decider,
        roster: Callable[[], Sequence[str]],
        keep: Callable[[int, Issue], None],
    ) -> None:
        """Go on after the waves so far.

        Args:
            game: the name of the game.
            issues: all waves so far, in order.
            decider: decides the next one.
            roster: asked when a wave is decided: the entries that may play now, in the order of the roster.
            keep: stores a wave under its number. No match of the wave begins before that.
        """
        super().__init__(game, issues)
        self._decider = decider
        self._roster = roster
        self._keep = keep

    def wave(self, number: int, counted: Counted) -> Wave | None:
        """The wave with this number, issued now if it was not yet; None if the league is over before it."""
        if number == len(self._issues):
            issue = self._decider.decide(tuple(self._issues), self._roster(), counted)
            if issue is None:
                return None
            self._keep(number, issue)
            self._issues.append(issue)
        return super().wave(number, counted)
