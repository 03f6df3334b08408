"""Rules of messages about tools: what is asked for (TYPE-9.3), and what came of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, get_args

from interlingua.json_types import is_list, is_object, is_text
from interlingua.model import ApprovalStatus, ExecutionStatus
from interlingua.pointers import pointer
from interlingua.transcript.rules_shared import check_choice, check_parts, check_timestamps, member, timestamp
from interlingua.violation import Violation
from interlingua_types._base import InvalidArgumentError
from interlingua_types._checks import parse_arguments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlingua.transcript.rules_shared import Json

__all__ = ["check_tool_request", "check_tool_result"]

# What the least strict of the providers takes; what a definition made by hand may be called is less (004).
_TOOL_NAME: Final = re.compile(r"[A-Za-z0-9_.:-]{1,128}")
_RUN: Final = ("started_at", "finished_at")


def check_tool_request(data: Json, path: str) -> Iterator[Violation]:
    """Judge the calls: there are some, each has an id of its own, a tool, arguments, and an approval that is known."""
    calls = data.get("calls")
    if calls == [] or calls is None:
        yield Violation("no_calls", path + "/calls", "must have at least one call")
    seen: set[str] = set()
    for index, requested in enumerate(calls if is_list(calls) else ()):
        where = path + pointer("calls", index)
        yield from _check_call(member(requested, "call"), where + "/call", seen)
        approval = member(requested, "approval")
        status = member(approval, "status")
        yield from check_choice(status, get_args(ApprovalStatus), where + "/approval/status", "approval_status")
        yield from check_timestamps(approval, ("decided_at",), where + "/approval")
        yield from _check_execution(requested, where)


def _check_call(call: Any, path: str, seen: set[str]) -> Iterator[Violation]:
    """Judge one call; `seen` has the ids of those before it."""
    identifier = member(call, "id") or member(call, "call_id")
    if identifier is None or identifier == "":
        yield Violation("empty_call_id", path + "/id", "must not be empty")
    elif is_text(identifier):
        if identifier in seen:
            yield Violation("duplicate_call_id", path + "/id", "must be unique among the calls of the message")
        seen.add(identifier)
    name = member(call, "name")
    if name is None or (is_text(name) and not _TOOL_NAME.fullmatch(name)):
        yield Violation("tool_name", path + "/name", "must be 1 to 128 ASCII letters, digits and characters of _-.:")
    if member(call, "kind") != "custom" and not _is_json_object(member(call, "arguments")):
        yield Violation("arguments", path + "/arguments", "must be a JSON object, or the text of one")


def _is_json_object(arguments: Any) -> bool:
    """Tell whether arguments are an object, or the JSON text of one; what an object holds is judged with the rest."""
    if not is_text(arguments):
        return is_object(arguments)
    try:
        parse_arguments(arguments)
    except InvalidArgumentError:
        return False
    return True


def check_tool_result(data: Json, path: str) -> Iterator[Violation]:
    """Judge a result: it says what it answers, and its status agrees with the rest."""
    if not data.get("call_id") and not data.get("name"):
        yield Violation("unlinked_result", path + "/call_id", "must name the call or the tool that it answers")
    status, error = data.get("status"), data.get("error")
    if status is not None:
        yield from check_choice(status, get_args(ExecutionStatus), path + "/status", "execution_status")
    if status == "error" and error is None and data.get("output") is None:
        yield Violation("failed_without_error", path + "/error", "must say why the tool failed")
    if status == "success" and error is not None:
        yield Violation("success_with_error", path + "/error", "must be absent where the tool succeeded")
    if data.get("output_form") == "parts":
        output = data.get("output")
        if not is_list(output):
            yield Violation("output_parts", path + "/output", "must be a list of parts, as `output_form` says")
        yield from check_parts(output, path + "/output", allow_empty=True)
    yield from _check_execution(data, path)


def _check_execution(holder: Any, path: str) -> Iterator[Violation]:
    """Judge when a tool ran."""
    execution = member(holder, "execution")
    yield from check_timestamps(execution, _RUN, path + "/execution")
    started, finished = (timestamp(member(execution, name)) for name in _RUN)
    if started is not None and finished is not None and finished < started:
        yield Violation("execution_time", path + "/execution/finished_at", "must not be before `started_at`")
