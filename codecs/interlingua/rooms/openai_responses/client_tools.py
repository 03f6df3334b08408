"""Client tools of Responses (shell, patch, computer, tool search) as plain functions, and their items as messages.

Such a tool is declared by its type alone, and has item types of its own. Tools that run in a hosted container are not
among them. Source: docs/wire/openai_responses.md, section 1; https://platform.openai.com/docs/guides/tools.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.loss import is_empty_value
from interlingua.rooms._shared.client_functions import function_for, object_schema
from interlingua.rooms._shared.names import BETWEEN
from interlingua.rooms.openai_responses.decode_part import decode_content
from interlingua.spi.reading import Malformed
from interlingua.tool_arguments import arguments_object, arguments_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

_OF_AGENT: Final = "agent_message"
_ENCRYPTED: Final = "gAAAA"  # the prefix of what OpenAI encrypts
_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "integer"}
_TEXTS: Final = {"type": "array", "items": _TEXT}
_MILLISECONDS: Final = {**_NUMBER, "description": "After how many milliseconds to give up."}


_POINT: Final = {
    "x": {**_NUMBER, "description": "Pixels from the left."},
    "y": {**_NUMBER, "description": "From above."},
}
_ACTION: Final = object_schema(
    ("type",),
    {
        "type": {
            **_TEXT,
            "enum": ["click", "double_click", "drag", "keypress", "move", "screenshot", "scroll", "type", "wait"],
        },
        **_POINT,
        "button": {**_TEXT, "enum": ["left", "right", "wheel", "back", "forward"], "description": "For click."},
        "path": {"type": "array", "items": object_schema(("x", "y"), _POINT), "description": "For drag: the points."},
        "keys": {**_TEXTS, "description": "For keypress: the keys; for the mouse: those that are held."},
        "scroll_x": {**_NUMBER, "description": "For scroll: pixels to the right."},
        "scroll_y": {**_NUMBER, "description": "For scroll: pixels down."},
        "text": {**_TEXT, "description": "For type: the text."},
    },
)
_USES_A_COMPUTER: Final = (
    "Uses a computer by its screen, mouse and keyboard. Take a screenshot to see what an action has done."
)


class _ClientTool(NamedTuple):
    """A client tool.

    `call` and `result` are its item types, `holder` is the member of a call item that holds the arguments, `required`
    are the arguments without which there is no call.
    """

    call: str
    result: str
    holder: str
    required: tuple[str, ...]
    description: str
    parameters: dict[str, Any]


_COMPUTER: Final = ("computer_call", "computer_call_output")
_TOOLS: Final[Mapping[str, _ClientTool]] = MappingProxyType({
    "shell": _ClientTool(
        "shell_call", "shell_call_output", "action", ("commands",),
        "Runs commands in a shell, each on its own, and tells what they wrote and how they ended.",
        object_schema(("commands",), {
            "commands": {**_TEXTS, "description": "The commands to run."},
            "timeout_ms": _MILLISECONDS,
            "max_output_length": {**_NUMBER, "description": "How many characters of the output to tell at most."},
        }),
    ),
    "local_shell": _ClientTool(
        "local_shell_call", "local_shell_call_output", "action", ("command",),
        "Runs one command on the computer of the user, and tells what it wrote.",
        object_schema(("command",), {
            "command": {**_TEXTS, "description": "The program and its arguments."},
            "env": {"type": "object", "description": "Variables of the environment to set, by name, each a text."},
            "timeout_ms": _MILLISECONDS,
            "user": {**_TEXT, "description": "Who runs the command."},
            "working_directory": {**_TEXT, "description": "Where the command runs."},
        }),
    ),
    "apply_patch": _ClientTool(
        "apply_patch_call", "apply_patch_call_output", "operation", ("type", "path"),
        "Creates, changes or deletes one file.",
        object_schema(("type", "path"), {
            "type": {**_TEXT, "enum": ["create_file", "update_file", "delete_file"]},
            "path": {**_TEXT, "description": "The path of the file."},
            "diff": {
                **_TEXT,
                "description": "What to change, as a V4A diff: context lines begin with a space, removed ones with -, "
                "added ones with +, and @@ names where they stand. For create_file, each line begins with +.",
            },
        }),
    ),
    "computer": _ClientTool(
        *_COMPUTER, "actions", ("actions",), _USES_A_COMPUTER,
        object_schema(("actions",), {
            "actions": {"type": "array", "items": _ACTION, "description": "What to do, one after the other."}
        }),
    ),
    "computer_use_preview": _ClientTool(*_COMPUTER, "action", ("type",), _USES_A_COMPUTER, _ACTION),
    "tool_search": _ClientTool(
        "tool_search_call", "tool_search_output", "arguments", (),
        "Searches for tools. Those that it finds can be called from then on.",
        object_schema((), {}),
    ),
})  # fmt: skip
_CALLS: Final[Mapping[str, str]] = MappingProxyType({tool.call: word for word, tool in _TOOLS.items()})
# Frames with a delta of such a call, but not those of its output.
_PIECES: Final = re.compile(rf"response\.(?:{'|'.join(_CALLS)})_(?!output)")
_RESULTS: Final = frozenset(tool.result for tool in _TOOLS.values())
_SIZE: Final = ("display_width", "display_height")
# Members of an item that belong neither to the arguments nor to the output.
_ENVELOPE: Final = frozenset({"type", "id", "call_id", "status", "created_by", "execution"})
_LOCAL: Final[Mapping[str, Any]] = MappingProxyType({"type": "local"})
_DIRECT: Final = (["direct"], {"type": "direct"})


def function_of_client_tool(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]] | None:
    """Return the function that stands for a client tool, and the tool's members that a function cannot express.

    None for any other tool, such as a shell in a hosted container.
    """
    word = data.get("type")
    if type(word) is not str or word not in _TOOLS or _is_hosted(data):
        return None
    tool = _TOOLS[word]
    function, said = function_for(data, word, tool.description, tool.parameters, _SIZE)
    if word == "tool_search":
        return _search_function(function, data)
    return function, _unmapped_members(data, {"type", *said})


def _search_function(function: dict[str, Any], data: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the function of a tool search, which may bring its own description and parameters."""
    known = {"type", "execution"}
    for name, kind in (("description", str), ("parameters", dict)):
        if type(data.get(name)) is kind:
            function[name] = data[name]
            known.add(name)
    return function, _unmapped_members(data, known)


