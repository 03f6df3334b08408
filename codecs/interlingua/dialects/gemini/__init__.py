"""Gemini (`models/{model}:generateContent`), the Developer API and the Agent Platform alike.

Source: reference/wire/gemini.md; https://ai.google.dev/api/generate-content
"""

from __future__ import annotations

from interlingua.dialects.gemini.decode import decode_request
from interlingua.dialects.gemini.decode_answer import decode_response
from interlingua.dialects.gemini.encode import encode_request
from interlingua.dialects.gemini.encode_answer import encode_response
from interlingua.dialects.gemini.tables import API_VERSIONS, DIALECT

__all__ = ["API_VERSIONS", "DIALECT", "decode_request", "decode_response", "encode_request", "encode_response"]
