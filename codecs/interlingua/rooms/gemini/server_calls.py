"""Gemini's code execution: `executableCode` and `codeExecutionResult` as parts. Other shapes stay opaque.

Source: docs/wire/gemini.md, section 1.2.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.loss import lost_members
from interlingua.rooms._shared.server_calls import ServerCallTracker, output_of, texts
from interlingua.spi.reading import Unmapped, rest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._shared.writing import Target

CODE, RESULT = "executableCode", "codeExecutionResult"
_LANGUAGES: Final[Mapping[str, str]] = MappingProxyType({"PYTHON": "python"})
_WORDS: Final[Mapping[str, str]] = MappingProxyType({name: word for word, name in _LANGUAGES.items()})
_OK, _FAILED, _LATE = "OUTCOME_OK", "OUTCOME_FAILED", "OUTCOME_DEADLINE_EXCEEDED"
_OUTCOMES: Final = frozenset({_OK, _FAILED, _LATE})
_TIME_EXCEEDED: Final = "execution_time_exceeded"
_CODE_MEMBERS: Final = frozenset({"id", "language", "code"})
_RESULT_MEMBERS: Final = frozenset({"id", "outcome", "output"})


def decode_code(wire: Any, left: Unmapped) -> dict[str, Any] | None:
    """Decode `executableCode`; None for another shape."""
    if type(wire) is not dict or type(wire.get("code")) is not str or type(wire.get("id", "")) is not str:
        return None
    language = wire.get("language")
    if type(language) is not str or language not in _LANGUAGES:
        return None
    part: dict[str, Any] = {"type": "server_call"}
    if "id" in wire:
        part["id"] = wire["id"]
    left.keep_nested(CODE, rest(wire, _CODE_MEMBERS))
    return {**part, "language": _LANGUAGES[language], "code": wire["code"]}


def decode_result(wire: Any, left: Unmapped) -> dict[str, Any] | None:
    """Decode `codeExecutionResult`; None for another shape."""
    if type(wire) is not dict or type(wire.get("id", "")) is not str or type(wire.get("output", "")) is not str:
        return None
    outcome = wire.get("outcome")
    if type(outcome) is not str or outcome not in _OUTCOMES:
        return None
    part: dict[str, Any] = {"type": "server_result"}
    if "id" in wire:
        part["call_id"] = wire["id"]
    if "output" in wire:
        part["content" if outcome == _OK else "error_output"] = wire["output"]
    if outcome == _FAILED:
        part["is_error"] = True
    elif outcome == _LATE:
        part["error_code"] = _TIME_EXCEEDED
    left.keep_nested(RESULT, rest(wire, _RESULT_MEMBERS))
    return part


def written_runs(to: Target) -> ServerCallTracker:
    """Return the record of the server calls written so far."""
    if to.runs is None:
        to.runs = ServerCallTracker(is_writable_call, alone=to.home)
    return to.runs


def is_writable_call(call: Any) -> bool:
    """Return whether a call can be written as code: Gemini runs its language."""
    return call.get("language") in _WORDS and "code" in call


def encode_run(part: Any, path: str, to: Target) -> dict[str, Any]:
    """Return the wire part of a code execution call or result."""
    if "cache" in part:
        to.log.lost("cache", f"{path}/cache", "cache marks are not allowed here")
    if part["type"] == "server_call":
        said = {"id": part["id"]} if "id" in part else {}
        code = {"language": _WORDS.get(part.get("language", ""), "PYTHON"), "code": part.get("code", "")}
        return {CODE: {**said, **code}}
    said = {"id": part["call_id"]} if "call_id" in part else {}
    said["outcome"] = _outcome(part, path, to)
    content = part.get("content")
    if type(content) is list:
        for at, one in enumerate(content):
            if one["type"] != "text":
                lost_members(to.log, one, f"{path}/content/{at}", "part", "the output of codeExecutionResult is text")
    if content is not None or "error_output" in part:
        output = part.get("error_output") if content is None else content
        both = "error_output" in part and content is not None
        if both:
            output = output_of(part)
            to.log.changed("part", path, "codeExecutionResult has only one output: stdout and stderr were joined")
        elif type(output) is not str:
            output = texts(output)
            to.log.changed("part", f"{path}/content", "the output of codeExecutionResult is text")
        elif (content is None) == (said["outcome"] == _OK):
            to.log.changed("part", path, "codeExecutionResult has only one output, either stdout or stderr")
        said["output"] = output
    return {RESULT: said}


def _outcome(part: Any, path: str, to: Target) -> str:
    """Return the wire word for the outcome of a run."""
    if part.get("error_code") == _TIME_EXCEEDED:
        return _LATE
    known = [name for name in ("error_code", "exit_code") if part.get(name)]
    for name in known:
        to.log.lost("member", f"{path}/{name}", "Gemini only reports that the code failed, not its return code")
    if known and not part.get("is_error"):
        to.log.filled(f"{path}/is_error", "Gemini only reports that the code failed, not its return code")
    return _FAILED if known or part.get("is_error") else _OK
