"""The tools of a seat over MCP (Model Context Protocol): by HTTP on this machine, or over stdin and stdout."""

import hmac
import socket
from importlib.metadata import version
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl

from referee.agents.agent_seat import LONGEST_WAIT_S, AgentSeat
from referee.http_server.app_server import Server

_PATIENCE_S = 2 * LONGEST_WAIT_S

HOST, PATH = "127.0.0.1", "/mcp"
_INSTRUCTIONS = (
    "You have a seat in matches of a board game with hidden information. Call wait until you must choose, then choose,"
    " then wait again, match after match. The tool rules tells how the game is played."
)


async def serve_tools(seat: AgentSeat, token: str, listening: socket.socket) -> None:
    """Serve the tools of `seat`, and nothing else, to agents that show `token`, until a signal comes.

    A request must name this machine as its host, and come from no page of a browser: a page could otherwise reach this
    port by a name of its own (DNS rebinding). It belongs to no session, so an agent may lose its connection.
    """
    auth = AuthSettings(issuer_url=AnyHttpUrl(f"http://{HOST}"), resource_server_url=None)
    server = _Tools(seat, auth=auth, token_verifier=_Verifier(token))
    port = listening.getsockname()[1]
    security = TransportSecuritySettings(allowed_hosts=[f"{HOST}:{port}", f"localhost:{port}"], allowed_origins=[])
    app = server.streamable_http_app(streamable_http_path=PATH, stateless_http=True, transport_security=security)
    await Server(app, listening).serve(server.session_manager.run())


async def pass_on(port: int, token: str) -> None:
    """Offer the tools that are served at this port over stdin and stdout, until stdin ends. The seat outlives this."""
    await _Bridge(port, token).run_stdio_async()


class _Tools(MCPServer):  # type: ignore[misc]  # mypy does not look into mcp
    """The tools of a seat."""

    def __init__(self, seat: AgentSeat, **how: Any) -> None:
        made_by = version("referee")
        super().__init__("referee-seat", instructions=_INSTRUCTIONS, version=made_by, log_level="CRITICAL", **how)
        for tool in (seat.rules, seat.view, seat.wait, seat.choose):
            self.add_tool(tool, structured_output=False)


class _Bridge(_Tools):
    """The same tools, which are those of another process."""

    def __init__(self, port: int, token: str) -> None:
        super().__init__(AgentSeat())
        self._port, self._headers = port, {"Authorization": f"Bearer {token}"}

    async def call_tool(self, name: str, arguments: dict[str, Any], _context: Any = None) -> Any:
        """Call the tool there. Each call connects anew: the seat may have been served again meanwhile."""
        address = f"http://{HOST}:{self._port}{PATH}"
        try:
            async with (
                httpx2.AsyncClient(headers=self._headers, timeout=_PATIENCE_S, trust_env=False) as http,  # by no proxy
                Client(streamable_http_client(address, http_client=http)) as client,
            ):
                return await client.call_tool(name, arguments)
        except Exception as error:  # whatever it is, the agent must hear of it
            what = f"No seat is served at port {self._port}. Ask your user to begin with: referee seat NAME --mcp"
            raise ToolError(what) from error


class _Verifier:
    """A `TokenVerifier` that knows one token."""

    def __init__(self, token: str) -> None:
        self._token = token

    async def verify_token(self, token: str) -> AccessToken | None:
        is_right = hmac.compare_digest(token.encode(), self._token.encode())
        return AccessToken(token=token, client_id="agent", scopes=[]) if is_right else None
