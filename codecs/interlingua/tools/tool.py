"""A tool that can be run: what the model is told of it, the function, and how it may be run."""

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
    """A tool and how it is run.

    `function` may be async; else it runs in a thread of its own. It takes the arguments by name, read as its
    annotations say; where a parameter has no annotation, it takes the JSON values as they are. With `argument_type` it
    takes one value of that type instead: the type that the definition was made from; `str` takes the text of a call of
    the kind `custom`.

    `is_concurrency_safe`: the tool may run while others run. `timeout_seconds`: how long it may take; None leaves that
    to the executor, infinity sets no limit. `is_async`: whether the function is called in the event loop, where it does
    not show: a decorated one may be no async function itself. Of others, a coroutine that they return is awaited.

    Raises:
        ToolSetupError: the function cannot be called so, or the time limit is none.
        InvalidArgumentError: an annotation of the function cannot be read, or is no JSON.

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
        """The name that a model calls."""
        return self.definition.name

    @classmethod
    def from_function(  # what `define` takes, and how the tool is run
        cls,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        description: str | None = None,
        strict: bool = True,
        is_concurrency_safe: bool = False,
        timeout_seconds: float | None = None,
    ) -> Self:
        """Return the tool that a function is: the one door from a function, which may be async, a method or a partial.

        The definition that the model is told is what `tools.define` makes of it.

        Raises:
            InvalidArgumentError: `define` refuses the function.
            ToolSetupError: the time limit is none.
        """
        definition = define(function, name=name, description=description, strict=strict)
        return cls(definition, function, is_concurrency_safe=is_concurrency_safe, timeout_seconds=timeout_seconds)


def _is_async(function: Callable[..., Any]) -> bool:
    method = getattr(function, "__call__", None)  # noqa: B004  # what it is, not whether it is there
    return any(inspect.iscoroutinefunction(one) or inspect.isasyncgenfunction(one) for one in (function, method))


def _reader(function: Callable[..., Any]) -> ArgumentReader | None:
    """Return what reads the arguments of a function; None where it takes the JSON values as they are.

    Raises:
        ToolSetupError: it takes arguments by position alone.
        InvalidArgumentError: an annotation cannot be read.
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None  # some functions written in C do not say
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY and parameter.default is inspect.Parameter.empty:
            raise ToolSetupError("the function takes positional arguments, but tools are called with arguments by name")
    is_annotated = all(
        parameter.annotation is not inspect.Parameter.empty and parameter.kind not in _STARRED
        for parameter in parameters
    )
    return ArgumentReader(function) if is_annotated else None
