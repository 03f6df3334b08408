"""Each public function refuses each argument of a wrong type in words, and never by an error from within it."""

from __future__ import annotations

import asyncio
import inspect
import linecache
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pydantic
import pytest

import interlingua as il
import interlingua_types
from support.public_calls import PublicCall, public_calls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WRONG: Final[dict[str, Callable[[], Any]]] = {
    "None": lambda: None,
    "number": lambda: 5,
    "fraction": lambda: 1.5,
    "nan": lambda: float("nan"),
    "huge": lambda: 10**400,
    "text": lambda: "x",
    "bytes": lambda: b"x",
    "list": list,
    "list of None": lambda: [None],
    "object of JSON": lambda: {"a": 1},
    "mapping of a number": lambda: {1: 2},
    "object": object,
    "set": lambda: {"x"},
    "iterator": lambda: iter([3]),
    "switch": lambda: True,
}
HOUSES: Final = (Path(il.__file__).parent, Path(interlingua_types.__file__).parent)
# Protocols, and what rooms of third parties are made of.
LEFT_OUT: Final = (
    "FilePolicy",
    "OcrEngine",
    "VisionModel",
    "resolve.FilePolicy",
    "resolve.OcrEngine",
    "resolve.VisionModel",
    "resolve.FileBytes",
    "resolve.Summarizer",
    "resolve.UrlFetcher",
    "context.TokenCounter",
    "tools.ApprovalPolicy",
    "spi.",
)
UNTRIED: Final = frozenset(
    {
        "Report.of",
        "RolePolicy.allows",
        "resolve.RolePolicy.allows",
        "chat.Messages.count",
        "chat.Messages.index",
        "resolve.ResourceCache.discard",
        "resolve.ResourceCache.get",
        "resolve.ResourceCache.put",
        "chat.Messages.first",
        "chat.repair_plain_request",  # what it takes is known to be canonical
        "run_tools_sync",
        "show_in_notebooks",  # a switch of the process
        "tools.ToolExecutor.run_sync",
    }
)


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> list[PublicCall]:
    return public_calls(tmp_path_factory.mktemp("calls"))


def public_functions() -> Iterator[tuple[str, Any]]:
    """Yield each public function, and each public method of a public class, that takes arguments."""
    for name in il.__all__:
        value = getattr(il, name)
        inner = getattr(value, "__all__", ()) if inspect.ismodule(value) else None
        found = [(name, value)] if inner is None else [(f"{name}.{one}", getattr(value, one)) for one in inner]
        for path, thing in found:
            if inspect.isfunction(thing):
                yield path, thing
            elif inspect.isclass(thing) and thing.__module__.startswith("interlingua."):
                for method in dir(thing):
                    function = getattr(inspect.getattr_static(thing, method), "__func__", None)
                    function = function or inspect.getattr_static(thing, method)
                    if not method.startswith("_") and inspect.isfunction(function):
                        yield f"{path}.{method}", function


def test_every_public_function_with_parameters_is_among_the_calls(calls: list[PublicCall]) -> None:
    listed = {call.name for call in calls}
    missing = [
        name
        for name, function in public_functions()
        if any(one not in {"self", "cls"} for one in inspect.signature(function).parameters)
        and not name.startswith(LEFT_OUT)
        and name not in UNTRIED
        # A twin that awaits is given to the same method; a class may stand in its package and beside it.
        and listed.isdisjoint({(same := name.removesuffix("_async")), same.partition(".")[2]})
    ]
    assert missing == []


def test_every_call_is_valid_as_it_is(calls: list[PublicCall]) -> None:
    for call in calls:
        try:
            done(call.found()(**call.given))
        except (il.ImageError, il.ResourceError, il.SessionNotFoundError):  # nobody is asked, nothing is deleted
            assert call.name.startswith(("SafeFetcher.", "McpResources.", "TesseractOcr.", "SessionStore.delete"))


def test_no_argument_of_a_wrong_type_raises_an_undocumented_error(
    calls: list[PublicCall], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some texts are names of files
    raw: list[str] = []
    for call in calls:
        for argument in call.given:
            for kind, made in WRONG.items():
                try:
                    done(call.found()(**{**call.given, argument: made()}))
                except Exception as error:  # noqa: BLE001  # any error is looked at
                    if not is_ours(error):
                        raw.append(f"{call.name}({argument}={kind}): {type(error).__name__}: {error}")
    assert raw == []


def test_an_internal_error_is_distinguished_from_a_documented_one() -> None:
    def fails() -> None:
        il.chat.Messages([None])[0].text  # type: ignore[list-item, union-attr]  # noqa: B018

    with pytest.raises(AttributeError) as caught:
        fails()
    assert not is_ours(caught.value)
    with pytest.raises(TypeError) as refused:
        il.dump_message(None)  # type: ignore[arg-type]
    assert is_ours(refused.value)


def create_with_text_as_metadata() -> None:
    with il.SessionStore("sessions.db") as store:
        store.create(metadata="title")  # type: ignore[arg-type]  # a mistake, on purpose


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (
            lambda: il.sessions.Redactor("secret"),
            "values must be a collection of texts, not one text: put it into a list",
        ),
        (lambda: il.sessions.Redactor([5]), "values must be a collection of texts"),
        (
            lambda: list(il.sessions.read_jsonl(b"{}")),
            "source must be a path, or a file that was opened for bytes, not a bytes",
        ),
        (
            lambda: il.decode_error({}, "claude", now="today"),
            "now must be a datetime, or a number of seconds since 1970, not a str",
        ),
        (lambda: il.decode_error({}, "claude", headers=5), "headers must be a mapping of names, not an int"),
        (
            lambda: il.decode_error({}, "claude", headers=[("retry-after", "1")]),
            "headers must be a mapping of names, not a list: give dict(...) of it",
        ),
        (
            create_with_text_as_metadata,
            "metadata must be a mapping of names, not a str",
        ),
    ],
)
def test_an_error_uses_the_parameter_names_of_the_caller(
    call: Callable[[], Any], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(il.InvalidArgumentError) as caught:
        call()
    assert str(caught.value) == told


def done(result: Any) -> Any:
    """Return what a call gave, read to its end."""
    if inspect.iscoroutine(result):
        return asyncio.run(result)
    return list(result) if isinstance(result, (Generator, il.EncodedStream)) else result


def is_ours(error: BaseException) -> bool:
    """Tell whether an error was raised on purpose: it is of ours, or a line of ours says `raise`."""
    if isinstance(error, (il.InterlinguaError, il.InvalidArgumentError, pydantic.ValidationError)):
        return True
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    assert trace is not None
    file = trace.tb_frame.f_code.co_filename
    line = linecache.getline(file, trace.tb_lineno).strip()
    return any(Path(file).is_relative_to(house) for house in HOUSES) and line.startswith("raise ")
