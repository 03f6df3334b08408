"""The model families of Ollama's own API. docs/families.md lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from interlingua.rooms._shared.ollama_families import OLLAMA

if TYPE_CHECKING:
    from interlingua.spi.families import Family

FAMILIES: Final[tuple[Family, ...]] = OLLAMA
