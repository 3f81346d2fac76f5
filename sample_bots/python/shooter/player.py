"""Plays Agonía with its weapon: shoots the enemy nearest to the entrance, and equips weapons with a longer range.

Without a target it searches while there is room in its hand. It throws a card if that hits at least two enemies. It
places nothing, never walks, and accepts what partners offer. A small bot to read, but not much of a partner.

It starts in the middle of the row, where the whole team stands side by side in turn order.
"""

from referee_bot.v1 import agonia_pb2 as ag
from referee_bot.v1 import bot_pb2 as pb

REACH = {
    ag.CARD_PISTOLA: 3,
    ag.CARD_REVOLVER: 3.5,  # the same range, more damage
    ag.CARD_ESCOPETA: 2,
    ag.CARD_SUBFUSIL: 4.5,  # two attacks
    ag.CARD_RIFLE_DE_CAZA: 5,
    ag.CARD_RIFLE_DE_FRANCOTIRADOR: 7,
    ag.CARD_LANZALLAMAS: 2.5,
    ag.CARD_BALLESTA: 4,
}
ROW = 16
WIDTH = {"main": 8, "secondary": 11}


class Player:
    """One match. It remembers nothing."""

    def __init__(self, start: pb.MatchStart) -> None:
        """The player needs nothing from `start`: it uses no random numbers, and a view names its seat."""

    def choose(self, decision: pb.Decision) -> int:
        """The index of the first action that is worth most."""
        view = ag.View.FromString(decision.view)
        worths = [worth(view, ag.Action.FromString(action)) for action in decision.legal]
        return worths.index(max(worths))


def worth(view: ag.View, action: ag.Action) -> float:
    """How much the bot likes an action. Legal shots are listed nearest enemy first, so the first shot is the best."""
    me = view.players[view.seat]
    kind = action.WhichOneof("body")
    if view.HasField("start"):
        return -abs(action.go.cell % ROW - middle(view))
    if kind == "throw":
        return 40 * enemies_around(view, action.throw.cell) - 70
    if kind == "equip":
        return 15 if reach(action.equip.card) > reach(me.weapon) else -1
    if kind == "search_deck":
        return 10 if len(me.hand) < 3 else 0
    if kind == "discard":
        return -reach(action.discard.card)
    return LIKED.get(str(kind), -1)


LIKED = {"shoot_enemy": 20, "shoot_line": 20, "shoot_barrel": 5, "reply": 1, "keep": 0, "end_turn": 0}
"""By kind of action. Both replies count the same, so the bot chooses the first, which accepts."""


def middle(view: ag.View) -> int:
    """The column where our player starts if the team stands in the middle of the row, in turn order."""
    return (WIDTH[view.board] - len(view.order)) // 2 + list(view.order).index(view.seat)


def reach(held: ag.Held) -> float:
    """How far a weapon reaches if it can shoot. For anything else, 0."""
    return 0 if held.jams else REACH.get(held.card, 0)


def enemies_around(view: ag.View, cell: int) -> int:
    """How many enemies are on a cell and its 8 neighbours."""
    return sum(
        abs(enemy.cell % ROW - cell % ROW) <= 1 and abs(enemy.cell // ROW - cell // ROW) <= 1 for enemy in view.enemies
    )
