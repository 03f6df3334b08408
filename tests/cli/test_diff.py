"""`interlingua diff`: what tells two bodies from each other."""

import json
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from interlingua.json_diff import Difference, differences
from support.program import run

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
HELLO: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "s3cr3t"}]}


@pytest.fixture
def bodies(tmp_path: Path) -> Any:
    """Return what writes bodies to files and gives their paths."""

    def write(*values: Any) -> list[Path]:
        paths = [tmp_path / f"{number}.json" for number in range(len(values))]
        for path, value in zip(paths, values, strict=True):
            path.write_text(json.dumps(value), encoding="utf-8")
        return paths

    return write


def test_equal_bodies_have_no_difference(bodies: Any) -> None:
    done = run("diff", "--from", "openai_chat", *bodies(HELLO, HELLO))
    assert (done.code, done.out, done.err) == (0, b"", "")


def test_a_body_with_another_spelling_of_the_same_value_has_no_difference(bodies: Any) -> None:
    parts = {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "s3cr3t"}]}]}
    assert run("diff", "--from", "openai_chat", *bodies(HELLO, parts)).code == 0


def test_a_difference_is_reported_by_path_without_content(bodies: Any) -> None:
    other = {**HELLO, "messages": [{"role": "user", "content": "hidden"}], "seed": 7}
    done = run("diff", "--from", "openai_chat", *bodies(HELLO, other))
    assert done.code == 1
    assert done.out.decode().splitlines() == ["/messages/0/content: differs", "/seed: only in the second"]
    assert done.err == ""


def test_values_are_shown_with_the_values_option(bodies: Any) -> None:
    done = run("diff", "--values", "--from", "openai_chat", *bodies({**HELLO, "seed": 7}, {**HELLO, "seed": 8}))
    assert done.out.decode().splitlines() == ["/seed: differs: 7 -> 8"]


def test_bodies_of_two_dialects_are_compared_in_canonical_form(bodies: Any) -> None:
    request = json.loads((EXAMPLES / "weather_request.json").read_text(encoding="utf-8"))
    translated = il.translate_request(request, "openai_chat", "gemini")
    done = run("diff", "--from", "openai_chat", "--to", "gemini", *bodies(request, translated.body))
    told = {loss.path for loss in translated.losses}
    found = {line.partition(":")[0] for line in done.out.decode().splitlines()}
    assert found & told
    unsaid = {"/response_format/strict", "/parallel_tool_calls"}  # what the other dialect does anyway is no loss
    assert found - told == unsaid


def test_responses_are_compared_with_the_kind_option(bodies: Any) -> None:
    response = json.loads((EXAMPLES / "weather_response.json").read_text(encoding="utf-8"))
    other = {**response, "model": "another"}
    done = run("diff", "--kind", "response", "--from", "openai_chat", *bodies(response, other))
    assert (done.code, done.out) == (1, b"/model: differs\n")


def test_one_of_the_two_inputs_may_be_standard_input(bodies: Any) -> None:
    (path,) = bodies(HELLO)
    for pair in (("-", path), (path, "-")):
        assert run("diff", "--from", "openai_chat", *pair, stdin=json.dumps(HELLO).encode()).code == 0
    assert run("diff", "--from", "openai_chat", "-", "-").code == 2


@pytest.mark.parametrize("text", ["", "no JSON", "[]", '{"messages": 5}', f"{json.dumps(HELLO)}\n{json.dumps(HELLO)}"])
def test_an_input_that_is_not_one_body_is_reported_with_its_side(text: str, tmp_path: Path, bodies: Any) -> None:
    (path,) = bodies(HELLO)
    wrong = tmp_path / "wrong.json"
    wrong.write_text(text, encoding="utf-8")
    done = run("diff", "--from", "openai_chat", path, wrong)
    assert (done.code, done.out, len(done.findings)) == (3, b"", 1)
    assert str(wrong) in done.err


def test_a_missing_file_and_an_unknown_dialect_are_usage_errors(bodies: Any, tmp_path: Path) -> None:
    (path,) = bodies(HELLO)
    assert run("diff", "--from", "openai_chat", path, tmp_path / "absent.json").code == 2
    assert run("diff", "--from", "latin", path, path).code == 2


def test_an_item_that_only_one_list_has_does_not_shift_the_others() -> None:
    assert list(differences([1, 2, 3], [1, 3])) == [Difference("first", "/1", 2)]
    assert list(differences([1, 3], [1, 2, 3])) == [Difference("second", "/1", None, 2)]


def test_numbers_are_compared_by_value_and_differ_from_booleans() -> None:
    assert list(differences({"a": 1}, {"a": 1.0})) == []
    assert list(differences({"a": 1}, {"a": True})) == [Difference("other", "/a", 1, True)]
    assert list(differences({"a~/b": 1}, {})) == [Difference("first", "/a~0~1b", 1)]
