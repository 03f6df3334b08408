"""Claude's code execution: `server_tool_use` blocks and their results as parts.

Blocks of any other shape, and of any other server tool, stay opaque. Source: docs/wire/claude.md, section 1.2.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from interlingua.rooms._shared.claude_results import RESULT_OF
from interlingua.rooms._shared.server_calls import ServerCallTracker, texts
from interlingua.rooms.claude.tables import DIALECT
from interlingua.spi.extra import NOTHING, merge_own_extra, own_extra, own_spelling
from interlingua.spi.reading import Unmapped, rest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._shared.writing import Target

CALL: Final = "server_tool_use"
# Tool name -> language of the code, and the input member that holds it.
_TOOLS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "code_execution": ("python", "code"), "bash_code_execution": ("bash", "command")
})  # fmt: skip
_NAMES: Final[Mapping[str, str]] = MappingProxyType({language: name for name, (language, _) in _TOOLS.items()})
_RESULTS: Final[Mapping[str, str]] = MappingProxyType({f"{name}{RESULT_OF}": name for name in _TOOLS})
_BASH_RESULT: Final = "bash_code_execution_tool_result"
_IDENTIFIER: Final = re.compile(r"srvtoolu_[a-zA-Z0-9_]+")
_CALL_MEMBERS: Final = frozenset({"type", "id", "name", "input", "cache_control"})
_RESULT_MEMBERS: Final = frozenset({"type", "tool_use_id", "content", "cache_control"})
_ENCRYPTED: Final = "encrypted_stdout"
_OUTPUT: Final = frozenset({"type", "stdout", "stderr", "return_code", "content"})
_FAILURE: Final = frozenset({"type", "error_code"})


def decode_call(block: dict[str, Any], left: Unmapped) -> dict[str, Any] | None:
    """Decode a code execution call; None for any other call."""
    name, given, identifier = block.get("name"), block.get("input"), block.get("id")
    if type(name) is not str or name not in _TOOLS or type(given) is not dict or type(identifier) is not str:
        return None
    language, member = _TOOLS[name]
    part = {"type": "server_call", "id": identifier, "language": language}
    if given:
        if given.keys() != {member} or type(given[member]) is not str:
            return None
        part["code"] = given[member]
    left.fields |= rest(block, _CALL_MEMBERS)
    return part


def decode_result(block: dict[str, Any], kind: str, left: Unmapped) -> dict[str, Any] | None:
    """Decode a code execution result; None for any other result."""
    identifier, content = block.get("tool_use_id"), block.get("content")
    if kind not in _RESULTS or type(identifier) is not str or type(content) is not dict:
        return None
    part: dict[str, Any] = {"type": "server_result", "call_id": identifier}
    word = content.get("type")
    if word == f"{kind}_error" and type(content.get("error_code")) is str:
        part["error_code"] = content["error_code"]
        left.keep_nested("content", rest(content, _FAILURE))
    elif not _read_output(part, content, _RESULTS[kind], left):
        return None
    if kind == _BASH_RESULT:
        left.spelling["type"] = kind
    left.fields |= rest(block, _RESULT_MEMBERS)
    return part


def _read_output(part: dict[str, Any], content: dict[str, Any], name: str, left: Unmapped) -> bool:
    """Read the output into the part; return False if it has another shape."""
    sealed = content.get("type") == f"encrypted_{name}_result" and type(content.get(_ENCRYPTED)) is str
    if not sealed and content.get("type") != f"{name}_result":
        return False
    written, errors, code, files = (content.get(one) for one in ("stdout", "stderr", "return_code", "content"))
    if type(errors) is not str or type(code) is not int or type(files) is not list:
        return False
    if (type(written) is not str) != sealed or ("stdout" in content) == sealed:
        return False
    made = [_read_file(one, f"{name}_output") for one in files]
    if None in made:
        return False
    if made:
        part["content"] = [*([{"type": "text", "text": written}] if written else ()), *made]
    elif written:
        part["content"] = written
    if errors:
        part["error_output"] = errors
    part["exit_code"] = code
    left.keep_nested("content", rest(content, _OUTPUT))
    return True


def _read_file(wire: Any, kind: str) -> dict[str, Any] | None:
    if type(wire) is not dict or wire.keys() != {"type", "file_id"} or wire["type"] != kind:
        return None
    return {"type": "file", "file_id": wire["file_id"]} if type(wire["file_id"]) is str else None


def written_runs(to: Target) -> ServerCallTracker:
    """Return the record of the server calls written so far."""
    if to.runs is None:
        to.runs = ServerCallTracker(lambda call: is_writable_call(call, to), alone=to.home)
    return to.runs


def is_writable_call(call: Any, to: Target) -> bool:
    """Return whether a call can be written as a block: at home always, abroad only if Claude made it.

    Claude refuses other providers' calls in a history: the ids and the tool are its own.
    """
    if call.get("language") not in _NAMES or "id" not in call:
        return False
    return to.home or _IDENTIFIER.fullmatch(call["id"]) is not None


def encode_call(part: Any, path: str, to: Target) -> dict[str, Any]:
    """Return the `server_tool_use` block of a call."""
    name = _NAMES.get(part.get("language", ""), "code_execution")
    member = _TOOLS[name][1]
    out: dict[str, Any] = {"type": CALL}
    if "id" in part:
        out["id"] = part["id"]
    out["name"] = name
    out["input"] = {member: part["code"]} if "code" in part else {}
    merge_own_extra(out, part, DIALECT, path, to.log)
    return out


def encode_result(part: Any, path: str, to: Target) -> dict[str, Any]:
    """Return the content block of a result."""
    kind = own_spelling(part, DIALECT).get("type", "")
    kind = kind if kind in _RESULTS else "code_execution_tool_result"
    out: dict[str, Any] = {"type": kind}
    if "call_id" in part:
        out["tool_use_id"] = part["call_id"]
    out["content"] = _encode_output(part, kind, path, to)
    merge_own_extra(out, part, DIALECT, path, to.log)
    return out


def _encode_output(part: Any, kind: str, path: str, to: Target) -> dict[str, Any]:
    if part.get("is_error"):
        to.log.changed("part", f"{path}/is_error", "return_code says whether the code failed")
    if "error_code" in part:
        return {"type": f"{kind}_error", "error_code": part["error_code"]}
    name, content = _RESULTS[kind], part.get("content", "")
    sealed = _ENCRYPTED in own_extra(part, DIALECT).get("fields", NOTHING).get("content", NOTHING)
    out: dict[str, Any] = {"type": f"encrypted_{name}_result" if sealed else f"{name}_result"}
    if not sealed:
        out["stdout"] = texts(content)
    out["stderr"] = part.get("error_output", "")
    out["return_code"] = part.get("exit_code", 1 if part.get("is_error") else 0)
    files = [] if type(content) is str else [one for one in content if one["type"] != "text"]
    for at, one in enumerate(files):
        if "file_id" not in one:
            to.log.lost("part", f"{path}/content/{at}", "a file that code created is sent by its file_id")
    out["content"] = [{"type": f"{name}_output", "file_id": one["file_id"]} for one in files if "file_id" in one]
    return out
