"""A client of the Unity Explorer interface as its document has it: plain HTTP, the private names.

Usage: explorer_http.py URL EXPECTED
URL is the server's, without a path; EXPECTED is JSON. Needs nothing but Python itself.
Prints one JSON object a line: {"name": ..., "error": null or text}.
"""

import http.client
import json
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlsplit

JSON = dict[str, Any]
LIMIT_SECONDS = 20


def same(found: Any, wanted: Any) -> None:
    assert found == wanted, f"found {found}, wanted {wanted}"


class Explorer:
    """A keep-alive connection to the server."""

    def __init__(self, url: str) -> None:
        self.connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=LIMIT_SECONDS)
        self.last_id = 0

    def send(self, method: str, params: JSON | None = None) -> http.client.HTTPResponse:
        self.last_id += 1
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params or {}}
        headers = {"Content-Type": "application/json"}
        self.connection.request("POST", "/message", json.dumps(message), headers)
        return self.connection.getresponse()

    def ask(self, method: str, params: JSON | None = None) -> tuple[int, JSON]:
        answer = self.send(method, params)
        body = json.loads(answer.read())
        same((body["jsonrpc"], body["id"]), ("2.0", self.last_id))
        return answer.status, body

    def result(self, method: str, params: JSON | None = None) -> JSON:
        status, body = self.ask(method, params)
        same((status, "error" in body), (200, False))
        return body["result"]

    def call(self, tool: str, **arguments: Any) -> JSON:
        (content,) = self.result("call_tool", {"name": tool, "arguments": arguments})["content"]
        same((content["type"], content["mimeType"]), ("text", "application/json"))
        same(json.loads(content["text"]), content["json"])
        return content["json"]

    def read(self, uri: str) -> JSON:
        (content,) = self.result("read_resource", {"uri": uri})["contents"]
        same((content["uri"], content["mimeType"]), (uri, "application/json"))
        return json.loads(content["text"])


def initializes(url: str, expected: JSON) -> None:
    said = Explorer(url).result("initialize")
    same(said["protocolVersion"], "2024-11-05")
    same(said["serverInfo"]["name"], "UnityExplorer.Mcp")
    listing = {"listChanged": True}
    streams = {"streamEvents": {}}
    same(said["capabilities"], {"tools": listing, "resources": listing, "experimental": streams})


def lists(url: str, expected: JSON) -> None:
    explorer = Explorer(url)
    tools = {tool["name"]: tool for tool in explorer.result("list_tools")["tools"]}
    same(sorted(set(expected["privateTools"]) - set(tools)), [])
    same(tools["MousePick"]["inputSchema"]["properties"]["mode"]["enum"], ["world", "ui"])
    resources = explorer.result("list_resources")["resources"]
    # The document lists families of resources as if each were one.
    # Searches are listed without their query, as the first implementation does.
    plain = [uri.removesuffix("?query={query}") for uri in expected["templates"]]
    same([each["uri"] for each in resources], expected["resources"] + plain)


def tells_the_status(url: str, expected: JSON) -> None:
    explorer = Explorer(url)
    same(explorer.call("GetStatus"), expected["status"])
    same(explorer.read("unity://status"), expected["status"])
    same(explorer.read("unity://scenes"), expected["scenes"])
    (player,) = explorer.call("SearchObjects", path="/Player", limit=1)["Items"]
    same(explorer.read(f"unity://object/{player['Id']}"), player)
    del player["Id"]
    same(player, expected["player"])


def reads_without_json_rpc(url: str, expected: JSON) -> None:
    connection = Explorer(url).connection
    for uri, wanted in (("unity://scenes", expected["scenes"]), ("unity://nothing", None)):
        connection.request("GET", f"/read?uri={quote(uri, safe='')}")
        answer = connection.getresponse()
        body = json.loads(answer.read())
        if wanted:
            same((answer.status, body), (200, wanted))
        else:
            same((answer.status, body["error"]["data"]["kind"]), (404, "NotFound"))


def fails(url: str, expected: JSON) -> None:
    explorer = Explorer(url)
    status, body = explorer.ask("call_tool", {"name": "GetObject", "arguments": {"id": "obj:1"}})
    error = {"code": -32004, "message": "Not found", "data": {"kind": "NotFound", "hint": None}}
    same((status, body["error"]), (404, error))
    # A write that may not be made is told in the result.
    refused = explorer.call("SetActive", objectId="obj:1", active=True)
    same(refused["ok"], False)
    same(refused["error"]["kind"], "PermissionDenied")
    same(refused["error"]["message"], "Writes disabled")


def streams(url: str, expected: JSON) -> None:
    stream = Explorer(url).send("stream_events")
    same((stream.status, stream.getheader("Transfer-Encoding")), (200, "chunked"))

    def next_event() -> JSON:
        message = json.loads(stream.readline())
        same(message.get("method"), "notification")
        return message["params"]

    same(next_event(), {"event": "scenes", "payload": expected["scenes"]})
    same(next_event()["event"], "selection")
    Explorer(url).call("GetStatus")
    mirrored = json.loads(stream.readline())
    same(mirrored["result"]["content"][0]["json"], expected["status"])
    payload = {"name": "GetStatus", "ok": True, "result": expected["status"]}
    same(next_event(), {"event": "tool_result", "payload": payload})


CHECKS = (initializes, lists, tells_the_status, reads_without_json_rpc, fails, streams)


def check(action: Callable[[str, JSON], None], url: str, expected: JSON) -> None:
    """Do one thing and print how it went; the next ones run either way."""
    error = None
    try:
        action(url, expected)
    except Exception as problem:  # Whatever goes wrong is the finding.
        error = f"{type(problem).__name__}: {problem}"
    print(json.dumps({"name": action.__name__, "error": error}), flush=True)


if __name__ == "__main__":
    for each in CHECKS:
        check(each, sys.argv[1], json.loads(sys.argv[2]))
