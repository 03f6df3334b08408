# Copied from schema/compiler/runtime/base.py. Do not edit: edit that file and run `nox -s generate`.
"""The base of every generated model.

Nothing here runs Python code for a nested value that is as its schema says: objects and unions are checked by the
validators of pydantic_core. The one exception is a class that declares `exactly_one_of`.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Hashable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Self, TypeAlias, cast, get_origin

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, core_schema

from interlingua_types._printing import Printer, printer_of

Checked: TypeAlias = tuple[dict[str, Any], dict[str, Any] | None, set[str]]
"""What pydantic_core has of a value before it is built: members, extra members, names of those that were given."""

_IS_NONE: Final = partial(operator.is_, None)
_AROUND: Final = frozenset({"chain", "default", "list", "nullable", "tuple", "union"})
"""The kinds of schema that stand around that of a member."""
_JSON_TYPES: Final = (str, int, float, list, tuple, dict, type(None))
_LONGEST_NAME: Final = 100
_HOLDERS: Final = frozenset({dict, list, tuple})


class InvalidArgumentError(ValueError):
    """A value given by the caller violates a rule. The text names the rule and never contains the value.

    Example:
        >>> try:
        ...     il.chat.create_user("")
        ... except il.InvalidArgumentError as error:
        ...     print(error)
        content must not be empty
    """


class InterlinguaModel(BaseModel):
    """A value of the schema: immutable, hashable, strict, and silent about its content when printed."""

    model_config = ConfigDict(
        frozen=True,
        hide_input_in_errors=True,
        allow_inf_nan=False,
        # In free-form JSON, NaN and infinity stay visible: null in their place would be a silent loss.
        ser_json_inf_nan="constants",
        serialize_by_alias=True,
        # Building the validators of a class waits for its first use: importing a version stays cheap.
        defer_build=True,
        # Members may be called `model` or `model_*`: the schema names them, not Pydantic.
        protected_namespaces=(),
    )

    shown_members: ClassVar[frozenset[str]] = frozenset({"id", "call_id", "tool_call_id", "file_id"})
    """The text members that `repr` shows: identifiers, which say which value this is and not what it holds."""

    constant_members: ClassVar[Mapping[str, Any]] = {}
    """The members that have one value in every document, and that value."""

    _printers: ClassVar[Mapping[str, Printer]] = {}

    def __init__(self, /, **members: Any) -> None:
        """Build a value from its members; the constant ones (`type`, `role`, `schema_version`) fill themselves in.

        Members go by the name of the attribute or of the schema (`schema_` or `schema`).

        Raises:
            pydantic.ValidationError: the members are not what the schema says. A note says which ones may have been
                meant by names that it does not have. So also where free-form JSON has names that are no texts and would
                be written as another one: of 1 and "1" only one would be left.
        """
        __tracebackhide__ = True
        for name, member in members.items():
            if type(member) in _HOLDERS and _has_ambiguous_names(member):
                problem = PydanticCustomError("names_alike", "Two names of an object would be one in JSON")
                details = InitErrorDetails(type=problem, loc=(name,), input=None)
                raise ValidationError.from_exception_data(type(self).__name__, [details], hide_input=True)
        try:
            self.__pydantic_validator__.validate_python(
                {**self.constant_members, **members}, self_instance=self, by_alias=True, by_name=True
            )
        except ValidationError as error:
            _suggest(error, self.__pydantic_fields__)
            raise

    # Without this mark Pydantic would call __init__ for every nested object, and a tag that is missing would be filled
    # in instead of refused.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def __pydantic_init_subclass__(cls, **_options: Any) -> None:
        """Collect the constant members once a class."""
        cls.constant_members = {
            name: field.default
            for name, field in cls.__pydantic_fields__.items()
            if get_origin(field.annotation) is Literal and not field.is_required()
        }

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Demand the constant members in documents, and leave out of every dump what was not said.

        Only the constructor may leave out a constant. A member that is None is absent in canonical JSON, whoever writes
        it: `model_dump_json`, a `TypeAdapter`, `pydantic_core.to_json`; nulls inside free-form JSON stay.
        """
        schema = handler(source)
        for name, field in _model_fields(handler.resolve_ref_schema(schema)).items():
            _keep_names(field["schema"])
            if field["schema"]["type"] == "default":
                if name in cls.constant_members:
                    field["schema"] = field["schema"]["schema"]
                elif field["schema"].get("default") is None:
                    field["serialization_exclude_if"] = _IS_NONE
        return schema

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Describe a value without the example, which is Python and for people."""
        reference = handler(schema)
        own_schema = handler.resolve_ref_schema(reference)
        if "description" in own_schema:
            own_schema["description"] = own_schema["description"].partition("\n\nExample:")[0]
        return reference

    def replace(self, **changes: Any) -> Self:
        """Return a copy with other members, validated like a new value. None removes a member.

        Raises:
            pydantic.ValidationError: the result is not what the schema says.
        """
        fields = type(self).__pydantic_fields__
        attributes = {field.alias: name for name, field in fields.items() if field.alias is not None}
        members = {name: self.__dict__[name] for name in self.__pydantic_fields_set__ if name in fields}
        members |= self.__pydantic_extra__ or {}
        return type(self)(**members | {attributes.get(name, name): value for name, value in changes.items()})

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with other members, as Pydantic does: they are not validated, but lists become tuples.

        With a list in place of a tuple, Pydantic would warn whenever the copy is dumped. `replace` validates.
        """
        if update:
            fields = type(self).__pydantic_fields__
            update = {
                name: tuple(update[name])
                if type(update[name]) is list and name in fields and "tuple[" in str(fields[name].annotation)
                else update[name]
                for name in update
            }
        return super().model_copy(update=update, deep=deep)

    if not TYPE_CHECKING:
        # Hidden from type checkers, which would take it as leave to set any attribute.

        def __setattr__(self, name: str, value: Any) -> None:
            """Refuse to change public attributes, without Pydantic's error, which would show the value.

            Raises:
                pydantic.ValidationError: the name is public.
            """
            if not name.startswith("_"):
                problem = InitErrorDetails(type="frozen_instance", loc=(name,), input=None)
                raise ValidationError.from_exception_data(type(self).__name__, [problem], hide_input=True)
            super().__setattr__(name, value)

    def __hash__(self) -> int:
        """Hash the value, including free-form JSON; equal values have equal hashes."""
        return hash((type(self), tuple(hashable(self.__dict__.get(name)) for name in type(self).__pydantic_fields__)))

    def __repr_args__(self) -> list[tuple[str | None, Any]]:
        """Show tags, identifiers, lengths and counts; never content."""
        printers = self._printers_of_members()
        members = ((name, self.__dict__.get(name)) for name in printers)
        return [(name, printers[name](value)) for name, value in members if value is not None]

    @classmethod
    def _printers_of_members(cls) -> Mapping[str, Printer]:
        """Return how each member is printed, computed once for each class."""
        if "_printers" not in cls.__dict__:
            cls._printers = {
                name: printer_of(field.annotation, is_identifier=name in cls.shown_members)
                for name, field in cls.__pydantic_fields__.items()
            }
        return cls._printers

    def __str__(self) -> str:
        """Return the same as `repr`: an f-string must not write content to a log."""
        return repr(self)