def _is_hosted(data: Mapping[str, Any]) -> bool:
    """Return whether the provider runs a tool or has run a call: in a container, or as a search of its own."""
    environment = data.get("environment")
    if type(data.get("type")) is str and data["type"].startswith("tool_search"):
        return data.get("execution") != "client"
    return type(environment) is dict and environment.get("type") != "local"


def _unmapped_members(data: Mapping[str, Any], known: set[str]) -> list[str]:
    """Return the names of the unknown members that are not empty or default."""
    return [
        name
        for name, value in data.items()
        if name not in known and not is_empty_value(value) and value != _LOCAL and value not in _DIRECT
    ]


def message_of_client_item(
    data: Mapping[str, Any], offered: AbstractSet[str]
) -> tuple[dict[str, Any], list[str]] | None:
    """Return the message that stands for an item, and the item's members that it cannot express.

    A call is named by the type of its tool; `offered` are the types of the client tools in the request. None for any
    other item, for one that lacks a required member, and for a tool search that is not offered.
    """
    kind = data.get("type")
    if type(kind) is not str:
        return None
    if kind in _CALLS:
        return _message_of_call(data, kind, offered)
    if kind == _OF_AGENT:
        return _message_of_agent(data)
    if kind not in _RESULTS or (kind == "tool_search_output" and "tool_search" not in offered):
        return None
    return _message_of_result(data, kind)


def whole_item(frame: Mapping[str, Any]) -> Any:
    """Return the item of an `output_item.done` frame, None for any other frame."""
    return frame.get("item") if frame.get("type") == "response.output_item.done" else None


def is_of_client_call(frame: Mapping[str, Any]) -> bool:
    """Return whether a frame only begins a client tool's call, or holds a delta of it: the whole item follows later."""
    item: Any = frame.get("item")
    if frame.get("type") == "response.output_item.added":
        return type(item) is dict and item.get("type") in _CALLS and not _is_hosted(item)
    return bool(_PIECES.match(str(frame.get("type"))))


def _message_of_call(
    data: Mapping[str, Any], kind: str, offered: AbstractSet[str]
) -> tuple[dict[str, Any], list[str]] | None:
    word = _CALLS[kind]
    if word == "computer_use_preview":
        word, data = _as_offered(data, offered)
    tool = _TOOLS[word]
    identifier, asked = data.get("call_id"), data.get(tool.holder)
    if type(identifier) is not str or _is_hosted(data) or (word == "tool_search" and word not in offered):
        return None
    if word == "computer" and type(asked) is list:
        arguments: dict[str, Any] = {tool.holder: asked}
    elif word != "computer" and type(asked) is dict:
        arguments = {name: value for name, value in asked.items() if value is not None}
        if word == "local_shell":
            arguments.pop("type", None)
    else:
        return None
    call = {"id": identifier, "name": word, "arguments": arguments}
    return {"role": "assistant", "tool_calls": [call]}, _unmapped_members(data, {*_ENVELOPE, tool.holder})


