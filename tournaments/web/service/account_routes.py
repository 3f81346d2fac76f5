"""The pages of accounts, for all leagues of a store: joining by a link, logging in, `/me`, and `/people` for staff.

No GET changes anything: programs that scan mails open links, and a browser sends the cookie with the links of other
sites (`SameSite=Lax`). Every POST must come from a page of this server (`check_same_origin`).
"""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tournaments.league.people import LONGEST, RIGHTS, SESSION_MS, STAFF, BadPeople, Person, Right, SecretKind
from tournaments.store import NoSuchPerson, NoSuchSecret, People, sha256_of
from tournaments.web.pages import leagues
from tournaments.web.pages.rendering import Page, PageFrame, rendered
from tournaments.web.pages.urls import ServedLinks
from tournaments.web.service.authentication import Caller, cookie_name, session_sha256, visitor
from tournaments.web.service.league_service import LeagueService
from tournaments.web.service.replies import PAGE, Endpoint, refusing
from tournaments.web.service.requests import RequestChecks, check_same_origin, read_form

_WRONG = "This token is not valid here; ask the organizer for a link."
_HEADERS = {**PAGE, "cache-control": "no-store", "x-robots-tag": "noindex"}


class Member(NamedTuple):
    """Somebody with an account.

    Attributes:
        service: a league of the store that has the account.
        account: the account.
    """

    service: LeagueService
    account: Person

    @property
    def people(self) -> People:
        """The people of the store."""
        return self.service.store.people


