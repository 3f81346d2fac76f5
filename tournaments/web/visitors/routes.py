"""The tables for people as a web app, to be mounted in a server: forms, one page for each seat, and its event stream.

The address of a seat opens it, and nobody can guess this address. So the app needs no cookie, and another site cannot
act for a visitor. The app refuses requests that change something if the browser says that another site sent them.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from traceback import format_exception_only
from typing import Annotated, Any
from urllib.parse import parse_qsl

import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from referee.core.errors import GameBug, WrongUse, pass_on
from referee.core.game import AnyGame
from referee.core.text import one_line
from referee.drawing.page.html import page_of_all
from referee.drawing.playback import watch
from referee.drawing.registry import drawer
from referee.drawing.svg import markup
from referee.match.transcript import from_file
from referee.wire.registry import game_entry
from tournaments.web.visitors.pages import (
    BY_SEAT,
    YOU,
    SentForm,
    filled,
    invitation,
    lobby,
    lobby_script,
    refusal,
    rules_address,
    rules_page,
    script,
    style,
    style_of,
)
from tournaments.web.visitors.protocol import (
    MOST_SEATS,
    NAME,
    OPTION,
    PERSON,
    SEAT,
    SEATS,
    SeatEvents,
    TableRefused,
    TableRequest,
    TableSettings,
    TablesService,
)
from tournaments.web.visitors.seat_view import SeatMessage, SeatView
from tournaments.web.visitors.tables_rpc import TablesUnreachable

MOST_BYTES = 8 << 10
"""The limit of the body of a request."""

_MOST_FIELDS = 64
_BODY_S = 10.0
"""The time that the body of a request may take, in seconds."""

BEAT_S = 15.0
"""The interval of signs of life in a stream, in seconds: by them the server and the page notice a lost connection."""

_RETRY = b"retry: 2000\n\n"
_PAGES = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
}
_REPLAY = _PAGES | {"content-security-policy": "frame-ancestors 'none'; form-action 'none'"}
"""A replay contains its own policy, which names its style and its script by their hashes."""

Endpoint = Callable[[Request], Awaitable[Response]]


class BadRequest(WrongUse):
    """A request that the app refuses without asking the tables.

    Attributes:
        status: the HTTP status of the answer.
    """

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class SeatUpdate(msgspec.Struct, frozen=True):
    """One event of the stream to a page.

    Attributes:
        first: the number of the first message; 0 also tells the page to start over.
        shown: the new messages.
        chose: the person's choice at the decision before these messages, in words; empty if there is none yet.
        left_ms: the time left for the open decision, in milliseconds; None if none is open.
        setting: the table.
    """

    first: int
    shown: tuple[SeatMessage, ...]
    chose: str
    left_ms: int | None
    setting: TableSettings


_Number = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]


class ChoiceMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of a page to a decision."""

    decision: _Number
    index: _Number


