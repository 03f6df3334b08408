"""Encode the response format for Bedrock Converse.

Source: docs/wire/bedrock_converse.md, section 1.5; docs/schemas.md.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from interlingua.loss import beyond, lost_members
from interlingua.rooms._shared.claude_schemas import enforced_answer
from interlingua.rooms._shared.json_instruction import instruction_for, instruction_of
from interlingua.rooms.bedrock_converse.tables import DIALECT
from interlingua.spi.extra import own_spelling
from interlingua.tool_arguments import arguments_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interlingua.rooms._shared.writing import Target


def write_response_format(out: dict[str, Any], value: Any, request: Any, to: Target) -> None:
    """Write the response schema, the only format that the service enforces."""
    if instruction_of(value) is not None:
        return
    known = {"type", "schema", "name", "description", "strict"}  # the model is always held to the schema
    if value["type"] == "json_schema" and "schema" in value:
        schema = value["schema"] if to.home else enforced_answer(value["schema"], to.log)
        if schema is None:
            detail = "Bedrock does not enforce such a schema: the instructions ask for it in words"
            to.log.lost("setting", "/response_format", detail)
            return
        is_spaced = own_spelling(request, DIALECT).get("schema") == "spaced"
        form = {"schema": json.dumps(schema) if is_spaced else arguments_text(schema)}
        form |= {name: value[name] for name in ("name", "description") if name in value}
        out["outputConfig"] = {
            **out.get("outputConfig", {}),
            "textFormat": {"type": "json_schema", "structure": {"jsonSchema": form}},
        }
    else:
        known = {"type"}
        if value["type"] != "text":  # text is the default
            detail = "Bedrock has no JSON mode without a schema: the instructions ask for JSON in words"
            to.log.lost("setting", "/response_format/type", detail)
    lost_members(to.log, beyond(value, known), "/response_format", "member", "textFormat takes only the schema")


def format_instruction(out: Mapping[str, Any], form: Mapping[str, Any] | None) -> str | None:
    """Return an instruction that asks for the response format which no setting asks for, or None."""
    instruction = None if form is None else instruction_of(form)
    if instruction is None and form is not None and form["type"] != "text" and "outputConfig" not in out:
        return instruction_for(form)
    return instruction


def ask_in_words(out: dict[str, Any], *instructions: str | None) -> None:
    """Add requests in words to the instructions."""
    said = [{"text": instruction} for instruction in instructions if instruction is not None]
    if said:
        out["system"] = [*out.get("system", ()), *said]