class AccountRoutes:
    """The routes. Those that name a right are for members who have it, and get the member."""

    def __init__(self, checks: RequestChecks) -> None:
        """`checks` checks requests."""
        self._checks = checks

    @property
    def routes(self) -> list[Route]:
        """All routes."""
        table: list[tuple[str, str, Right | None, Callable[..., Awaitable[Response]]]] = [
            ("GET", "/login", None, self._login_form),
            ("POST", "/login", None, self._log_in),
            ("GET", "/join/{secret}", None, self._invited),
            ("POST", "/join/{secret}", None, self._join),
            ("GET", "/me", "account", self._me),
            ("POST", "/me/tokens", "account", self._new_token),
            ("POST", "/me/end", "account", self._end),
            ("POST", "/logout", "account", self._log_out),
            ("GET", "/people", "links", self._people),
            ("POST", "/people/{name}/link", "links", self._new_link),
        ]
        return [Route(path, self._endpoint(needs, answer), methods=[way]) for way, path, needs, answer in table]

    def _endpoint(self, needs: Right | None, answer: Callable[..., Awaitable[Response]]) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            asker, session = visitor(request.client), session_sha256(request)
            member = await self._member(session, "session") if needs and session else None
            if member is not None:
                asker = await self._checks.read(self._caller, asker, member)
            self._checks.count(asker)
            if request.method == "POST":
                check_same_origin(request)
            if needs is None:
                return await answer(request)
            if member is None:
                return RedirectResponse("/login", 303, _HEADERS)
            asker.require(needs)
            return await answer(request, member)

        return refusing(endpoint)

    def _caller(self, asker: Caller, member: Member) -> Caller:
        """The requester. An assistant who is an author in a league could act there as others, with links for them."""
        services, url = self._checks.league_services.values(), member.service.store.url
        callers = [each.caller(asker, member.account) for each in services if each.store.url == url]
        return next((each for each in callers if each.role == "author"), callers[0])

    async def _member(self, sha256: str, kind: SecretKind) -> Member | None:
        """Whose secret this is, in any of the stores."""
        stores = {each.store.url: each for each in self._checks.league_services.values()}
        for service in stores.values():
            account: Person | None = await self._checks.read(service.account, sha256, kind)
            if account is not None:
                return Member(service, account)
        return None

    async def _page(self, page: Page, member: Member | None = None, status: int = 200) -> Response:
        frame = PageFrame(viewer=member.account.display_name, login="/logout") if member else PageFrame()
        body = await self._checks.read(rendered, page, frame, ServedLinks())
        return Response(body, status, _HEADERS, "text/html")

    # To come in

    async def _login_form(self, request: Request) -> Response:
        return await self._page(_login_page(request.query_params.get("league", ""), ""))

    async def _log_in(self, request: Request) -> Response:
        fields = await read_form(request, 8)
        league, sha256 = fields.get("league", ""), sha256_of(fields.get("token", "").strip())
        member = await self._member(sha256, "token")
        if member is None:
            return await self._page(_login_page(league, _WRONG), None, 403)
        secret = await self._checks.read(member.people.begin_session, sha256, member.service.now_ms())
        place = f"/leagues/{league}/entries" if league in self._checks.league_services else "/me"
        return _with_session(request, place, secret, member.account)

    async def _invited(self, request: Request) -> Response:
        account = (await self._linked(request)).account
        return await self._page(_join_page(account, account.display_name, ""))

    async def _join(self, request: Request) -> Response:
        display_name = (await read_form(request, 8)).get("display_name", "")
        member, link = await self._linked(request), sha256_of(request.path_params["secret"])
        try:
            secret = await self._checks.read(member.people.activate, link, display_name, member.service.now_ms())
        except BadPeople as fault:
            return await self._page(_join_page(member.account, display_name, str(fault)), None, 409)
        return _with_session(request, "/me", secret, member.account)

    async def _linked(self, request: Request) -> Member:
        member = await self._member(sha256_of(request.path_params["secret"]), "link")
        if member is None:
            raise NoSuchSecret
        return member

    async def _log_out(self, request: Request, member: Member) -> Response:
        return await self._ended(request, member, session_sha256(request))

    # One's own account

    async def _me(self, request: Request, member: Member, token: str = "") -> Response:
        account, served = member.account, self._checks.league_services.items()
        secrets = await self._checks.read(member.people.secrets_of, account.name, member.service.now_ms())
        everybody = await self._checks.read(member.people.all)
        mates = (each for each in everybody.values() if account.team and each.team == account.team)
        context = {
            "account": account,
            "members": [each.display_name for each in mates if not each.removed_ms],
            "secrets": secrets,
            "here": session_sha256(request),
            "token": token,
            "leagues": sorted(name for name, each in served if each.store.url == member.service.store.url),
            "staff": account.role in STAFF,
        }
        return await self._page(leagues.account("Your account", "me", **context), member)

    async def _new_token(self, request: Request, member: Member) -> Response:
        label = "".join(filter(str.isprintable, (await read_form(request, 8)).get("label", "")))[:LONGEST]
        name, now_ms = member.account.name, member.service.now_ms()
        return await self._me(request, member, await self._checks.read(member.people.new_token, name, label, now_ms))

    async def _end(self, request: Request, member: Member) -> Response:
        return await self._ended(request, member, (await read_form(request, 8)).get("secret"))

    async def _ended(self, request: Request, member: Member, secret: str | None) -> Response:
        """End a secret, or all of them; and forget the session if it is among them."""
        await self._checks.read(member.people.end, member.account.name, secret)
        if secret not in {None, session_sha256(request)}:
            return RedirectResponse("/me", 303, _HEADERS)
        response, is_safe = RedirectResponse("/", 303, _HEADERS), request.scope["scheme"] == "https"
        response.delete_cookie(cookie_name(request), secure=is_safe, httponly=True, samesite="lax")
        return response

    # Staff

    async def _people(self, _request: Request, member: Member, name: str = "", link: str = "") -> Response:
        people = (await self._checks.read(member.people.all)).values()
        may_link = {each.name for each in people if _may_link(member.account, each)}
        context = {"people": people, "may_link": may_link, "name": name, "link": link}
        return await self._page(leagues.account("People", "people", **context), member)

    async def _new_link(self, request: Request, member: Member) -> Response:
        name = request.path_params["name"]
        person = (await self._checks.read(member.people.all)).get(name)
        if person is None or not _may_link(member.account, person):
            raise NoSuchPerson(f"there is nobody called {name[:64]!r} for whom you may make a link")
        made = await self._checks.read(member.people.renew, name, "link", member.service.now_ms(), member.account.name)
        return await self._people(request, member, name, str(request.url.replace(path=f"/join/{made}", query="")))


def _may_link(account: Person, person: Person) -> bool:
    """Whether staff may make a link for somebody: whoever opens it acts as this person."""
    return not person.removed_ms and ("people" in RIGHTS[account.role] or person.role not in STAFF)


def _login_page(league: str, wrong: str) -> Page:
    return leagues.account("Log in", "login", league=league, wrong=wrong)


def _join_page(account: Person, display_name: str, wrong: str) -> Page:
    return leagues.account("Join", "join", account=account, display_name=display_name, wrong=wrong)


def _with_session(request: Request, place: str, secret: str, account: Person) -> Response:
    """The way on, with a new session for the browser. One that it had before is not taken over."""
    response, is_safe = RedirectResponse(place, 303, _HEADERS), request.scope["scheme"] == "https"
    age_s = SESSION_MS[account.role] // 1000
    response.set_cookie(cookie_name(request), secret, age_s, secure=is_safe, httponly=True, samesite="lax")
    return response