def _as_offered(data: Mapping[str, Any], offered: AbstractSet[str]) -> tuple[str, Mapping[str, Any]]:
    """Return a computer call in the form of the tool that is offered: the older one takes a single action."""
    older, newer = "computer_use_preview", "computer"
    one, several = data.get("action"), data.get("actions")
    if type(several) is list and (newer in offered or older not in offered or len(several) != 1):
        return newer, data
    if type(several) is list:
        return older, {**_without(data, "actions"), "action": several[0]}
    if type(one) is dict and newer in offered and older not in offered:
        return newer, {**_without(data, "action"), "actions": [one]}
    return older, data


def _without(data: Mapping[str, Any], member: str) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name != member}


def _message_of_agent(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]] | None:
    """Return another agent's message as a user message; None if nothing in it can be read.

    What Codex gets from other models than OpenAI's is not encrypted, although it stands in `encrypted_content`.
    """
    parts: list[Any] = data["content"] if type(data.get("content")) is list else []
    said: list[str] = []
    left: list[str] = []
    for part in parts:
        text = part.get("text", part.get("encrypted_content")) if type(part) is dict else None
        if type(text) is str and not text.startswith(_ENCRYPTED):
            said.append(text)
        else:
            left.append(str(part.get("type")) if type(part) is dict else "content")
    if not said:
        return None
    return {"role": "user", "content": "".join(said)}, [*_unmapped_members(data, {"type", "id", "content"}), *left]


def _message_of_result(data: Mapping[str, Any], kind: str) -> tuple[dict[str, Any], list[str]] | None:
    identifier = data.get("call_id", data.get("id"))  # a local shell's output has the call's id as its own
    if type(identifier) is not str:
        return None
    message: dict[str, Any] = {"role": "tool", "call_id": identifier}
    output = data.get("output")
    if kind == "tool_search_output":
        if _is_hosted(data):
            return None
        message["content"] = arguments_text({"tools": names_of_tools(data.get("tools"))})
        return message, _unmapped_members(data, {*_ENVELOPE, "tools"})
    if kind == "computer_call_output":
        shown = _screenshot(output)
        if shown is None:
            return None
        message["content"] = shown
    elif kind == "apply_patch_call_output":
        message["content"] = arguments_text({name: data[name] for name in ("status", "output") if data.get(name)})
    elif output is not None:
        message["content"] = output if type(output) is str else arguments_text(output)
    return message, _unmapped_members(data, {*_ENVELOPE, "output"})


def names_of_tools(tools: Any, group: str = "") -> list[str]:
    """Return the names by which tools are offered elsewhere: those of a namespace are prefixed with its name."""
    found: list[str] = []
    for tool in tools if type(tools) is list else ():
        name = tool.get("name") if type(tool) is dict else None
        if type(tool) is dict and "tools" in tool:
            found += names_of_tools(tool["tools"], f"{name}{BETWEEN}" if type(name) is str else "")
        elif type(name) is str:
            found.append(f"{group}{name}")
    return found


def _screenshot(output: Any) -> list[dict[str, Any]] | None:
    """Return a screenshot as an image part; None for another shape."""
    if type(output) is not dict or output.get("type") != "computer_screenshot":
        return None
    try:
        content = decode_content([{**output, "type": "input_image"}], "tool", "output", whole=False)
    except Malformed:
        return None
    return content if type(content) is list and content[0]["type"] == "image" else None


def item_of_client_call(word: str, call: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a function call item as the item of the client tool that it stands for.

    None if its arguments do not fit the tool.
    """
    tool = _TOOLS.get(word)
    if tool is None:
        return None
    asked, is_faithful = arguments_object(call["arguments"])
    if not all(asked.get(name) for name in tool.required) or not (tool.required or is_faithful):
        return None
    types = {name: tool.parameters["properties"][name]["type"] for name in tool.required}
    if not all(type(asked[name]) is (list if types[name] == "array" else str) for name in types):
        return None
    out: dict[str, Any] = {"type": tool.call, "call_id": call["call_id"], "status": "completed"}
    if word == "computer":
        out["actions"] = asked["actions"]
    else:
        out |= {tool.holder: {**_DEFAULTS.get(word, {}), **asked}, **_SAID_OF_TOOL.get(word, {})}
    if tool.call == "computer_call":
        out["pending_safety_checks"] = []
    return out


# Default arguments of a tool's calls.
_DEFAULTS: Final[Mapping[str, dict[str, Any]]] = MappingProxyType({
    "shell": {"timeout_ms": None, "max_output_length": None},
    "local_shell": {"type": "exec", "env": {}},
})  # fmt: skip
# Further members of a tool's call items.
_SAID_OF_TOOL: Final[Mapping[str, dict[str, Any]]] = MappingProxyType({"tool_search": {"execution": "client"}})
