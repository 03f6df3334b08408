"""What Python takes for a list, a number or a text is taken as one, and not refused as an argument of a wrong type."""

from __future__ import annotations

import enum
import numbers
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

import interlingua as il

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Whole:
    """A whole number of another package, such as `numpy.int64`, which is no `int`."""

    def __init__(self, value: int) -> None:
        self._value = value

    def __int__(self) -> int:
        return self._value


numbers.Integral.register(Whole)


class Rows:
    """A class whose items are had by their numbers, and which has no `__iter__`."""

    def __init__(self, *items: Any) -> None:
        self._items = items

    def __getitem__(self, at: int) -> Any:
        return self._items[at]


class Union(enum.StrEnum):
    PART = "part"


def hellos(count: int) -> list[il.AnyMessage]:
    return [il.messages.user(f"Hello {number}") for number in range(count)]


def test_a_transcript_is_restored_from_an_iterator() -> None:
    entries: Any = (message for message in hellos(2))
    assert len(il.Transcript.restore(entries, {"main": [0, 1]}, branch="main").messages) == 2


def test_policies_given_as_an_iterator_are_used_more_than_once() -> None:
    policies: Any = iter([il.tools.DenyTools(frozenset({"delete"}))])
    policy = il.tools.FirstDecision(policies)
    call = il.ToolCall.create("delete", {}, "call_1")
    assert [getattr(policy.decide(call), "status", None) for _ in range(2)] == ["denied", "denied"]


def length_of_window(two: Any) -> int:
    return len(il.context.window([il.chat.create_user(text) for text in "abc"], two).messages)


def limit_of_output(two: Any) -> int:
    return il.tools.ExecutionLimits(output_bytes=two).output_bytes


def picture_of_pixels(two: Any) -> None:
    il.resolve.ImageLimits().check_size(two, two)


def reads_files(two: Any) -> bool:
    return bool(il.resolve.FileResolver(max_bytes=two))


@pytest.mark.parametrize(
    ("use", "made"), [(length_of_window, 2), (limit_of_output, 2), (picture_of_pixels, None), (reads_files, True)]
)
def test_integers_of_other_packages_are_accepted_as_counts(use: Callable[[Any], Any], made: object) -> None:
    assert use(Whole(2)) == use(2) == made


def test_a_token_count_of_another_package_is_written_as_a_json_number() -> None:
    answer = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]}
    tokens: Any = Whole(7)
    body = il.translate_response(answer, "openai_chat", "claude", input_tokens=tokens).body
    assert type(body["usage"]["input_tokens"]) is int


def test_a_fraction_is_accepted_as_a_timeout() -> None:
    half: Any = Fraction(1, 2)
    assert il.tools.ExecutionLimits(timeout_seconds=half).timeout_seconds == 0.5


def test_a_fraction_is_accepted_as_a_unix_time() -> None:
    headers = {"Retry-After": "Thu, 01 Jan 1970 00:00:02 GMT"}
    body = {"error": {"message": "Slow down.", "type": "rate_limit_error"}}
    half: Any = Fraction(1, 2)
    error = il.decode_error(body, "openai_chat", status=429, headers=headers, now=half)
    assert error.retry_after == il.decode_error(body, "openai_chat", status=429, headers=headers, now=0.5).retry_after
    with pytest.raises(il.InvalidArgumentError, match="now must be a datetime"):
        il.decode_error(body, "openai_chat", status=429, headers=headers, now=True)


def test_booleans_are_not_accepted_as_numbers() -> None:
    for name in ("timeout_seconds", "output_bytes"):
        with pytest.raises(il.InvalidArgumentError):
            il.tools.ExecutionLimits(**{name: True})


def test_a_sequence_without_iter_is_accepted_as_a_list() -> None:
    rows: Any = Rows(*hellos(2))
    assert [message.role for message in il.to_chat(rows)] == ["user", "user"]
    names: Any = Rows("read")
    assert il.tools.AllowTools(names).names == {"read"}


def test_a_member_of_a_string_enumeration_is_accepted_as_a_type_name() -> None:
    assert il.validate({"type": "text", "text": "Hi"}, union=Union.PART) == []


def test_a_fork_after_an_empty_id_is_an_error(tmp_path: Path) -> None:
    with il.sessions.SessionStore(tmp_path / "store.db") as store:
        store.save(il.Transcript(hellos(1), id="talk"))
        with pytest.raises(il.SessionNotFoundError):
            store.fork("talk", "other", after="")
