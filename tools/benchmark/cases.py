"""The cases of the benchmark: each function yields the rows of one group, with the limits of the design."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

import orjson

import interlingua as il
from benchmark import bodies, right
from benchmark.peers import Peer, converting
from benchmark.table import Row
from benchmark.timing import Runner, Times, here, measure

Kind = Literal["request", "response"]

# The maximum cost of a case as a multiple of the limit: compiled, and in plain Python.
Must: TypeAlias = tuple[float, float]
ACROSS: Final[Mapping[str, Must]] = MappingProxyType(
    dict.fromkeys(("claude", "gemini", "openai_responses"), (4.2, 6.5))
)
OWN: Final[Must] = (3.5, 5.0)
RECORDED: Final[Mapping[tuple[str, str, str], Must]] = MappingProxyType({
    ("openai_chat", "claude", "request"): (4.5, 7.5),
    ("claude", "openai_chat", "response"): (5.0, 9.0),
    ("gemini", "openai_chat", "response"): (5.0, 9.0),
})  # fmt: skip
SMALL_ANSWER: Final[Must] = (5.0, 8.0)
SHORT: Final[Mapping[tuple[str, str], Must]] = MappingProxyType({
    ("claude", "openai_chat"): (9.0, 15.0),
    ("openai_chat", "claude"): (7.5, 11.0),
    ("gemini", "openai_chat"): (14.0, 20.0),
})  # fmt: skip
STREAM: Final[Must] = (5.5, 7.0)
LARGE: Final[Must] = (1.8, 2.1)
MODELS: Final[Must] = (9.0, 10.5)
LOADED, DUMPED, RAISED, IMPORT_MS, FIRST_MS = 6.0, 8.0, 5.0, 30.0, 15.0
# How much more a message of a long conversation may cost than one of a short one: the noise of a machine.
SAME_COST: Final = 1.2
ONE_CALL_US: Final = 1000.0

# The operations of the peers' adapters.
REQUEST_OPERATIONS: Final[Mapping[str, str]] = MappingProxyType({
    "claude": "convert_openai_to_anthropic",
    "gemini": "convert_openai_to_gemini",
    "openai_responses": "convert_openai_to_responses",
    "ollama": "convert_openai_to_ollama",
})  # fmt: skip
RESPONSE_OPERATION: Final = "convert_anthropic_response_to_openai"
STREAM_OPERATION: Final = "stream_anthropic_to_openai"


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured: rounds, and sizes of long inputs; and whether the library is `compiled`."""

    rounds: int
    messages: tuple[int, int] = (2_000, 20_000)
    events: tuple[int, int] = (1_000, 10_000)
    stored: int = 1_000
    large: int = 400_000
    compiled: bool = False

    def must(self, pair: Must | None) -> float | None:
        """Return the maximum cost of a case for the measured form of the library."""
        return None if pair is None else pair[not self.compiled]


def limit(body: bytes) -> Callable[[], object]:
    """Return the limit: parsing and serialising the same bytes."""
    return lambda: orjson.dumps(orjson.loads(body))


def translation(body: bytes, kind: Kind, source: str, target: str) -> Callable[[], object]:
    """Return the translation of a body, from bytes to bytes."""
    translate = il.translate_request if kind == "request" else il.translate_response
    spoken, wanted = il.dialect(source), il.dialect(target)
    return lambda: orjson.dumps(translate(orjson.loads(body), spoken, wanted).body)


def each(case: Callable[[bytes], Callable[[], object]], several: list[bytes]) -> Callable[[], object]:
    """Return a case that runs for several bodies, one after the other."""
    return _all([case(body) for body in several])


def requests(effort: Effort, peers: list[Peer]) -> Iterator[Row]:
    """Yield the agent's request between dialects, with the peers, and within each dialect."""
    body = bodies.example("agent_request")
    for target in il.dialects():
        if target != "openai_chat":
            operation = REQUEST_OPERATIONS.get(target, "")
            yield _beside_peers(("requests", body, "request", "openai_chat", target), operation, peers, effort)
    for dialect in il.dialects():
        own = translation(body, "request", "openai_chat", dialect)()
        if isinstance(own, bytes):
            times = measure(
                {"limit": here(limit(own)), "ours": here(translation(own, "request", dialect, dialect))}, effort.rounds
            )
            value = times.ratio("ours", "limit")
            yield Row("requests", f"within {dialect}", f"{len(own)} bytes", value, must=effort.must(OWN))