class ExactlyOneModel(InterlinguaModel):
    """A value whose content is in exactly one of several members."""

    exactly_one_of: ClassVar[tuple[str, ...]] = ()
    """The members of which one, and only one, must be present."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Count the members between checking them and building the value.

        A validator around the whole model (`model_validator`) would run twice: pydantic_core takes the finished
        validator of a class, with what stands around it, and puts the same around it once more.
        """
        schema = super().__get_pydantic_core_schema__(source, handler)
        model = _model(handler.resolve_ref_schema(schema))
        if model["schema"]["type"] == "model-fields":
            model["schema"] = core_schema.no_info_after_validator_function(
                partial(_refuse_several, cls.exactly_one_of), model["schema"]
            )
        return schema


def hashable(value: Any) -> Hashable:
    """Return something hashable that is equal for equal values."""
    if isinstance(value, dict):
        return frozenset((key, hashable(item)) for key, item in cast("dict[str, Any]", value).items())
    if isinstance(value, (list, tuple)):
        return tuple(hashable(item) for item in cast("list[Any]", value))
    return cast("Hashable", value)


def _has_ambiguous_names(value: Any) -> bool:
    """Tell whether an object in a Python value has two names with the same JSON form; models have none."""
    waiting: list[Any] = [value]
    seen = {id(value)}
    for one in waiting:
        members: Iterable[Any] = one
        kind = cast("type[object]", type(one))
        if kind is dict:
            named = cast("dict[Any, Any]", one)
            if _have_equal_json_form(named):
                return True
            members = named.values()
        for member in members:
            if type(member) in _HOLDERS and id(member) not in seen:
                seen.add(id(member))
                waiting.append(member)
    return False


