"""The two rules of the starters, computed without any of their code."""

from functools import reduce

from referee_bot.v1 import bot_pb2 as pb

from tests.sample_bots.bots import load_player

RULES = ("fnv", "greedy")


def expected(rule: str, game: str, seed: bytes, decision: pb.Decision) -> int:
    """The index that a starter with this rule must choose."""
    if rule == "greedy" and game == "agent-avenue":
        index: int = load_player("greedy").Player(pb.MatchStart()).choose(decision)
        return index
    return fnv1a(seed + decision.number.to_bytes(4, "little")) % len(decision.legal)


def fnv1a(data: bytes) -> int:
    """The 32-bit FNV-1a hash."""
    return reduce(lambda value, byte: ((value ^ byte) * 0x01000193) & 0xFFFFFFFF, data, 0x811C9DC5)
