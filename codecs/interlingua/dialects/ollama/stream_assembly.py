"""The lines of a stream of Ollama's put together to the one line that the same answer is without a stream.

Source: reference/wire/ollama.md section 3.
"""

# A wire value is Any; narrowing it to dict or list leaves its members unknown, which is the truth about wire JSON.
# pyright: reportUnknownMemberType=none, reportUnknownArgumentType=none, reportUnknownVariableType=none
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interlingua.dialects._shared.stream import Frame

_TEXTS: Final = ("content", "thinking")
_LISTS: Final = ("tool_calls", "images")


def assemble_stream(frames: Iterable[Frame]) -> dict[str, Any]:
    """Return the answer that the lines make: texts joined, calls and log probabilities in a row, all else as last said.

    What is no line of an answer is passed over; a line after the last begins anew.
    """
    answer: dict[str, Any] = {}
    message: dict[str, Any] = {}
    texts: dict[str, list[str]] = {}
    logprobs: list[Any] = []
    for line in frames:
        if type(line) is not dict or type(line.get("message")) is not dict:
            continue
        if answer.get("done") is True:
            answer, message, texts, logprobs = {}, {}, {}, []
        answer |= {name: value for name, value in line.items() if name != "created_at" or name not in answer}
        if type(line.get("logprobs")) is list:
            logprobs.extend(line["logprobs"])
        _add(message, texts, line["message"])
    for name, pieces in texts.items():
        message[name] = "".join(pieces)
    answer["message"] = {"role": "assistant", "content": "", **message}
    if logprobs:
        answer["logprobs"] = logprobs
    return answer


def _add(message: dict[str, Any], texts: dict[str, list[str]], piece: dict[str, Any]) -> None:
    for name, value in piece.items():
        if name in _TEXTS and type(value) is str:
            texts.setdefault(name, []).append(value)
        elif name in _LISTS and type(value) is list:
            before = message.get(name)
            message[name] = [*before, *value] if type(before) is list else value
        else:
            message[name] = value
