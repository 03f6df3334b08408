"""Methods of other types: `create`, reading arguments, parsing a role.

What is said and answered stands in `message_mixins.py`.

Decoding takes what a provider really sent; the rules for values made by hand (004) stand in the `create` classmethods.
No error repeats a value: it may be a secret.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeVar, cast

from pydantic import ModelWrapValidatorHandler, PrivateAttr, model_serializer, model_validator
from pydantic_core import PydanticCustomError

from interlingua_types._base import ExactlyOneModel, InterlinguaModel, InvalidArgumentError, hashable
from interlingua_types._checks import (
    check_name,
    check_text,
    checked_parameters,
    copied_json,
    json_object,
    parse_arguments,
    read_as,
)
from interlingua_types._parameters import parameters_of
from interlingua_types._paths import check_lines, checked_path

T = TypeVar("T")

_LOGGER: Final = logging.getLogger("interlingua")
_DESCRIPTION_LENGTH: Final = 1024
_ROLE_NUMBERS: Final[Mapping[str, int]] = {"system": 0, "user": 1, "assistant": 2, "tool": 3, "developer": 4}


class MessageRoleMixin(StrEnum):
    """The author of a message: a lower-case string in JSON, with a fixed number."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the role with a name, case-insensitively.

        Raises:
            InvalidArgumentError: the word names no role.
        """
        roles = {role.value: role for role in cls}
        word = check_text(text, "role").lower()
        if word not in roles:
            message = f"no such role; the roles are {', '.join(roles)}"
            raise InvalidArgumentError(message)
        return roles[word]

    @property
    def number(self) -> int:
        """The fixed number of the role: system 0, user 1, assistant 2, tool 3, developer 4."""
        return _ROLE_NUMBERS[self.value]


class UnknownMessageMixin(InterlinguaModel):
    """A message of an unknown type: kept unchanged, including member order and nulls.

    The rules of known messages still apply: a document with a known tag is refused, unless it states a newer
    version.
    """

    tag_member: ClassVar[str] = "type"
    known_tags: ClassVar[frozenset[str]] = frozenset()
    version: ClassVar[int] = 0
    shown_members: ClassVar[frozenset[str]] = InterlinguaModel.shown_members | {"type"}

    _document: dict[str, Any] = PrivateAttr(default_factory=dict[str, Any])

    @property
    def document(self) -> dict[str, Any]:
        """The unchanged document of the message; it must not be modified."""
        return self._document

    @model_validator(mode="wrap")
    @classmethod
    def _keep_document(cls, document: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Refuse known types, and keep any other document unchanged.

        Raises:
            PydanticCustomError: the document's tag is known and its version is not newer.
        """
        if not isinstance(document, dict):
            return handler(document)
        members = cast("dict[str, Any]", document)
        if not cls._is_unknown(members):
            kind, text = "known_message", "A message of a known type is not an unknown message"
            raise PydanticCustomError(kind, text)
        message = handler(members)
        message._document = dict(members)  # noqa: SLF001 - an instance of this very class
        return message

    @classmethod
    def _is_unknown(cls, document: dict[str, Any]) -> bool:
        """Tell whether a document has an unknown tag, or is of a newer version."""
        tag, version = document.get(cls.tag_member), document.get("schema_version")
        is_newer = isinstance(version, (int, float)) and not isinstance(version, bool) and version > cls.version
        return is_newer or (isinstance(tag, str) and tag not in cls.known_tags)

    @model_serializer(mode="plain")
    def _write_document(self) -> Any:
        """Return the document as it was read: as any value, since pydantic_core would change names in an object."""
        return self._document

    def __hash__(self) -> int:
        """Hash the document."""
        return hash((type(self), hashable(self._document)))


class ApiErrorMixin(InterlinguaModel):
    """An error of a provider. Its message may quote the user, so only its codes are printed."""

    shown_members: ClassVar[frozenset[str]] = InterlinguaModel.shown_members | {"code", "type"}


class ToolCallMixin(InterlinguaModel):
    """Reads the arguments of a call, which are JSON text or an object, as the provider sent them.

    The member `arguments` is shared and must not be changed; the methods return copies.
    """

    if TYPE_CHECKING:
        arguments: dict[str, Any] | str

    @cached_property
    def _parsed_text(self) -> tuple[str, dict[str, Any]]:
        """The text of the arguments, and the parsed object, which is cached (NFR-004a-12)."""
        text = check_text(self.arguments, "arguments", may_be_empty=True)
        return text, parse_arguments(text)

    def _shared_arguments(self) -> dict[str, Any]:
        """Return the shared object of the arguments, of which callers only get copies.

        Raises:
            InvalidArgumentError: the text of the arguments is no JSON object.
        """
        if not isinstance(self.arguments, str):
            return parse_arguments(self.arguments)
        if self._parsed_text[0] != self.arguments:
            # A modified copy of a call also copies the cached values of the original.
            del self._parsed_text
        return self._parsed_text[1]

    def arguments_object(self) -> dict[str, Any]:
        """Return the arguments as a JSON object: a copy, which may be changed.

        Raises:
            InvalidArgumentError: the text of the arguments is no JSON object.
        """
        return cast("dict[str, Any]", copied_json(self._shared_arguments()))

    def arguments_text(self) -> str:
        """Return the arguments as JSON text; text from the provider is unchanged."""
        if isinstance(self.arguments, str):
            return self.arguments
        return json.dumps(self.arguments, ensure_ascii=False, separators=(",", ":"))

    def arguments_as(self, target: type[T]) -> T:
        """Return the arguments as a value of a type: a model, a dataclass, a TypedDict (FR-004a-51, 52).

        Raises:
            InvalidArgumentError: the arguments are no JSON object, or do not fit the type.
        """
        return read_as(target, self.arguments_object())

    def get_argument(self, name: str, target: type[T]) -> T:
        """Return one argument as a value of a type.

        Raises:
            InvalidArgumentError: the arguments are no JSON object, the argument is missing or does not fit the type.
        """
        arguments = self._shared_arguments()
        if check_text(name, "name", may_be_empty=True) not in arguments:
            message = "there is no argument of that name"
            raise InvalidArgumentError(message)
        return read_as(target, copied_json(arguments[name]))

    def try_get_argument(self, name: str, target: type[T]) -> tuple[bool, T | None]:
        """Return (True, value), or (False, None) where `get_argument` would raise (FR-004a-49, 50)."""
        try:
            return True, self.get_argument(name, target)
        except InvalidArgumentError:
            return False, None

    @classmethod
    def create(cls, name: str, arguments: Mapping[str, Any] | str, id: str | None = None) -> Self:  # noqa: A002
        """Create a call, checked by the rules of specification 004 (FR-004a-36..54).

        A call without an id gets a unique one when it is added to a history.

        Raises:
            InvalidArgumentError: the name is not 1 to 64 letters, digits and underscores; the arguments are no JSON
                object; the id is empty.
        """
        check_name(name)
        parse_arguments(arguments)
        members: dict[str, Any] = {"name": name}
        members["arguments"] = arguments if isinstance(arguments, str) else json_object(arguments, "arguments")
        if id is not None:
            members["id"] = check_text(id, "id")
        return cls(**members)


