"""The pages of accounts, for all leagues of a store: joining by a link, logging in, `/me`, and `/people` for staff.

No GET changes anything: programs that scan mails open links, and a browser sends the cookie with the links of other
sites (`SameSite=Lax`). Every POST must come from a page of this server (`check_same_origin`).
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tournaments.league.people import LONGEST, RIGHTS, SESSION_MS, STAFF, Account, BadPeople, Right, SecretKind
from tournaments.store import NoSuchPerson, NoSuchSecret, People, sha256_of
from tournaments.web.pages import leagues
from tournaments.web.pages.rendering import Page, PageFrame, rendered
from tournaments.web.pages.urls import ServedLinks
from tournaments.web.service.authentication import cookie_name, session_sha256, visitor
from tournaments.web.service.league_service import LeagueService
from tournaments.web.service.replies import PAGE, Endpoint, refusing
from tournaments.web.service.requests import RequestChecks, check_same_origin, read_form

_WRONG = "This token is not valid here; ask the organizer for a link."
_HEADERS = {**PAGE, "cache-control": "no-store", "x-robots-tag": "noindex"}


class Here(NamedTuple):
    """A request of somebody with an account.

    Attributes:
        request: the request.
        service: a league of the store that has the account.
        account: the account.
        fields: of the form; empty for a GET.
    """

    request: Request
    service: LeagueService
    account: Account
    fields: Mapping[str, str]

    @property
    def people(self) -> People:
        """The people of the store."""
        return self.service.people


Answer = Callable[[Here], Awaitable[Response]]


class AccountRoutes:
    """The routes. Each names the right that it needs."""

    def __init__(self, checks: RequestChecks) -> None:
        """`checks` checks requests."""
        self._checks = checks

    @property
    def routes(self) -> list[Route]:
        """All routes."""
        mine: list[tuple[str, str, Right, Answer]] = [
            ("GET", "/me", "account", self._me),
            ("POST", "/me/tokens", "account", self._new_token),
            ("POST", "/me/end", "account", self._end),
            ("POST", "/logout", "account", self._log_out),
            ("GET", "/people", "links", self._people),
            ("POST", "/people/{name}/link", "links", self._new_link),
        ]
        anybodys = {
            ("GET", "/login"): self._login_form,
            ("POST", "/login"): self._log_in,
            ("GET", "/join/{secret}"): self._invited,
            ("POST", "/join/{secret}"): self._join,
        }
        return [
            *(Route(path, self._of_person(needs, answer), methods=[way]) for way, path, needs, answer in mine),
            *(Route(path, self._counted(way, answer), methods=[way]) for (way, path), answer in anybodys.items()),
        ]

    def _counted(self, method: str, answer: Endpoint) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            self._checks.count(visitor(request.client))
            if method == "POST":
                check_same_origin(request)
            return await answer(request)

        return refusing(endpoint)

    def _of_person(self, needs: Right, answer: Answer) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            asker, session = visitor(request.client), session_sha256(request)
            found = None if session is None else await self._owner(session, "session")
            if found is not None:
                asker = asker._replace(account=found[1], role=found[1].role)
            self._checks.count(asker)
            if request.method == "POST":
                check_same_origin(request)
            if found is None:
                return RedirectResponse("/login", 303, _HEADERS)
            asker.require(needs)
            fields = await read_form(request, 8) if request.method == "POST" else {}
            return await answer(Here(request, *found, fields))

        return refusing(endpoint)

    async def _owner(self, sha256: str, kind: SecretKind) -> tuple[LeagueService, Account] | None:
        """Whose secret this is, in any of the stores."""
        stores = {each.store_url: each for each in self._checks.league_services.values()}
        for service in stores.values():
            account: Account | None = await self._checks.read(service.account, sha256, kind)
            if account is not None:
                return service, account
        return None

    async def _page(self, page: Page, account: Account | None = None, status: int = 200) -> Response:
        frame = PageFrame(viewer=account.display_name, login="/logout") if account else PageFrame()
        body = await self._checks.read(rendered, page, frame, ServedLinks())
        return Response(body, status, _HEADERS, "text/html")

    # To come in

    async def _login_form(self, request: Request) -> Response:
        league = request.query_params.get("league", "")
        return await self._page(leagues.account("Log in", "login", league=league, wrong=""))

    async def _log_in(self, request: Request) -> Response:
        fields = await read_form(request, 8)
        league, sha256 = fields.get("league", ""), sha256_of(fields.get("token", "").strip())
        found = await self._owner(sha256, "token")
        if found is None:
            return await self._page(leagues.account("Log in", "login", league=league, wrong=_WRONG), None, 403)
        service, account = found
        secret = await self._checks.read(service.people.begin_session, sha256, service.now_ms())
        place = f"/leagues/{league}/entries" if league in self._checks.league_services else "/me"
        return _with_session(request, RedirectResponse(place, 303, _HEADERS), secret, account)

    async def _invited(self, request: Request) -> Response:
        _, account = await self._linked(request)
        return await self._page(_join_page(account, account.display_name, ""))

    async def _join(self, request: Request) -> Response:
        display_name = (await read_form(request, 8)).get("display_name", "")
        service, account = await self._linked(request)
        link = sha256_of(request.path_params["secret"])
        try:
            secret = await self._checks.read(service.people.activate, link, display_name, service.now_ms())
        except BadPeople as fault:
            return await self._page(_join_page(account, display_name, str(fault)), None, 409)
        return _with_session(request, RedirectResponse("/me", 303, _HEADERS), secret, account)

    async def _linked(self, request: Request) -> tuple[LeagueService, Account]:
        found = await self._owner(sha256_of(request.path_params["secret"]), "link")
        if found is None:
            raise NoSuchSecret
        return found

    async def _log_out(self, here: Here) -> Response:
        await self._checks.read(here.people.end, here.account.name, session_sha256(here.request))
        return _without_session(here.request, RedirectResponse("/", 303, _HEADERS))

    # One's own account

    async def _me(self, here: Here, token: str = "") -> Response:
        secrets, teams = await self._checks.read(
            lambda: (here.people.secrets_of(here.account.name, here.service.now_ms()), here.people.teams())
        )
        served = self._checks.league_services.items()
        context = {
            "account": here.account,
            "members": teams.get(here.account.team or "", ()),
            "secrets": secrets,
            "here": session_sha256(here.request),
            "token": token,
            "leagues": sorted(name for name, each in served if each.store_url == here.service.store_url),
            "staff": here.account.role in STAFF,
        }
        return await self._page(leagues.account("Your account", "me", **context), here.account)

    async def _new_token(self, here: Here) -> Response:
        label = "".join(filter(str.isprintable, here.fields.get("label", "")))[:LONGEST]
        token = await self._checks.read(here.people.new_token, here.account.name, label, here.service.now_ms())
        return await self._me(here, token)

    async def _end(self, here: Here) -> Response:
        secret = here.fields.get("secret")
        await self._checks.read(here.people.end, here.account.name, secret)
        if secret not in {None, session_sha256(here.request)}:
            return RedirectResponse("/me", 303, _HEADERS)
        return _without_session(here.request, RedirectResponse("/", 303, _HEADERS))

    # Staff

    async def _people(self, here: Here, name: str = "", link: str = "") -> Response:
        people, teams = await self._checks.read(lambda: (here.people.all(), here.people.teams()))
        context = {
            "people": people,
            "team_of": {member: team for team, members in teams.items() for member in members},
            "may_link": {each.name for each in people if not each.removed_ms and _may_link(here.account, each.role)},
            "name": name,
            "link": link,
        }
        return await self._page(leagues.account("People", "people", **context), here.account)

    async def _new_link(self, here: Here) -> Response:
        name = here.request.path_params["name"]
        everybody = await self._checks.read(here.people.all)
        if not any(each.name == name and _may_link(here.account, each.role) for each in everybody):
            raise NoSuchPerson(f"there is nobody called {name[:64]!r} for whom you may make a link")
        made = await self._checks.read(here.people.renew, name, "link", here.service.now_ms(), here.account.name)
        return await self._people(here, name, str(here.request.url.replace(path=f"/join/{made}", query="")))


def _may_link(account: Account, role: str) -> bool:
    """Whether staff may make a link for somebody of a role: whoever opens it acts as this person."""
    return "people" in RIGHTS[account.role] or role not in STAFF


def _join_page(account: Account, display_name: str, wrong: str) -> Page:
    return leagues.account("Join", "join", account=account, display_name=display_name, wrong=wrong)


def _with_session(request: Request, response: Response, secret: str, account: Account) -> Response:
    """The response that gives a browser a new session. One that the browser had before is not taken over."""
    is_safe, age_s = request.scope["scheme"] == "https", SESSION_MS[account.role] // 1000
    response.set_cookie(cookie_name(request), secret, age_s, secure=is_safe, httponly=True, samesite="lax")
    return response


def _without_session(request: Request, response: Response) -> Response:
    is_safe = request.scope["scheme"] == "https"
    response.delete_cookie(cookie_name(request), secure=is_safe, httponly=True, samesite="lax")
    return response
