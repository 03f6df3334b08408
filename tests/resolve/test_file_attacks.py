"""No path leads out of the workspace: tests/vectors/files/path_attacks.json, each attack for real, and races."""

from __future__ import annotations

import contextlib
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.resolve import FILE_CODES, FileResolver, safe_open
from interlingua_types import CURRENT
from support.attacks import INSIDE, SECRET, Attack, Ground, attacks


class Everyone:
    """Allows everything."""

    def allows(self, *_question: object) -> bool:
        return True


OPENERS: Final = ["walk", "check"]
ATTACKS: Final = attacks()


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    found = Ground(tmp_path)
    yield found
    found.close()


@pytest.fixture(params=OPENERS)
def opener(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Open as systems with `openat` do, and as the others do."""
    monkeypatch.setattr(safe_open, "CAN_WALK", request.param == "walk")
    return str(request.param)


def reference(path: str) -> il.FileReferenceMessage:
    """Return a reference as a stored document may hold it: nobody has checked its path."""
    return il.FileReferenceMessage.model_construct(
        schema_version=CURRENT, type="file_reference", data=il.FileReferenceData.model_construct(path=path)
    )


def outcome(read: Callable[[], Any]) -> str:
    """Return the code of a refusal, or `inside`; whatever is said, it is not the secret."""
    refused: il.FileAccessError | None = None
    content = None
    try:
        content = read()
    except il.FileAccessError as error:
        refused = error
    if refused is None:
        assert content in {INSIDE, INSIDE.encode()}
        return "inside"
    assert SECRET not in repr(refused)
    assert refused.__cause__ is None
    assert refused.code in FILE_CODES
    return refused.code


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


# --- the table --------------------------------------------------------------------------------------------------------


def test_the_table_of_attacks_is_complete_and_has_unique_names() -> None:
    assert len(ATTACKS) >= 80
    assert [name for name, count in Counter(attack.name for attack in ATTACKS).items() if count > 1] == []
    assert {attack.expect for attack in ATTACKS} <= {"inside", *FILE_CODES}


@pytest.mark.requirement("TYPE-3.4.3")
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_no_attack_reads_a_file_outside_the_workspace(attack: Attack, ground: Ground, opener: str) -> None:
    path = ground.build(attack)
    resolver = FileResolver(ground.workspace)
    assert outcome(lambda: resolver.read(path, agent_role="planner")) == attack.expect, opener
    if attack.expect != "binary":  # which is no matter where bytes are wanted
        assert outcome(lambda: resolver.read_bytes(path, agent_role="planner")) == attack.expect


@pytest.mark.parametrize("attack", [one for one in ATTACKS if one.tree], ids=lambda attack: attack.name)
def test_no_link_is_followed_even_if_the_policy_allows_it(attack: Attack, ground: Ground, opener: str) -> None:
    path = ground.build(attack)
    if attack.expect in {"symlink", "hard_link"}:
        resolver = FileResolver(ground.workspace, Everyone())
        assert outcome(lambda: resolver.read_bytes(path, agent_role="planner")) == attack.expect, opener


def test_no_attack_leaves_a_file_open(tmp_path: Path, opener: str) -> None:
    for number, attack in enumerate(ATTACKS):
        ground = Ground(tmp_path / str(number))
        path = ground.build(attack)
        resolver = FileResolver(ground.workspace)
        before = open_files()
        for name in (path, "notes.txt", "src", "missing"):
            for read in (resolver.read, resolver.read_bytes):
                with contextlib.suppress(il.FileAccessError):
                    read(name, agent_role="planner")
        assert open_files() == before, (opener, attack.name)
        ground.close()


def test_a_hard_link_is_read_if_allowed(ground: Ground, opener: str) -> None:
    (ground.workspace / "twin.txt").hardlink_to(ground.workspace / "notes.txt")
    assert FileResolver(ground.workspace, allow_hard_links=True).read("twin.txt", agent_role="planner") == INSIDE, (
        opener
    )


def test_the_workspace_path_may_be_a_link(ground: Ground, opener: str) -> None:
    (ground.outside / "here").symlink_to(ground.workspace)
    resolver = FileResolver(ground.outside / "here")
    for path in ("notes.txt", str(ground.workspace / "notes.txt"), str(ground.outside / "here" / "notes.txt")):
        assert resolver.read(path, agent_role="planner") == INSIDE, opener


def test_a_workspace_replaced_by_a_link_is_not_followed(ground: Ground, opener: str) -> None:
    resolver = FileResolver(ground.workspace)
    ground.workspace.rename(ground.outside / "moved")
    ground.workspace.symlink_to(ground.outside)
    assert outcome(lambda: resolver.read("secret.txt", agent_role="planner")) == "symlink", opener


def test_virtual_file_systems_are_not_read_even_if_the_workspace_is_the_root(opener: str) -> None:
    resolver = FileResolver("/")
    for path in ("proc/self/environ", "/proc/self/environ", "dev/zero", "sys"):
        assert outcome(lambda path=path: resolver.read(path, agent_role="planner")) == "virtual_file", opener  # type: ignore[misc]


# --- changed between the look and the opening -------------------------------------------------------------------------


def link_to_secret(ground: Ground) -> None:
    (ground.workspace / "notes.txt").unlink()
    (ground.workspace / "notes.txt").symlink_to(ground.secret)


def second_name_of_secret(ground: Ground) -> None:
    (ground.workspace / "notes.txt").unlink()
    (ground.workspace / "notes.txt").hardlink_to(ground.secret)


def pipe(ground: Ground) -> None:
    (ground.workspace / "notes.txt").unlink()
    os.mkfifo(ground.workspace / "notes.txt")


def directory(ground: Ground) -> None:
    (ground.workspace / "notes.txt").unlink()
    (ground.workspace / "notes.txt").mkdir()


def nothing(ground: Ground) -> None:
    (ground.workspace / "notes.txt").unlink()


def workspace_moved(ground: Ground) -> None:
    """Put a link to the secret's directory in the place of the workspace, and the secret under the name asked for."""
    ground.workspace.rename(ground.outside / "moved")
    ground.secret.rename(ground.outside / "notes.txt")
    ground.workspace.symlink_to(ground.outside)


SWAPS: Final[list[Callable[[Ground], None]]] = [
    link_to_secret,
    second_name_of_secret,
    pipe,
    directory,
    nothing,
    workspace_moved,
]


STEPS: Final = {"walk": ["open", "stat", "fstat"], "check": ["open", "lstat", "fstat"]}


@pytest.mark.parametrize("swap", SWAPS)
def test_a_file_swapped_before_any_step_never_gives_the_secret(
    swap: Callable[[Ground], None], tmp_path: Path, opener: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The real calls, again and again, with the tree swapped right before the first of them, the second, ...
    for call in STEPS[opener]:
        count = swap_before(tmp_path / call, call, -1, swap, monkeypatch)
        assert count > 0, call
        for number in range(count):
            swap_before(tmp_path / f"{call}{number}", call, number, swap, monkeypatch)


def swap_before(
    folder: Path, call: str, number: int, swap: Callable[[Ground], None], monkeypatch: pytest.MonkeyPatch
) -> int:
    """Read a file with the tree swapped before the call of that number, and return how many calls there were."""
    ground = Ground(folder)
    resolver = FileResolver(ground.workspace)
    real, count = getattr(os, call), 0

    def hooked(*args: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        if count == number + 1:
            count += 1000  # the swap itself may call
            swap(ground)
        return real(*args, **named)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, hooked)
        assert outcome(lambda: resolver.read_bytes("notes.txt", agent_role="planner")) in {
            *("inside", "symlink", "hard_link", "not_regular", "is_directory", "not_found", "changed"),
        }
    ground.close()
    assert number < 0 or count > 1000
    return count


@pytest.mark.parametrize("first", ["open", "lstat"])
def test_a_directory_swapped_and_restored_is_detected_where_names_are_resolved_twice(
    first: str, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    # From before the first look at the file itself, or before its opening, to right after its opening.
    folder, aside = ground.workspace / "src", ground.workspace / "aside"
    (ground.outside / "main.py").write_text(SECRET, encoding="utf-8")
    real_open, real_lstat = os.open, os.lstat
    swaps: list[Callable[[], object]] = [lambda: folder.rename(aside), lambda: folder.symlink_to(ground.outside)]

    def swap() -> None:
        while swaps:
            swaps.pop(0)()

    def opened(path: Any, *args: Any, **named: Any) -> int:
        swap()
        descriptor = real_open(path, *args, **named)
        folder.unlink()
        aside.rename(folder)
        return descriptor

    def looked(path: Any) -> os.stat_result:
        if first == "lstat" and str(path).endswith("main.py"):
            swap()
        return real_lstat(path)

    monkeypatch.setattr(safe_open, "CAN_WALK", False)
    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(os, "lstat", looked)
    assert outcome(lambda: FileResolver(ground.workspace).read("src/main.py", agent_role="planner")) == "changed"


def test_a_thread_that_swaps_the_file_for_a_link_never_succeeds(ground: Ground, opener: str) -> None:
    inside, link = ground.workspace / "a.tmp", ground.workspace / "b.tmp"

    def swap() -> None:
        link.symlink_to(ground.secret)
        link.replace(ground.workspace / "notes.txt")
        inside.write_text(INSIDE, encoding="utf-8")
        inside.replace(ground.workspace / "notes.txt")

    seen = raced(FileResolver(ground.workspace), "notes.txt", swap)
    assert set(seen) <= {"inside", "symlink", "changed"}, opener
    assert len(seen) > 1


def test_a_thread_that_swaps_a_directory_for_a_link_never_succeeds(ground: Ground, opener: str) -> None:
    folder, aside, link = ground.workspace / "src", ground.workspace / "aside", ground.workspace / "link"
    (ground.outside / "main.py").write_text(SECRET, encoding="utf-8")

    def swap() -> None:
        link.symlink_to(ground.outside)
        folder.rename(aside)
        link.rename(folder)
        folder.unlink()
        aside.rename(folder)

    seen = raced(FileResolver(ground.workspace), "src/main.py", swap)
    assert set(seen) <= {"inside", "symlink", "not_found", "changed"}, opener
    assert len(seen) > 1


def raced(resolver: FileResolver, path: str, swap: Callable[[], None]) -> Counter[str]:
    """Read a file again and again while a thread swaps it, until both have happened often, and return the outcomes."""
    swaps, stopped = 0, threading.Event()

    def keep_swapping() -> None:
        nonlocal swaps
        while not stopped.is_set():
            swap()
            swaps += 1

    thread = threading.Thread(target=keep_swapping)
    thread.start()
    seen: Counter[str] = Counter()
    try:
        while (swaps < 300 or len(seen) < 2 or seen.total() < 300) and thread.is_alive():
            seen[outcome(lambda: resolver.read_bytes(path, agent_role="planner"))] += 1
    finally:
        stopped.set()
        thread.join()
    return seen


# --- reading ----------------------------------------------------------------------------------------------------------


def test_a_file_that_grows_while_it_is_read_is_read_up_to_the_limit(
    ground: Ground, opener: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, real, taken = ground.workspace / "log.txt", os.read, 0
    log.write_text("line\n", encoding="utf-8")

    def growing(descriptor: int, count: int) -> bytes:
        nonlocal taken
        chunk = real(descriptor, count)
        taken += len(chunk)
        with log.open("a", encoding="utf-8") as file:
            file.write("line\n" * 100)
        return chunk

    monkeypatch.setattr(os, "read", growing)
    resolver = FileResolver(ground.workspace, max_bytes=10_000)
    assert outcome(lambda: resolver.read("log.txt", agent_role="planner")) == "too_large", opener
    assert taken == 10_001


def test_a_file_of_exactly_the_limit_is_read(ground: Ground) -> None:
    resolver = FileResolver(ground.workspace, max_bytes=len(INSIDE))
    assert outcome(lambda: resolver.read("notes.txt", agent_role="planner")) == "inside"
    resolver = FileResolver(ground.workspace, max_bytes=len(INSIDE) - 1)
    assert outcome(lambda: resolver.read("notes.txt", agent_role="planner")) == "too_large"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"text\0text", "binary"),
        ("text".encode("utf-16"), "binary"),
        (b"\xff\xfe\xfd", "not_utf8"),
        (b"caf\xe9", "not_utf8"),
        (b"\xed\xa0\x80", "not_utf8"),
        (b"\xc0\xae", "not_utf8"),
        (b"cut \xe2\x82", "not_utf8"),
    ],
)
def test_a_binary_file_is_refused_without_showing_its_content(data: bytes, code: str, ground: Ground) -> None:
    (ground.workspace / "data.bin").write_bytes(data)
    with pytest.raises(il.FileAccessError) as caught:
        FileResolver(ground.workspace).read("data.bin", agent_role="planner")
    assert (caught.value.code, caught.value.path, caught.value.__cause__) == (code, "data.bin", None)
    assert str(caught.value) == f"{code}: {FILE_CODES[caught.value.code].reason}"  # type: ignore[index]
    assert FileResolver(ground.workspace).read_bytes("data.bin", agent_role="planner") == data


def test_permission_denied_is_distinguished_from_a_missing_file(
    ground: Ground, opener: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    def refusing(path: Any, *args: Any, **named: Any) -> int:
        if str(path).endswith("notes.txt"):  # root reads every file, so the refusal itself is made here
            raise PermissionError(13, "Permission denied", path)
        return real(path, *args, **named)

    monkeypatch.setattr(os, "open", refusing)
    assert outcome(lambda: FileResolver(ground.workspace).read("notes.txt", agent_role="planner")) == "not_readable"
    assert outcome(lambda: FileResolver(ground.workspace).read("missing.txt", agent_role="planner")) == "not_found", (
        opener
    )


def test_an_io_error_is_retryable(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_given: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "read", failing)
    with pytest.raises(il.FileAccessError) as caught:
        FileResolver(ground.workspace).read("notes.txt", agent_role="planner")
    assert (caught.value.code, caught.value.retryable, caught.value.__cause__) == ("io_error", True, None)
