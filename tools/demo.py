"""Translate a real request from OpenAI to Claude: the source, the target, the losses by concern, and the way back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.json import JSON
from rich.table import Column, Table

import interlingua as il
from interlingua.concerns import CONCERNS

EXAMPLE: Final = Path(__file__).resolve().parents[1] / "docs" / "examples" / "weather_request.json"
MODEL: Final = "claude-sonnet-5-5"
"""Set as a user would: the losses of a request also depend on the model."""
ANSWER: Final[dict[str, Any]] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": MODEL,
    "content": [{"type": "text", "text": '{"items": ["rain jacket"], "advice": "Oslo is wet tomorrow."}'}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 640, "output_tokens": 24},
}
"""An example response of Claude."""


def main() -> None:
    """Translate the example to Claude and back, and print everything."""
    console = Console()
    body: dict[str, Any] = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    exchange = il.exchange(body, "openai_chat", "claude", model=MODEL)
    _show(console, "1. the request, as a client of OpenAI sends it", body)
    _show(console, f"2. the request, as Claude wants it for {MODEL}", exchange.body)
    console.rule("3. what did not come along as it was, by whom it touches")
    table = Table("concern", "severity", Column("member", overflow="fold"), Column("why", overflow="fold"))
    for loss in sorted(exchange.losses, key=lambda one: CONCERNS.index(one.concern)):
        table.add_row(loss.concern, loss.severity, loss.path, loss.detail)
    console.print(table)
    _show(console, "4. the way back: Claude's answer, as the client of OpenAI hears it", exchange.response(ANSWER).body)
    same = il.translate_request(body, "openai_chat", "openai_chat").body == body
    console.print("Within one dialect the same code gives back the same body:", same)


def _show(console: Console, title: str, value: object) -> None:
    console.rule(title)
    console.print(JSON(json.dumps(value, ensure_ascii=False)))


if __name__ == "__main__":
    main()
