"""`interlingua dialects`: the names to use with `--from` and `--to`."""

from __future__ import annotations

from typing import Final

import typer

from interlingua.registry import dialects as names
from interlingua.registry import room

__all__ = ["dialects"]

_TITLES: Final[dict[str, str]] = {
    "openai_chat": "OpenAI Chat Completions",
    "openai_responses": "OpenAI Responses",
    "claude": "Claude (Anthropic Messages)",
    "gemini": "Gemini (generateContent)",
    "ollama": "Ollama (/api/chat)",
    "vllm": "vLLM (/v1/chat/completions)",
}


def dialects() -> None:
    """List the dialects, one a line: the name, and what it speaks."""
    width = max(map(len, names()))
    for name in names():
        typer.echo(f"{name:<{width}}  {_described(name)}")


def _described(name: str) -> str:
    try:
        versions = room(name).API_VERSIONS
    except Exception as error:  # noqa: BLE001  # a third party's dialect that is broken must not hide the others
        return f"cannot be loaded: {type(error).__name__}"
    title = _TITLES.get(name, "a dialect of a third party")
    return f"{title}; API versions: {', '.join(versions)}" if versions else title
