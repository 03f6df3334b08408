"""The server as a process of its own, under load: many at once, a slow reader, and the signal to stop."""

from __future__ import annotations

import json
import re
import select
import signal
import socket
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import httpx
import pytest

from interlingua.frames import FrameEncoder
from interlingua.serve import Route, bound, create_app, server
from support.program import COMMAND, environment, run
from support.scripted import frames_of, scripted, text
from support.serving import serving
from support.web import answer, answering, web
from support.wire import ask, asked_of, piece, stream_head

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.server import BaseHTTPRequestHandler

CROWD: Final = 200
LOAD: Final = 20
MEGABYTE: Final = 1024 * 1024


@contextmanager
def program(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `interlingua serve` on a free port, and give its process and its address."""
    command = [*COMMAND, "serve", "--port", "0", *arguments]
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            said = process.stderr.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+", said)
            assert found, said
            yield process, found[0]
        finally:
            process.kill()


def between(client: str, provider: str, url: str) -> list[str]:
    """Return the arguments of a route."""
    return ["--speak", client, "--backend", provider, "--url", url]


def heard(data: bytes) -> str:
    """Return what the frames of a stream to Claude say, of one that is whole."""
    frames = [json.loads(line[6:]) for line in data.splitlines() if line.startswith(b"data: ")]
    assert frames[-1]["type"] == "message_stop"
    return "".join(frame["delta"].get("text", "") for frame in frames if frame["type"] == "content_block_delta")


def streamed(handler: BaseHTTPRequestHandler, said: str) -> None:
    """Answer as a chat server streams."""
    encoder = FrameEncoder("openai_chat")
    frames = map(encoder.feed, frames_of(text(said), "openai_chat"))
    handler.wfile.write(stream_head("openai_chat") + b"".join(map(piece, frames)) + b"0\r\n\r\n")
    handler.close_connection = True


def test_many_concurrent_streams_are_served() -> None:
    together = threading.Barrier(CROWD)

    def respond(handler: BaseHTTPRequestHandler, asked: bytes) -> None:
        together.wait(60)  # nobody is answered before all have come
        streamed(handler, json.loads(asked)["messages"][0]["content"])

    def client(number: int) -> bool:
        question = f"question {number} of many"
        body = {**asked_of("claude", stream=True)[1], "messages": [{"role": "user", "content": question}]}
        with socket.create_connection(("127.0.0.1", urlsplit(url).port or 0)) as connection:
            data = json.dumps(body).encode()
            head = f"POST /v1/messages HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(data)}\r\n\r\n"
            connection.sendall(head.encode() + data)
            return heard(b"".join(iter(lambda: connection.recv(65536), b""))) == question

    with (
        web(respond) as there,
        serving("claude", "openai_chat", there.url) as url,
        ThreadPoolExecutor(CROWD) as pool,
    ):
        assert all(pool.map(client, range(CROWD)))


@pytest.mark.parametrize("client", ["openai_chat", "ollama"])
def test_a_slow_reader_causes_backpressure_and_constant_memory(client: str) -> None:
    frames = frames_of(text("one piece, two"), "openai_chat")
    piece_of_text = {"choices": [{"index": 0, "delta": {"content": "x" * 50_000}, "finish_reason": None}]}
    frame = piece(FrameEncoder("openai_chat").feed({**frames[1], **piece_of_text}))
    count = 50 * MEGABYTE // len(frame)
    is_blocked = threading.Event()
    sent: list[int] = []

    def respond(handler: BaseHTTPRequestHandler, _asked: bytes) -> None:
        handler.wfile.write(stream_head("openai_chat"))
        for number in range(count):
            if not is_blocked.is_set() and not select.select([], [handler.connection], [], 1)[1]:
                sent.append(number * len(frame))
                is_blocked.set()
            handler.wfile.write(frame)
        handler.wfile.write(piece(b"data: [DONE]\n\n") + b"0\r\n\r\n")
        handler.close_connection = True

    with (
        web(respond) as there,
        program(*between(client, "openai_chat", there.url)) as (process, url),
        ask(url, client, stream=True) as reply,
    ):
        assert is_blocked.wait(60)
        before = _peak(process)
        size = sum(len(chunk) for chunk in iter(lambda: reply.read1(65536), b""))
        after = _peak(process)
    assert sent[0] < 20 * MEGABYTE
    assert size > count * 50_000
    assert after - before < 20 * MEGABYTE


def _peak(process: subprocess.Popen[str]) -> int:
    """Return the most memory that a process has had so far."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def test_a_shutdown_signal_loses_no_answer() -> None:
    all_are_in, go_on = threading.Semaphore(0), threading.Event()

    def respond(handler: BaseHTTPRequestHandler, asked: bytes) -> None:
        body = json.loads(asked)
        all_are_in.release()
        go_on.wait(60)
        if body["stream"]:
            streamed(handler, "Seven degrees.")
            return
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Seven degrees."}}
        whole: Any = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        answer(handler, json.dumps(whole).encode())

    def client(number: int) -> str:
        with ask(url, "claude", stream=number % 2 == 0) as reply:
            data = reply.read()
        return heard(data) if number % 2 == 0 else json.loads(data)["content"][0]["text"]

    with web(respond) as there, program(*between("claude", "openai_chat", there.url)) as (process, url):
        with ThreadPoolExecutor(LOAD) as pool:
            answers = [pool.submit(client, number) for number in range(LOAD)]
            for _ in range(LOAD):
                assert all_are_in.acquire(timeout=60)
            process.send_signal(signal.SIGTERM)
            _until_refused(urlsplit(url).port or 0)
            go_on.set()
            assert [one.result(60) for one in answers] == ["Seven degrees."] * LOAD
        assert process.wait(60) in {0, -signal.SIGTERM}


def _until_refused(port: int) -> None:
    """Return as soon as nobody takes connections any more."""
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=60).close()
        except ConnectionResetError:
            continue  # it came in the moment in which the door was shut
        except ConnectionRefusedError:
            return


