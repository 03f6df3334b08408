"""Measures the overhead of the server, compared with a bare pass-through by httpx, in alternating rounds.

    python tools/serve_overhead.py [--rounds N]

A client sends requests to a provider that responds immediately, in three ways: only through httpx, through the server
with the same dialect on both sides, and through the server from Chat Completions to Claude. The ways alternate in
random order, so that other load on the machine affects all of them. The results are for people, and never asserted: see
docs/serve.md.
"""

from __future__ import annotations

import argparse
import json
import random
import socket
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import httpx
from starlette.applications import Starlette
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route as Path

from interlingua.serve import Route, bound, create_app, run

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp

ROUNDS: Final = 500
_WARM: Final = 30
_SAID: Final[dict[str, Any]] = {
    "/v1/chat/completions": {
        "id": "c1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Well. " * 80}}],
        "usage": {"prompt_tokens": 1800, "completion_tokens": 160, "total_tokens": 1960},
    },
    "/v1/messages": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
        "stop_sequence": None, "content": [{"type": "text", "text": "Well. " * 80}],
        "usage": {"input_tokens": 1800, "output_tokens": 160},
    },
}  # fmt: skip


def provider(_url: str) -> ASGIApp:
    """Return a provider that responds immediately."""
    said = {path: json.dumps(body).encode() for path, body in _SAID.items()}

    async def answer(request: Request) -> Response:
        await request.body()
        return Response(said[request.url.path], media_type="application/json")

    return Starlette(routes=[Path(path, answer, methods=["POST"]) for path in said])


def bare(url: str) -> ASGIApp:
    """Return a pass-through of the same bytes with httpx and nothing else."""
    client = httpx.AsyncClient()

    async def forward(request: Request) -> Response:
        asked = client.build_request("POST", url + request.url.path, content=await request.body())
        reply = await client.send(asked, stream=True)
        return StreamingResponse(reply.aiter_raw(), reply.status_code, media_type="application/json")

    return Starlette(routes=[Path(path, forward, methods=["POST"]) for path in _SAID])


def home(url: str) -> ASGIApp:
    """Return the server with the same dialect on both sides."""
    return create_app([Route(speak="openai_chat", backend="openai_chat", url=url)])


def abroad(url: str) -> ASGIApp:
    """Return the server from Chat Completions to Claude."""
    return create_app([Route(speak="openai_chat", backend="claude", url=url)])


APPS: Final = {one.__name__: one for one in (provider, bare, home, abroad)}


def request() -> bytes:
    """Return an agent's request of about 7 KB: a system message, tools, and ten turns with results."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "You read files. " * 20}]
    for turn in range(10):
        call = {"id": f"call_{turn}", "type": "function"}
        function = {"name": "read_file", "arguments": json.dumps({"path": f"a{turn}.txt"})}
        messages.append({"role": "user", "content": f"Read file {turn}, please. " * 4})
        messages.append({"role": "assistant", "content": None, "tool_calls": [{**call, "function": function}]})
        messages.append({"role": "tool", "tool_call_id": f"call_{turn}", "content": "a line of the file\n" * 12})
    parameters = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    tools = [{"type": "function", "function": {"name": "read_file", "parameters": parameters}}]
    return json.dumps({"model": "m", "max_tokens": 999, "messages": messages, "tools": tools}).encode()


def main() -> None:
    """Measure, and print a line for each way."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each way is taken")
    parser.add_argument("--serve", nargs=2, metavar=("APP", "URL"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        name, url = options.serve
        here = bound("127.0.0.1", 0)
        sys.stdout.write(f"{here.getsockname()[1]}\n")
        sys.stdout.flush()
        run(APPS[name](url), here)
        return
    with ExitStack() as stack:
        there = _started(stack, "provider", "")
        ways = {name: f"{_started(stack, name, there)}/v1/chat/completions" for name in ("bare", "home", "abroad")}
        _print(_times(ways, options.rounds))


def _started(stack: ExitStack, name: str, url: str) -> str:
    """Start an application in a separate process, and return its URL."""
    command = [sys.executable, __file__, "--serve", name, url]
    process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    stack.callback(process.kill)
    if process.stdout is None:
        raise RuntimeError("the process has no output")
    port = int(process.stdout.readline())
    with socket.create_connection(("127.0.0.1", port), timeout=60):
        return f"http://127.0.0.1:{port}"


def _times(ways: dict[str, str], rounds: int) -> dict[str, list[float]]:
    """Return the milliseconds of each way, round by round."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    body = request()
    order = [*ways]
    with httpx.Client(timeout=60) as client:
        for number in range(rounds + _WARM):
            random.shuffle(order)
            for name in order:
                began = time.perf_counter()
                client.post(ways[name], content=body).raise_for_status()
                if number >= _WARM:
                    times[name].append((time.perf_counter() - began) * 1000)
    return times


def _print(times: dict[str, list[float]]) -> None:
    print(f"a request of {len(request())} bytes, {len(times['bare'])} rounds, milliseconds")
    print(f"{'way':8}{'median':>9}{'p99':>9}{'over bare: median':>20}{'p99':>9}")
    for name, found in times.items():
        median, last = statistics.median(found), _p99(found)
        over = f"{median - statistics.median(times['bare']):+.2f}", f"{last - _p99(times['bare']):+.2f}"
        print(f"{name:8}{median:9.2f}{last:9.2f}{over[0]:>20}{over[1]:>9}")


def _p99(found: list[float]) -> float:
    return statistics.quantiles(found, n=100)[-1]


if __name__ == "__main__":
    main()
