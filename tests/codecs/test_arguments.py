"""Arguments as text and as an object: the quick look that most texts pass gives what the strict reading gives."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlingua.errors import EncodeError
from interlingua.tool_arguments import arguments_object, arguments_text

_TEXT = st.text(alphabet='ab"\\ :,\n\té€\u2028{}[]019', max_size=6)
_NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
_VALUES = st.recursive(
    st.none() | st.booleans() | _NUMBERS | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=8,
)
_OBJECTS = st.dictionaries(_TEXT, _VALUES, max_size=4)
_SPELLINGS: tuple[dict[str, Any], ...] = (
    {},
    {"indent": 2},
    {"separators": (",", ":")},
    {"separators": (",", ":"), "ensure_ascii": False},
    {"separators": (" , ", "  : "), "ensure_ascii": False},
)


def _alike(first: Any, second: Any) -> bool:
    """Compare as JSON is read: 1, 1.0 and true are three values."""
    return repr(first) == repr(second)


@given(value=_OBJECTS, spelling=st.sampled_from(_SPELLINGS))
def test_an_object_in_any_json_spelling_is_read_without_a_loss(value: dict[str, Any], spelling: dict[str, Any]) -> None:
    read, faithful = arguments_object(json.dumps(value, **spelling))
    assert faithful
    assert _alike(read, value)


@given(value=_OBJECTS, name=_TEXT, first=_VALUES, second=_VALUES, spelling=st.sampled_from(_SPELLINGS))
def test_a_duplicate_member_at_any_depth_is_reported(
    value: dict[str, Any], name: str, first: Any, second: Any, spelling: dict[str, Any]
) -> None:
    told, colon = json.dumps(name, **spelling), spelling.get("separators", (", ", ": "))[1]
    twice = ",".join(f"{told}{colon}{json.dumps(one, **spelling)}" for one in (first, second))
    whole = json.dumps({**value, "inner": "PLACE"}, **spelling)
    for text in (f"{{{twice}}}", whole.replace('"PLACE"', f"[{{{twice}}}]")):
        read, faithful = arguments_object(text)
        assert not faithful
        assert _alike(read, json.loads(text))


@pytest.mark.parametrize("digits", [2**53 + 1, 2**64, 10**30, -(2**63) - 1])
def test_an_integer_of_any_length_keeps_its_digits(digits: int) -> None:
    for text in (f'{{"n":{digits}}}', f'{{"n": [{digits}]}}'):
        read, faithful = arguments_object(text)
        assert faithful
        assert str(digits) in arguments_text(read)


@pytest.mark.parametrize("depth", [100, 300, 2_000])
def test_arguments_nested_too_deeply_to_be_written_are_read_or_kept_as_text(depth: int) -> None:
    text = '{"a":' * depth + "1" + "}" * depth
    read, faithful = arguments_object(text)
    assert read == {"arguments": text} if not faithful else arguments_text(read["a"]) == text[5:-1]


def test_an_object_nested_too_deeply_to_be_written_raises_a_typed_error() -> None:
    value: dict[str, Any] = {}
    for _ in range(50_000):
        value = {"a": value}
    with pytest.raises(EncodeError, match="nested"):
        arguments_text(value)


@pytest.mark.parametrize("text", ['{"n":1e400}', '{"n": [-1E999]}', '{"n":1e400,"n":2}', '{"a":{"n":1e400}}'])
def test_a_number_beyond_the_float_range_keeps_the_arguments_as_text(text: str) -> None:
    assert arguments_object(text) == ({"arguments": text}, False)


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
def test_blank_argument_text_means_no_arguments(text: str) -> None:
    assert arguments_object(text) == ({}, True)