class VisitorRoutes:
    """The routes of the tables for people."""

    def __init__(self, tables_service: TablesService) -> None:
        """Show the tables of `tables_service`."""
        self._tables = tables_service

    @property
    def app(self) -> Starlette:
        """The app. Its addresses are below the path where it is mounted."""
        return Starlette(
            routes=[
                Route("/", _guarded(self._lobby), methods=["GET"]),
                Route("/tables", _guarded(self._open), methods=["POST"]),
                Route("/invited/{invitation}", _guarded(self._invited), methods=["GET"]),
                Route("/invited/{invitation}", _guarded(self._sit), methods=["POST"]),
                Route("/at/{key}", _guarded(self._table), methods=["GET"]),
                Route("/at/{key}/news", _guarded(self._news), methods=["GET"]),
                Route("/at/{key}/choices", _guarded(self._choose), methods=["POST"]),
                Route("/at/{key}/match.json", _guarded(self._record), methods=["GET"]),
                Route("/at/{key}/replay", _guarded(self._replay), methods=["GET"]),
                Route("/at/{key}/rematch", _guarded(self._rematch), methods=["POST"]),
                Route("/rules/{game}", _guarded(self._rules), methods=["GET"]),
                Route("/files/{name}", _guarded(_file), methods=["GET"]),
            ]
        )

    # Forms

    async def _lobby(self, request: Request) -> Response:
        return await self._lobby_page(request, SentForm({}), 200)

    async def _lobby_page(self, request: Request, form: SentForm, status: int) -> Response:
        offers = await self._tables.offers()
        games: dict[str, AnyGame] = {offer.game: game_entry(offer.game).game for offer in offers}
        return _page(lobby(offers, games, _base(request), form), status)

    async def _open(self, request: Request) -> Response:
        fields = await _form(request)
        try:
            seated = await self._tables.open(_table_request(fields))
        except TableRefused as reason:
            return await self._lobby_page(request, SentForm(fields, str(reason), reason.field), 409)
        return _see(request, f"/at/{seated.key}")

    async def _invited(self, request: Request) -> Response:
        return _page(invitation(_base(request), str(request.scope["path"]), SentForm({})))

    async def _sit(self, request: Request) -> Response:
        fields = await _form(request)
        try:
            seated = await self._tables.sit(request.path_params["invitation"], fields.get(NAME, ""))
        except TableRefused as reason:
            form = SentForm(fields, str(reason), reason.field)
            return _page(invitation(_base(request), str(request.scope["path"]), form), 409)
        return _see(request, f"/at/{seated.key}")

    # A seat

    async def _table(self, request: Request) -> Response:
        """The page of a seat. The style of the pictures depends on the game, which the first news names."""
        key = request.path_params["key"]
        async with aclosing(self._tables.follow(key)) as all_news:
            setting = (await anext(all_news)).setting
        base = _base(request)
        page = filled(
            "table.html",
            title="At the table",
            heading=markup(f"{setting.game}, seat {setting.seat}"),
            game=markup(setting.game),
            files=markup(f"{base}/files"),
            at=markup(f"{base}/at/{key}"),
            join=markup(f"{base}/invited"),
            again=markup(f"{base}/"),
            rules=markup(rules_address(base, setting.game, setting.options, len(setting.seats))),
        )
        return _page(page)

    async def _news(self, request: Request) -> Response:
        events = self._events(request.path_params["key"])
        headers = _PAGES | {"x-accel-buffering": "no"}
        return StreamingResponse(with_heartbeat(events), 200, headers, "text/event-stream")

    async def _events(self, key: str) -> AsyncGenerator[bytes, None]:
        seat_view = SeatView()
        yield _RETRY
        try:
            async with aclosing(self._tables.follow(key)) as all_news:
                async for news in all_news:
                    yield _event("news", seat_update(seat_view, news))
        except TableRefused as reason:
            yield _event("closed", {"why": str(reason)})
        except GameBug as bug:
            _tell_organizer(bug)
            yield _event("closed", {"why": str(bug)})
        except TablesUnreachable:
            return  # the page connects again

    async def _choose(self, request: Request) -> Response:
        if not request.headers.get("content-type", "").startswith("application/json"):
            raise BadRequest(415, "a choice is sent as application/json")
        try:
            choice = msgspec.json.decode(await _body(request), type=ChoiceMessage)
        except (ValueError, RecursionError) as error:
            raise BadRequest(400, "a choice is an object with the numbers decision and index") from error
        await self._tables.choose(request.path_params["key"], choice.decision, choice.index)
        return Response(status_code=204, headers=_PAGES)

    # The rules

    async def _rules(self, request: Request) -> Response:
        """The rules of a game that somebody can play here, with the options in the query."""
        name = request.path_params["game"]
        if name not in {offer.game for offer in await self._tables.offers()}:
            raise BadRequest(404, "this game is not played here")
        options = {key.removeprefix(OPTION): it for key, it in request.query_params.items() if key.startswith(OPTION)}
        return _page(rules_page(game_entry(name).game, options, request.query_params.get("seats", ""), _base(request)))

    # After the match

    async def _rematch(self, request: Request) -> Response:
        seated = await self._tables.rematch(request.path_params["key"])
        return _see(request, f"/at/{seated.key}")

    async def _record(self, request: Request) -> Response:
        content = await self._tables.record(request.path_params["key"])
        named = {"content-disposition": 'attachment; filename="match.json"'}
        return Response(content, 200, _PAGES | named, "application/json")

    async def _replay(self, request: Request) -> Response:
        content = await self._tables.record(request.path_params["key"])
        page = await asyncio.to_thread(_replayed, content)
        return Response(page, 200, _REPLAY, "text/html")


