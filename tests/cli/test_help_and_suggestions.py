"""What helps people who are new: help, completion, several files and folders, suggestions, marks of encodings."""

import json
from pathlib import Path

import pytest

import interlingua as il
from support.program import AT_HOME, TO_CLAUDE, body, run

COMMANDS = (
    "translate",
    "check",
    "repair",
    "diff",
    "show",
    "stats",
    "validate",
    "upgrade",
    "downgrade",
    "explain",
    "dialects",
)


def test_without_arguments_the_program_shows_its_help() -> None:
    done = run()
    assert all(f"  {command}" in done.out.decode() + done.err for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_a_short_option_and_mentions_json(command: str) -> None:
    short, long = run(command, "-h"), run(command, "--help")
    assert (short.code, short.out) == (0, long.out)
    assert "--json" in short.out.decode()


@pytest.mark.parametrize("command", COMMANDS[:-1])
def test_a_command_without_arguments_shows_its_help(command: str) -> None:
    done = run(command)
    assert "--json" in done.out.decode() + done.err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["translat"], "translate"),
        (["translate", "--frm", "claude"], "did you mean '--form' or '--from'?"),
        (["translate", "--to", "cluade", "-"], "did you mean 'claude'?"),
        (["translate", "--to", "anthropic", "-"], "did you mean 'claude'?"),
        (["translate", "--to", "openai", "-"], "did you mean 'openai_chat' or 'openai_responses'?"),
        (["translate", "--to", "CLAUDE", "-"], "did you mean 'claude'?"),
        (["translate", "--to", "claude", "--kind", "requst", "-"], "did you mean 'request'?"),
        (["translate", "--to", "claude", "--form", "ndjsn", "-"], "did you mean 'ndjson'?"),
        (["translate", "--to", "claude", "--strict", "contnt", "-"], "did you mean 'content'?"),
        (["translate", "--to", "claude", "--strict", "state,contnt", "-"], "did you mean 'content'?"),
        (["translate", "--to", "claude", "--default", "max_tokns=9", "-"], "did you mean 'max_tokens'?"),
        (["validate", "--union", "chat_requst", "-"], "did you mean 'ChatRequest'?"),
        (["explain", "finish_resaon"], "did you mean 'finish_reason'?"),
        (["serve", "--speak", "antropic", "--backend", "claude", "--url", "http://x"], "did you mean 'claude'?"),
    ],
)
def test_a_misspelt_command_or_option_suggests_the_right_one(words: list[str], hint: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert hint in done.err
    assert done.err.lower().count("did you mean") == 1


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["translate", "-"], "Expected: the dialect of the output, one of openai_chat, "),
        (["translate", "--to", "claude"], "Expected: files, folders, or - for standard input"),
        (["explain", "--json"], "Expected: codes as they are reported, such as provider_state"),
        (["translate", "--to", "claude", "--form", "sse", "-"], "add --kind stream"),
        (["translate", "--to", "claude", "--default", "max_tokens", "-"], "such as max_tokens=1000"),
        (["translate", "--to", "claude", "--strict", "all,state", "-"], "'all' must be the only value"),
        (["translate", "--to", "claude", "--strict", "bogus", "-"], "'bogus' is not one of none, true, all, content"),
        (["translate", "--to", "claude", "--max-bytes", "0", "-"], "it should be greater than or equal to 1"),
        (["validate", "--version", "x", "-"], "'--version': it should be a valid integer"),
        (["upgrade", "--to", "1", "-"], "for older versions use interlingua downgrade"),
        (["downgrade", "--to", "9", "-"], "there is no such version; known are: 1, 2, 3"),
        (["check", "-", "-"], "name - once"),
        (["check", "--profile", "nothing", "-"], "no dialect has the profile 'nothing'"),
        (["check", "--profile", "clod-opus-5", "-"], "did you mean 'claude-opus-5'"),
    ],
)
def test_a_missing_or_wrong_argument_is_reported_with_what_to_do(words: list[str], advice: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert advice in done.err
    assert "Value error" not in done.err
    assert "unable to parse" not in done.err


def test_strict_without_a_concern_does_not_take_the_file_name_for_one(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_bytes(body())
    assert run(*AT_HOME, "--strict", tmp_path / "state.json").code == 0
    (tmp_path / "requests").write_bytes(body())
    assert run(*AT_HOME, "--strict", tmp_path / "requests", tmp_path / "state.json").code == 0


def test_the_list_of_commands_truncates_no_sentence() -> None:
    lines = run().err.splitlines()
    at = lines.index("Commands:")
    listed = [line.split(maxsplit=1) for line in lines[at + 1 : lines.index("", at)]]
    assert [command for command, _ in listed] == [*COMMANDS[:-1], "serve", "dialects"]
    assert all(said.endswith(".") and not said.endswith("...") for _, said in listed)


@pytest.mark.parametrize("command", [*COMMANDS, "serve"])
def test_help_texts_do_not_mention_python_types(command: str) -> None:
    help_text = run(command, "-h").out.decode()
    assert not any(f"<{kind}" in help_text for kind in ("str", "list", "int", "Path"))


@pytest.mark.parametrize("command", ["upgrade", "downgrade", "validate"])
def test_a_body_given_as_a_stored_message_is_reported_with_its_detected_kind(command: str) -> None:
    done = run(command, "-", stdin=body())
    assert done.code in {1, 3}
    assert "it looks like an OpenAI Chat Completions request" in done.err
    assert "interlingua show" in done.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_dialects_are_completed_in_each_shell(shell: str) -> None:
    words = "interlingua translate --from ge"
    asked = {
        "_INTERLINGUA_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": words,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_TYPER_COMPLETE_WORD_TO_COMPLETE": "ge",
        "COMP_WORDS": words,
        "COMP_CWORD": "3",
    }
    assert "gemini" in run(**asked).out.decode()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion_is_shown_for_the_named_shell_regardless_of_the_parent_process(shell: str) -> None:
    done = run("--show-completion", shell)
    assert (done.code, done.err) == (0, "")
    assert f"complete_{shell}" in done.out.decode()


def test_completion_is_installed_for_the_named_shell(tmp_path: Path) -> None:
    done = run("--install-completion", "fish", HOME=str(tmp_path))
    assert (done.code, done.err) == (0, "")
    (script,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert "complete_fish" in script.read_text(encoding="utf-8")


def test_completion_for_an_unknown_shell_is_refused_with_a_suggestion() -> None:
    done = run("--show-completion", "fsh")
    assert (done.code, done.out) == (2, b"")
    assert "did you mean 'fish'" in " ".join(done.err.split())


def test_files_and_folders_are_read_in_order_and_messages_name_them(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    (folder / "deep").mkdir(parents=True)
    (folder / "b.jsonl").write_bytes(body("two") + b"{}\n")
    (folder / "a.json").write_bytes(body("one"))
    (folder / "deep" / "c.json").write_bytes(body("three"))
    (folder / "notes.txt").write_bytes(b"no JSON")
    (folder / ".hidden.json").write_bytes(b"no JSON")
    done = run(*AT_HOME, folder, tmp_path / "missing.json", folder / "a.json")
    assert [one["messages"][0]["content"] for one in done.bodies] == ["one", "two", "three", "one"]
    assert (done.code, len(done.findings)) == (3, 2)
    assert done.findings[0].startswith(f"interlingua: {folder / 'b.jsonl'}:2: ")
    assert str(tmp_path / "missing.json") in done.findings[1]


def test_standard_input_can_be_named_only_once() -> None:
    assert run(*AT_HOME, "-", "-", stdin=body()).code == 2


def test_several_streams_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "stream.sse"
    path.write_bytes(b"data: [DONE]\n\n")
    done = run(*AT_HOME, "--kind", "stream", path, path)
    assert (done.code, done.out, len(done.findings)) == (2, b"", 1)


@pytest.mark.parametrize("command", ["translate", "check", "repair"])
def test_without_a_dialect_option_each_body_is_detected(command: str) -> None:
    target = ["--to", "openai_chat"] if command == "translate" else []
    done = run(command, *target, "-", stdin=body(messages=[{"role": "user", "content": "hi"}]))
    assert (done.code, done.err) == (0, "")


def test_a_byte_order_mark_is_accepted() -> None:
    done = run(*AT_HOME, "-", stdin=b"\xef\xbb\xbf" + body())
    assert (done.code, done.bodies) == (0, [json.loads(body())])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("kind", ["request", "stream"])
def test_utf_16_input_is_reported_as_such(encoding: str, kind: str) -> None:
    done = run(*AT_HOME, "--kind", kind, "-", stdin=body().decode().encode(encoding))
    assert (done.code, done.out, len(done.findings)) == (3, b"", 1)
    assert "UTF-16" in done.findings[0]
    assert "iconv" in done.findings[0]


def test_findings_and_losses_are_json_lines_with_the_json_option() -> None:
    done = run(*TO_CLAUDE, "--json", "-", stdin=body(seed=1) + b"{}\n")
    told = [json.loads(line) for line in done.err.splitlines()]
    losses = il.translate_request(json.loads(body(seed=1)), "openai_chat", "claude").losses
    assert {one["path"] for one in told if "path" in one} == {one.path for one in losses}
    assert [(one["file"], one["line"]) for one in told if "message" in one] == [("<stdin>", 2)]


def test_the_other_commands_write_json_too(tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    one.write_bytes(body())
    two.write_bytes(body(seed=7))
    assert run("diff", "--json", "--values", "--from", "openai_chat", one, two).bodies == [
        {"path": "/seed", "found": "only in the second", "second": 7}
    ]
    assert {found["name"] for found in run("dialects", "--json").bodies} == set(il.dialects())
    found = run("validate", "--json", "-", stdin=b"{}").bodies
    assert found
    assert all({"file", "body", "rule", "path", "detail"} == set(each) for each in found)
