"""File mentions in what people write (TYPE-1.3)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import interlingua as il
from interlingua.resolve import FILE_CODES, FileResolver

Mention = tuple[str, int | None, int | None]


def mentions(text: str) -> list[Mention]:
    return [(one.data.path, one.data.start_line, one.data.end_line) for one in il.find_mentions(text)]


@pytest.mark.requirement("TYPE-1.3.1", "TYPE-1.3.2", "TYPE-1.3.3", "TYPE-1.3.5")
def test_a_mentioned_file_becomes_a_reference_with_path_and_lines() -> None:
    first, second, third = il.find_mentions(
        'Compare @src/main.py, @src/main.py:10-20 and @"my notes.txt":3.', role="user"
    )
    assert [one.type for one in (first, second, third)] == ["file_reference"] * 3
    assert (first.data.path, first.data.start_line, first.data.end_line) == ("src/main.py", None, None)
    assert (second.data.path, second.data.start_line, second.data.end_line) == ("src/main.py", 10, 20)
    assert (third.data.path, third.data.start_line, third.data.end_line) == ("my notes.txt", 3, 3)
    assert {one.data.status for one in (first, second, third)} == {"pending"}
    assert {one.data.role for one in (first, second, third)} == {"user"}


@pytest.mark.requirement("TYPE-1.3.4", "TYPE-1.3.5")
def test_mentions_are_resolved_with_content_and_status(tmp_path: Path) -> None:
    (tmp_path / "my notes.txt").write_text("a\nb\nc\n", encoding="utf-8")
    found = [
        FileResolver(tmp_path).resolve(mention, agent_role="planner").data
        for mention in il.find_mentions('See @"my notes.txt":2-3 and @missing.txt and @../secret.txt!')
    ]
    assert [(one.status, one.content) for one in found] == [
        ("resolved", "2 | b\n3 | c"),
        ("failed", None),
        ("failed", None),
    ]
    assert [one.error.code for one in found[1:] if one.error is not None] == ["not_found", "traversal"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@a.py", [("a.py", None, None)]),
        ("@a.py.", [("a.py", None, None)]),
        ("@a.py...", [("a.py", None, None)]),
        ("@a.py: look", [("a.py", None, None)]),
        ("@a.py:x", [("a.py", None, None)]),
        ("@a.py:7:3", [("a.py", 7, 7)]),
        ("@a.py:7-x", [("a.py", 7, 7)]),
        ("(@a.py)", [("a.py", None, None)]),
        ("[@a.py, @b.py; @c.py]", [("a.py", None, None), ("b.py", None, None), ("c.py", None, None)]),
        ("@a.py?\n@b.py!", [("a.py", None, None), ("b.py", None, None)]),
        ("**@a.py**", [("a.py", None, None)]),
        ("@./src//a.py", [("src/a.py", None, None)]),
        ("@/etc/hosts", [("/etc/hosts", None, None)]),
        ("@.gitignore @.github/x.yml", [(".gitignore", None, None), (".github/x.yml", None, None)]),
        ("@Makefile @docker/Dockerfile", [("Makefile", None, None), ("docker/Dockerfile", None, None)]),
        ("@src/parser:12", [("src/parser", 12, 12)]),
        ("@a-b_c+d~e.tar.gz", [("a-b_c+d~e.tar.gz", None, None)]),
        ("\u770b@src/a.py\u3002", [("src/a.py", None, None)]),
        ("@\u6587\u66f8/\u8aac\u660e.txt", [("\u6587\u66f8/\u8aac\u660e.txt", None, None)]),
        ('@"app/(group)/[id] page.tsx":2-4', [("app/(group)/[id] page.tsx", 2, 4)]),
        ('@"README"', [("README", None, None)]),
        ('@"a b"c', [("a b", None, None)]),
        ("@a.py @a.py @a.py:1 @./a.py", [("a.py", None, None), ("a.py", 1, 1), ("a.py", None, None)]),
        ("@main.py\n@test.py\nclass names should change", [("main.py", None, None), ("test.py", None, None)]),
        ("```\n@a.py\n```\n@b.py", [("b.py", None, None)]),
        ("~~~py\n@a.py\n```\n~~~\n@b.py", [("b.py", None, None)]),
        ("````\n```\n@a.py\n````\n@b.py", [("b.py", None, None)]),
        ("`@a.py` @b.py `@c.py`", [("b.py", None, None)]),
        ("``@a.py`` @b.py ```@c.py```", [("b.py", None, None)]),
        ("`` `@a.py` `` @b.py", [("b.py", None, None)]),
        ("a ` @a.py `` @b.py ` @c.py", [("c.py", None, None)]),
        ("a `` @a.py ` @b.py", [("a.py", None, None), ("b.py", None, None)]),
        ("a `` @a.py\n`` @b.py", [("a.py", None, None), ("b.py", None, None)]),
    ],
)
def test_mentions_are_found_in_usual_text(text: str, found: list[Mention]) -> None:
    assert mentions(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "@",
        "@@",
        "@ a.py",
        "ada@example.com",
        "ada.lovelace+x@example.co.uk, bob_@mail.py",
        "mailto:ada@main.py",
        "git@github.com:ada/x.git",
        "https://user:word@host.py/a.py",
        "@ada",
        "@ada_l",
        "thanks @ada, @bob.",
        "@user@mastodon.social",
        "npm i @types/node @angular/core@1.2 lodash@4.17.21",
        "@scope/name",
        "import x from \"@/components/button.ts\"; import y from '@types/node.ts'",
        "@1.2 @v1.2.3",
        '@app.route("/x")',
        "@pytest.mark.skip()",
        "@dataclass\nclass A(B): x = 1",
        "@dataclass\nclass A:\n    x: int",
        "@pytest.mark.skip\ndef test(): ...",
        "@a.b\r\n@c.d\r\nasync def f(x):\r\n",
        "    @abc.abstractmethod\n    def f(self):",
        "@Test.Case\npublic void run() {",
        "```python\n@app.main\n@b.py",
        "`@a.py`",
        '@""',
        '@"a\nb"',
        '@"a\0b"',
        "C:\\x@a.py",
    ],
)
def test_other_text_is_not_a_mention(text: str) -> None:
    assert mentions(text) == []


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("@../secret.txt", "traversal", "../secret.txt"),
        ("@src/../../secret.txt", "traversal", "src/../../secret.txt"),
        ("@..\\secret.txt", "traversal", "..\\secret.txt"),
        ('@"C:/Windows/win.ini"', "not_portable", "C:/Windows/win.ini"),
        ("@src\\a.py", "not_portable", "src\\a.py"),
        ("@con.txt", "not_portable", "con.txt"),
        ("@//server/share.txt", "not_portable", "//server/share.txt"),
        ("@a.py:0", "bad_range", "a.py"),
        ("@a.py:20-10", "bad_range", "a.py"),
        ("@a.py:99999999999999999999", "bad_range", "a.py"),
        ("@a.py:1-99999999999999999999", "bad_range", "a.py"),
        ('@" "', "empty_path", " "),
        (f"@{'a' * 300}.py", "path_too_long", f"{'a' * 300}.py"),
    ],
)
def test_a_mention_that_may_not_be_resolved_has_an_error(text: str, code: str, path: str, tmp_path: Path) -> None:
    (found,) = il.find_mentions(text)
    assert (found.data.path, found.data.status) == (path, "failed")
    assert found.data.error is not None
    assert (found.data.error.code, found.data.error.message) == (code, FILE_CODES[code].reason)  # type: ignore[index]
    if code != "bad_range":
        again = FileResolver(tmp_path).resolve(found, agent_role="planner")
        assert again.data.error is not None
        assert again.data.error.code == code


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(ValidationError):
        il.find_mentions("@a.py", role="nobody")


@pytest.mark.parametrize(
    "text",
    [
        "@" + "a" * 200_000,
        "@a." + "a" * 200_000 + "-",
        "@a" * 100_000,
        " @" + "." * 200_000,
        "`" * 200_000,
        "@a.b\n" * 50_000,
        "@a.py:" + "1" * 100_000,
        '@"' * 100_000,
        "a " * 100_000 + "class x(",
        "```" * 100_000 + "\n",
        " @." * 100_000,
        "@a.py:1-" * 50_000,
    ],
    ids=range(12),
)
def test_hostile_text_is_searched_in_linear_time(text: str) -> None:
    # A pattern that goes back and forth would take hours here.
    assert len(il.find_mentions(text)) <= 1


@given(st.text(alphabet=st.sampled_from('@"`:-./\\ a1b\n(~[py')))
def test_any_text_gives_valid_references_or_errors(text: str) -> None:
    for found in il.find_mentions(text):
        codes = {violation.code for violation in il.check_message(found)}
        reason: Any = found.data.error and found.data.error.code
        assert codes <= ({reason, "not_normalized", "line_range"} if found.data.status == "failed" else set())
