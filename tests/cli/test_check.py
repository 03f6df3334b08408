"""`interlingua check`: what the provider would refuse of requests."""

import json

import pytest

import interlingua as il
from support.program import body, run

CHECK = ("check", "--dialect", "openai_chat")
DANGLING = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
}


def test_a_valid_request_produces_no_output() -> None:
    done = run(*CHECK, "-", stdin=body())
    assert (done.code, done.out, done.err) == (0, b"", "")


def test_each_violation_is_a_line_with_path_and_code() -> None:
    done = run(*CHECK, "-", stdin=body() + body(messages=[DANGLING], stop=list("abcde")))
    assert done.code == 1
    assert done.err == ""
    assert done.out.decode().splitlines() == [
        "<stdin>:2:/stop: limit: at most 4 are accepted",
        "<stdin>:2:/messages/0/tool_calls/0: dangling_call: the next turn has no result of this call",
    ]


def test_violations_are_written_as_json_with_the_json_option() -> None:
    done = run(*CHECK, "--json", "-", stdin=body(messages=[DANGLING]))
    found = il.check_request({"model": "m", "messages": [DANGLING]}, "openai_chat")
    assert done.code == 1
    assert done.bodies == [
        {"file": "<stdin>", "body": 1, "code": one.code, "path": one.path, "detail": one.detail} for one in found
    ]


def test_an_api_version_adds_its_rules() -> None:
    request = {"model": "m", "max_tokens": 9, "temperature": 1, "messages": [{"role": "user", "content": "Hi"}]}
    given = json.dumps(request).encode()
    assert run("check", "--dialect", "claude", "-", stdin=given).code == 0
    done = run("check", "--dialect", "claude", "--api-version", "2026-10-21", "-", stdin=given)
    assert (done.code, done.out.decode().split(": ")[:2]) == (1, ["<stdin>:1:/temperature", "member"])


def test_output_shows_no_content() -> None:
    said = "tell-nobody"
    result = {"role": "tool", "tool_call_id": said, "content": said}
    odd = {"role": said, "content": [{"type": said, said: said}], "name": f"<{said}>"}
    done = run(*CHECK, "-", stdin=body(messages=[result, odd]))
    assert done.code == 1
    assert said.encode() not in done.out
    assert said not in done.err


def test_input_that_is_not_a_body_is_reported_and_the_others_are_processed() -> None:
    done = run(*CHECK, "-", stdin=b"[]\n" + body(stop=list("abcde")))
    assert done.code == 3
    assert len(done.findings) == 1
    assert done.findings[0].startswith(
        "interlingua: <stdin>:1: openai_chat: at the top: a body must be a JSON object; "
    )
    assert done.out.decode().splitlines() == ["<stdin>:2:/stop: limit: at most 4 are accepted"]


@pytest.mark.parametrize(
    "options",
    [
        ["--dialect", "nobody's"],
        ["--api-version", "1999-01-01"],
        ["--dialect", "claude", "--api-version", "1999-01-01"],
    ],
)
def test_an_unknown_dialect_or_version_is_a_usage_error(options: list[str]) -> None:
    done = run("check", *options, "-", stdin=body())
    assert (done.code, done.out) == (2, b"")
    assert "Traceback" not in done.err


def test_the_model_family_can_be_named_looked_up_or_omitted() -> None:
    hello = body(model="gpt-5", messages=[{"role": "user", "content": "Hello"}], top_p=0.5)
    paths = {
        profile: [line.split(":")[2] for line in run(*CHECK, *profile, "-", stdin=hello).out.decode().splitlines()]
        for profile in ((), ("--profile", "none"), ("--profile", "gpt-4.1"))
    }
    assert paths == {(): ["/top_p"], ("--profile", "none"): [], ("--profile", "gpt-4.1"): []}
    wrong = run(*CHECK, "--profile", "nobody", "-", stdin=hello)
    assert (wrong.code, "unknown profile" in wrong.err) == (2, True)


def test_a_misspelt_member_that_the_provider_ignores_is_a_remark_reported_once() -> None:
    given = body(temprature=1) + body(temprature=2)
    done = run("check", "--from", "vllm", "-", stdin=given)
    assert (done.code, done.out) == (0, b"")
    assert done.err == (
        "interlingua: <stdin>:1: at /temprature: vllm ignores this member, which it does not know; "
        "did you mean 'temperature'?\n"
    )


def test_a_misspelt_member_that_the_provider_refuses_is_a_violation() -> None:
    done = run(*CHECK, "-", stdin=body(temprature=1))
    assert (done.code, done.err) == (1, "")
    assert done.out.decode() == (
        "<stdin>:1:/temprature: member: the provider has no such member; did you mean 'temperature'?\n"
    )
