"""Limits the requests of each network that go on at once behind a proxy, whose connections serve many networks."""

from collections import Counter

from starlette.types import ASGIApp, Receive, Scope, Send

from tournaments.web.service.auth import visitor
from tournaments.web.service.problem_details import Problem


class ProxiedRequests:
    """An app with the limit."""

    def __init__(self, app: ASGIApp, most_each: int) -> None:
        """Pass the requests to `app`, at most `most_each` of a network at once. The proxy names the network."""
        self._app = app
        self._most_each = most_each
        self._going_on: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        network = visitor(scope.get("client")).network
        if self._going_on[network] >= self._most_each:
            refusal = Problem(429, "too many requests at once; wait until some have ended", {"retry-after": "10"})
            await refusal.answer(scope, receive, send)
            return
        self._going_on[network] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._going_on[network] -= 1
            self._going_on = +self._going_on
