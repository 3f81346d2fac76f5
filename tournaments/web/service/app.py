"""The app checks each request against the limits, and passes it to its operation."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import anyio
import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from referee.core.errors import UserError
from tournaments.league.service_terms import ServiceTerms
from tournaments.web.service.account_routes import AccountRoutes
from tournaments.web.service.authentication import token_sha256, unknown, visitor
from tournaments.web.service.browser_routes import BrowserRoutes
from tournaments.web.service.event_streams import SubmissionFeed, streaming
from tournaments.web.service.health import Health
from tournaments.web.service.league_service import LeagueService, viewer_of
from tournaments.web.service.openapi import description
from tournaments.web.service.operations import OPERATIONS, Call, Operation, Parameter
from tournaments.web.service.places import Places
from tournaments.web.service.replays import Replays
from tournaments.web.service.replies import Endpoint, Problem, problem_of, refusing, with_headers
from tournaments.web.service.requests import RequestChecks, check_query_length
from tournaments.web.service.seat_hub import SeatHub
from tournaments.web.service.token_bucket import Rate, rate_of
from tournaments.web.service.uploads import ARCHIVE, UploadLimits, UploadQueue, check_headers, receive_upload
from tournaments.web.service.visitor_routes import VisitorRoutes
from tournaments.web.service.worker_messages import WorkBoard
from tournaments.web.visibility.entry_view import SubmissionView
from tournaments.web.visitors.protocol import TablesService


class ServiceLimits(msgspec.Struct, frozen=True):
    """The limits of the service.

    Attributes:
        requests: the rate of requests of each author, and of each network of visitors.
        reads: how many answers are computed at once.
        uploads: the limits of archives.
        unpacking: how many of them are unpacked at once.
        followers: how many streams there are at once.
        followers_each: how many of them one author may have.
    """

    requests: Rate = rate_of(ServiceTerms().requests)
    reads: int = 4
    uploads: UploadLimits = UploadLimits()
    unpacking: int = 1
    followers: int = 128
    followers_each: int = 16


class Service:
    """Serves leagues. Every queue is bounded."""

    def __init__(
        self,
        league_services: Mapping[str, LeagueService],
        board: WorkBoard,
        wake: Callable[[], None],
        limits: ServiceLimits = ServiceLimits(),  # noqa: B008 - a value
        clock_s: Callable[[], float] = time.monotonic,
        visitor_tables: TablesService | None = None,
        health: Health = Health((), ()),  # noqa: B008 - of nothing that could fail
    ) -> None:
        """Serve these leagues, by name.

        `wake` wakes the submission worker when there is work. `clock_s` never goes back. `visitor_tables` has the
        tables where visitors play; None: they play nowhere. `health` answers `/readyz`.
        """
        self._health = health
        self._visitor_tables = visitor_tables
        self._names = sorted(league_services)
        self._board = board
        self._wake = wake
        self._checks = RequestChecks(league_services, limits.requests, limits.reads, clock_s)
        followers = Places(
            limits.followers,
            limits.followers_each,
            "too many authors follow their submissions now; try again later",
            "you follow too many submissions at once; end one of the streams first",
            retry_after_s=10,
        )
        self._feeds = {name: SubmissionFeed(each, board, followers) for name, each in league_services.items()}
        self._replays = Replays()
        self._browsing = BrowserRoutes(self._checks, self._replays)
        self._uploads = UploadQueue(limits.uploads)
        self._unpacking = anyio.Semaphore(limits.unpacking)
        self.hubs = {
            name: SeatHub(each.league, partial(self._checks.read, each.owners))
            for name, each in league_services.items()
        }

    @property
    def app(self) -> Starlette:
        """The app, for a server."""
        routes = [
            Route("/openapi.json", self._always(description(OPERATIONS))),
            Route("/leagues", self._always(self._names)),
            Route("/healthz", refusing(self._health_word, as_page=False)),
            Route("/readyz", refusing(self._health_word, as_page=False)),
            *(Route(path_of(each), self._endpoint(each), methods=[each.method]) for each in OPERATIONS),
            *self._browsing.routes,
            *AccountRoutes(self._checks).routes,
            WebSocketRoute("/leagues/{league}/api/seats/{entry}", self._seat),
            *(VisitorRoutes(self._visitor_tables, self._checks.count).routes if self._visitor_tables else ()),
        ]
        return Starlette(routes=routes, exception_handlers={HTTPException: _not_found, Exception: _ours})

    async def _seat(self, socket: WebSocket) -> None:
        """Let a bot call. Only the header counts: a browser would send its cookies for pages of others, too."""
        try:
            service = self._checks.league_service(socket)
            asker = await self._checks.asker(socket, service)
            token = token_sha256(socket.headers.get("authorization"))
            if asker.account is None or token is None:
                raise Problem(401, "only a bot's owner may take its seat; send your token")
            hub = self.hubs[service.league.name]
            await hub.attend(socket, socket.path_params["entry"], asker.account.owners, token)
        except Problem as refusal:
            await socket.send_denial_response(refusal.answer)
        except UserError as error:  # the store is away
            await socket.send_denial_response(problem_of(error).answer)

    async def _health_word(self, request: Request) -> Response:
        self._checks.count(visitor(request.client))
        failing = request.url.path == "/readyz" and await self._health.failing()
        word = "alive" if request.url.path == "/healthz" else "unready" if failing else "ready"
        return PlainTextResponse(word, 503 if failing else 200, {"cache-control": "no-store"})

    def _always(self, value: Any) -> Endpoint:
        body = msgspec.json.encode(value)

        async def endpoint(request: Request) -> Response:
            return await self._checks.whole(request, body, "application/json")

        return endpoint

    def _endpoint(self, operation: Operation) -> Endpoint:
        answers = {
            "value": self._value,
            "file": self._file,
            "replay": self._file,
            "archive": self._archive,
            "events": self._events,
        }
        answer = answers[operation.kind]

        async def endpoint(request: Request) -> Response:
            league_service = self._checks.league_service(request, f"; served: {', '.join(self._names)}")
            asker = await self._checks.asker(request, league_service)
            asker.require(operation.needs)
            call = Call(league_service, asker, read_arguments(operation, request))
            return await answer(operation, request, call)

        return refusing(endpoint, as_page=False)

    async def _value(self, operation: Operation, request: Request, call: Call) -> Response:
        body = await self._checks.read(lambda: msgspec.json.encode(operation.does(call)))
        if operation.method == "POST":
            self._wake()
            return with_headers(Response(body, operation.status, {"cache-control": "no-store"}, "application/json"))
        return await self._checks.whole(request, body, "application/json", {}, call.asker)

    async def _file(self, operation: Operation, request: Request, call: Call) -> Response:
        does = partial(operation.does, call)
        if operation.kind == "replay":
            viewer = repr(viewer_of(call.asker))
            key = (call.league_service.league.name, viewer, operation.name, *map(str, call.arguments.values()))
            body = await self._replays.page(key, does)
        else:
            body = await self._checks.read(does)
        named = {"content-disposition": f'attachment; filename="{operation.file}"'}
        return await self._checks.whole(request, body, operation.media, named, call.asker)

    async def _archive(self, operation: Operation, request: Request, call: Call) -> Response:
        league_service, author = call.league_service, call.author
        with self._uploads.place(author):
            await self._checks.read(league_service.check_acceptable, author)
            check_headers(request, ARCHIVE, league_service.most_bytes)
            async with (
                self._uploads.turn(author),
                receive_upload(request, league_service.most_bytes) as archive,
                self._unpacking,
            ):
                label = call.arguments.get("label")
                if await self._checks.account(request, league_service) is None:  # it ended meanwhile
                    raise unknown()
                seen: SubmissionView = await anyio.to_thread.run_sync(
                    league_service.receive, archive, call.asker, label
                )
        self._wake()
        place = f"/leagues/{league_service.league.name}/api/submissions/{seen.number}"
        headers = {"location": place, "cache-control": "no-store"}
        return with_headers(Response(msgspec.json.encode(seen), operation.status, headers, "application/json"))

    async def _events(self, _operation: Operation, _request: Request, call: Call) -> Response:
        feed = self._feeds[call.league_service.league.name]
        return with_headers(await streaming(feed.events(call.arguments["number"], call.asker)))


def path_of(operation: Operation) -> str:
    """The path of an operation, in the syntax of the router."""
    path = operation.path
    for parameter in operation.parameters:
        if parameter.place == "rest":
            path = path.replace(f"{{{parameter.name}}}", f"{{{parameter.name}:path}}")
    return f"/leagues/{{league}}{path}"


def read_arguments(operation: Operation, request: Request) -> dict[str, Any]:
    """The parameters of a request.

    Raises:
        Problem: there is one that the operation does not have, or one has a wrong value (400).
    """
    check_query_length(request.scope["query_string"])
    known = {each.name: each for each in operation.parameters if each.place == "query"}
    for name in request.query_params:
        if name not in known:
            allowed = ", ".join(known) or "none"
            raise Problem(400, f"{name[:64]!r} is no parameter of this; allowed: {allowed}")
    texts = {each.name: [request.path_params[each.name]] for each in operation.parameters if each.place != "query"}
    texts |= {name: request.query_params.getlist(name) for name in request.query_params}
    parameters = {each.name: each for each in operation.parameters}
    return {name: _read(parameters[name], words) for name, words in texts.items()}


def _read(parameter: Parameter, texts: list[str]) -> Any:
    if any("\0" in text for text in texts):
        raise Problem(400, f"{parameter.name}: there is a NUL in it")
    if parameter.repeats:
        return texts
    if len(texts) > 1:
        raise Problem(400, f"{parameter.name} is given more than once")
    try:
        return msgspec.convert(texts[0], parameter.type, strict=False)
    except msgspec.ValidationError as error:
        raise Problem(400, f"{parameter.name}: {texts[0][:64]!r} is not allowed: {error}") from error


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - it is registered for no other
    about = {404: "there is nothing at this address", 405: "this cannot be done with this address"}
    detail = about.get(error.status_code, error.detail)
    problem = Problem(error.status_code, detail, error.headers)
    if "text/html" not in request.headers.get("accept", ""):
        problem.detail += "; see /openapi.json"
    return problem.answer_to(request)


async def _ours(request: Request, _error: Exception) -> Response:
    """Answer for a bug without details. The library raises it again, and the server prints it for the organizer."""
    return Problem(500, "the service made a mistake, and logged it").answer_to(request)
