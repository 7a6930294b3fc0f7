"""The official Python client against scenewright, in every protocol mode over stdio and HTTP.

Usage: client_checks.py URL COMMAND ARG...
Prints one JSON object a line: {"name": ..., "error": null or text}.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable
from typing import Any

from mcp import Client, StdioServerParameters

MODES = ("auto", "legacy", "2026-07-28")
# What each mode must agree on: `auto` picks the newest version both sides know.
VERSIONS = {"auto": "2026-07-28", "legacy": "2025-11-25", "2026-07-28": "2026-07-28"}
LIMIT_SECONDS = 30


async def check(name: str, action: Awaitable[Any]) -> None:
    """Await one action and print how it went; the next ones run either way."""
    error = None
    try:
        await asyncio.wait_for(action, LIMIT_SECONDS)
    except Exception as problem:  # Whatever the client raises is the finding.
        error = f"{type(problem).__name__}: {explain(problem)}"
    print(json.dumps({"name": name, "error": error}), flush=True)


def explain(problem: BaseException) -> str:
    if isinstance(problem, BaseExceptionGroup):
        return "; ".join(explain(part) for part in problem.exceptions)
    return str(problem)


async def lists_tools(client: Client) -> None:
    names = {tool.name for tool in (await client.list_tools()).tools}
    missing = {"project_info", "tools_search"} - names
    assert not missing, f"tools/list lacks {sorted(missing)}; it has {sorted(names)}"


async def calls(client: Client, tool: str, arguments: dict[str, Any]) -> None:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, f"isError: {result.content}"
    assert result.structured_content is not None, "no structuredContent"
    texts = [block.text for block in result.content if block.type == "text"]
    assert texts, "no text block"
    data = json.dumps(result.structured_content)
    assert len(texts[0]) <= max(len(data), 300), f"text {texts[0][:300]!r} is longer than the data"


async def reads_first_resource(client: Client) -> None:
    resources = (await client.list_resources()).resources
    assert resources, "resources/list is empty"
    contents = (await client.read_resource(resources[0].uri)).contents
    assert contents, f"{resources[0].uri} has no contents"


async def lists_prompts(client: Client) -> None:
    await client.list_prompts()


async def agrees_on_version(client: Client, mode: str) -> None:
    version = client.session.protocol_version
    assert version == VERSIONS[mode], f"agreed on {version}, expected {VERSIONS[mode]}"


async def converse(label: str, mode: str, server: Any) -> None:
    async with Client(server, mode=mode, read_timeout_seconds=10) as client:
        await check(f"{label} version", agrees_on_version(client, mode))
        await check(f"{label} tools/list", lists_tools(client))
        await check(f"{label} project_info", calls(client, "project_info", {}))
        await check(f"{label} tools_search", calls(client, "tools_search", {"query": "project"}))
        await check(f"{label} resources/read", reads_first_resource(client))
        await check(f"{label} prompts/list", lists_prompts(client))


async def main(url: str, command: str, *args: str) -> None:
    for mode in MODES:
        stdio = StdioServerParameters(command=command, args=list(args))
        for transport, server in (("stdio", stdio), ("http", url)):
            label = f"{mode}/{transport}"
            await check(f"{label} connect and close", converse(label, mode, server))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
