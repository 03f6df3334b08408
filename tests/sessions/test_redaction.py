"""Secrets are taken out before anything is written, and what a provider signed or encrypted is never edited."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interlingua as il
from interlingua import Transcript
from interlingua.model import UnknownMessage
from interlingua.sessions import Redaction, Redactor, SessionStore, redaction
from interlingua.sessions.redaction import redacted
from interlingua.validation import bundle
from interlingua_types import CURRENT
from support.bundles import documents
from support.cost import grows_at_most
from support.sessions import text

Json = dict[str, Any]

SECRET: Final = 'pa"ss/wörd+\\5'  # noqa: S105  # that is what is looked for
KEY: Final = "sk-" + "a1B2" * 10
SIGNED: Final = f"c2ln {KEY}"


def load(kind: str, data: Any, **members: Any) -> Any:
    (message,) = il.load_message({"schema_version": CURRENT, "type": kind, "data": data, **members})
    return message


def request(arguments: Any, **members: Any) -> Any:
    call = {"id": "c1", "name": "deploy", "arguments": arguments, **members}
    return load("tool_request", {"calls": [{"call": call, "approval": {"status": "pending", "reason": SECRET}}]})


EVERYWHERE: Final = [
    text(f"my password is {SECRET}"),
    text(f"key {KEY}", metadata={"env": [{"PASS": SECRET}], SECRET: SECRET}),
    request({"command": f"curl -u me:{SECRET}", "nested": [{SECRET: [SECRET]}]}),
    request(json.dumps({"command": SECRET})),
    request(json.dumps({"command": SECRET}, ensure_ascii=False)),
    load("tool_result", {"output": {"stdout": SECRET}, "error": {"message": SECRET, "stack_trace": f"at {SECRET}"}}),
    load("tool_result", {"output": [{"type": "text", "text": SECRET}], "output_form": "parts"}),
    load("tool_result", {"output": f"https://example.com/?q={SECRET}"}),
    load(
        "file_reference", {"path": "a.txt", "content": f"1: {SECRET}", "error": {"code": "denied", "message": SECRET}}
    ),
    load("reasoning", {"content": f"The password is {SECRET}."}),
    load("system_control", {"control": {"kind": "custom", "name": "n", "parameters": {"p": SECRET}}}),
    load("text", {"role": "user", "content": SECRET}, extra={"unknown": {"old": SECRET}}),
]


def test_sec_2_no_secret_is_written_and_each_redaction_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    with SessionStore(path, redact=Redactor([SECRET])) as store:
        session = store.create(metadata={"owner": SECRET})
        appended = store.append(session, EVERYWHERE)
        transcript = Transcript([*EVERYWHERE], metadata={"owner": KEY})
        saved = store.save(transcript)
        store.set_metadata(session, {"again": SECRET})
        files = [file.read_bytes() for file in tmp_path.iterdir()]
        loaded = store.load(session).transcript
    forms = [SECRET, json.dumps(SECRET)[1:-1], json.dumps(SECRET, ensure_ascii=False)[1:-1], KEY, "wörd"]
    for form in [*forms, json.dumps(json.dumps(SECRET))[1:-1]]:
        assert not any(form.encode() in content for content in files), form
    for redactions in (appended.redactions, saved.redactions):
        assert {one.position for one in redactions} == set(range(len(EVERYWHERE)))
        assert not any(one.is_kept for one in redactions)
        assert SECRET not in repr(redactions)
    assert Redaction("main", 5, "/data/error/stack_trace") in appended.redactions
    assert loaded[0].data.content == "my password is [redacted]"  # type: ignore[union-attr]
    assert loaded[5].data.error.stack_trace == "at [redacted]"  # type: ignore[union-attr]
    # What the program holds in its hands is what it was.
    assert transcript[0].data.content == f"my password is {SECRET}"  # type: ignore[union-attr]


def test_sec_2_an_import_is_redacted_too(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps({"role": "user", "content": KEY}) + "\n", encoding="utf-8")
    with SessionStore(tmp_path / "sessions.db", redact=Redactor()) as store:
        imported = store.import_jsonl(source, metadata={"k": KEY})
        assert imported.redactions == (Redaction("main", 0, "/data/content"),)
        assert store.info(imported.session_id).metadata == {"k": "[redacted]"}
    assert not any(KEY.encode() in file.read_bytes() for file in tmp_path.glob("sessions.db*"))


PICTURE: Final = base64.b64encode(b"AKIA" * 1000).decode()
OPAQUE: Final[list[Any]] = [
    load(
        "reasoning",
        {"content": f"I use {KEY}"},
        extra={"claude": {"thinking_blocks": [{"type": "thinking", "signature": SIGNED}]}},
    ),
    load("reasoning", {}, extra={"openai_responses": {"reasoning": {"id": "rs_1", "encrypted_content": SIGNED}}}),
    load("text", {"role": "assistant"}, extra={"gemini": {"thought_signatures": [{"at": "", "signature": SIGNED}]}}),
    request({}, extra={"gemini": {"signature": SIGNED}}),
    load("opaque", {"dialect": "claude", "data": {"type": "new", "encrypted": [SIGNED]}}),
    load(
        "text",
        {"role": "user", "content": [{"type": "opaque", "dialect": "gemini", "data": {"blob": SIGNED, KEY: "x"}}]},
    ),
    UnknownMessage.model_validate({"schema_version": CURRENT, "type": "hologram", "signed": SIGNED}),
]


@pytest.mark.parametrize("message", OPAQUE, ids=range(len(OPAQUE)))
def test_sec_2_signed_encrypted_or_unknown_content_is_unchanged_and_reported(tmp_path: Path, message: Any) -> None:
    with SessionStore(tmp_path / "sessions.db", redact=Redactor()) as store:
        session = store.create()
        appended = store.append(session, message)
        loaded = store.load(session).transcript[0]
    assert loaded == appended.messages[0]
    assert appended.redactions
    assert all(one.is_kept for one in appended.redactions)
    assert KEY not in repr(appended.redactions)


def test_image_bytes_are_not_passed_to_the_hook(tmp_path: Path) -> None:
    def spoil(words: str, _name: str) -> str:
        return words.replace("A", "?")

    pictures = [
        load("image", {"source": {"kind": "base64", "data": PICTURE, "format": "image/png"}, "mode": "auto"}),
        load("text", {"role": "user", "content": [{"type": "image", "data": PICTURE}]}),
        load("image", {"source": {"kind": "url", "url": f"data:image/png;base64,{PICTURE}"}, "mode": "auto"}),
        load("text", {"role": "user", "content": [{"type": "image", "url": f"DATA:;base64,{PICTURE}"}]}),
        load(
            "tool_result",
            {"output": [{"type": "file", "url": f"data:a/b;c=d;base64,{PICTURE}"}], "output_form": "parts"},
        ),
    ]
    with SessionStore(tmp_path / "sessions.db", redact=spoil) as store:
        session = store.create()
        appended = store.append(session, pictures)
        assert store.load(session).transcript.messages == appended.messages
    assert appended.redactions == ()


@pytest.mark.parametrize(
    "url", [f"https://example.com/{KEY}.png", f"data:text/plain,{KEY}", f"data:;base64,QUJD?{KEY}", f"a;base64,{KEY}"]
)
def test_an_address_that_is_no_base64_is_redacted(url: str) -> None:
    for holder in ({"type": "image", "url": url}, {"type": "file", "url": url}):
        document = il.dump_message(load("text", {"role": "user", "content": [holder]}))
        found = redacted(document, Redactor())
        assert KEY not in json.dumps(found.document)
        assert found.redacted == ("/data/content/0/url",)


def test_schema_words_and_identifiers_are_not_passed_to_the_hook() -> None:
    offered: list[tuple[str, str]] = []

    def note(words: str, name: str) -> str:
        offered.append((words, name))
        return words

    message = load(
        "tool_result",
        {"call_id": "call-1", "name": "n", "status": "success", "output": "out"},
        id="m",
        created_at="2026-01-01T00:00:00Z",
    )
    document = il.dump_message(message)
    assert redacted(document, note).document == document
    assert offered == [("n", "name"), ("out", "output")]


def test_a_hook_that_makes_a_message_invalid_is_refused(tmp_path: Path) -> None:
    with SessionStore(tmp_path / "sessions.db", redact=lambda _words, _name: "") as store:
        session = store.create()
        with pytest.raises(il.EncodeError):
            store.append(session, load("file_reference", {"path": "secret"}))
        assert len(store.load(session).transcript) == 0


def test_two_names_redacted_to_one_keep_both_members() -> None:
    found = redacted(
        il.dump_message(text("x", metadata={"key-1": 1, "key-2": 2, "[r] 2": 3, "key-3": {"key-1": 4}})),
        lambda words, _name: "[r]" if words.startswith("key-") else words,
    )
    assert sorted(json.dumps(value) for value in found.document["metadata"].values()) == ["1", "2", "3", '{"[r]": 4}']
    assert found.redacted == ("/metadata", "/metadata", "/metadata", "/metadata/[r] 4")


@given(documents(3).of("Message"))
@settings(max_examples=60)
def test_a_hook_that_changes_nothing_changes_nothing(document: dict[str, Any]) -> None:
    before = json.dumps(document)
    found = redacted(document, lambda words, _name: words)
    assert (found.document, found.redacted, found.kept) == (document, (), ())
    assert json.dumps(document) == before


CREDENTIALS: Final = {
    "openai": "sk-proj-" + "aB3_" * 10,
    "anthropic": "sk-ant-api03-" + "aB3-" * 10,
    "google": "AIza" + "aB3-5" * 7,
    "aws": "AKIA" + "ABCD" * 4,
    "github": "ghp_" + "aB35" * 9,
    "github fine": "github_pat_" + "aB35" * 6,
    "gitlab": "glpat-" + "aB35" * 5,
    "slack": "xoxb-1234567890-abc",
    "stripe": "sk_live_" + "aB35" * 5,
    "hugging face": "hf_" + "aB35" * 8,
    "token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_DEF-123",
    "header": "Bearer " + "aB35" * 6,
    "private key": "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----",
    "cut private key": "-----BEGIN PRIVATE KEY-----\nMIIE\nabc",
    "address": "postgres://me:hunter2@host/db",
}


@pytest.mark.parametrize("credential", CREDENTIALS)
def test_known_credential_formats_are_found(credential: str) -> None:
    given_ = CREDENTIALS[credential]
    found = Redactor()(f"before {given_} after", "")
    assert "[redacted]" in found
    assert found.startswith("before ")
    assert not any(word in found for word in given_.replace("postgres://", "").replace("@host/db", "").split())


@pytest.mark.parametrize(
    "harmless",
    [
        "The basic idea of bearer tokens is simple.",
        "task-force risk-averse sk-8",
        "https://example.com:8080/a@b",
        "AKIA",
    ],
)
def test_ordinary_words_are_unchanged(harmless: str) -> None:
    assert Redactor()(harmless, "") == harmless


@pytest.mark.parametrize(
    "name",
    [
        *("password", "API_KEY", "api-key", "Authorization", "clientSecret", "token"),
        *("DB_PASSWORD", "dbPassword", "OPENAI_API_KEY", "aws_secret_access_key", "proxy-authorization", "db.passwd"),
    ],
)
def test_the_text_of_a_member_with_a_secret_name_is_removed_completely(name: str) -> None:
    assert Redactor()("hunter2", name) == "[redacted]"
    arguments = json.dumps({"a": 1, name: 'hun"ter2', "b": "stays"})
    assert json.loads(Redactor()(arguments, "arguments")) == {"a": 1, name: "[redacted]", "b": "stays"}
    body = json.dumps({"url": "https://example.com", "body": arguments})
    hidden = json.loads(Redactor()(body, "arguments"))
    assert json.loads(hidden["body"]) == {"a": 1, name: "[redacted]", "b": "stays"}
    assert Redactor(names=())("hunter2", name) == "hunter2"


@pytest.mark.parametrize(
    "name",
    ["compassword", "password_hint", "secretary", "next_page_token", "nextPageToken", "max_tokens", "key", "path"],
)
def test_a_name_that_only_looks_like_that_of_a_secret_keeps_its_text(name: str) -> None:
    arguments = json.dumps({name: "a1"})
    for given_, member in (("a1", name), (arguments, "arguments"), (json.dumps(arguments), "arguments")):
        assert Redactor()(given_, member) == given_


def test_the_names_of_members_are_looked_for_in_linear_time() -> None:
    for one in ('"' + "a_" * 300_000, '"a_b"' * 100_000, '"aB":"' * 100_000, '\\"' + "aB" * 300_000):
        assert Redactor()(one, "") == one


def test_a_value_is_found_in_every_escaped_form() -> None:
    redactor = Redactor([SECRET], patterns=(), names=())
    for spelling in (SECRET, json.dumps(SECRET), json.dumps(SECRET, ensure_ascii=False), "pa%22ss%2Fw%C3%B6rd%2B%5C5"):
        assert "ss" not in redactor(f"a {spelling} b", "")
    assert Redactor(["abcd", "abcdefgh"], patterns=())("abcdefgh", "") == "[redacted]"


@pytest.mark.parametrize(
    "spelling",
    [
        r"p\u00e4ss\/w&<\"\\5",  # PHP
        r"päss/w\u0026\u003c\"\\5",  # Go
        r"p\u00E4ss/w\u0026\u003C\u0022\\5",  # .NET
        "p%c3%a4ss%2fw%26%3c%22%5c5",
    ],
)
def test_a_value_is_found_in_any_json_or_url_escaping(spelling: str) -> None:
    redactor = Redactor(['päss/w&<"\\5'], patterns=(), names=())
    for one in (spelling, json.dumps(spelling), json.dumps(json.dumps(spelling))):
        assert "ss" not in redactor(one, "")


def test_a_value_of_many_backslashes_is_searched_in_linear_time() -> None:
    redactor = Redactor(["\\\\" * 20 + "x", '\\"' * 20 + "x"], patterns=(), names=())
    for one in ("\\" * 200_000, '\\\\\\"' * 50_000):
        assert redactor(one, "") == one


@pytest.mark.parametrize("short", ["", "a", "abc"])
def test_a_value_that_is_too_short_is_refused(short: str) -> None:
    with pytest.raises(ValueError, match="at least"):
        Redactor([short])


@given(st.text(max_size=200))
def test_a_redactor_accepts_any_text(words: str) -> None:
    redactor = Redactor(["abcd"])
    once = redactor(words, "")
    assert "abcd" not in once


def test_a_hook_that_returns_none_is_an_error(tmp_path: Path) -> None:
    with SessionStore(tmp_path / "sessions.db", redact=lambda _text, _name: None) as store:  # type: ignore[arg-type, return-value]
        session = store.create()
        with pytest.raises(TypeError):
            store.append(session, text("words"))
        transcript = il.Transcript([text("words")])
        with pytest.raises(TypeError):
            store.save(transcript)
        with pytest.raises(TypeError):
            store.set_metadata(session, {"title": "words"})
        assert transcript.is_dirty
        assert (len(store.load(session).transcript), len(store.sessions())) == (0, 1)


# What is offered to the hook: all that people, models, tools and files say, and names that they give.
OFFERED: Final = {
    *("agent", "caption", "cited_text", "content", "context", "data", "decided_by", "error_output", "fallback_reason"),
    *("language", "message", "name", "new_branch", "new_mode", "old_branch", "old_mode", "output", "param", "path"),
    *("reason", "recognized_text", "refusal", "resource_uri", "server_name", "stack_trace", "stop_sequence", "summary"),
    *("text", "title", "transcript", "uri", "url", "vision_analysis"),
}


def test_every_member_of_a_stored_message_is_either_passed_to_the_hook_or_exempt() -> None:
    schemas = bundle(CURRENT)["$defs"]
    texts, words = members_with_texts(schemas, "Message")
    decided = OFFERED | redaction.IDENTIFIER_MEMBERS | redaction.FREE_FORM_MEMBERS
    assert {name for name in texts - decided - redaction.WORD_MEMBERS if not name.endswith("_at")} == set()
    assert words - redaction.WORD_MEMBERS == set()
    assert OFFERED.isdisjoint(redaction.WORD_MEMBERS | redaction.IDENTIFIER_MEMBERS)
    assert texts >= OFFERED | redaction.IDENTIFIER_MEMBERS


def members_with_texts(schemas: Json, root: str) -> tuple[set[str], set[str]]:
    """Return the members below a type that hold text or free JSON, and those that hold words of the schema alone."""
    texts, words, seen = set[str](), set[str](), {"Extra"}
    waiting: list[tuple[str, Any]] = [("", {"$ref": f"#/$defs/{root}"})]
    while waiting:
        name, schema = waiting.pop()
        if "$ref" in schema:
            target = schema["$ref"].rpartition("/")[2]
            found = schemas[target]
            if "properties" in found or "oneOf" in found:
                if target in seen:
                    continue
                seen.add(target)
            waiting.append((name, found))
        elif "properties" in schema:
            waiting += schema["properties"].items()
        elif "enum" in schema or "const" in schema:
            words.add(name)
        elif schema.get("type") == "array":
            waiting.append((name, schema["items"]))
        elif "anyOf" in schema or "oneOf" in schema:
            waiting += [(name, one) for one in schema.get("anyOf") or schema["oneOf"]]
        elif schema.get("type") in (None, "object", "string"):
            texts.add(name)
    return texts, words


def test_executed_code_is_content_and_an_error_code_is_an_identifier() -> None:
    ran = {"type": "server_call", "id": KEY, "language": "python", "code": f"print('{SECRET}')"}
    message = load("text", {"role": "assistant", "content": [ran]})
    found = redacted(il.dump_message(message), lambda text, _: text.replace(SECRET, "***"))
    assert found.document["data"]["content"][0] == {**ran, "code": "print('***')"}
    failed = load("tool_result", {"error": {"code": SECRET, "message": SECRET}})
    told = redacted(il.dump_message(failed), lambda text, _: text.replace(SECRET, "***")).document
    assert told["data"]["error"] == {"code": SECRET, "message": "***"}


def test_words_that_begin_as_a_token_are_searched_in_linear_time() -> None:
    redactor = Redactor()
    few, many = "eyJhbGciOiJI-" * 1_000, "eyJhbGciOiJI-" * 4_000
    assert grows_at_most(lambda: redactor(few, "content"), lambda: redactor(many, "content"), 8)
    token = "eyJhbGciOiJI.eyJzdWIiOiIx.a-b_c"  # noqa: S105
    assert redactor(f"({token}) id-{token}, {few}{token}, a.{token}", "content") == (
        "([redacted]) [redacted], [redacted], a.[redacted]"
    )
