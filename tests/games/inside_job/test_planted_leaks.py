"""The two-worlds test finds leaks. It catches every variant of Inside Job that reveals too much in one way."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from referee.check.random_play import anyhow
from referee.core.game import Awaiting, Decide
from referee.core.outcome import Seat
from referee.games.inside_job.game import InsideJob
from referee.games.inside_job.moves import (
    Action,
    ChoseMission,
    ChosePartner,
    Collected,
    Event,
    GotHand,
    GotRole,
    LookedAt,
)
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import DECK
from referee.games.inside_job.state import State, Step
from referee.games.inside_job.view import View
from referee.wire.codec import GameEntry
from referee.wire.inside_job import InsideJobCodec
from tests.games.inside_job.kit import InsideJobKit
from tests.games.two_worlds import kinds_of_leaks

GAME = InsideJob()
PLAIN = (Options(talk="every_trick"), 4)
VOTE = (Options(roles="paranoid,decoy"), 5)
PARTNER = (Options(roles="accomplice"), 5)


class Telling(InsideJob):
    """Everybody hears some events in full."""

    told: type

    def heard(self, event: Event, seat: Seat) -> Event | None:
        return event if isinstance(event, self.told) else GAME.heard(event, seat)


class TellsRoles(Telling):
    told = GotRole


class TellsHands(Telling):
    told = GotHand


class TellsWhatTheLeaderLooksAt(Telling):
    told = LookedAt


class TellsWhatIsPutAway(Telling):
    told = ChoseMission


class TellsTheRoleOfThePartner(Telling):
    told = ChosePartner


class Showing(InsideJob):
    """Views contain something that the seat may not know."""

    def view(self, state: State, seat: Seat) -> View:
        return self.leaking(state, seat, GAME.view(state, seat))

    def leaking(self, state: State, seat: Seat, view: View) -> View:
        raise NotImplementedError


class ShowsWhatTheLeaderLooksAt(Showing):
    def leaking(self, state: State, seat: Seat, view: View) -> View:  # noqa: ARG002
        return replace(view, looked_at=state.looked_at)


class ShowsWhatOthersPutAway(Showing):
    def leaking(self, state: State, seat: Seat, view: View) -> View:
        return replace(view, put_away=state.put_away[seat] + state.put_away[seat - 1])


class ShowsTheRoleOfThePartner(Showing):
    def leaking(self, state: State, seat: Seat, view: View) -> View:  # noqa: ARG002
        partner = state.common.partner
        return view if partner is None else replace(view, partner_role=state.roles[partner])


class ShowsARoleEarly(Showing):
    """Shows a role one token too early."""

    def leaking(self, state: State, seat: Seat, view: View) -> View:  # noqa: ARG002
        seats = tuple(
            replace(it, role=state.roles[at]) if it.tokens >= 3 else it for at, it in enumerate(state.common.seats)
        )
        return replace(view, seats=seats)


class OrdersTheHandByTheHandOfTheNext(Showing):
    def leaking(self, state: State, seat: Seat, view: View) -> View:
        return replace(view, hand=view.hand[::-1] if sum(state.hands[seat - 1]) % 2 else view.hand)


class ShowsTheHandAsItWasDealt(InsideJob):
    def luck(self, state: State, drawn: tuple[int, ...]) -> Step:
        after, events = GAME.luck(state, drawn)
        if state.phase != "hands":
            return after, events
        size = len(after.hands[0])
        dealt = [DECK[card] for card in drawn]
        hands = tuple(tuple(dealt[seat * size : (seat + 1) * size]) for seat in range(len(after.hands)))
        return replace(after, hands=hands), events


class CountsTheChoicesOfTheSeatAsked(Showing):
    def leaking(self, state: State, seat: Seat, view: View) -> View:  # noqa: ARG002
        awaited = GAME.awaiting(state)
        count = len(GAME.legal(state, awaited.seats[0])) if isinstance(awaited, Decide) else 0
        return replace(view, supply=count)


class ShowsTheUnseenCards(Showing):
    def leaking(self, state: State, seat: Seat, view: View) -> View:  # noqa: ARG002
        return replace(view, supply=sum(state.unseen))


class ShowsTheNextMission(Showing):
    def leaking(self, state: State, seat: Seat, view: View) -> View:  # noqa: ARG002
        return replace(view, failed=(*view.failed, *state.missions[:1]))


class OrdersChoicesByTheInsider(InsideJob):
    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:
        legal = GAME.legal(state, seat)
        return legal[::-1] if state.roles.index("insider") > seat else legal


class OffersNoTokenIfTheLeaderHasMore(InsideJob):
    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:
        legal = GAME.legal(state, seat)
        plain = tuple(action for action in legal if not getattr(action, "wager", False))
        suit = state.common.laid[0].card // 100 if state.common.laid else 0
        return plain if any(card // 100 == suit for card in state.hands[state.common.leader]) else legal


class LeavesTheDecoyOutOfTheVote(InsideJob):
    def awaiting(self, state: State) -> Awaiting:
        awaited = GAME.awaiting(state)
        if state.phase != "vote" or not isinstance(awaited, Decide):
            return awaited
        return Decide(tuple(seat for seat in awaited.seats if state.roles[seat] != "decoy"))

    def apply(self, state: State, choices: object) -> Step:
        missing = {seat: GAME.legal(state, seat)[0] for seat in range(len(state.hands)) if state.phase == "vote"}
        return GAME.apply(state, missing | choices)  # type: ignore[operator]  # a mapping


class SaysWhatTheInsiderCollects(InsideJob):
    """If others win, there is one event fewer. The number of events gives the Insider away."""

    def heard(self, event: Event, seat: Seat) -> Event | None:
        return None if isinstance(event, Collected) and event.wagered else GAME.heard(event, seat)

    def apply(self, state: State, choices: object) -> Step:
        after, events = GAME.apply(state, choices)  # type: ignore[arg-type]  # a mapping
        insider = state.roles.index("insider")
        return after, tuple(
            Collected(it.seat, int(it.seat != insider)) if isinstance(it, Collected) else it for it in events
        )


def found(game: InsideJob, table: tuple[Options, int], matches: int) -> Iterator[str]:
    return kinds_of_leaks(GameEntry(game, InsideJobCodec()), InsideJobKit(), [(*table, anyhow)] * matches)


@pytest.mark.parametrize("table", [PLAIN, VOTE, PARTNER], ids=["plain", "vote", "partner"])
def test_the_game_itself_leaks_nothing(table: tuple[Options, int]) -> None:
    assert list(found(InsideJob(), table, 3)) == []


@pytest.mark.parametrize(
    ("leaky", "table", "leak"),
    [
        (TellsRoles, PLAIN, "events of luck differ"),
        (TellsHands, PLAIN, "events of luck differ"),
        (TellsWhatTheLeaderLooksAt, PLAIN, "events differ"),
        (TellsWhatIsPutAway, PLAIN, "events differ"),
        (TellsTheRoleOfThePartner, PARTNER, "events differ"),
        (ShowsWhatTheLeaderLooksAt, PLAIN, "view differs"),
        (ShowsWhatOthersPutAway, PLAIN, "view differs"),
        (ShowsWhatOthersPutAway, PLAIN, "view after the choice differs"),
        (ShowsTheRoleOfThePartner, PARTNER, "view differs"),
        (ShowsARoleEarly, PLAIN, "view differs"),
        (OrdersTheHandByTheHandOfTheNext, PLAIN, "view differs"),
        (ShowsTheHandAsItWasDealt, PLAIN, "view after luck differs"),
        (CountsTheChoicesOfTheSeatAsked, PLAIN, "view differs"),
        (ShowsTheUnseenCards, PLAIN, "view differs"),
        (ShowsTheNextMission, PLAIN, "view differs"),
        (ShowsTheNextMission, PLAIN, "view after luck differs"),
        (OrdersChoicesByTheInsider, PLAIN, "legal actions differ"),
        (OffersNoTokenIfTheLeaderHasMore, PLAIN, "legal actions differ"),
        (LeavesTheDecoyOutOfTheVote, VOTE, "who must choose differs"),
        (SaysWhatTheInsiderCollects, PLAIN, "events differ"),
    ],
)
def test_a_planted_leak_is_found(leaky: type[InsideJob], table: tuple[Options, int], leak: str) -> None:
    assert leak in found(leaky(), table, matches=4)
