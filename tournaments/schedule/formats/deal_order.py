"""The order in which a line-up plays the deals of a piece.

It is drawn from the seed of the league, which is secret while its deals are open, for every line-up anew. So a bot that
counts its matches, or remembers those of another line-up, does not learn from their order which deal it plays. It only
knows the piece, which all line-ups share (`deal_chunks`).
"""

from collections.abc import Sequence

from referee.core import seeds
from tournaments.schedule.formats.wave import DealOrder, LineUp


def drawn_order(seed: bytes) -> DealOrder:
    """The order of play in a league with this seed, 32 bytes. It depends on nothing that was played."""
    root = seeds.child(seed, "order of play")

    def order(line_up: LineUp, piece: range) -> Sequence[int]:
        labels = (line_up.table, "+".join(line_up.entries), f"turn-{line_up.rotation}", f"deal-{piece.start}")
        return [piece[at] for at in seeds.permutation(seeds.child(root, *labels), len(piece))]

    return order