def _have_equal_json_form(named: dict[Any, Any]) -> bool:
    """Tell whether two names of an object have the same JSON form; two different strings never have."""
    for name in named:
        if type(name) is not str:
            return len(set(map(_json_form, named))) < len(named)
    return False


def _json_form(name: object) -> str:
    """Return a name as it is written in JSON."""
    return str(name).lower() if isinstance(name, bool) else str(name)


def _model(schema: Any) -> dict[str, Any]:
    """Return a model's own core schema, without the validators around it."""
    while schema["type"] != "model":
        schema = schema["schema"]
    return cast("dict[str, Any]", schema)


def _model_fields(schema: Any) -> dict[str, Any]:
    """Return the fields inside a model's core schema, without the validators between."""
    while schema["type"] != "model-fields":
        schema = schema["schema"]
    return cast("dict[str, Any]", schema["fields"])


def _keep_names(schema: Any) -> None:
    """Let free-form JSON be written as the value that it is, wherever it stands in the schema of a member.

    As an object of texts, pydantic_core would write half a surrogate pair in a name as replacement characters, and two
    such names as one, without a word. As any value it says that it cannot be written.
    """
    if schema["type"] == "dict":
        schema["serialization"] = core_schema.simple_ser_schema("any")
        return
    inner = [schema.get("schema"), schema.get("items_schema"), *schema.get("choices", ())]
    for one in inner:
        if isinstance(one, dict) and schema["type"] in _AROUND:
            _keep_names(one)


def _refuse_several(names: tuple[str, ...], checked: Checked) -> Checked:
    """Return the checked members if exactly one of the named ones is present.

    Raises:
        PydanticCustomError: none is present, or several are.
    """
    if sum(checked[0].get(name) is not None for name in names) != 1:
        kind, text = "exactly_one_of", "Exactly one of {members} must be present"
        raise PydanticCustomError(kind, text, {"members": ", ".join(names)})
    return checked


def _suggest(error: ValidationError, known: Collection[str]) -> None:
    """Add suggestions for unknown member names to an error, and the types of values that are no JSON."""
    for finding in error.errors(include_url=False, include_context=False):
        if not isinstance(finding["input"], _JSON_TYPES):
            place, kind = ".".join(map(str, finding["loc"])), type(finding["input"]).__name__
            error.add_note(f"{place}: a value of the type {kind} is given")
        if finding["type"] == "extra_forbidden" and len(finding["loc"]) == 1:
            from difflib import get_close_matches  # noqa: PLC0415  # only a wrong name needs it

            name = str(finding["loc"][0])
            close = get_close_matches(name, known, n=1) if len(name) <= _LONGEST_NAME else []
            if close:
                error.add_note(f"{name}: did you mean {close[0]!r}?")
