"""Errors of providers: our own vectors, those next to the corpus, and the recorded ones with their dialect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

from interlingua import model_shapes
from interlingua.registry import dialects, room
from support import corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER: Final = corpus.REPOSITORY / "tests" / "vectors" / "errors"
# The dialects that read and write errors.
DIALECTS: Final = tuple(name for name in dialects() if "decode_error" in getattr(room(name), "__all__", ()))
CATEGORIES: Final[tuple[str, ...]] = get_args(model_shapes.ErrorCategory)
# Categories that a dialect cannot express, so that its clients read another one (docs/provider_errors.md).
READ_OTHERWISE: Final = {
    **{(name, "unknown"): "server_error" for name in DIALECTS},
    **{
        (name, "content_filtered"): "invalid_request"
        for name in ("bedrock_converse", "claude", "gemini", "ollama", "vllm")
    },
    ("gemini", "unavailable"): "overloaded",
    ("bedrock_converse", "unavailable"): "overloaded",
}


def vectors(name: str) -> list[dict[str, Any]]:
    """Return our own vectors: `bodies` and `wording`."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def cases() -> list[dict[str, Any]]:
    """Return the cases next to the corpus."""
    root = corpus.root()
    path = Path() if root is None else root.parent / "reference" / "wire" / "error_cases.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def recorded() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every recorded error with its dialect: most vendors use Chat Completions."""
    for folder in corpus.folders():
        for line in corpus.lines(folder, "error"):
            yield _dialect(folder), line


def _dialect(folder: str) -> str:
    for beginning, dialect in (("anthropic", "claude"), ("gemini_openai", "openai_chat"), ("gemini", "gemini")):
        if folder.startswith(beginning):
            return dialect
    if folder.startswith(("openai_responses", "azure_openai_responses")):
        return "openai_responses"
    return folder if folder in {"bedrock_converse", "ollama", "vllm"} else "openai_chat"


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every leaf of a JSON value with its JSON Pointer."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not items or not value:
        yield path, value
        return
    for step, one in items:
        yield from leaves(one, f"{path}/{step}")
