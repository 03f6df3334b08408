"""Claude's client tools (bash, text editor, memory, computer) as plain functions, for models that do not know them.

Claude knows such a tool by its dated type and its name alone; its calls are ordinary tool calls. Source:
https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview, the pages of the single tools.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from interlingua.rooms._shared.client_functions import function_for, object_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

_TEXT: Final = {"type": "string"}
_NUMBERS: Final = {"type": "array", "items": {"type": "integer"}}


class _ClientTool(NamedTuple):
    description: str
    parameters: dict[str, Any]


_COMMANDS: Final = ("view", "create", "str_replace", "insert")
_EDITS: Final[dict[str, dict[str, Any]]] = {
    "path": {**_TEXT, "description": "The path of the file or directory."},
    "file_text": {**_TEXT, "description": "For create: the whole content of the file."},
    "old_str": {**_TEXT, "description": "For str_replace: the text to replace, which must occur exactly once."},
    "new_str": {**_TEXT, "description": "For str_replace: the text that stands there afterwards."},
    "insert_line": {"type": "integer", "description": "For insert: the number of the line after which to insert."},
    "insert_text": {**_TEXT, "description": "For insert: the text to insert."},
    "view_range": {
        **_NUMBERS,
        "description": "For view: the first and the last line to show; -1 is the end of the file.",
    },
}


def _editor(*more: str) -> _ClientTool:
    """Return the text editor tool, with further commands."""
    command = {**_TEXT, "enum": [*_COMMANDS, *more]}
    parameters = object_schema(("command", "path"), {"command": command, **_EDITS})
    return _ClientTool("Views, creates and edits text files.", parameters)


_OLDER_EDITOR: Final = _editor("undo_edit")
# By the prefix of the tool's type: the date after it changes how the tool is run, not its arguments.
_TOOLS: Final[Mapping[str, _ClientTool]] = MappingProxyType({
    "bash_": _ClientTool(
        "Runs commands in a shell that lives as long as the conversation.",
        object_schema((), {
            "command": {**_TEXT, "description": "The command to run; needed unless the shell is restarted."},
            "restart": {"type": "boolean", "description": "Whether to restart the shell."},
        }),
    ),
    "text_editor_20241022": _OLDER_EDITOR,
    "text_editor_20250124": _OLDER_EDITOR,
    "text_editor_": _editor(),
    "memory_": _ClientTool(
        "Keeps notes for later conversations, as files below /memories. Look there before anything else.",
        object_schema(("command",), {
            "command": {**_TEXT, "enum": [*_COMMANDS, "delete", "rename"]},
            **_EDITS,
            "old_path": {**_TEXT, "description": "For rename: the path so far."},
            "new_path": {**_TEXT, "description": "For rename: the path afterwards."},
        }),
    ),
    "computer_20": _ClientTool(
        "Uses a computer by its screen, mouse and keyboard. Take a screenshot to see what an action has done.",
        object_schema(("action",), {
            "action": {
                **_TEXT,
                "enum": [
                    "key", "type", "mouse_move", "left_click", "left_click_drag", "right_click", "middle_click",
                    "double_click", "triple_click", "left_mouse_down", "left_mouse_up", "scroll", "hold_key", "wait",
                    "screenshot", "cursor_position", "zoom",
                ],
            },
            "coordinate": {**_NUMBERS, "description": "Where on the screen: x and y in pixels."},
            "start_coordinate": {**_NUMBERS, "description": "For left_click_drag: where the dragging begins."},
            "text": {**_TEXT, "description": "The text to type, or the keys to press or hold."},
            "duration": {"type": "number", "description": "For hold_key and wait: how many seconds."},
            "scroll_direction": {**_TEXT, "enum": ["up", "down", "left", "right"]},
            "scroll_amount": {"type": "integer", "description": "For scroll: how many steps."},
            "region": {**_NUMBERS, "description": "For zoom: x0, y0, x1 and y1."},
        }),
    ),
})  # fmt: skip
_SIZE: Final = ("display_width_px", "display_height_px")


def function_of_client_tool(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]] | None:
    """Return the function that stands for a client tool, and the tool's members that a function cannot express.

    None for any other tool.
    """
    kind, name = data.get("type"), data.get("name")
    if type(kind) is not str or type(name) is not str:
        return None
    tool = next((one for begin, one in _TOOLS.items() if kind.startswith(begin)), None)
    if tool is None:
        return None
    function, said = function_for(data, name, tool.description, tool.parameters, _SIZE)
    return function, [member for member in data if member not in {"type", "name", *said}]
