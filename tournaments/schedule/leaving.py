"""What it changes that a bot leaves a league or enters it: by the format, by who wants it, and by how far it is.

What complete waves say never changes. So a bot leaves the wave that is under way, and all that come later.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from referee.core.errors import WrongUse
from referee.core.text import several
from tournaments.league.format_settings import BalancedSettings, ByResults, KnockoutSettings, Settings

Phase: TypeAlias = Literal["not begun", "under way", "between waves", "over"]
"""How far a league is. `under way`: a wave has begun and is not complete. `over`: nothing is played any more."""

ActorKind: TypeAlias = Literal["author", "organizer"]

Loss: TypeAlias = Literal["nothing", "wave", "everything"]
"""Which matches of a bot stop counting when it leaves: those of the wave under way, or all that it has played."""

LOSSES: Final[Mapping[tuple[bool, ActorKind, Phase], Loss]] = {
    (True, "author", "not begun"): "nothing",
    (True, "author", "under way"): "wave",
    (True, "author", "between waves"): "nothing",
    (True, "organizer", "not begun"): "nothing",
    (True, "organizer", "under way"): "wave",
    (True, "organizer", "between waves"): "nothing",
    (False, "organizer", "not begun"): "nothing",
    (False, "organizer", "under way"): "everything",
}
"""What a bot loses by leaving: by whether results decide the waves of the format, by who wants it, and by how far the
league is. What is missing is refused. docs/formats.md has the same table in words."""


class LeavingRefused(WrongUse):
    """The bot cannot leave the league now."""


class LeagueMoment(msgspec.Struct, frozen=True):
    """How far a league is, for those who enter and leave.

    Attributes:
        by_results: whether results decide its waves.
        phase: how far it is.
        wave: the number, from 0, of the wave that is under way; None if none is.
        admits: whether a bot may enter once the league has begun.
    """

    by_results: bool
    phase: Phase
    wave: int | None = None
    admits: bool = True

    @classmethod
    def of(cls, settings: Settings, phase: Phase, wave: int | None = None) -> "LeagueMoment":
        """How far a league of a format is.

        The plan of a knock-out, and of a balanced round robin, is for the bots with which it began.
        """
        is_balanced = isinstance(settings, BalancedSettings) and settings.matches is not None
        admits = not (is_balanced or isinstance(settings, KnockoutSettings))
        return cls(isinstance(settings, ByResults), phase, wave, admits)

    def entering(self) -> str:
        """From when on a bot plays that enters now, after the words `it`."""
        if not self.by_results:
            return "plays from the next run"
        if self.phase == "under way":
            return "plays from the next wave, if one follows"
        return f"plays from the {'first' if self.phase == 'not begun' else 'next'} wave"

    def hindrances(self, leaving: Iterable[str] = ()) -> Iterator[str]:
        """The reasons why a bot cannot enter now, a sentence each. `leaving` are the bots that would leave for it."""
        if self.phase == "over" and (self.by_results or any(True for _ in leaving)):
            yield "the league is over; nobody enters it any more"
        elif self.phase != "not begun" and not self.admits:
            yield "nobody enters the league any more: no other bot fits into what remains to be played"

    def leaving(self, bot: str, actor_kind: ActorKind) -> "Leaving":
        """What it changes that a bot leaves now.

        Raises:
            LeavingRefused: it cannot leave.
        """
        loss = LOSSES.get((self.by_results, actor_kind, self.phase))
        if loss is None and self.phase == "over":
            raise LeavingRefused(f"the league is over, so {bot} cannot leave it; all that was played counts")
        if loss is None:
            raise LeavingRefused(f"what {bot} has played would not count any more; only the organizer can take it out")
        return Leaving(bot, None if loss == "nothing" else self.wave, loss)


class Leaving(msgspec.Struct, frozen=True):
    """What it changes that a bot leaves.

    Attributes:
        bot: the bot.
        wave: the number, from 0, of the wave in which none of its matches counts; None: all that it played counts.
        loss: which of its matches stop counting.
    """

    bot: str
    wave: int | None
    loss: Loss

    def sentence(self) -> str:
        """What the change means, after the bot's name and what was done."""
        match self.loss:
            case "everything":
                return "none of its matches count, and the league is played without it"
            case "wave":
                return "its matches in the wave under way do not count; what it played in complete waves still counts"
            case "nothing":
                return "it plays no more, and what it has played still counts"

    def preview(self, lost: Mapping[str, int]) -> str:
        """How many matches stop counting, in a sentence."""
        others = [f"{count} of {bot}" for bot, count in lost.items() if bot != self.bot]
        return f"{several(lost.get(self.bot, 0), 'match', 'matches')} of {self.bot} would stop counting; with them " + (
            ", ".join(others) or "no match of another bot"
        )