def _beside_peers(what: tuple[str, bytes, Kind, str, str], operation: str, peers: list[Peer], effort: Effort) -> Row:
    group, body, kind, source, target = what
    ours = translation(body, kind, source, target)
    wire = orjson.loads(ours())  # type: ignore[arg-type]  # the bytes of a body
    same = right.says_the_same_request if kind == "request" else right.says_the_same_response
    ready, note = converting(peers if operation else [], operation, body, lambda output: same(output, wire, target))
    cases: dict[str, Runner] = {"limit": here(limit(body)), "ours": here(ours)}
    times = measure(cases | {peer.name: peer.run for peer in ready}, effort.rounds)
    value = times.ratio("ours", "limit")
    must = ACROSS.get(target) if kind == "request" else None
    row = Row(group, f"{source} -> {target}", f"{len(body)} bytes", value, must=effort.must(must), note=note)
    return _with_peer(row, times, ready)


def _with_peer(row: Row, times: Times, ready: list[Peer]) -> Row:
    if not ready:
        return row
    fastest = min((peer.name for peer in ready), key=times.seconds)
    beside = times.ratio(fastest, "ours")
    return Row(row.group, row.case, row.size, row.value, row.unit, row.must, fastest, beside, row.note)


def responses(effort: Effort, peers: list[Peer]) -> Iterator[Row]:
    """Yield the answers of the examples, between dialects and within each."""
    claude, chat = bodies.example("claude_weather_response"), bodies.example("weather_response")
    yield _beside_peers(("responses", claude, "response", "claude", "openai_chat"), RESPONSE_OPERATION, peers, effort)
    for body, source, target in (
        (claude, "claude", "claude"),
        (chat, "openai_chat", "claude"),
        (chat, "openai_chat", "openai_responses"),
        (chat, "openai_chat", "openai_chat"),
    ):
        yield _beside_peers(("responses", body, "response", source, target), "", peers, effort)


def calls(effort: Effort, _peers: list[Peer]) -> Iterator[Row]:
    """Yield single translations of small bodies, where fixed costs dominate, and of a large one."""
    small: tuple[tuple[bytes, Kind, str, str, Must | None], ...] = (
        (bodies.example("weather_request"), "request", "openai_chat", "claude", None),
        (bodies.example("claude_weather_request"), "request", "claude", "openai_chat", None),
        (bodies.small_answer(), "response", "claude", "openai_chat", SMALL_ANSWER),
        (bodies.large_conversation(effort.large), "request", "openai_chat", "claude", LARGE),
    )
    for body, kind, source, target, must in small:
        times = measure(
            {"limit": here(limit(body)), "ours": here(translation(body, kind, source, target))}, effort.rounds
        )
        value = times.ratio("ours", "limit")
        yield Row("calls", f"{source} -> {target}, {kind}", f"{len(body)} bytes", value, must=effort.must(must))


def recorded(effort: Effort, _peers: list[Peer]) -> Iterator[Row]:
    """Yield recorded bodies of the corpus, if it is available: many small and large ones."""
    kinds: tuple[Kind, ...] = ("request", "response")
    for folder, source, target in (
        ("openai_chat", "openai_chat", "claude"),
        ("anthropic", "claude", "openai_chat"),
        ("openai_responses", "openai_responses", "openai_chat"),
        ("gemini", "gemini", "openai_chat"),
    ):
        for kind in kinds:
            several = bodies.corpus(folder, kind)
            if several:
                ours = each(lambda body, kind=kind, pair=(source, target): translation(body, kind, *pair), several)  # type: ignore[misc]  # bound at once
                times = measure({"limit": here(each(limit, several)), "ours": here(ours)}, effort.rounds)
                size = f"{len(several)} bodies"
                must = effort.must(RECORDED.get((source, target, kind)))
                yield Row("recorded", f"{source} -> {target}, {kind}s", size, times.ratio("ours", "limit"), must=must)


