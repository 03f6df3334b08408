"""The inputs for both checkouts: the recorded bodies and streams of the corpus, and our own vectors.

Our own are the wire bodies of `tests/vectors/fuzz`, the frames of `tests/vectors/stored/streams`, and, as canonical
values, the events of `tests/vectors/streams` and the examples of the schema. All are read from the current checkout,
for both versions of the code.
"""

# JSON of any shape: narrowing leaves the member types unknown.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

import hashlib
import json
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from regression.mutating import mutants

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

ROOT: Final = Path(__file__).resolve().parents[2]
VECTORS: Final = ROOT / "tests" / "vectors"
TYPES: Final = ROOT / "generated" / "interlingua_types"
KINDS: Final = ("request", "response", "stream")
CANONICAL: Final = "canonical"
"""The source of values that are not yet in any dialect."""

_EVENT_STREAMS: Final = "bedrock_converse"  # recorded with the event names beside the data

LARGEST: Final = 60_000
"""Larger bodies are not mutated: they take long and find nothing more."""

_CHAT_VENDORS: Final = (
    "alibaba", "azure_openai", "cerebras", "cloudflare", "deepseek", "gemini_openai", "groq", "huggingface", "llamacpp",
    "mistral", "moonshot", "ollama_openai", "openai_compat_other", "openrouter", "perplexity", "together", "vllm",
    "watsonx_openai", "xai", "zai",
)  # fmt: skip
FOLDERS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "openai_chat": ("openai_chat", *_CHAT_VENDORS),
    "openai_responses": ("openai_responses", "azure_openai_responses", "openai_responses_compat"),
    "claude": ("anthropic", "anthropic_bedrock", "anthropic_compat", "anthropic_vertex"),
    "gemini": ("gemini",),
    "ollama": ("ollama",),
    "vllm": ("vllm",),
    "bedrock_converse": ("bedrock_converse",),
})  # fmt: skip
"""The corpus folders of each dialect."""


class Case(NamedTuple):
    """A body, the frames of a stream, or a canonical value, and its name in the report.

    `key` is `kind/source/folder/line`, followed by `/m<number>` for a mutant. `stored` says that the value is already
    decoded: a canonical value, or the events of a stream.
    """

    key: str
    kind: str
    source: str
    value: Any
    stored: bool = False


class Selection(NamedTuple):
    """The selection of cases. `corpus` is the folder of the recordings, or nothing.

    `stored` is a file that replaces all inputs, or nothing: their decoded values, one case per line.
    """

    corpus: str
    kinds: tuple[str, ...]
    sources: tuple[str, ...]
    sample: int
    mutants: int
    seed: int
    stored: str = ""

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Selection:
        """Return the selection from its JSON, in which tuples are lists."""
        lists: dict[str, Any] = {name: tuple(plain[name]) for name in ("kinds", "sources")}
        return cls(**{**plain, **lists})


class _Recorded(NamedTuple):
    """An input that is not parsed yet, so that a worker parses only its own part."""

    key: str
    kind: str
    source: str
    text: str | bytes


def cases(selection: Selection, part: int, parts: int, only: Collection[str] | None = None) -> Iterator[Case]:
    """Yield one part of the selected cases, with mutants after their originals; only the named ones if given."""
    wanted = None if only is None else {*only, *(_unmutated(key) for key in only)}
    for index, recorded in enumerate(_sampled(selection)):
        if index % parts != part or (wanted is not None and recorded.key not in wanted):
            continue
        whole = Case(recorded.key, recorded.kind, recorded.source, _value(recorded), bool(selection.stored))
        if only is None or whole.key in only:
            yield whole
        if len(recorded.text) <= LARGEST:
            yield from _mutated(whole, selection, only)


def fingerprint(selection: Selection) -> str:
    """Return a digest of all files that the inputs of a selection are read from."""
    digest = hashlib.blake2b(repr(selection._replace(corpus="", stored="")).encode(), digest_size=16)
    for recorded in _sampled(selection):
        text = recorded.text.encode() if isinstance(recorded.text, str) else recorded.text
        digest.update(recorded.key.encode() + text)
    return digest.hexdigest()


