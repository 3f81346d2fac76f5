"""A small language to play Inside Job in tests: cards by their words, seats by number, roles by their ids."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.inside_job.cast import cast
from referee.games.inside_job.common import Common, OpenSeat
from referee.games.inside_job.describe import CARDS
from referee.games.inside_job.game import InsideJob
from referee.games.inside_job.moves import ChooseMission, ChoosePartner, Event, PlayCard, Suspect, Vote
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import DECK, TOKENS, Cards
from referee.games.inside_job.roles import ROLES, SPECIAL
from referee.games.inside_job.state import Phase, State
from referee.games.inside_job.view import View
from tests.games.playing import GameTable

GAME = InsideJob()
_BY_NAME = {words: card for card, words in CARDS.items()}
_WAGERED = " with a token"

THREE = ("insider", "agent", "agent")
FOUR = ("insider", "agent", "agent", "agent")
FIVE = ("insider", "agent", "agent", "agent", "agent")
BY_SEATS = {3: THREE, 4: FOUR, 5: FIVE}


def cards(*names: str) -> Cards:
    """Cards by their words, such as "green 13"."""
    return tuple(_BY_NAME[name] for name in names)


def play_card(words: str) -> PlayCard:
    """The action for words such as "green 5 with a token"."""
    return PlayCard(_BY_NAME[words.removesuffix(_WAGERED)], wager=words.endswith(_WAGERED))


def special(roles: Sequence[str]) -> str:
    """The option `roles` of a game with these roles."""
    return ",".join(role.id for role in SPECIAL if role.id in roles) or "none"


class Table(GameTable[State]):
    game = GAME

    @classmethod
    def begun(cls, *roles: str, talk: str = "none") -> "Table":
        """A game in which only these roles were dealt, by seat, and nothing else."""
        table = cls(GAME.setup(Options(roles=special(roles), talk=talk), len(roles)))  # type: ignore[arg-type]  # checked there
        left = list(enumerate(table.state.roles))
        order = []
        for role in roles:
            card = next(card for card in left if card[1] == role)
            left.remove(card)
            order.append(card[0])
        table.luck(*order)
        return table

    @classmethod
    def dealt(cls, *roles: str, first: Sequence[str] = (), missions: Sequence[str] = (), talk: str = "none") -> "Table":
        """The same with hands and missions. The named cards and missions were on top of their decks."""
        table = cls.begun(*roles, talk=talk)
        table.luck(*_order(DECK, cards(*first)))
        table.luck(*_order(table.state.missions, missions))
        return table

    @classmethod
    def arranged(
        cls,
        *roles: str,
        leader: Seat = 0,
        trick: int = 1,
        tokens: Sequence[int] | None = None,
        revealed: Sequence[Seat] = (),
        completed: int = 0,
        partner: Seat | None = None,
        talk: str = "none",
        leader_wagers: bool = True,
    ) -> "Table":
        """A game in progress, with a trick about to begin. Roles that are open from the start are open.

        Without `tokens` everybody has as many as at the start. The completed missions are the first ones of the deck,
        and the deck has the others.
        """
        options = Options(roles=special(roles), talk=talk, leader_wagers=leader_wagers)  # type: ignore[arg-type]  # checked there
        held = tokens or [ROLES[role].starting_tokens for role in roles]
        seats = tuple(
            OpenSeat(count, role if at in revealed or ROLES[role].open_from_start else None, at in revealed)
            for at, (role, count) in enumerate(zip(roles, held, strict=True))
        )
        deck = cast(options.roles, len(roles)).missions
        state = replace(
            GAME.setup(options, len(roles)),
            phase="card",
            common=Common(
                seats,
                supply=TOKENS - sum(held),
                trick=trick,
                leader=leader,
                completed=deck[:completed],
                partner=partner,
            ),
            roles=tuple(roles),
            missions=deck[completed:],
        )
        return cls(state)

    @classmethod
    def voting(cls, *roles: str, revealed: Sequence[Seat] = (), partner: Seat | None = None) -> "Table":
        """A game after its last trick, just before the vote."""
        table = cls.arranged(*roles, revealed=revealed, partner=partner)
        return table.goes_on(phase="vote")

    def at(self, phase: Phase) -> "Table":
        """The same game in this phase."""
        return self.goes_on(phase=phase)

    def with_mission(self, mission: str) -> "Table":
        """The same game with this mission on the table. The leader is to play."""
        return self.goes_on(phase="card", common=replace(self.state.common, mission=mission, laid=()))

    def with_hand(self, seat: Seat, *names: str) -> "Table":
        """The same game with this hand."""
        hands = list(self.state.hands)
        hands[seat] = tuple(sorted(cards(*names)))
        return self.goes_on(hands=tuple(hands))

    def takes_for_partner(self, partner: Seat) -> None:
        self._chooses(ChoosePartner(partner))

    def reveals(self, mission: str) -> None:
        """The leader chooses this mission."""
        self._chooses(ChooseMission(mission))

    def plays(self, *names: str) -> None:
        """The seats in turn play these cards of their hands."""
        heard: tuple[Event, ...] = ()
        for name in names:
            self._chooses(play_card(name))
            heard += self.events
        self.events = heard

    def trick(self, mission: str, *names: str) -> None:
        """A whole trick with this mission. First each seat gets its card, and has no other."""
        hands = list(self.state.hands)
        for place, name in enumerate(names):
            hands[(self.state.common.leader + place) % len(hands)] = (play_card(name).card,)
        self.state = self.with_mission(mission).goes_on(hands=tuple(hands)).state
        self.plays(*names)

    def won_by(self, seat: Seat, *, wagers: Sequence[Seat] = (), completes: bool = False) -> None:
        """A whole trick, all in the trump suit, in which these seats put a token on their card."""
        suit, mission = ("yellow", "M11") if completes else ("red", "M19")
        seats = range(len(self.state.hands))
        names = [f"{suit} {13 if at == seat else 2 + at}" + _WAGERED * (at in wagers) for at in seats]
        leader = self.state.common.leader
        self.trick(mission, *names[leader:], *names[:leader])

    def suspects(self, *suspects: Seat | None) -> None:
        """All say these suspicions, by seat."""
        self._apply({seat: Suspect(suspect) for seat, suspect in enumerate(suspects)})

    def votes(self, ballots: Mapping[Seat, Seat | tuple[Seat, ...]]) -> None:
        """The seats with a vote cast these ballots."""
        assert set(ballots) == set(self.asked), f"{self.asked} vote"
        self._apply({seat: Vote(to if isinstance(to, tuple) else (to,)) for seat, to in ballots.items()})

    @property
    def result(self) -> tuple[str, list[Seat]] | None:
        """The ending and the winners. None while the game goes on."""
        if self.outcome is None:
            return None
        return str(self.outcome.ending), [seat for seat, place in enumerate(self.outcome.places) if place == 1]

    @property
    def tokens(self) -> list[int]:
        return [seat.tokens for seat in self.state.common.seats]

    @property
    def open_roles(self) -> list[str | None]:
        return [seat.role for seat in self.state.common.seats]

    @property
    def revealed(self) -> list[Seat]:
        return [at for at, seat in enumerate(self.state.common.seats) if seat.revealed]

    def view(self, seat: Seat) -> View:
        return GAME.view(self.state, seat)


def _order(deck: Sequence[object], first: Sequence[object]) -> tuple[int, ...]:
    """A shuffle that brings these to the top, in this order."""
    top = [deck.index(item) for item in first]
    return (*top, *(at for at in range(len(deck)) if at not in top))
