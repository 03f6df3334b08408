"""The Bedrock Converse dialect (`POST /model/{modelId}/converse` and `/converse-stream`), in the JSON form of boto3.

Source: docs/wire/bedrock_converse.md
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.rooms._shared.lazy_imports import lazy_getattr
from interlingua.rooms.bedrock_converse.tables import DIALECT
from interlingua.spi.demands import Demands, Limit
from interlingua.spi.descriptor import Descriptor

if TYPE_CHECKING:
    from interlingua.rooms.bedrock_converse.decode import decode_request, decode_response
    from interlingua.rooms.bedrock_converse.detection import SIGNS
    from interlingua.rooms.bedrock_converse.encode import encode_request
    from interlingua.rooms.bedrock_converse.encode_answer import encode_response
    from interlingua.rooms.bedrock_converse.errors import decode_error, encode_error
    from interlingua.rooms.bedrock_converse.families import FAMILIES
    from interlingua.rooms.bedrock_converse.members import MEMBERS
    from interlingua.rooms.bedrock_converse.opaque_texts import texts_of_opaque
    from interlingua.rooms.bedrock_converse.rules import check_request
    from interlingua.rooms.bedrock_converse.stream import assemble_stream, decode_stream, encode_stream

__all__ = [
    "DESCRIPTOR", "FAMILIES", "MEMBERS", "SIGNS", "assemble_stream", "check_request", "decode_error", "decode_request",
    "decode_response", "decode_stream", "encode_error", "encode_request", "encode_response", "encode_stream",
    "texts_of_opaque",
]  # fmt: skip

DESCRIPTOR: Final = Descriptor(
    dialect=DIALECT,
    title="Bedrock Converse",
    also_called=("aws", "bedrock", "converse"),
    media=frozenset({"image", "audio", "file"}),
    demands=Demands(
        texts="filled",
        blocks_on_top=True,
        lists=True,
        failed_results=True,
        user_first=True,
        ids=Limit(64, also=".:"),
        names=Limit(64),
    ),
    model_member="modelId",
    names_model=False,
    signed_state="thinking_blocks",
    hides_reasoning=True,
    tells_opaque=True,
    enforces_schemas=True,
    pictures_of_user=True,
)

_STREAM: Final = dict.fromkeys(("assemble_stream", "decode_stream", "encode_stream"), "stream")
__getattr__ = lazy_getattr(
    __name__, texts_of_opaque="opaque_texts", **_STREAM, decode_response="decode", encode_response="encode_answer"
)
