"""Shows the content of values on request, since `repr` never does."""

from __future__ import annotations

import html
import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, Final, TextIO, cast

from interlingua_types._base import InterlinguaModel, InvalidArgumentError

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["show", "show_in_notebooks"]

# Control and invisible characters, which a terminal would act on, and lone surrogates, which it cannot write.
_UNSHOWN: Final = re.compile("[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def show(value: Any, *, file: TextIO | None = None) -> None:
    """Print a value with its content: in colours on a terminal, as HTML in a notebook.

    `repr` and `str` of Interlingua's values show only kinds and sizes, so that no content reaches a log.

    Args:
        value: A message, request, response, stream event, `Encoded`, `Transcript`, or a list or mapping of such.
        file: Where to print; None means standard output, or the cell of a notebook.

    Example:
        >>> il.show(il.TextPart(text="Hello"))
        {
          "type": "text",
          "text": "Hello"
        }
    """
    text = _text(value)
    notebook = _notebook() if file is None else None
    if notebook is not None:
        notebook.display(notebook.HTML(_html(text)))
        return
    target = sys.stdout if file is None else file
    if not (hasattr(target, "isatty") and hasattr(target, "write")):
        raise InvalidArgumentError("file must be one to which text is written, such as sys.stdout")
    if target.isatty() and _is_coloured(text, target):
        return
    target.write(text + "\n")


def show_in_notebooks(is_on: bool = True) -> None:  # a switch, and its only argument
    """Turn on or off that notebooks show the content of a value at the end of a cell.

    Off by default, because a notebook is stored with its output.

    Args:
        is_on: Whether to show content.

    Example:
        >>> il.show_in_notebooks()
        >>> il.TextPart(text="Hello")._repr_html_().startswith("<pre")
        True
        >>> il.show_in_notebooks(False)
    """
    if is_on:
        cast("Any", InterlinguaModel)._repr_html_ = _cell
    elif "_repr_html_" in InterlinguaModel.__dict__:
        del cast("Any", InterlinguaModel)._repr_html_


def _text(value: Any) -> str:
    text = json.dumps(_plain(value), indent=2, ensure_ascii=False, default=lambda one: f"<{type(one).__name__}>")
    return _UNSHOWN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _plain(value: Any) -> Any:
    """Return a value as JSON."""
    if isinstance(value, InterlinguaModel):
        return value.model_dump(mode="json", by_alias=True)
    if hasattr(value, "body") and hasattr(value, "losses"):  # Encoded, EncodedError, Exchange
        return {"body": _plain(value.body), "losses": [_plain(loss) for loss in value.losses]}
    if hasattr(value, "messages") and hasattr(value, "branch"):  # Transcript
        return [_plain(message) for message in value.messages]
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value) if not one.name.startswith("_")}
    if isinstance(value, Mapping):
        members: Mapping[Any, Any] = value  # pyright: ignore[reportUnknownVariableType]  # of anything
        return {str(name): _plain(member) for name, member in members.items()}
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        items: Iterable[Any] = value  # pyright: ignore[reportUnknownVariableType]  # of anything
        return [_plain(one) for one in items]
    return f"<{len(value)} bytes>" if isinstance(value, bytes) else value


def _cell(value: Any) -> str:
    return _html(_text(value))


def _html(text: str) -> str:
    return f'<pre style="white-space: pre-wrap">{html.escape(text)}</pre>'


def _notebook() -> ModuleType | None:
    """Return IPython's display module if this runs in a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or type(shell).__name__ != "ZMQInteractiveShell":
        return None
    return sys.modules.get("IPython.display")


def _is_coloured(text: str, target: TextIO) -> bool:
    """Print JSON in colours if possible; tell whether it was printed."""
    try:
        from rich.console import Console  # noqa: PLC0415  # an extra, imported when needed
        from rich.syntax import Syntax  # noqa: PLC0415  # as above
    except ModuleNotFoundError:
        return False
    Console(file=target).print(Syntax(text, "json", word_wrap=True, background_color="default"))
    return True
