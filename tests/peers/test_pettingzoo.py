"""PettingZoo's own suite, at every variety of every game with every number of seats."""

import copy
import pickle
from typing import Any

import pytest

import referee
from referee.api.spaces import Space
from referee.core.domains import Domains, around, fields_of, whole_number
from referee.wire.json_codec import json_entry
from tests.api.space_tables import TABLES, SpaceTable
from tests.auction import Auction, View
from tests.needed import import_needed

pytestmark = pytest.mark.peers

referee_pettingzoo = import_needed("referee.pettingzoo")


@pytest.fixture(autouse=True)
def without_advice(recwarn: pytest.WarningsRecorder) -> pytest.WarningsRecorder:
    """PettingZoo warns of what it finds unusual, such as observations that are dicts. Its classic games are so, too."""
    return recwarn


class SealedBids(Auction):
    """The auction, with domains."""

    def domains(self, options: Any, seats: int) -> Domains:
        number = whole_number(0, max(seats, options.rounds))
        view = fields_of(View, {"View.seat": None, "View.purse": number, "View.won": around(number, seats)})
        return Domains(view, {bid: f"bid {bid}" for bid in range(3)})


def env_of(table: SpaceTable, render_mode: str | None = None) -> Any:
    return referee_pettingzoo.env(table.game, table.seats, table.given, render_mode)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_api_test(table: SpaceTable) -> None:
    from pettingzoo.test import api_test  # noqa: PLC0415

    api_test(env_of(table), num_cycles=200, verbose_progress=False)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("game", ["matrix_pd", "goofspiel(imp_info=true,num_cards=5)", "blotto(coins=5,players=3)"])
def test_parallel_api_test(game: str) -> None:
    """Games of OpenSpiel in which all choose at once; ours have none."""
    from pettingzoo.test import parallel_api_test, parallel_seed_test  # noqa: PLC0415

    import_needed("pyspiel")
    parallel_api_test(referee_pettingzoo.parallel_env("openspiel", options={"game": game}), num_cycles=100)
    parallel_seed_test(lambda: referee_pettingzoo.parallel_env("openspiel", options={"game": game}))


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_copy_of_the_environment_goes_on_by_itself(table: SpaceTable) -> None:
    env = env_of(table)
    env.reset(seed=7)
    twins = [copy.copy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]  # noqa: S301 - it is our own
    before = env.last()[0]["observation"]
    for each in (*twins, env):
        assert (each.last()[0]["observation"] == before).all()
        for _ in range(10):
            if each.agents:
                mask = each.last()[0]["action_mask"]
                each.step(int(mask.argmax()) if mask.any() else None)
    assert len({each.unwrapped.match.state for each in twins}) == 1


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_seed_test(table: SpaceTable) -> None:
    from pettingzoo.test import seed_test  # noqa: PLC0415

    seed_test(lambda: env_of(table), num_cycles=100)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_render_test(table: SpaceTable) -> None:
    from pettingzoo.test import render_test  # noqa: PLC0415

    render_test(lambda render_mode=None: env_of(table, render_mode))


@pytest.mark.filterwarnings("default")
def test_where_all_decide_at_once_all_step_together(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = SealedBids()
    found = type(referee.game("agonia"))(json_entry(rules))
    monkeypatch.setattr("referee.api.matches.game", lambda _name: found)
    monkeypatch.setattr(referee_pettingzoo, "game", lambda _name: found)
    monkeypatch.setattr(
        referee_pettingzoo, "space", lambda _name, seats, _options: Space(rules, rules.options_type(), seats)
    )
    env = referee_pettingzoo.parallel_env("auction", seats=3, rewards="score")
    seen, _ = env.reset(seed=7)
    rounds = 0
    while env.agents:
        assert all(each["action_mask"].tolist() == [1, 1, 1] for each in seen.values())
        seen, rewards, over, cut, _ = env.step({"seat_0": 2, "seat_1": 0, "seat_2": 1})
        rounds += 1
    assert (rounds, rewards) == (2, {"seat_0": 2, "seat_1": 0, "seat_2": 0})
    assert all(over.values())
    assert not any(cut.values())
    assert not any(each["action_mask"].any() for each in seen.values())
