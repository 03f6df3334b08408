"""Runnable tools: definition, function, and execution options."""

from __future__ import annotations

import inspect
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

from interlingua.errors import ToolSetupError
from interlingua.tools.define import ArgumentReader, define
from interlingua.tools.limits import check_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlingua.model import ToolDefinition

__all__ = ["Tool"]

_STARRED: Final = frozenset({inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL})


@dataclass(frozen=True, slots=True, eq=False)
class Tool:
    """A tool and how to run it.

    `function` may be async; otherwise it runs in its own thread. It receives the arguments by name, converted by its
    annotations; if a parameter has no annotation, it receives the JSON values unchanged. With `argument_type` it
    receives a single value of that type instead, which is the type that the definition was made from; `str` receives
    the text of a `custom` call.

    `is_concurrency_safe`: the tool may run concurrently with others. `timeout_seconds`: its time limit; None uses the
    executor's, infinity means no limit. `is_async`: whether the function is called in the event loop; set it if that
    cannot be detected, as for some decorated functions. A coroutine returned by any other function is awaited.

    Raises:
        ToolSetupError: the function cannot be called in this way, or the time limit is invalid.
        InvalidArgumentError: an annotation of the function cannot be evaluated, or has no JSON form.

    Example:
        >>> def weather(city: str) -> str:
        ...     "Return the weather of a city."
        ...     return "31 degrees"
        >>> tool = il.tools.Tool.from_function(weather, timeout_seconds=5)
        >>> tool.name, tool.definition.description
        ('weather', 'Return the weather of a city.')
    """

    definition: ToolDefinition
    function: Callable[..., Any] = field(repr=False)
    _: KW_ONLY
    argument_type: Any = None
    is_concurrency_safe: bool = False
    timeout_seconds: float | None = None
    is_async: bool | None = None
    reader: ArgumentReader | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_seconds(self.timeout_seconds, "timeout_seconds")
        if self.is_async is None:
            object.__setattr__(self, "is_async", _is_async(self.function))
        object.__setattr__(self, "reader", None if self.argument_type is not None else _reader(self.function))

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.definition.name

    @classmethod
    def from_function(  # the options of `define`, and how the tool is run
        cls,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        description: str | None = None,
        strict: bool = True,
        is_concurrency_safe: bool = False,
        timeout_seconds: float | None = None,
    ) -> Self:
        """Return a tool for a function, which may be async, a method or a partial.

        The definition is made by `tools.define`.

        Raises:
            InvalidArgumentError: `define` refuses the function.
            ToolSetupError: the time limit is invalid.
        """
        definition = define(function, name=name, description=description, strict=strict)
        return cls(definition, function, is_concurrency_safe=is_concurrency_safe, timeout_seconds=timeout_seconds)


def _is_async(function: Callable[..., Any]) -> bool:
    method = getattr(function, "__call__", None)  # noqa: B004  # the method itself is needed
    return any(inspect.iscoroutinefunction(one) or inspect.isasyncgenfunction(one) for one in (function, method))


def _reader(function: Callable[..., Any]) -> ArgumentReader | None:
    """Return the argument reader of a function; None if it takes the JSON values unchanged.

    Raises:
        ToolSetupError: it has positional-only parameters.
        InvalidArgumentError: an annotation cannot be evaluated.
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None  # some C functions have no signature
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY and parameter.default is inspect.Parameter.empty:
            raise ToolSetupError("the function takes positional arguments, but tools are called with arguments by name")
    is_annotated = all(
        parameter.annotation is not inspect.Parameter.empty and parameter.kind not in _STARRED
        for parameter in parameters
    )
    return ArgumentReader(function) if is_annotated else None
