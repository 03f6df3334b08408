"""Lowers custom (free text) tools and tool namespaces to functions, for dialects that do not have them.

The offered tools, the calls in the history and the tool choice are all lowered; an exchange restores what comes back.
The descriptor says which kinds of tools a dialect accepts. Source: docs/exchange.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from interlingua.registry import known_descriptor
from interlingua.restoration import FREE_TEXT, OwnTool
from interlingua.rooms._shared.names import BETWEEN, unique_name
from interlingua.spi.extra import report_foreign
from interlingua.tool_arguments import arguments_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.loss import LossLog
    from interlingua.model_shapes import ChatRequest

__all__ = ["LoweredRequest", "lower_tools"]

_CHOICE: Final = "tool_choice"
_GROUPED: Final = "a tool of a namespace is sent with the namespace as a prefix of its name"
_SHARED: Final = "a function and a custom tool had the same name: one was renamed"
_FREE_TEXT_TOLD: Final = "The whole input of the tool, as plain text."


class LoweredRequest(NamedTuple):
    """A request that has only tools of kinds that the dialect accepts.

    `tools` maps new names to the original tools; `places` has the original path of each tool.
    """

    request: ChatRequest
    tools: dict[str, OwnTool]
    places: list[str]

    def relocate(self, written: LossLog, log: LossLog) -> None:
        """Copy the losses of the lowered request to the log of the canonical one."""
        log.renamed |= written.renamed
        for loss in written.notes():
            path = self._place(loss.path)
            if path is not None:
                log.note(loss.code, path, loss.detail, loss.severity)

    def _place(self, path: str) -> str | None:
        """Return the canonical path for a path of the lowered request; None for what lowering added."""
        if not path.startswith("/tools/"):
            return path
        index, slash, rest = path.removeprefix("/tools/").partition("/")
        tool: Mapping[str, Any] = self.request.get("tools", [])[int(index)]
        own = self.tools.get(tool.get("name", ""))
        if own is not None and own.is_free and rest.startswith("parameters"):
            return None
        return f"{self.places[int(index)]}{slash}{rest}"


def lower_tools(request: ChatRequest, missing: frozenset[str], log: LossLog) -> LoweredRequest:
    """Return a request without tools of the missing kinds; changes are logged."""
    return _ToolLowering(missing, log).of(request)


def _namespace_of(value: Mapping[str, Any]) -> str | None:
    """Return the namespace that a call or a result names in its dialect's `extra`."""
    for dialect, bag in value.get("extra", {}).items():
        known = known_descriptor(dialect)
        if known is not None and known.call_group in bag:
            return cast("str", bag[known.call_group])
    return None


def _without_namespace(value: dict[str, Any]) -> dict[str, Any]:
    """Return a call or a result without its namespace."""
    extra: dict[str, Any] = {}
    for dialect, bag in value.get("extra", {}).items():
        known = known_descriptor(dialect)
        kept = bag if known is None else {name: held for name, held in bag.items() if name != known.call_group}
        if kept or not bag:
            extra[dialect] = kept
    out = {name: held for name, held in value.items() if name != "extra"}
    return {**out, "extra": extra} if extra else out


def _namespace_of_choice(request: Mapping[str, Any]) -> tuple[str, str, Mapping[str, Any]] | None:
    """Return the namespace of the chosen tool: the dialect that names it, its name, and the remaining `fields`.

    The canonical tool choice has no member for it, so it is kept in the dialect's `fields`.
    """
    for dialect, bag in request.get("extra", {}).items():
        known = known_descriptor(dialect)
        group = None if known is None else known.call_group
        fields: dict[str, Any] = bag.get("fields", {}) if group else {}
        choice = fields.get(_CHOICE)
        said = cast("dict[str, Any]", choice) if type(choice) is dict else {}
        named = said.get(group) if group else None
        if type(named) is str:
            left = {name: held for name, held in said.items() if name != group}
            others = {name: held for name, held in fields.items() if name != _CHOICE}
            return dialect, named, {**others, _CHOICE: left} if left else others
    return None


