"""A wrong name is answered with the right one: of a public name, a dialect, a family, a concern."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from interlingua.suggestions import did_you_mean, nearest

if TYPE_CHECKING:
    from pathlib import Path

BODY: Final[dict[str, Any]] = {"model": "gpt-5.6", "messages": [{"role": "user", "content": "Hi"}]}


def dialect(name: Any) -> il.UnknownDialectError:
    with pytest.raises(il.UnknownDialectError) as caught:
        il.translate_request(BODY, "openai_chat", name)
    return caught.value


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("translate_reqest", "'translate_request'"),
        ("MesageRole", "'MessageRole'"),
        ("ToolExecutor", "`il.tools.ToolExecutor`"),
        ("define", "`il.tools.define`"),
    ],
)
def test_a_wrong_public_name_suggests_the_right_one(wrong: str, right: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(il, wrong)
    assert right in str(caught.value)
    assert caught.value.name == wrong


def test_a_wrong_name_inside_a_part_suggests_the_right_one() -> None:
    with pytest.raises(AttributeError, match="did you mean 'create_user'"):
        il.chat.create_usr  # noqa: B018  # asked for on purpose


def test_private_attributes_requested_by_tools_raise_a_plain_attribute_error() -> None:
    assert not hasattr(il, "__wrapped__")
    with pytest.raises(AttributeError) as caught:
        getattr(il, "_NAMEZ")  # noqa: B009  # a name that type checkers would miss, asked for on purpose
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("cluade", ("claude",)),
        ("Claude", ("claude",)),
        ("openai-chat", ("openai_chat",)),
        ("OpenAI", ("openai_chat", "openai_responses")),
        ("anthropic", ("claude",)),
        ("google", ("gemini",)),
        ("bedrock", ("bedrock_converse",)),
        ("klingon", ()),
        ("x" * 100_000, ()),
        (7, ()),
    ],
)
def test_an_unknown_dialect_suggests_similar_names(wrong: Any, right: tuple[str, ...]) -> None:
    error = dialect(wrong)
    assert error.suggestions == right
    assert all(repr(one) in str(error) for one in right)
    with pytest.raises(il.UnknownDialectError):
        il.dialect(wrong)


def test_wrong_option_values_suggest_the_right_ones() -> None:
    with pytest.raises(il.UnknownConcernError) as concern:
        il.translate_request(BODY, "openai_chat", "claude", strict={"contnet"})  # type: ignore[arg-type]
    assert concern.value.suggestions == ("content",)
    with pytest.raises(il.UnknownTypeError) as kind:
        il.validate({}, union="chat_reqest")
    assert kind.value.suggestions == ("ChatRequest",)


def test_the_dialect_function_accepts_every_dialect() -> None:
    assert tuple(map(il.dialect, il.dialects())) == il.dialects()


def test_a_suggestion_has_one_or_several_names() -> None:
    assert did_you_mean("zzz", ["abc"]) == ""
    assert did_you_mean("abd", ["abc"]) == ""
    assert did_you_mean("strct", ["strict"]) == "; did you mean 'strict'?"
    assert nearest("", ["abc"]) == ()


@pytest.mark.one_python
def test_type_checkers_recognise_every_public_name_and_dialect(tmp_path: Path) -> None:
    lines = ["import interlingua as il", "", "", "def use(name: str) -> None:"]
    lines.append('    print(il.check_request({}, "claude"), il.check_request({}, il.dialect(name)))')
    lines.append('    print(il.check_request({}, "cluade"))  # type: ignore[arg-type]')
    module = tmp_path / "names.py"
    module.write_text("\n".join([*lines, *(f"    print(il.{name})" for name in il.__all__)]), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run([*command, str(module)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("dialect", "wrong", "right"),
    [
        ("claude", "max_token", "max_tokens"),
        ("claude", "maxTokens", "max_tokens"),
        ("claude", "mesages", "messages"),
        ("openai_chat", "message", "messages"),
        ("ollama", "models", "model"),
    ],
)
def test_a_misspelt_required_member_is_suggested(dialect: il.Dialect, wrong: str, right: str) -> None:
    body: dict[str, Any] = {"model": "m", "max_tokens": 8, "messages": [{"role": "user", "content": "Hi"}]}
    body[wrong] = body.pop(right)
    (told,) = [one for one in il.check_request(body, dialect) if one.code == "required"]
    assert (told.path, told.detail.endswith("is it misspelt?")) == (f"/{right}", True)


def test_a_member_with_a_deliberately_similar_name_is_not_called_misspelt() -> None:
    messages: list[dict[str, Any]] = [{"role": "tool", "content": "done", "tool_calls": []}]
    told = il.check_request({"model": "m", "messages": messages}, "openai_chat")
    assert not any("misspelt" in one.detail for one in told)
    (plain,) = il.check_request({"messages": [{"role": "user", "content": "Hi"}]}, "openai_chat")
    assert plain.detail == "the provider requires this member: add it"


def test_a_version_is_a_number_and_no_text_is_suggested() -> None:
    given: Any = "1"
    with pytest.raises(
        il.UnknownVersionError, match=r"^unknown schema version '1'; known are the numbers: 1, 2, 3$"
    ) as caught:
        il.load_message({"role": "user", "content": "Hi"}, version=given)
    assert caught.value.suggestions == ()
