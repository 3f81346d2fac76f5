"""Inside Job as the rest of the project sees it: an object that fulfils `referee.core.game.Game`."""

from collections.abc import Iterator

from referee.core.outcome import Side
from referee.core.text import rules_in_words
from referee.games.inside_job import describe as words
from referee.games.inside_job import rules, worlds
from referee.games.inside_job import view as views
from referee.games.inside_job.cast import cast, fitting_seats
from referee.games.inside_job.common import Common
from referee.games.inside_job.domains import domains
from referee.games.inside_job.ending import Ending
from referee.games.inside_job.missions import MissionId
from referee.games.inside_job.options import Options, choices_of_roles, read_roles
from referee.games.inside_job.outlook import outlook
from referee.games.inside_job.pieces import DECK, SETUPS, TOKENS, Card
from referee.games.inside_job.state import State


def is_whole(state: State) -> bool:
    """Whether all cards and tokens are there (IJ-01), and all missions and roles that are played with (IJ-30)."""
    settled = cast(state.options.roles, len(state.hands))
    return (
        tuple(sorted(_cards(state))) == DECK
        and sorted(_missions(state)) == sorted(settled.missions)
        and sorted(state.roles) == sorted(settled.roles)
        and _tokens(state.common) == TOKENS
    )


def _cards(state: State) -> Iterator[Card]:
    yield from state.unseen + state.played
    for hand in state.hands:
        yield from hand
    yield from (laid.card for laid in state.common.laid)


def _missions(state: State) -> Iterator[MissionId]:
    yield from state.missions + state.looked_at
    for put_away in state.put_away:
        yield from put_away
    yield from state.common.completed + state.common.failed
    if state.common.mission is not None:
        yield state.common.mission


def _tokens(common: Common) -> int:
    held = sum(seat.tokens for seat in common.seats)
    return common.supply + held + sum(laid.wager for laid in common.laid)


class InsideJob:
    """The game; its methods are the functions of this package."""

    name = "inside-job"
    about = "Take tricks together, while one player secretly works against all others."
    rules_version = 1
    endings: tuple[str, ...] = tuple(Ending)
    options_type = Options
    # Talk after every trick gives the most decisions.
    varieties: tuple[Options, ...] = tuple(Options(roles=roles, talk="every_trick") for roles in choices_of_roles())
    # With a neutral role sides do draw: two of the three sides always win or lose together, though neither aims at
    # that. With a wider margin such a draw says less. Games with two sides never draw; there the margin shifts what a
    # win says by an eighth of a performance's deviation.
    draw_probability = 0.1

    def seats(self, options: Options) -> tuple[int, ...]:
        """3 to 5 players; with special roles 4 or 5 (IJ-30)."""
        return fitting_seats(options.roles)

    def sides(self, options: Options, seats: int) -> tuple[Side, ...]:  # noqa: ARG002  # with all options the same
        """None: the sides are dealt with the roles."""
        return ()

    def deals_sides(self, options: Options) -> bool:  # noqa: ARG002  # with all options the same
        """The roles are dealt, and with them the sides."""
        return True

    setup = staticmethod(rules.setup)
    awaiting = staticmethod(rules.awaiting)
    legal = staticmethod(rules.legal)
    luck = staticmethod(rules.luck)
    apply = staticmethod(rules.apply)
    is_whole = staticmethod(is_whole)
    view = staticmethod(views.view)
    heard = staticmethod(views.heard)
    resample = staticmethod(worlds.resample)
    reconstruct = staticmethod(worlds.reconstruct)
    describe = staticmethod(words.describe)
    describe_action = staticmethod(words.describe_action)
    describe_view = staticmethod(words.describe_view)
    domains = staticmethod(domains)
    outlook = staticmethod(outlook)

    def rules_text(self, options: Options, seats: int) -> str:
        """The rules in words."""
        fixed, roles = cast(options.roles, seats), [role.id for role in read_roles(options.roles)]
        return rules_in_words(
            __package__,
            [*roles, options.talk] + ["leader_wagers"] * options.leader_wagers,
            seats=seats,
            hand=SETUPS[seats].hand,
            tricks=SETUPS[seats].tricks,
            insider="Prof. No" if "prof_no" in roles else "the Insider",
            reveal=fixed.reveals_at,
            missions=fixed.missions_to_win,
            missions_list="\n".join(f"- {words.describe_mission(mission)}" for mission in fixed.missions),
        )
