"""Words for people. Words that the tests of rulings already compare are not tested again here."""

from referee.games.inside_job.describe import describe_action
from referee.games.inside_job.moves import ChooseMission, ChoosePartner, PlayCard, Suspect, Vote
from referee.games.inside_job.roles import ROLES
from tests.games.inside_job.kit import ACTIONS
from tests.games.inside_job.table import FOUR, GAME, THREE, Table


def test_actions_in_words() -> None:
    said = [
        describe_action(action)
        for action in (ChoosePartner(2), ChooseMission("R1"), PlayCard(407, wager=True), Suspect(None), Vote((1, 3)))
    ]
    assert said == [
        "take seat 2 for a partner",
        "reveal R1 (the third card carries a token; trump yellow)",
        "play red 7 with a token",
        "suspect nobody",
        "vote for seat 1 and seat 3",
    ]


def test_different_actions_have_different_words() -> None:
    assert len(set(map(describe_action, ACTIONS))) == len(ACTIONS)


def test_every_role_has_a_name_of_its_own() -> None:
    assert len({role.name for role in ROLES.values()}) == len(ROLES) == 10


def test_a_view_in_words_as_the_leader_has_it() -> None:
    yellow = ", ".join(f"yellow {value}" for value in range(1, 13))
    table = Table.dealt(*THREE, first=("red 1",), missions=("M05", "M01"))
    table.luck(0)
    assert GAME.describe_view(table.view(0)).splitlines() == [
        "trick 1, led by seat 0; seen by seat 0",
        "mission: none yet",
        "cards: none",
        "completed: none; failed: none; supply 11 tokens",
        "seat 0: 1 token",
        "seat 1: 1 token",
        "seat 2: 1 token",
        f"own role: Insider; hand: {yellow}, red 1",
        "to choose from: M01 (all cards even; trump blue) and M05 (the winning card odd; trump blue)",
    ]


def test_a_view_in_words_within_a_trick() -> None:
    table = Table.arranged("insider", "accomplice", "agent", "agent", tokens=(1, 0, 2, 5), revealed=(3,), partner=0)
    table = table.with_mission("M10").with_hand(0, "red 4")
    table = table.goes_on(put_away=(("M03",), (), (), ()))
    table.plays("red 4 with a token")
    assert GAME.describe_view(table.view(0)).splitlines() == [
        "trick 1, led by seat 0; seen by seat 0",
        "mission: M10 (a total of at most 6 a player; trump yellow)",
        "cards: red 4 with a token",
        "completed: none; failed: none; supply 6 tokens",
        "seat 0: 0 tokens",
        "seat 1: 0 tokens, Accomplice",
        "seat 2: 2 tokens",
        "seat 3: 5 tokens, Agent (revealed by tokens)",
        "own role: Insider; hand: none",
        "put away: M03",
        "partner of the Accomplice: seat 0, a role unseen",
    ]
    assert GAME.describe_view(table.view(1)).splitlines()[-2:] == [
        "own role: Accomplice; hand: none",
        "partner of the Accomplice: seat 0, Insider",
    ]


def test_a_view_before_roles_are_dealt() -> None:
    table = Table.arranged(*FOUR).at("roles")
    assert "own role: not dealt" in GAME.describe_view(table.view(1))


def test_a_view_before_the_first_trick_names_no_leader() -> None:
    table = Table.dealt("accomplice", *FOUR[:3])
    assert GAME.describe_view(table.view(0)).splitlines()[0] == "before the first trick; seen by seat 0"
