"""The bot `random`."""

from collections import Counter

from referee_bot.v1 import bot_pb2 as pb

from tests.sample_bots.bots import new_player


def choices(seed: bytes, actions: int, decisions: int) -> list[int]:
    player = new_player("random", seed)
    asked = [pb.Decision(number=n + 1, view=b"?", legal=[b"?"] * actions) for n in range(decisions)]
    return [player.choose(one) for one in asked]


def test_it_needs_not_understand_views_and_actions() -> None:
    assert set(choices(bytes(16), 3, 50)) == {0, 1, 2}


def test_equal_seeds_choose_alike_and_other_seeds_do_not() -> None:
    assert choices(bytes(16), 9, 20) == choices(bytes(16), 9, 20)
    assert choices(bytes(16), 9, 20) != choices(bytes(15) + b"1", 9, 20)


def test_all_actions_are_equally_likely() -> None:
    found = Counter(choices(b"0123456789abcdef", 5, 5000))

    # Four standard errors of a binomial with p = 1/5 are 113.
    assert all(abs(found[index] - 1000) < 113 for index in range(5))


def test_the_draws_are_these_on_every_machine() -> None:
    assert choices(bytes(range(16)), 12, 8) == [0, 6, 11, 1, 7, 0, 10, 2]
