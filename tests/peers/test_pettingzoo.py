"""PettingZoo's own suite, at every variety of every game with every number of seats."""

from typing import Any

import pytest

from tests.api.space_tables import TABLES, SpaceTable
from tests.needed import import_needed

pytestmark = pytest.mark.peers

referee_pettingzoo = import_needed("referee.pettingzoo")


@pytest.fixture(autouse=True)
def without_advice(recwarn: pytest.WarningsRecorder) -> pytest.WarningsRecorder:
    """PettingZoo warns of what it finds unusual, such as observations that are dicts. Its classic games are so, too."""
    return recwarn


def env_of(table: SpaceTable, render_mode: str | None = None) -> Any:
    return referee_pettingzoo.env(table.game, table.seats, table.given, render_mode)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_api_test(table: SpaceTable) -> None:
    from pettingzoo.test import api_test  # noqa: PLC0415

    api_test(env_of(table), num_cycles=200, verbose_progress=False)


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