def test_the_command_prints_its_address_and_logs_no_content() -> None:
    error = json.dumps({"error": {"message": "secret words", "type": "server_error"}}).encode()
    with web(answering(error, 500)) as there, program(*between("claude", "openai_chat", there.url)) as (process, url):
        with ask(url, "claude", stream=False, headers={"x-api-key": "sk-secret"}) as reply:
            assert reply.status == 500
            reply.read()
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None
        logged = process.stderr.read()
    assert "claude -> openai_chat: 500 in " in logged
    assert "secret" not in logged
    assert "Traceback" not in logged


def test_the_command_serves_clients_of_several_dialects() -> None:
    """Clients of Ollama that list its models by its own paths chat over its OpenAI endpoints."""
    with (
        scripted("claude", lambda _: text("Hi")) as there,
        program("--speak", "ollama", *between("openai_chat", "claude", there.url)) as (_, url),
    ):
        assert httpx.get(url).json()["speaks"] == "ollama, openai_chat"
        assert httpx.get(f"{url}/api/version").status_code == 200
        for name, said in (("ollama", "message"), ("openai_chat", "choices")):
            path, body = asked_of(name, stream=False)
            assert said in httpx.post(url + path, json=body).json()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--speak", "vllm", *between("openai_chat", "claude", "http://x")], "two routes serve /v1/chat/completions"),
        (between("claude", "bedrock_converse", "http://x"), "bedrock_converse"),
        ([*between("claude", "openai_chat", "http://x"), "--record", "/no/such/folder/file"], "/no/such/folder/file"),
        ([*between("claude", "openai_chat", "http://x"), "--default", "max_tokens=many"], "max_tokens"),
    ],
)
def test_the_command_refuses_an_invalid_configuration(arguments: list[str], reason: str) -> None:
    done = run("serve", *arguments)
    assert (done.code, "Traceback" in done.err) == (2, False)
    assert reason in done.err


def test_the_log_is_json_lines_if_configured() -> None:
    arguments = ("--json", *between("claude", "openai_chat", "http://127.0.0.1:9"))
    with program(*arguments) as (process, url), ask(url, "claude", stream=False) as answered:
        answered.read()
        assert process.stderr is not None
        failure, entry = json.loads(process.stderr.readline()), json.loads(process.stderr.readline())
    assert (failure["level"], entry["level"]) == ("warning", "info")
    assert "ConnectError" in failure["message"]
    assert "claude" in entry["message"]


def test_a_small_frame_is_sent_immediately() -> None:
    here = bound("127.0.0.1", 0)
    running = server(create_app([Route(speak="openai_chat", backend="claude", url="http://127.0.0.1:9")]), grace=5)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [here]}, daemon=True)
    thread.start()
    try:
        with httpx.Client() as client:  # whose connection stays open
            client.get(f"http://127.0.0.1:{here.getsockname()[1]}/")
            (connection,) = running.server_state.connections
            sent_by: socket.socket = connection.transport.get_extra_info("socket")
            assert sent_by.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    finally:
        running.should_exit = True
        thread.join()
        here.close()