class ToolResultMixin(InterlinguaModel):
    """Creates results of tool calls (FR-004a-56..69)."""

    if TYPE_CHECKING:
        call_id: str

    @property
    def tool_call_id(self) -> str:
        """The id of the call that is answered: 004's name for `call_id`."""
        return self.call_id

    @classmethod
    def success(cls, call_id: str, result: str) -> Self:
        """Create the result of a successful call. The result may be empty.

        Raises:
            InvalidArgumentError: the id is empty, or the result is no text.
        """
        return cls._create(call_id, result, is_error=False)

    @classmethod
    def error(cls, call_id: str, message: str) -> Self:
        """Create the result of a failed call; the message is sent to the model.

        Raises:
            InvalidArgumentError: the id is empty, or the message is no text.
        """
        return cls._create(call_id, message, is_error=True)

    @classmethod
    def _create(cls, call_id: str, result: str, *, is_error: bool) -> Self:
        members: dict[str, Any] = {"call_id": check_text(call_id, "call_id"), "is_error": is_error}
        members["result"] = check_text(result, "result", may_be_empty=True)
        return cls(**members)


class ToolDefinitionMixin(InterlinguaModel):
    """Creates definitions of tools."""

    @classmethod
    def create(cls, name: str, description: str, parameters: Mapping[str, Any], strict: bool = True) -> Self:
        """Create a tool, checked by the rules of specification 004 (FR-004a-71..84).

        `strict` closes the schema when it is encoded. The parameters are validated by the metaschema that `$schema`
        names, by default that of 2020-12, and copied.

        Raises:
            InvalidArgumentError: the name is not 1 to 64 letters, digits and underscores; the description is empty; the
                parameters are no JSON Schema of an object.
        """
        check_name(name)
        check_text(description, "description")
        if len(description) > _DESCRIPTION_LENGTH:
            _LOGGER.warning("the description of a tool is longer than %d characters", _DESCRIPTION_LENGTH)
        members: dict[str, Any] = {"name": name, "description": description, "strict": strict}
        members["parameters"] = checked_parameters(parameters)
        return cls(**members)

    @classmethod
    def from_type(cls, target: Any, *, name: str, description: str, strict: bool = True) -> Self:
        """Return a tool whose parameters are the JSON Schema of a Python type (FR-004a-89, 90).

        The type is a Pydantic model, a dataclass or a TypedDict. `strict` closes the schema at every depth, except for
        types that allow further members.

        Raises:
            InvalidArgumentError: as `create`; also for a type that is not an object in JSON, or has no JSON Schema.
        """
        return cls.create(name, description, parameters_of(target, strict=strict), strict)


class _CarrierMixin(ExactlyOneModel):
    """A part whose content is in one of several members: a URL, data, an uploaded file."""

    @property
    def carrier(self) -> str:
        """The name of the member that carries the content."""
        return next(name for name in self.exactly_one_of if getattr(self, name) is not None)


class ImagePartMixin(_CarrierMixin):
    """An image."""


class AudioPartMixin(_CarrierMixin):
    """Audio."""


class FilePartMixin(_CarrierMixin):
    """A file."""


class FileReferenceMessageMixin(InterlinguaModel):
    """Creates references to files (TYPE-9.2)."""

    @classmethod
    def create(
        cls, path: str, start_line: int | None = None, end_line: int | None = None, role: str | None = None
    ) -> Self:
        """Create an unresolved reference; its path is normalised.

        Lines are numbered from 1, and both ends are included; without `end_line` the range ends with the file.

        Raises:
            InvalidArgumentError: the path is empty, steps upwards by `..`, is no path on every system; the range is
                none.
            pydantic.ValidationError: there is no such role.
        """
        check_lines(start_line, end_line)
        data: dict[str, Any] = {"path": checked_path(path), "status": "pending"}
        given = {"start_line": start_line, "end_line": end_line, "role": role}
        data |= {name: value for name, value in given.items() if value is not None}
        members: dict[str, Any] = {"data": data}
        return cls(**members)
