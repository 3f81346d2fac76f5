"""The tools of a seat over MCP (Model Context Protocol), served by HTTP on this machine."""

import hmac
import logging
import socket

import uvicorn
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl

from referee.agents.agent_seat import AgentSeat

HOST, PATH = "127.0.0.1", "/mcp"
INSTRUCTIONS = (
    "You have a seat in matches of a board game with hidden information. Call wait until you must choose, then choose,"
    " then wait again, match after match. The tool rules tells how the game is played."
)


def tool_server(seat: AgentSeat, token: str) -> MCPServer:
    """The tools of `seat`, and nothing else, for agents that show `token`."""
    auth = AuthSettings(issuer_url=AnyHttpUrl(f"http://{HOST}"), resource_server_url=None)
    server: MCPServer = MCPServer(
        "referee-seat", instructions=INSTRUCTIONS, log_level="CRITICAL", auth=auth, token_verifier=_Verifier(token)
    )
    for tool in (seat.rules, seat.view, seat.wait, seat.choose):
        server.add_tool(tool, structured_output=False)
    return server


async def serve_tools(server: MCPServer, listening: socket.socket) -> None:
    """Serve agents until a signal comes.

    A request must name this machine as its host, and come from no page of a browser: a page could otherwise reach this
    port by a name of its own (DNS rebinding). It belongs to no session, so an agent may lose its connection.
    """
    port = listening.getsockname()[1]
    security = TransportSecuritySettings(allowed_hosts=[f"{HOST}:{port}", f"localhost:{port}"], allowed_origins=[])
    app = server.streamable_http_app(streamable_http_path=PATH, stateless_http=True, transport_security=security)
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # errors of clients are theirs
    config = uvicorn.Config(app, log_config=None, access_log=False, ws="none", timeout_graceful_shutdown=1)
    await uvicorn.Server(config).serve([listening])


class _Verifier:
    """A `TokenVerifier` that knows one token."""

    def __init__(self, token: str) -> None:
        self._token = token

    async def verify_token(self, token: str) -> AccessToken | None:
        is_right = hmac.compare_digest(token.encode(), self._token.encode())
        return AccessToken(token=token, client_id="agent", scopes=[]) if is_right else None
