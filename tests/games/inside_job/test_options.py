"""What players can agree on before a game: IJ-30, and the options of IJ-13 and IJ-18."""

from itertools import combinations, permutations

import msgspec
import pytest

from referee.files.options import OptionsError, known_options, read_options, seats_of
from referee.games.inside_job.options import Options
from referee.games.inside_job.roles import SPECIAL
from tests.games.inside_job.table import GAME, Table

IDS = ("wired", "paranoid", "daredevil", "decoy", "accomplice", "shady", "sleeper", "prof_no")
ILLEGAL = {
    ("wired", "accomplice"): "Wired Agent and Accomplice both reveal themselves at the start",
    ("decoy", "accomplice"): "Decoy and Accomplice are both neutral",
    ("decoy", "shady"): "Decoy and Tim Shady are both neutral",
    ("accomplice", "shady"): "Accomplice and Tim Shady are both neutral",
}
LEGAL = [pair for pair in combinations(IDS, 2) if pair not in ILLEGAL]


def refusal(**given: object) -> str:
    """The message about options that are refused."""
    with pytest.raises(OptionsError) as caught:
        read_options(GAME, given, "--option ")
    (problem,) = caught.value.problems
    return problem


def test_ij_30_there_are_eight_special_roles_and_none_is_played_if_nothing_is_said() -> None:
    assert tuple(role.id for role in SPECIAL) == IDS
    assert msgspec.to_builtins(Options()) == {"roles": "none", "talk": "before_vote", "leader_wagers": True}


@pytest.mark.parametrize("role", IDS)
def test_ij_30_one_role_takes_the_place_of_an_agent_or_of_the_insider(role: str) -> None:
    roles = GAME.setup(Options(roles=role), 4).roles
    assert sorted(roles) == sorted(
        ("prof_no", "agent", "agent", "agent") if role == "prof_no" else ("insider", role, "agent", "agent")
    )


@pytest.mark.parametrize(("one", "other"), LEGAL)
@pytest.mark.parametrize("seats", [4, 5])
def test_ij_30_two_roles_take_the_places_of_two(one: str, other: str, seats: int) -> None:
    roles = GAME.setup(Options(roles=f"{one},{other}"), seats).roles
    insiders = [role for role in roles if role in ("insider", "prof_no")]
    assert len(roles) == seats
    assert insiders == ["prof_no" if "prof_no" in (one, other) else "insider"]
    assert roles.count(one) == roles.count(other) == 1
    assert roles.count("agent") == seats - len({"insider" if "prof_no" not in (one, other) else "prof_no", one, other})


def test_ij_30_24_pairs_can_be_played() -> None:
    assert len(LEGAL) == 24


@pytest.mark.parametrize("pair", ILLEGAL)
def test_ij_30_the_other_4_are_refused_with_the_reason(pair: tuple[str, str]) -> None:
    for one, other in permutations(pair):
        said = refusal(roles=f"{one},{other}")
        assert f"roles names {one} and {other}, but" in said
        assert all(word in said for word in ILLEGAL[pair].split())
        assert said.endswith("leave one of them out")


@pytest.mark.parametrize(("one", "other"), LEGAL)
def test_ij_30_the_order_of_two_roles_means_nothing(one: str, other: str) -> None:
    assert Options(roles=f"{other},{one}") == Options(roles=f"{one},{other}")
    assert Options(roles=f"{other}, {one}").roles == f"{one},{other}"
    assert msgspec.convert({"roles": f"{other},{one}"}, Options) == Options(roles=f"{one},{other}")


def test_ij_30_special_roles_are_for_4_and_5_players() -> None:
    assert GAME.seats(Options()) == (3, 4, 5)
    assert GAME.seats(Options(roles="wired")) == (4, 5)
    assert seats_of(GAME) == (3, 4, 5)
    with pytest.raises(ValueError, match="inside-job with roles wired is not for 3 players"):
        GAME.setup(Options(roles="wired"), 3)


@pytest.mark.parametrize(
    ("roles", "why"),
    [
        ("wired,wired", "roles names wired twice; each role is in the box once, so name it once"),
        ("spy", f"roles names 'spy', which is no special role; allowed: none, or one or two of {', '.join(IDS)} "),
        ("agent", "roles names 'agent', which is no special role; allowed: none, "),
        ("insider", "roles names 'insider', which is no special role; allowed: none, "),
        ("none,wired", "roles names 'none', which is no special role; allowed: none, or one or two of "),
        ("", "roles names '', which is no special role; allowed: none, "),
        ("wired,shady,sleeper", "roles names 3 roles, 'wired,shady,sleeper'; at most two can be played"),
    ],
)
def test_ij_30_other_roles_are_refused_with_the_reason(roles: str, why: str) -> None:
    assert why in refusal(roles=roles)


def test_ij_30_which_roles_are_played_is_known_to_all_as_an_option() -> None:
    (roles, *_) = known_options(GAME)
    assert (roles.name, roles.default) == ("roles", "none")
    assert roles.allowed == f"none, or one or two of {', '.join(IDS)} (4 or 5 players)"


@pytest.mark.parametrize("roles", ["daredevil", "daredevil,wired"])
def test_ij_13_the_leader_s_wager_cannot_be_turned_off_with_the_daredevil(roles: str) -> None:
    assert "leader_wagers cannot be false with the Daredevil Agent" in refusal(roles=roles, leader_wagers="false")
    assert read_options(GAME, {"roles": "wired", "leader_wagers": "false"}, "") == Options(
        roles="wired", leader_wagers=False
    )


def test_ij_18_talk_has_three_values() -> None:
    assert refusal(talk="always") == ("--option talk: 'always' is not allowed; allowed: before_vote, every_trick, none")


def test_ij_30_nobody_is_told_who_has_a_special_role_that_is_not_open() -> None:
    table = Table.begun("insider", "shady", "sleeper", "agent")
    assert table.heard(3) == [*(f"seat {seat} is dealt a role" for seat in range(3)), "seat 3 is dealt Agent"]
    assert table.open_roles == [None] * 4