def _mutated(whole: Case, selection: Selection, only: Collection[str] | None) -> Iterator[Case]:
    for number, value in enumerate(mutants(whole.value, f"{selection.seed}/{whole.key}", selection.mutants)):
        mutant = whole._replace(key=f"{whole.key}/m{number}", value=value)
        if only is None or mutant.key in only:
            yield mutant


def _unmutated(key: str) -> str:
    return "/".join(key.split("/")[:4])


def _sampled(selection: Selection) -> Iterator[_Recorded]:
    """Yield every K-th input of each kind and source, in the order of the files, or everything stored."""
    if selection.stored:
        yield from _stored(Path(selection.stored))
        return
    for source in (*FOLDERS, CANONICAL):
        if selection.sources and source not in selection.sources:
            continue
        for kind in selection.kinds:
            found = [*_vectors(source, kind), *_recordings(selection, source, kind)]
            yield from found[:: selection.sample]


def _stored(path: Path) -> Iterator[_Recorded]:
    with path.open("rb") as file:
        for line in file:
            key = json.loads(line)["key"]
            kind, source, *_ = key.split("/")
            yield _Recorded(key, kind, source, line)


def _recordings(selection: Selection, source: str, kind: str) -> Iterator[_Recorded]:
    if not selection.corpus:
        return
    for folder in FOLDERS.get(source, ()):
        path = Path(selection.corpus, "dev", folder, f"{kind}.jsonl")
        lines = path.read_bytes().splitlines() if path.is_file() else []
        for number, line in enumerate(lines, 1):
            yield _Recorded(f"{kind}/{source}/{folder}/{number}", kind, source, line)


def _vectors(source: str, kind: str) -> Iterator[_Recorded]:
    if source == CANONICAL:
        yield from _events(kind)
        yield from _examples(kind)
        return
    for path in sorted((VECTORS / "fuzz").glob(f"{source}_{kind}_*.json")):
        text = json.dumps({"body": json.loads(path.read_bytes())["value"]})
        yield _Recorded(f"{kind}/{source}/fuzz/{path.stem}", kind, source, text)
    for path in sorted((VECTORS / "stored" / "streams").glob(f"{source}_[0-9]*.jsonl")) if kind == "stream" else ():
        for line in map(json.loads, path.read_bytes().splitlines()):
            text = json.dumps({"body": line["frames"]})
            yield _Recorded(f"{kind}/{source}/{path.stem}/{line['id']}", kind, source, text)


def _events(kind: str) -> Iterator[_Recorded]:
    """Yield the events of our own streams."""
    for path in sorted((VECTORS / "streams").glob("*.json")) if kind == "stream" else ():
        text = json.dumps({"body": json.loads(path.read_bytes())["events"]})
        yield _Recorded(f"{kind}/{CANONICAL}/streams/{path.stem}", kind, CANONICAL, text)


def _examples(kind: str) -> Iterator[_Recorded]:
    """Yield the requests and responses among the examples of the newest schema."""
    name = {"request": "ChatRequest", "response": "ChatResponse"}.get(kind)
    if name is None:
        return
    newest = max(TYPES.glob("v*/schema.json"), key=lambda path: int(path.parent.name[1:]))
    definitions = json.loads(newest.read_bytes())["$defs"]
    found = list(definitions[name].get("examples", ()))
    if kind == "request":
        found.append(_everything(definitions))
    for number, example in enumerate(found, 1):
        yield _Recorded(f"{kind}/{CANONICAL}/examples/{number}", kind, CANONICAL, json.dumps({"body": example}))


def _everything(definitions: dict[str, Any]) -> dict[str, Any]:
    """Return a request with every example of every kind of message, part and tool."""

    def examples(ending: str) -> list[Any]:
        names = [name for name in sorted(definitions) if name.endswith(ending)]
        return [example for name in names for example in definitions[name].get("examples", ())]

    messages = [*examples("ChatMessage"), {"role": "user", "content": examples("Part")}]
    return {"messages": messages, "tools": [*examples("ToolDefinition"), *examples("OpaqueTool")]}


def _value(recorded: _Recorded) -> Any:
    line = json.loads(recorded.text)  # unlike orjson, it keeps integers beyond 64 bits
    if recorded.kind == "stream" and "events" in line:
        if recorded.source == _EVENT_STREAMS:
            return [{event["event"]: event["data"]} for event in line["events"]]  # in the form that boto3 returns
        return [event["data"] for event in line["events"]]
    return line["body"]
