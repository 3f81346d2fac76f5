"""The tools of a seat over stdin and stdout. The calls go to the server of the seat, which outlives the agent."""

from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent

from referee.agents.agent_seat import WAIT_S, AgentSeat
from referee.agents.tool_server import HOST, INSTRUCTIONS, PATH, tool_server


async def pass_on(port: int, token: str) -> None:
    """Offer the tools of the seat at this port of this machine until stdin ends."""
    tools = await tool_server(AgentSeat(), token).list_tools()  # every seat has the same
    shown = {"Authorization": f"Bearer {token}"}

    async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
        return ListToolsResult(tools=tools)

    async def call_tool(_context: Any, params: CallToolRequestParams) -> CallToolResult:
        try:  # each call connects anew: the seat may have been served again meanwhile
            async with (
                httpx2.AsyncClient(headers=shown, timeout=2 * WAIT_S, trust_env=False) as http,  # through no proxy
                Client(streamable_http_client(f"http://{HOST}:{port}{PATH}", http_client=http)) as client,
            ):
                return await client.call_tool(params.name, params.arguments)
        except Exception:  # whatever it is, the agent must hear of it
            text = f"No seat is served at port {port}. Ask your user to begin with: referee seat NAME --mcp"
            return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)

    server = Server("referee-seat", instructions=INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
