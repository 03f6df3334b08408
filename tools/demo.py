"""Translate a real request from OpenAI to Claude; show the result, and every loss by its name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.json import JSON
from rich.table import Column, Table

import interlingua as il

EXAMPLE: Final = Path(__file__).resolve().parents[1] / "docs" / "examples" / "weather_request.json"


def main() -> None:
    """Translate the example and print both sides."""
    console = Console()
    body = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    encoded = il.translate_request(body, "openai_chat", "claude")
    console.rule("the request, as Claude wants it")
    console.print(JSON(json.dumps(encoded.body, ensure_ascii=False)))
    console.rule("what could not come along")
    table = Table("severity", "code", Column("path", overflow="fold"), "detail")
    for loss in encoded.losses:
        table.add_row(str(loss.severity), str(loss.code), loss.path, loss.detail)
    console.print(table)
    back = il.translate_request(body, "openai_chat", "openai_chat")
    console.print("Within one dialect the same code gives back the same body:", back.body == body)


if __name__ == "__main__":
    main()