def seat_update(seat_view: SeatView, news: SeatEvents) -> SeatUpdate:
    """News of a seat for its page. `seat_view` has processed all earlier news.

    Raises:
        GameBug: the game or its drawer raised an exception.
    """
    try:
        chose = seat_view.chose(news.chosen)  # first: the next decision may follow at once
        messages = tuple(seat_view.next_messages(news.messages, news.chosen, news.setting.seats, news.end))
    except BaseException as error:
        pass_on(error)
        what = "".join(format_exception_only(error)).strip()
        text = f"the game {news.setting.game} failed on the page of a seat: {what}; this is a bug of the game"
        raise GameBug(text, "", b"") from error
    return SeatUpdate(news.first, messages, chose, news.left_ms, news.setting)


def _replayed(content: bytes) -> str:
    transcript, _ = from_file(content)
    game = game_entry(transcript.record.header.game).game
    return page_of_all(watch(game, transcript), drawer(game))


async def _file(request: Request) -> Response:
    name = request.path_params["name"]
    cache_headers = {"cache-control": "public, max-age=300"}
    match name.rpartition("."):
        case ("table", _, "js"):
            return Response(script(), 200, _PAGES | cache_headers, "text/javascript")
        case ("lobby", _, "js"):
            return Response(lobby_script(), 200, _PAGES | cache_headers, "text/javascript")
        case ("visitors", _, "css"):
            return Response(style(), 200, _PAGES | cache_headers, "text/css")
        case (game, _, "css"):
            return Response(style_of(game), 200, _PAGES | cache_headers, "text/css")
    raise BadRequest(404, "there is no such file")


# Common parts of all requests


def _guarded(endpoint: Endpoint) -> Endpoint:
    """Turn refusals into answers: JSON for a script, and a line of text for a person."""

    async def guarded(request: Request) -> Response:
        try:
            _check_same_site(request)
            return await endpoint(request)
        except BadRequest as bad:
            return _refusal(request, bad.status, str(bad))
        except TableRefused as reason:
            return _refusal(request, 404 if request.method == "GET" else 409, str(reason))
        except TablesUnreachable as away:
            return _refusal(request, 503, f"{away}; try again in a minute")
        except WrongUse as wrong:
            return _refusal(request, 404, str(wrong))
        except GameBug as bug:
            _tell_organizer(bug)
            return _refusal(request, 503, str(bug))

    return guarded


def _tell_organizer(bug: GameBug) -> None:
    print(f"referee serve: {one_line(str(bug))}", file=sys.stderr, flush=True)


def _check_same_site(request: Request) -> None:
    """Refuse requests that a page of another site sent (Fetch Metadata; the Origin header of RFC 6454).

    Raises:
        BadRequest: another site sent it.
    """
    if request.method != "POST":
        return
    if not _is_own(request.headers.get("sec-fetch-site"), request.headers.get("origin"), request.headers.get("host")):
        raise BadRequest(403, "this was sent by a page of another site")


def _is_own(site: str | None, origin: str | None, host: str | None) -> bool:
    """Whether a page of ours sent this. A browser without Fetch Metadata names the origin instead."""
    if site is not None:
        return site in {"same-origin", "none"}
    return origin is None or origin in {f"http://{host}", f"https://{host}"}


