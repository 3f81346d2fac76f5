"""The actions and the events of the game."""

from itertools import combinations_with_replacement
from typing import TypeAlias

import msgspec

from referee.core.outcome import Seat
from referee.games.inside_job.missions import MISSIONS, MissionId, MissionIds
from referee.games.inside_job.pieces import DECK, Card, Cards


class ChoosePartner(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """The Accomplice looks at the role of this seat and binds itself to it (IJ-35)."""

    partner: Seat


class ChooseMission(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Reveal this one of the two missions looked at; the other leaves the game face down (IJ-11)."""

    mission: MissionId


class PlayCard(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Play a card, with a token on it or without (IJ-12, IJ-13)."""

    card: Card
    wager: bool


class Suspect(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Say which seat one suspects; None: nobody (IJ-18)."""

    suspect: Seat | None


class Vote(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Vote for these seats, sorted: one (IJ-20), or two with the Paranoid Agent (IJ-32). No seat means to abstain."""

    ballots: tuple[Seat, ...]


Action: TypeAlias = ChoosePartner | ChooseMission | PlayCard | Suspect | Vote

_SEATS = range(5)

# Every action there is, made once.
PARTNERS = {seat: ChoosePartner(seat) for seat in _SEATS}
CHOICES = {mission: ChooseMission(mission) for mission in MISSIONS}
PLAIN = {card: PlayCard(card, wager=False) for card in DECK}
WAGERED = {card: PlayCard(card, wager=True) for card in DECK}
SUSPECTS = {suspect: Suspect(suspect) for suspect in (None, *_SEATS)}
VOTES = {
    ballots: Vote(ballots) for ballots in ((), *((seat,) for seat in _SEATS), *combinations_with_replacement(_SEATS, 2))
}


class GotRole(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat was dealt its role. `role` is None to the other seats."""

    seat: Seat
    role: str | None


class Opened(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A role that is open from the start was shown (IJ-31, IJ-35)."""

    seat: Seat
    role: str


class GotHand(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat was dealt `count` cards, sorted. `cards` is empty to the other seats."""

    seat: Seat
    count: int
    cards: Cards


class ChosePartner(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The Accomplice chose its partner (IJ-35). `role`, the partner's, is None to all but the Accomplice."""

    seat: Seat
    partner: Seat
    role: str | None


class LeaderDrawn(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The leader of the first trick was drawn (IJ-10)."""

    seat: Seat


class LookedAt(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A trick began, and its leader looked at two missions (IJ-11), sorted. `missions` is empty to the other seats."""

    trick: int
    seat: Seat
    missions: MissionIds


class ChoseMission(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The leader revealed a mission (IJ-11). `put_away`, the other one, is None to the other seats."""

    seat: Seat
    mission: MissionId
    put_away: MissionId | None


class Played(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat played a card, with a token on it or without (IJ-12, IJ-13)."""

    seat: Seat
    card: Card
    wager: bool


class WonTrick(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat won the trick (IJ-14)."""

    seat: Seat


class Judged(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The mission of the trick was completed, or left the game (IJ-15)."""

    mission: MissionId
    completed: bool


class Collected(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The winner of a trick took one token from the supply and `wagered` ones from the cards (IJ-15)."""

    seat: Seat
    wagered: int


class HandedBack(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The Accomplice won a trick: these tokens went to the supply, from the cards and from its partner (IJ-35)."""

    seat: Seat
    wagered: int
    partner: Seat
    of_partner: int


class Revealed(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat holds so many tokens that it had to reveal its role (IJ-17)."""

    seat: Seat
    role: str


class Robbed(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Tim Shady was revealed and took this many tokens, 0 or 1, from the seat at the right (IJ-36)."""

    seat: Seat
    victim: Seat
    tokens: int


class Suspected(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat said which seat it suspects; heard after all have said it (IJ-18). None: nobody."""

    seat: Seat
    suspect: Seat | None


class Voted(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The ballots of a seat, shown after all have voted (IJ-20)."""

    seat: Seat
    ballots: tuple[Seat, ...]


class Accused(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The seats with the most ballots (IJ-20); several are a tie."""

    seats: tuple[Seat, ...]


class RolesShown(msgspec.Struct, frozen=True, tag=True, gc=False):
    """All roles, by seat, at the end (IJ-17)."""

    roles: tuple[str, ...]


Event: TypeAlias = (
    GotRole
    | Opened
    | GotHand
    | ChosePartner
    | LeaderDrawn
    | LookedAt
    | ChoseMission
    | Played
    | WonTrick
    | Judged
    | Collected
    | HandedBack
    | Revealed
    | Robbed
    | Suspected
    | Voted
    | Accused
    | RolesShown
)
