"""Files that messages refer to: read under the permission of the agent, line by line, or refused (TYPE-3)."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any, Final, get_args

import pytest

import interlingua as il
from interlingua.errors import ClockError
from interlingua.resolve import FILE_CODES, MAX_FILE_BYTES, READING_ROLES, FileCode, FileResolver, RolePolicy
from interlingua_types._base import InvalidArgumentError

LINES: Final = "one\ntwo\nthree\nfour\nfive\n"
NOON: Final = datetime(2026, 1, 2, 12, tzinfo=UTC)
create = il.FileReferenceMessage.create


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "numbers.txt").write_text(LINES, encoding="utf-8")
    return folder


def resolved(resolver: FileResolver, *reference: Any, role: str = "planner") -> il.FileReferenceData:
    return resolver.resolve(create(*reference), agent_role=role).data


def code_of(data: il.FileReferenceData) -> str:
    """Return the code of a reference that failed, which then says what a failed one says, and no more."""
    assert data.status == "failed"
    assert (data.content, data.resolved_at) == (None, None)
    assert data.error is not None
    assert data.error.code is not None
    assert data.error.retryable is FILE_CODES[data.error.code].retryable  # type: ignore[index]
    return data.error.code


# --- absolute and relative --------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-3.1.1", "TYPE-3.1.2", "TYPE-1.3.4", "TYPE-1.3.5")
def test_a_file_is_read_by_absolute_path_and_its_text_stored_in_the_message(workspace: Path) -> None:
    message = create(str(workspace / "src" / "numbers.txt"))
    assert message.data.status == "pending"
    (workspace / "src" / "numbers.txt").write_text(f"{LINES} gr\u00f6\u00dfer \n", encoding="utf-8")
    found = FileResolver(workspace, now=lambda: NOON).resolve(message, agent_role="planner")
    assert found.type == "file_reference"
    assert (found.data.status, found.data.content) == ("resolved", f"{LINES} gr\u00f6\u00dfer \n")
    assert found.data.resolved_at == "2026-01-02T12:00:00Z"
    assert found.data.error is None
    assert il.check_message(found) == []
    assert message.data.status == "pending"


@pytest.mark.requirement("TYPE-3.1.3")
def test_a_missing_file_is_an_error_in_the_message(workspace: Path) -> None:
    for path in ("src/missing.txt", str(workspace / "missing.txt"), "missing/numbers.txt"):
        data = resolved(FileResolver(workspace), path)
        assert code_of(data) == "not_found"
        assert il.check_message(il.FileReferenceMessage(data=data)) == []
    with pytest.raises(il.FileAccessError) as caught:
        FileResolver(workspace).read("src/missing.txt", agent_role="planner")
    assert (caught.value.code, caught.value.path) == ("not_found", "src/missing.txt")
    assert isinstance(caught.value, ValueError)


@pytest.mark.requirement("TYPE-3.2.1", "TYPE-3.2.2")
def test_a_relative_path_is_relative_to_the_workspace(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere" / "src"
    elsewhere.mkdir(parents=True)
    (elsewhere / "numbers.txt").write_text("another file", encoding="utf-8")
    monkeypatch.chdir(elsewhere.parent)
    for path in ("src/numbers.txt", "./src/numbers.txt", "src//numbers.txt", "src/./numbers.txt"):
        assert resolved(FileResolver(workspace), path).content == LINES


def test_a_relative_workspace_path_is_resolved_when_the_resolver_is_created(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workspace.parent)
    resolver = FileResolver("workspace")
    monkeypatch.chdir("/")
    assert resolved(resolver, "src/numbers.txt").content == LINES


@pytest.mark.requirement("TYPE-3.2.3")
def test_a_relative_path_without_a_workspace_is_an_error(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workspace)
    assert code_of(resolved(FileResolver(), "src/numbers.txt")) == "no_workspace"


def test_a_resolved_reference_is_unchanged_and_only_a_failed_one_is_retried(workspace: Path) -> None:
    resolver = FileResolver(workspace)
    late = resolver.resolve(create("late.txt"), agent_role="planner")
    assert code_of(late.data) == "not_found"
    (workspace / "late.txt").write_text("here", encoding="utf-8")
    assert resolver.resolve(late, agent_role="planner") is late
    found = resolver.retry(late, agent_role="planner")
    assert (found.data.content, found.data.error) == ("here", None)
    (workspace / "late.txt").write_text("changed", encoding="utf-8")
    assert resolver.resolve(found, agent_role="nobody") is found
    assert resolver.retry(found, agent_role="nobody") is found


def test_a_reference_marked_as_read_without_content_is_read_and_a_failure_keeps_no_old_content(workspace: Path) -> None:
    claimed = il.FileReferenceData(path="src/numbers.txt", status="resolved")
    resolver = FileResolver(workspace)
    assert resolver.resolve(il.FileReferenceMessage(data=claimed), agent_role="planner").data.content == LINES
    stale = il.FileReferenceData(path="missing", status="pending", content="old", resolved_at="2020-01-01T00:00:00Z")
    assert code_of(resolver.resolve(il.FileReferenceMessage(data=stale), agent_role="planner").data) == "not_found"


def test_other_members_of_the_message_are_unchanged(workspace: Path) -> None:
    message = create("src/numbers.txt", 2, 3, "user").replace(id="m1", metadata={"a": None}, joins=True)
    found = FileResolver(workspace, now=lambda: NOON).resolve(message, agent_role="planner")
    kept = {"status", "content", "resolved_at"}
    assert found.replace(data=message.data) == message
    assert found.data.model_dump(exclude=kept) == message.data.model_dump(exclude=kept)


# --- lines ------------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-3.3.1", "TYPE-3.3.2", "TYPE-3.3.4")
def test_only_the_lines_of_the_range_are_read_with_line_numbers(workspace: Path) -> None:
    resolver = FileResolver(workspace)
    assert resolved(resolver, "src/numbers.txt", 2, 4).content == "2 | two\n3 | three\n4 | four"
    assert resolved(resolver, "src/numbers.txt", 1, 1).content == "1 | one"
    assert resolved(resolver, "src/numbers.txt", 5, 5).content == "5 | five"
    assert resolved(resolver, "src/numbers.txt", 4).content == "4 | four\n5 | five"
    (workspace / "long.txt").write_text("".join(f"line {number}\n" for number in range(1, 200)), encoding="utf-8")
    assert resolved(resolver, "long.txt", 9, 10).content == " 9 | line 9\n10 | line 10"


def test_a_range_without_a_start_begins_with_the_first_line(workspace: Path) -> None:
    assert FileResolver(workspace).read("src/numbers.txt", agent_role="actor", end_line=2) == "1 | one\n2 | two"


@pytest.mark.requirement("TYPE-3.3.3")
@pytest.mark.parametrize(("start", "end"), [(6, 6), (5, 6), (1, 100), (6, None), (None, 6), (3, 2), (0, 1), (-1, 2)])
def test_a_range_outside_the_file_is_an_error(start: int | None, end: int | None, workspace: Path) -> None:
    with pytest.raises(il.FileAccessError) as caught:
        FileResolver(workspace).read("src/numbers.txt", agent_role="planner", start_line=start, end_line=end)
    assert caught.value.code == "bad_range"


@pytest.mark.requirement("TYPE-3.3.3")
@pytest.mark.parametrize(
    ("start", "end", "reason"),
    [
        (6, 6, "the file has 5 lines"),
        (1, 100, "the file has 5 lines"),
        (None, 6, "the file has 5 lines"),
        (3, 2, "end_line must not be before start_line"),
    ],
)
def test_a_message_with_an_invalid_range_is_refused_with_the_reason(
    start: int | None, end: int, reason: str, workspace: Path
) -> None:
    data = il.FileReferenceData(path="src/numbers.txt", start_line=start, end_line=end)
    found = FileResolver(workspace).resolve(il.FileReferenceMessage(data=data), agent_role="planner").data
    assert code_of(found) == "bad_range"
    assert found.error is not None
    assert found.error.message == reason


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("\n", [""]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\rb", ["a", "b"]),
        ("a\n\rb", ["a", "", "b"]),
        ("a\u2028b\u2029c\x0bd\x0ce\x85f\x1cg", ["a\u2028b\u2029c\x0bd\x0ce\x85f\x1cg"]),
        ("\ufeffa\nb", ["a", "b"]),
        ("a\n\ufeffb", ["a", "\ufeffb"]),
    ],
)
def test_line_numbers_are_those_of_an_editor(written: str, lines: list[str], workspace: Path) -> None:
    (workspace / "file.txt").write_bytes(written.encode())
    resolver = FileResolver(workspace)
    for number, line in enumerate(lines, 1):
        shown = resolver.read("file.txt", agent_role="planner", start_line=number, end_line=number)
        assert shown == f"{number} | {line}"
    with pytest.raises(il.FileAccessError, match="bad_range"):
        resolver.read("file.txt", agent_role="planner", start_line=len(lines) + 1, end_line=len(lines) + 1)
    assert resolver.read("file.txt", agent_role="planner") == written.removeprefix("\ufeff")


def test_reading_a_few_lines_of_a_long_file_does_not_read_the_rest(workspace: Path) -> None:
    (workspace / "log.txt").write_bytes(b"x" * 99 + b"\n" + b"y\n" * 100_000 + b"\xff")
    resolver = FileResolver(workspace, max_bytes=100_000)
    assert code_of(resolved(resolver, "log.txt")) == "too_large"
    assert resolved(resolver, "log.txt", 2, 3).content == "2 | y\n3 | y"
    assert code_of(resolved(resolver, "log.txt", 60_000, 60_000)) == "too_large"
    (workspace / "line.txt").write_bytes(b"x" * 100_000 + b"\nend\n")
    assert code_of(resolved(resolver, "line.txt", 1, 1)) == "too_large"


def test_a_range_ends_at_a_character_boundary(workspace: Path) -> None:
    # The 65,536 bytes that are read at once end in the middle of a character behind the range.
    (workspace / "wide.txt").write_text("first\n" + "\u6f22" * 50_000, encoding="utf-8")
    assert resolved(FileResolver(workspace), "wide.txt", 1, 1).content == "1 | first"


# --- permission -------------------------------------------------------------------------------------------------------


class Asked:
    """A policy that remembers what it was asked, and gives one answer."""

    def __init__(self, answer: Any, before: Callable[[], None] = lambda: None) -> None:
        self.questions: list[tuple[str, PurePosixPath, str]] = []
        self._answer = answer
        self._before = before

    def allows(self, role: str, path: PurePosixPath, action: str) -> Any:
        self._before()
        self.questions.append((role, path, action))
        return self._answer


@pytest.mark.requirement("TYPE-3.4.1", "TYPE-3.1.4")
def test_the_policy_gets_the_role_and_the_canonical_path_of_the_file(workspace: Path, tmp_path: Path) -> None:
    policy = Asked(True)
    resolver = FileResolver(workspace, policy)
    (tmp_path / "other.txt").write_text("other", encoding="utf-8")
    for path in ("src/numbers.txt", "./src//numbers.txt", str(workspace / "src" / "numbers.txt")):
        assert resolved(resolver, path, role="reader").status == "resolved"
    assert set(policy.questions) == {("reader", PurePosixPath("src/numbers.txt"), "read")}
    assert resolved(resolver, str(tmp_path / "other.txt"), role="reader").content == "other"
    assert policy.questions[-1] == ("reader", PurePosixPath((tmp_path / "other.txt").as_posix()), "read")


@pytest.mark.requirement("TYPE-3.4.3", "TYPE-3.4.4")
@pytest.mark.parametrize("answer", [False, None, 1, "yes", [True]])
def test_no_file_is_accessed_before_the_policy_returns_true(
    answer: object, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolver = FileResolver(workspace, Asked(answer))
    touched: list[str] = []

    def note(call: str) -> None:
        real = getattr(os, call)

        def noted(*args: Any, **named: Any) -> Any:
            touched.append(call)
            return real(*args, **named)

        monkeypatch.setattr(os, call, noted)

    for call in ("open", "stat", "lstat", "fstat", "access", "readlink", "scandir", "listdir"):
        note(call)
    for path in ("src/numbers.txt", "missing.txt", "src"):
        data = resolved(resolver, path)
        assert code_of(data) == "permission_denied"
        assert data.error is not None
        assert data.error.message == "the agent's role may not read this file"
    assert touched == []
    assert resolved(FileResolver(workspace, Asked(True)), "src/numbers.txt").content == LINES
    assert "open" in touched


def test_a_policy_that_raises_denies_access(workspace: Path) -> None:
    def fail() -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        FileResolver(workspace, Asked(True, fail)).resolve(create("src/numbers.txt"), agent_role="planner")


def test_an_async_policy_is_not_taken_for_permission(workspace: Path) -> None:
    class Later:
        def allows(self, *_question: object) -> Any:
            return _Unawaited()

    assert code_of(resolved(FileResolver(workspace, Later()), "src/numbers.txt")) == "permission_denied"


class _Unawaited:
    """As true as a coroutine."""


@pytest.mark.requirement("TYPE-3.4.2")
def test_the_planner_role_may_read(workspace: Path) -> None:
    for role in ("planner", "Planner", "PLANNER", *READING_ROLES):
        assert resolved(FileResolver(workspace), "src/numbers.txt", role=role).content == LINES


@pytest.mark.requirement("TYPE-3.4.3", "TYPE-3.4.4")
@pytest.mark.parametrize("role", ["", "guest", "planner ", "planner\0", "plan", "\u0440lanner", "*"])
def test_a_role_without_a_grant_reads_nothing(role: str, workspace: Path, tmp_path: Path) -> None:
    assert code_of(resolved(FileResolver(workspace), "src/numbers.txt", role=role)) == "permission_denied"
    assert code_of(resolved(FileResolver(workspace), str(tmp_path / "x"), role=role)) == "outside_workspace"


@pytest.mark.requirement("TYPE-3.1.4")
def test_files_outside_the_workspace_are_read_only_if_the_policy_allows_it(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "book.txt").write_text("text", encoding="utf-8")
    (tmp_path / "library-of-others").mkdir()
    (tmp_path / "library-of-others" / "book.txt").write_text("secret", encoding="utf-8")
    library = str((tmp_path / "library").resolve())
    assert code_of(resolved(FileResolver(workspace), library + "/book.txt")) == "outside_workspace"
    assert code_of(resolved(FileResolver(), library + "/book.txt")) == "outside_workspace"
    for resolver in (
        FileResolver(workspace, RolePolicy(outside=[library])),
        FileResolver(None, RolePolicy(outside=[library])),
    ):
        assert resolved(resolver, library + "/book.txt").content == "text"
        assert code_of(resolved(resolver, library + "-of-others/book.txt")) == "outside_workspace"
        assert code_of(resolved(resolver, library + "/book.txt", role="guest")) == "outside_workspace"


def test_a_role_policy_is_a_table_of_roles_and_actions(workspace: Path) -> None:
    policy = RolePolicy({"Auditor": ["read"], "writer": []})
    resolver = FileResolver(workspace, policy)
    assert resolved(resolver, "src/numbers.txt", role="auditor").content == LINES
    for role in ("writer", "planner"):
        assert code_of(resolved(resolver, "src/numbers.txt", role=role)) == "permission_denied"


@pytest.mark.parametrize(
    "path", [".env", "src/.env", ".ENV", "keys/ca.pem", "keys/CA.PEM", ".git/config", "a/.Git/x/y"]
)
def test_hidden_patterns_apply_in_every_folder_and_case(path: str, workspace: Path) -> None:
    (workspace / path).parent.mkdir(parents=True, exist_ok=True)
    (workspace / path).write_text("secret", encoding="utf-8")
    hiding = RolePolicy(hidden=[".env", "*.pem", ".git"])
    for form in (path, str(workspace / path)):
        assert code_of(resolved(FileResolver(workspace, hiding), form)) == "permission_denied"
    assert resolved(FileResolver(workspace, hiding), "src/numbers.txt").content == LINES


def test_a_policy_accepts_only_absolute_directories() -> None:
    for directory in ("relative", "", "/a/../b", "/a\0"):
        with pytest.raises(InvalidArgumentError):
            RolePolicy(outside=[directory])


@pytest.mark.parametrize("wrong", [{"hidden": ".env"}, {"outside": "/"}, {"grants": {"planner": "read"}}])
def test_a_single_string_is_not_accepted_as_a_list_of_patterns_directories_or_actions(wrong: dict[str, Any]) -> None:
    # Its letters would be: `.env` would hide nothing, and `/` would open all.
    with pytest.raises(InvalidArgumentError, match=next(iter(wrong))):
        RolePolicy(**wrong)


# --- the boundary -----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("NFR-004a-24")
def test_none_and_invalid_values_are_refused_immediately(workspace: Path) -> None:
    resolver: Any = FileResolver(workspace)
    for call in (
        lambda: resolver.read(None, agent_role="planner"),
        lambda: resolver.read(b"src/numbers.txt", agent_role="planner"),
        lambda: resolver.read("src/numbers.txt", agent_role=None),
        lambda: resolver.read_bytes(None, agent_role="planner"),
        lambda: resolver.resolve(create("src/numbers.txt"), agent_role=None),
        lambda: FileResolver(""),
        lambda: FileResolver("a\0b"),
        lambda: FileResolver(b"workspace"),  # type: ignore[arg-type]  # the mistake that is tested
        lambda: FileResolver(workspace, max_bytes=0),
        lambda: create(None),  # type: ignore[arg-type]
        lambda: create("a.txt", "1"),  # type: ignore[arg-type]
        lambda: create("a.txt", True),
        lambda: create("a.txt", 0),
        lambda: create("a.txt", 2, 1),
    ):
        with pytest.raises(InvalidArgumentError):
            call()
    assert [violation.code for violation in il.check_message(None)] == ["shape"]  # type: ignore[arg-type]


def test_a_clock_without_a_time_zone_is_refused(workspace: Path) -> None:
    with pytest.raises(ClockError):
        resolved(FileResolver(workspace, now=lambda: NOON.replace(tzinfo=None)), "src/numbers.txt")
    assert resolved(FileResolver(workspace, now=lambda: NOON + timedelta(hours=1)), "src/numbers.txt").resolved_at


def test_the_error_codes_are_a_closed_table_of_texts_without_paths() -> None:
    assert set(_literals(FileCode)) == set(FILE_CODES)
    assert all(refusal.reason and "{" not in refusal.reason for refusal in FILE_CODES.values())
    assert MAX_FILE_BYTES == 1_000_000


def _literals(kind: Any) -> list[str]:
    return [one for inner in get_args(kind) for one in (_literals(inner) or [inner])]


# --- by hand ----------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("TYPE-9.2.4", "TYPE-1.3.2", "TYPE-1.3.3")
def test_create_normalises_the_path_of_a_reference() -> None:
    written = {
        "src/main.py": "src/main.py",
        "./src//main.py": "src/main.py",
        "src/./main.py/": "src/main.py",
        "/home//ada/./a.txt": "/home/ada/a.txt",
        "./": ".",
        "/": "/",
    }
    for given, path in written.items():
        message = create(given, 3, 7)
        assert (message.data.path, message.data.start_line, message.data.end_line) == (path, 3, 7)
        assert il.check_message(message) == []
        assert create(path).data.path == path
    assert create("a.txt", role="assistant").data.role == "assistant"
    assert create("a.txt").data.end_line is None


@pytest.mark.requirement("TYPE-9.2.1", "TYPE-9.2.2", "TYPE-9.2.3")
@pytest.mark.parametrize(
    "path", ["", " ", "../a", "a/../b", "a/..", "a\\b", "C:/a", "a\0", "nul", "a.", "//a/b", "a" * 256]
)
def test_create_refuses_a_reference_that_may_not_be_resolved(path: str) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        create(path)
    assert not path.strip() or path not in str(caught.value)
    with pytest.raises(InvalidArgumentError, match="end_line"):
        create("a.txt", 3, 2)
