"""The peer of `cargo xtask bench protocol`: the official Python SDK with one trivial tool.

Usage: peer_server.py stdio | peer_server.py http
With http it takes an ephemeral loopback port and prints its URL on stderr, as scenewright does.
"""

import socket
import sys

from mcp.server.mcpserver import MCPServer

server = MCPServer("peer", log_level="ERROR")


@server.tool()
def peer_info() -> dict[str, str | int]:
    """Answer a small constant object."""
    return {"name": "peer", "version": "1.0", "tools": 1}


def serve_http() -> None:
    import uvicorn

    listener = socket.socket()
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.bind(("127.0.0.1", 0))
    listener.listen()  # Before the URL is printed: a client may come at once.
    # Plain JSON answers without an access log: the fastest configuration this SDK offers.
    app = server.streamable_http_app(json_response=True, stateless_http=True)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", file=sys.stderr, flush=True)
    config = uvicorn.Config(app, log_level="error", access_log=False)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    if sys.argv[1:] == ["stdio"]:
        server.run("stdio")
    elif sys.argv[1:] == ["http"]:
        serve_http()
    else:
        sys.exit("usage: peer_server.py stdio|http")