def streams(effort: Effort, peers: list[Peer]) -> Iterator[Row]:
    """Yield streams, frame by frame from bytes to bytes: Claude to OpenAI with the peers, within Claude, recorded."""
    short, long = effort.events
    for target, count in (("openai_chat", short), ("openai_chat", long), ("claude", short)):
        frames = bodies.claude_stream(count)
        lines = [orjson.dumps(frame) for frame in frames]
        whole = orjson.dumps(frames)
        ours = list(il.translate_stream(frames, "claude", il.dialect(target)))
        operation = STREAM_OPERATION if target == "openai_chat" and count == short else ""
        ready, note = converting(
            peers if operation else [],
            operation,
            whole,
            lambda output, ours=ours, target=target: right.says_the_same_stream(output, ours, target),  # type: ignore[misc]  # bound at once
        )
        cases: dict[str, Runner] = {
            "limit": here(_each_line(lines)),
            "ours": here(_stream(lines, "claude", target)),
        }
        times = measure(cases | {peer.name: peer.run for peer in ready}, effort.rounds)
        value = times.ratio("ours", "limit")
        must = effort.must(STREAM)
        row = Row("streams", f"claude -> {target}", f"{len(lines)} frames", value, must=must, note=note)
        yield _with_peer(row, times, ready)
    yield from _short_streams(effort)


def _short_streams(effort: Effort) -> Iterator[Row]:
    """Yield the short streams of the corpus: most of their frames occur once per stream."""
    for folder, source, target in (
        ("openai_chat", "openai_chat", "openai_chat"),
        ("openai_chat", "openai_chat", "claude"),
        ("openai_chat", "openai_chat", "openai_responses"),
        ("anthropic", "claude", "claude"),
        ("anthropic", "claude", "openai_chat"),
        ("openai_responses", "openai_responses", "openai_responses"),
        ("gemini", "gemini", "gemini"),
        ("gemini", "gemini", "openai_chat"),
    ):
        several = bodies.short_streams(folder)
        if several:
            limits = [_each_line(lines) for lines in several]
            ours = [_stream(lines, source, target) for lines in several]
            cases = {"limit": here(_all(limits)), "ours": here(_all(ours))}
            value = measure(cases, effort.rounds).ratio("ours", "limit")
            size = f"{len(several)} short streams"
            must = effort.must(SHORT.get((source, target)))
            yield Row("streams", f"recorded, {source} -> {target}", size, value, must=must)


def _all(cases: list[Callable[[], object]]) -> Callable[[], object]:
    def run() -> None:
        for case in cases:
            case()

    return run


def _each_line(lines: list[bytes]) -> Callable[[], object]:
    def run() -> None:
        for line in lines:
            orjson.dumps(orjson.loads(line))

    return run


def _stream(lines: list[bytes], source: str, target: str) -> Callable[[], object]:
    spoken, wanted = il.dialect(source), il.dialect(target)

    def run() -> None:
        for frame in il.translate_stream((orjson.loads(line) for line in lines), spoken, wanted):
            orjson.dumps(frame)

    return run


def models(effort: Effort, _peers: list[Peer]) -> Iterator[Row]:
    """Yield decoding to models and encoding from models, and the cost of creating, writing and reading one value."""
    body = bodies.example("agent_request")

    def through() -> object:
        request: Any = il.decode_request(orjson.loads(body), "openai_chat")
        return orjson.dumps(il.encode_request(request, "openai_chat").body)

    call = il.ToolCall(id="call_1", name="read_file", arguments={"path": "src/invoice/tax.py"})
    written = call.model_dump_json()
    times = measure(
        {
            "limit": here(limit(body)),
            "through": here(through),
            "make": here(lambda: il.ToolCall(id="call_1", name="read_file", arguments="{}")),
            "write": here(call.model_dump_json),
            "read": here(lambda: il.ToolCall.model_validate_json(written)),
        },
        effort.rounds,
    )
    value = times.ratio("through", "limit")
    yield Row("models", "decode to models, encode from them", f"{len(body)} bytes", value, must=effort.must(MODELS))
    yield Row("models", "make a ToolCall", "1 call", times.seconds("make") * 1e6, "us")
    yield Row("models", "write a ToolCall", "1 call", times.seconds("write") * 1e6, "us", must=ONE_CALL_US)
    yield Row("models", "read a ToolCall", "1 call", times.seconds("read") * 1e6, "us", must=ONE_CALL_US)


