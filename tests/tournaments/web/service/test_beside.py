"""Apps beside the operations: the rate limit applies to them, too."""

import asyncio

from starlette.responses import PlainTextResponse

from tests.tournaments.web.visitors.visitor import Got, Visitor
from tournaments.web.service.app import Service, ServiceLimits
from tournaments.web.service.token_bucket import Rate
from tournaments.web.service.worker_messages import WorkBoard


def asked(times: int, path: str = "/play/anything") -> list[Got]:
    service = Service(
        {},
        WorkBoard((), print),
        lambda: None,
        ServiceLimits(requests=Rate(burst=2, a_second=0.001)),
        clock_s=lambda: 7.0,
        beside={"/play": PlainTextResponse("played")},
    )

    async def test() -> list[Got]:
        visitor = Visitor(service.app)
        return [await visitor.get(path) for _ in range(times)]

    return asyncio.run(test())


def test_an_app_answers_below_its_path() -> None:
    (got,) = asked(1)
    assert (got.status, got.text) == (200, "played")
    assert asked(1, "/elsewhere")[0].status == 404


def test_who_asks_too_often_is_told_when_to_ask_again() -> None:
    assert [got.status for got in asked(4)] == [200, 200, 429, 429]
    assert int(asked(3)[2].headers["retry-after"]) > 0
