"""The official Python client against the world of `scenewright serve`.

Usage: explorer_client.py URL EXPECTED
EXPECTED is JSON. Prints one JSON object a line: {"name": ..., "error": null or text}.
"""

import asyncio
import json
import sys
from typing import Any

from client_checks import MODES, check
from mcp import Client

JSON = dict[str, Any]


def same(found: Any, wanted: Any) -> None:
    assert found == wanted, f"found {found}, wanted {wanted}"


async def call(client: Client, tool: str, arguments: JSON) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, f"isError: {result.content}"
    assert result.content[0].text, "no text beside the data"
    return result.structured_content


async def read(client: Client, uri: str) -> Any:
    (content,) = (await client.read_resource(uri)).contents
    same((str(content.uri), content.mime_type), (uri, "application/json"))
    return json.loads(content.text)


async def lists_tools(client: Client, expected: JSON) -> None:
    names = {tool.name for tool in (await client.list_tools()).tools}
    same(sorted(set(expected["tools"]) - names), [])


async def lists_resources(client: Client, expected: JSON) -> None:
    uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
    same([uri for uri in uris if uri.startswith("unity://")], expected["resources"])
    templates = (await client.list_resource_templates()).resource_templates
    uris = [template.uri_template for template in templates]
    same([uri for uri in uris if uri.startswith("unity://")], expected["templates"])


async def tells_the_status(client: Client, expected: JSON) -> None:
    same(await call(client, "explorer_getStatus", {}), expected["status"])
    same(await read(client, "unity://status"), expected["status"])
    same(await read(client, "unity://scenes"), expected["scenes"])


async def finds_the_player(client: Client, expected: JSON) -> None:
    found = await call(client, "explorer_searchObjects", {"path": "/Player", "limit": 1})
    (player,) = found["Items"]
    same(await call(client, "explorer_getObject", {"id": player["Id"]}), player)
    same(await read(client, f"unity://object/{player['Id']}"), player)
    del player["Id"]
    same(player, expected["player"])


async def fails_as_a_result(client: Client) -> None:
    result = await client.call_tool("explorer_getObject", {"id": "obj:1"})
    same((result.is_error, result.content[0].text.splitlines()[0]), (True, "Not found"))
    assert "obj:1" in result.content[0].text, "what was asked for is not named"


async def converse(mode: str, url: str, expected: JSON) -> None:
    async with Client(url, mode=mode, read_timeout_seconds=10) as client:
        await check(f"{mode} tools", lists_tools(client, expected))
        await check(f"{mode} resources and templates", lists_resources(client, expected))
        await check(f"{mode} status and scenes", tells_the_status(client, expected))
        await check(f"{mode} search, object, its resource", finds_the_player(client, expected))
        await check(f"{mode} a call that fails", fails_as_a_result(client))


async def main(url: str, expected: str) -> None:
    for mode in MODES:
        await check(f"{mode} connect and close", converse(mode, url, json.loads(expected)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