def history(effort: Effort, _peers: list[Peer]) -> Iterator[Row]:
    """Yield the cases of 004 for messages and histories; adding to a long history costs the same as to a short one."""
    said = "This is a typical user message with some content."
    message = il.chat.create_user(said)
    written = message.model_dump_json()
    times = measure(
        {
            "make": here(lambda: il.chat.create_user("Hello, world!")),
            "write": here(message.model_dump_json),
            "read": here(lambda: il.UserChatMessage.model_validate_json(written)),
            "compare": here(lambda: message == il.chat.create_user(said)),
            "converse": here(_converse),
        },
        effort.rounds,
    )
    for case, must in (("make", None), ("write", ONE_CALL_US), ("read", ONE_CALL_US), ("compare", None)):
        yield Row("history", f"{case} a user message", "1 message", times.seconds(case) * 1e6, "us", must=must)
    yield Row("history", "a conversation of three messages", "3 messages", times.seconds("converse") * 1e6, "us")
    cost: float | None = None
    for count in effort.messages:
        value = measure({"add": here(_adding(count))}, effort.rounds).seconds("add") * 1e6
        yield Row("history", "add a question and its answer", f"{count} messages", value, "us", must=cost)
        cost = value * SAME_COST


def _converse() -> None:
    conversation = il.ConversationHistory()
    conversation.add(il.chat.create_system("System"))
    conversation.add(il.chat.create_user("User"))
    conversation.add(il.chat.create_assistant("Assistant"))


def _adding(count: int) -> Callable[[], object]:
    """Return a function that adds a question and its answer to a history with that many messages."""
    grown = il.ConversationHistory()
    grown.add(il.chat.create_system("System"))
    question, answer = il.chat.create_user("User"), il.chat.create_assistant("Assistant")
    for _ in range(count // 2):
        grown.add_turn([question, answer])

    def run() -> None:
        grown.add(question)
        grown.add(answer)

    return run


def sizes(effort: Effort, _peers: list[Peer]) -> Iterator[Row]:
    """Yield long conversations: the cost per message must be the same as in a short one."""
    for target in ("claude", "openai_chat"):
        must: float | None = None
        for count in effort.messages:
            body = bodies.conversation(count)
            ours = here(translation(body, "request", "openai_chat", target))
            times = measure({"limit": here(limit(body)), "ours": ours}, max(1, effort.rounds // 3))
            value = times.ratio("ours", "limit")
            yield Row("sizes", f"openai_chat -> {target}", f"{count} messages", value, must=must)
            must = value * SAME_COST


def stored(effort: Effort, _peers: list[Peer]) -> Iterator[Row]:
    """Yield stored transcripts: loading and dumping them, and upgrading the oldest version."""
    oldest = bodies.stored(effort.stored)
    current = list(il.upgrade(oldest, version=1).documents)
    lines = [orjson.dumps(document) for document in current]
    messages = il.load_messages(lines).messages
    times = measure(
        {
            "loads": here(lambda: [orjson.loads(line) for line in lines]),
            "dumps": here(lambda: [orjson.dumps(document) for document in current]),
            "load": here(lambda: il.load_messages(lines)),
            "dump": here(lambda: [il.dump_message_json(message) for message in messages]),
            "plain": here(lambda: il.load_messages(current)),
            "raise": here(lambda: il.load_messages(oldest, version=1)),
        },
        max(1, effort.rounds // 2),
    )
    size = f"{len(lines)} messages"
    yield Row("stored", "load, each message from bytes", size, times.ratio("load", "loads"), must=LOADED)
    yield Row("stored", "dump, each message to bytes", size, times.ratio("dump", "dumps"), must=DUMPED)
    yield Row("stored", "load version 1", size, times.ratio("raise", "plain"), "x loading", must=RAISED)


def importing(effort: Effort, _peers: list[Peer]) -> Iterator[Row]:
    """Yield the cost of `import interlingua` in addition to `import pydantic`, and of the first translation."""
    program = (
        "import pydantic, orjson, json, time; b = time.process_time(); import interlingua as il; "
        "print(time.process_time() - b); "
        "body = {'model': 'm', 'messages': [{'role': 'user', 'content': 'x'}]}; b = time.process_time(); "
        "il.translate_request(body, 'openai_chat', 'claude'); print(time.process_time() - b)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout.split()
        for _ in range(min(effort.rounds, 7))
    ]
    cases = (("import interlingua, after pydantic", IMPORT_MS), ("the first translation", FIRST_MS))
    for at, (case, must) in enumerate(cases):
        yield Row("import", case, "", min(float(run[at]) for run in runs) * 1e3, "ms", must=must)


# The name of a group is that of its rows.
GROUPS: Final[Mapping[str, Callable[[Effort, list[Peer]], Iterator[Row]]]] = MappingProxyType({
    "requests": requests,
    "responses": responses,
    "calls": calls,
    "recorded": recorded,
    "streams": streams,
    "models": models,
    "history": history,
    "sizes": sizes,
    "stored": stored,
    "import": importing,
})  # fmt: skip
