"""`Vendor`: the differences between the rooms of the Chat Completions family."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from interlingua.rooms._chat_completions.tables import (
    FINISH_REASONS,
    FINISH_WORDS,
    SETTING_NAMES,
    SETTINGS,
    USAGE_DETAILS,
)
from interlingua.rooms._chat_completions.vendor_extensions import FINISH_REASONS as VENDOR_REASONS
from interlingua.rooms._shared.media import OPENAI_PICTURES
from interlingua.rooms._shared.openai_schemas import FORM, FUNCTION
from interlingua.spi.extra import NOTHING

if TYPE_CHECKING:
    from interlingua.rooms._shared.schema_adaptation import Subset
    from interlingua.rooms._shared.writing import Defaults, Target
    from interlingua.spi.reading import Unmapped

Object: TypeAlias = dict[str, Any]
Settings: TypeAlias = Mapping[str, tuple[str, tuple[type, ...]]]
# Reads a non-null member of a request: request, value, body, vendor, leftovers.
Reader: TypeAlias = "Callable[[dict[str, Any], Any, dict[str, Any], Vendor, Unmapped], None]"
# Writes a member of a request: body, value, request, vendor, target.
Writer: TypeAlias = "Callable[[dict[str, Any], Any, Any, Vendor, Target], None]"
# Decodes a content part of a role, or returns None to leave it to the family.
PartDecoder: TypeAlias = Callable[[Any, str], "dict[str, Any] | None"]
# Encodes a part of a role at a path, or returns None to leave it to the family.
PartEncoder: TypeAlias = "Callable[[Any, str, str, Target], list[Any] | None]"


class Vendor(NamedTuple):
    """What tells one room of the family from another; the defaults are those of OpenAI.

    `settings`, `setting_names`: request members that mean the same under both names, both ways.
    `ignored`: canonical settings that the server takes and forgets; `defaults`: what it does in any case.
    `end_user`: the member that names the end user by habit.
    `reasoning`: the member that holds the reasoning of an assistant by habit, empty where there is none.
    `shown`: the member in which an answer from elsewhere shows its reasoning, where clients look for it.
    `details`: whether reasoning may come as a list of details.
    `stop_words`: whether an answer tells its stop word.
    `limited`: whether names and ids are limited to few characters.
    `ends_failures`: whether the end of the stream follows an error in one.
    `word_names`: whether the names of functions have letters, digits, `_` and `-` alone; `initial_letters`: whether
    they begin with a letter.
    `closes`: whether a strict schema is closed, and requires all that it names.
    `repeated_tools`: whether several functions may have one name.
    `function_schemas`, `form_schemas`: what is taken of the schema of a function, and of an answer, that is not strict.
    `custom`: whether tools may take free text, and a choice may allow some tools only.
    `refusals`, `spoken`: whether a request may hold refusals and spoken answers.
    `empty_answers`: whether what the assistant said may be nothing.
    `pictures`: whether an answer may hold pictures, beside its content.
    `whole_pictures`: whether pictures may be asked for as large as they are.
    `picture_types`: the media types of pictures that the server reads as data.
    `files`, `cache_marks`: whether a message may hold files and marks for the cache.
    `claude_marks`: whether these marks are those of Claude, which gateways pass on to it.
    `documents`: whether files are documents with an address, which may be a data URL, and nothing else.
    `videos`: whether videos may be sent: "" for none, "as_data", or "by_address", which may be a data URL.
    `tool_media`, `tool_names`: whether a result may hold pictures and the name of its tool.
    `signed_calls`: whether the models want back what Gemini signed of their calls and texts.
    `details_of`: the maker of the models, where they take back as details what it signed.
    `searches`: whether the server searches the web; `flat_searches`: whether the request names the domains of a search,
    and the location has no object around it (Perplexity).
    `finish_reasons`, `finish_words`: why an answer ended, both ways; `vendor_reasons`: words that are read only.
    `readers`, `writers`, `decode_part`, `encode_part`: what only this room reads and writes.
    """

    dialect: str
    settings: Settings = SETTINGS
    setting_names: Mapping[str, str] = SETTING_NAMES
    ignored: frozenset[str] = frozenset()
    defaults: Defaults = NOTHING
    end_user: str = "safety_identifier"
    reasoning: str = ""
    shown: str = "reasoning_content"
    details: bool = True
    stop_words: bool = False
    limited: bool = True
    ends_failures: bool = False
    word_names: bool = True
    initial_letters: bool = False
    closes: bool = True
    repeated_tools: bool = True
    function_schemas: Subset = FUNCTION
    form_schemas: Subset = FORM
    custom: bool = True
    refusals: bool = True
    spoken: bool = True
    empty_answers: bool = True
    pictures: bool = True
    whole_pictures: bool = False
    picture_types: frozenset[str] = OPENAI_PICTURES
    files: bool = True
    documents: bool = False
    videos: str = ""
    tool_media: bool = False
    tool_names: bool = False
    cache_marks: bool = True
    claude_marks: bool = False
    signed_calls: bool = False
    details_of: str = ""
    searches: bool = True
    flat_searches: bool = False
    finish_reasons: Mapping[str, str] = FINISH_REASONS
    finish_words: Mapping[str, tuple[str, bool]] = FINISH_WORDS
    vendor_reasons: Mapping[str, str] = VENDOR_REASONS
    usage_details: Mapping[str, Mapping[str, str]] = USAGE_DETAILS
    readers: Mapping[str, Reader] = NOTHING
    writers: Mapping[str, Writer] = NOTHING
    decode_part: PartDecoder | None = None
    encode_part: PartEncoder | None = None

    def finish_reason(self, word: Any, *, called: bool) -> str:
        """Return the canonical finish reason of a word, from this room or another vendor.

        An answer with tool calls and the reason `stop` has stopped for them (DEC-10). Case is ignored, since gateways
        also write upper case.
        """
        if type(word) is not str:
            return "other"
        small = word.lower()
        reason = self.finish_reasons.get(small) or self.vendor_reasons.get(small, "other")
        return "tool_calls" if called and reason == "stop" else reason