def _refusal(request: Request, status: int, reason: str) -> Response:
    if "text/html" in request.headers.get("accept", ""):
        return _page(refusal(_base(request), reason), status)
    return Response(msgspec.json.encode({"why": reason}), status, _PAGES, "application/json")


def _page(page: str, status: int = 200) -> Response:
    return Response(page, status, _PAGES, "text/html")


def _see(request: Request, place: str) -> Response:
    return RedirectResponse(_base(request) + place, 303, _PAGES)


def _base(request: Request) -> str:
    """The address at which the app is mounted."""
    return str(request.scope.get("root_path", "")).rstrip("/")


async def _body(request: Request) -> bytes:
    """The body of a request.

    Raises:
        BadRequest: it is too long, or does not arrive.
    """
    body = b""
    try:
        async with asyncio.timeout(_BODY_S):
            async for part in request.stream():
                body += part
                if len(body) > MOST_BYTES:
                    raise BadRequest(413, f"the request is longer than {MOST_BYTES} bytes")
    except (TimeoutError, ClientDisconnect) as error:
        raise BadRequest(408, "the request did not come in time") from error
    return body


async def _form(request: Request) -> Mapping[str, str]:
    """The fields of a form, as browsers send them by default.

    Raises:
        BadRequest: it is no form, or has too many fields.
    """
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        raise BadRequest(415, "a form is sent as application/x-www-form-urlencoded")
    try:
        text = (await _body(request)).decode()
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError as error:
        raise BadRequest(400, "this is no form that the pages here send") from error


def _table_request(fields: Mapping[str, str]) -> TableRequest:
    """The table that a form requests: empty options have their defaults, and seats after the last one are left out.

    Raises:
        TableRefused: the visitor wants several seats, or chose an option for some of the seats only.
    """
    seats = [fields.get(f"{SEAT}{seat}", "") for seat in range(MOST_SEATS)]
    while seats and not seats[-1]:
        seats.pop()
    options = {name.removeprefix(OPTION): it for name, it in fields.items() if name.startswith(OPTION) and it}
    options |= {name.removeprefix(BY_SEAT): _by_seat(fields, name, len(seats)) for name in _lists(fields)}
    if seats.count(YOU) > 1:
        raise TableRefused("you have several seats; take one", SEATS)
    own = seats.index(YOU) if YOU in seats else None
    whole = tuple(PERSON if who == YOU else who for who in seats)
    return TableRequest(
        fields.get("league", ""), {name: it for name, it in options.items() if it}, whole, fields.get(NAME, ""), own
    )


def _lists(fields: Mapping[str, str]) -> set[str]:
    """The options that have a field of the form for each seat, with the prefix of such fields."""
    return {name.rpartition(".")[0] for name in fields if name.startswith(BY_SEAT)}


def _by_seat(fields: Mapping[str, str], name: str, seats: int) -> str:
    """The value of an option that lists something by seat; empty if nothing was chosen."""
    chosen = [fields.get(f"{name}.{seat}", "") for seat in range(seats)]
    if any(chosen) and not all(chosen):
        seat = chosen.index("")
        raise TableRefused("choose one for this seat, too, or for no seat", f"{name}.{seat}")
    return ",".join(filter(None, chosen))


def _event(name: str, data: Any) -> bytes:
    """An event of a stream (HTML, server-sent events). JSON has no line breaks."""
    return f"event: {name}\ndata: ".encode() + msgspec.json.encode(data) + b"\n\n"


async def with_heartbeat(events: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """The events, and an event without content after each pause."""
    async with aclosing(events):
        coming = asyncio.ensure_future(anext(events))
        try:
            while True:
                await asyncio.wait([coming], timeout=BEAT_S)
                if not coming.done():
                    yield b"event: beat\ndata: {}\n\n"
                    continue
                try:
                    yield coming.result()
                except StopAsyncIteration:
                    return
                coming = asyncio.ensure_future(anext(events))
        finally:
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)