class _ToolLowering:
    """The lowering of one request; `missing` are the kinds of tools that the target does not have."""

    def __init__(self, missing: frozenset[str], log: LossLog) -> None:
        self._missing = missing
        self._log = log
        self._tools: dict[str, OwnTool] = {}
        self._places: list[str] = []
        self._taken: set[str] = set()  # names of tools outside namespaces
        self._flat: dict[tuple[str, str], str] = {}  # (namespace, name) -> combined name
        self._functions: set[str] = set()  # names of functions outside namespaces
        self._apart: dict[str, str] = {}  # name shared with a function -> new name of the custom tool
        self._renamed: dict[str, tuple[str, str]] = {}  # call id -> (combined name, loss detail)

    def of(self, request: ChatRequest) -> LoweredRequest:
        """Return the lowered request."""
        out: dict[str, Any] = {**request}
        tools: Any = request.get("tools", ())
        self._taken = {tool["name"] for tool in tools if tool["type"] in {"function", "custom"}}
        self._functions = {tool["name"] for tool in tools if tool["type"] == "function"}
        if tools:
            out["tools"] = list(self._all_tools(tools))
        out["messages"] = [self._message(message, f"/messages/{at}") for at, message in enumerate(request["messages"])]
        if "tool_choice" in request:
            out["tool_choice"] = self._choice(cast("Any", request["tool_choice"]), self._remove_chosen_namespace(out))
        return LoweredRequest(cast("ChatRequest", out), self._tools, self._places)

    def _all_tools(self, tools: list[Any]) -> Iterator[Any]:
        for index, tool in enumerate(tools):
            path = f"/tools/{index}"
            if tool["type"] == "namespace" and "namespace" in self._missing:
                self._log.changed(
                    "tool", path, "the tools of a namespace are sent as functions, with its name as a prefix"
                )
                if "extra" in tool:
                    report_foreign(tool, None, path, self._log)
                for at, inner in enumerate(tool["tools"]):
                    self._places.append(f"{path}/tools/{at}")
                    yield self._grouped(tool, inner)
            else:
                self._places.append(path)
                yield self._tool(tool, path)

    def _tool(self, tool: Any, path: str) -> Any:
        """Return a tool outside namespaces; a custom tool becomes a function with one text parameter."""
        if tool["type"] != "custom" or "custom" not in self._missing:
            return tool
        self._log.changed("tool", path, "a custom tool is sent as a function with one argument, input")
        name = self._free_name(tool["name"], path)
        self._tools.setdefault(name, OwnTool(tool["name"], is_free=True))
        return {**_function(tool), "name": name}

    def _free_name(self, name: str, path: str) -> str:
        """Return a unique function name for a custom tool."""
        if name not in self._functions:
            return name
        if name not in self._apart:
            self._apart[name] = unique_name(name, self._taken)
        self._log.changed("name", f"{path}/name", _SHARED)
        return self._apart[name]

    def _grouped(self, group: Any, tool: Any) -> Any:
        """Return a tool of a namespace under its combined name, with the namespace's description added."""
        if "name" not in tool or tool["type"] == "namespace":
            return tool  # an opaque tool
        name = self._combined_name(group["name"], tool["name"])
        is_free = tool["type"] == "custom" and "custom" in self._missing
        out = _function(tool) if is_free else {**tool}
        out["name"] = name
        told = [said["description"] for said in (group, out) if said.get("description")]
        if told:
            out["description"] = "\n\n".join(told)
        self._tools[name] = OwnTool(tool["name"], is_free, group["name"])
        return out

    def _combined_name(self, group: str, name: str) -> str:
        """Return the combined name of a tool of a namespace: stable and unique."""
        known = self._flat.get((group, name))
        if known is not None:
            return known
        self._flat[group, name] = unique_name(f"{group}{BETWEEN}{name}", self._taken)
        return self._flat[group, name]

    def _message(self, message: Any, path: str) -> Any:
        if message.get("tool_calls"):
            calls = [self._call(call, f"{path}/tool_calls/{at}") for at, call in enumerate(message["tool_calls"])]
            return {**message, "tool_calls": calls}
        if message["role"] == "tool" and message.get("call_id", message.get("id")) in self._renamed:
            out = _without_namespace(message)
            if "name" in out:
                out["name"], why = self._renamed[message.get("call_id", message.get("id"))]
                self._log.changed("name", f"{path}/name", why)
            return out
        return message

    def _call(self, call: dict[str, Any], path: str) -> dict[str, Any]:
        out = call
        group = _namespace_of(call) if "namespace" in self._missing and "extra" in call else None
        if group is not None and self._is_flat(group, call["name"]):
            out = {**_without_namespace(call), "name": self._combined_name(group, call["name"])}
            self._log.changed("name", f"{path}/name", _GROUPED)
            self._tools.setdefault(out["name"], OwnTool(call["name"], call.get("kind") == "custom", group))
            if "id" in call:
                self._renamed[call["id"]] = out["name"], _GROUPED
        if call.get("kind") == "custom" and "custom" in self._missing:
            self._log.changed("arguments", path, "the text is sent as the argument input of a function")
            if group is None and out["name"] in self._functions:
                out = {**out, "name": self._free_name(out["name"], path)}
                if "id" in call:
                    self._renamed[call["id"]] = out["name"], _SHARED
            self._tools.setdefault(out["name"], OwnTool(call["name"], is_free=True))
            said = out["arguments"]
            text = said if type(said) is str else arguments_text(said)
            out = {name: value for name, value in out.items() if name != "kind"} | {"arguments": {FREE_TEXT: text}}
        return out

    def _is_flat(self, group: str, name: str) -> bool:
        """Tell whether a call is of a tool whose namespace was flattened."""
        return (group, name) in self._flat or (name not in self._taken and group != name)

    def _remove_chosen_namespace(self, request: dict[str, Any]) -> str | None:
        """Return the namespace of the chosen tool, and remove it from the request, if the request offers the tool."""
        found = _namespace_of_choice(request) if request["tool_choice"]["mode"] == "named" else None
        if found is None or (found[1], request["tool_choice"]["name"]) not in self._flat:
            return None
        dialect, group, fields = found
        request["extra"] = {**request["extra"], dialect: {**request["extra"][dialect], "fields": fields}}
        return group

    def _choice(self, choice: dict[str, Any], group: str | None) -> dict[str, Any]:
        """Return the tool choice with the new tool names."""
        if choice["mode"] == "subset":
            names = [self._chosen(name, f"/tool_choice/names/{at}", None) for at, name in enumerate(choice["names"])]
            return {**choice, "names": names}
        if choice["mode"] != "named":
            return choice
        out = {**choice, "name": self._chosen(choice["name"], "/tool_choice/name", group)}
        if choice.get("kind") == "custom" and "custom" in self._missing:
            self._log.changed("setting", "/tool_choice/kind", "a custom tool is sent as a function")
            del out["kind"]
            if out["name"] in self._apart:
                out["name"] = self._free_name(out["name"], "/tool_choice")
        return out

    def _chosen(self, name: str, path: str, group: str | None) -> str:
        """Return the new name of a chosen tool; without a namespace, the only one with such a tool counts."""
        found = [flat for (of, own), flat in self._flat.items() if own == name and group in {None, of}]
        if len(found) != 1 or (group is None and name in self._taken):
            return name
        self._log.changed("name", path, _GROUPED)
        return found[0]


def _function(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a custom tool as a function; its grammar is described in the text parameter."""
    told = _FREE_TEXT_TOLD
    grammar = tool.get("grammar")
    if grammar is not None:
        told = f"{told} It must follow this {grammar['syntax']} grammar:\n{grammar['definition']}"
    text = {"type": "string", "description": told}
    parameters = {
        "type": "object",
        "properties": {FREE_TEXT: text},
        "required": [FREE_TEXT],
        "additionalProperties": False,
    }
    kept = {name: tool[name] for name in ("name", "description", "cache", "extra") if name in tool}
    return {"type": "function", **kept, "parameters": parameters}
