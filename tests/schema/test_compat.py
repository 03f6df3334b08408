"""Compatibility: every kind of structural difference, told with its place, and covered by a declared change or not."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import comparison
import compat
import seals
import sources
from bundle import bundle
from support.tree import Tree, object_file
from tables import Change

DATA = "schema/v3/shared/text_data.json"
TEXT = "schema/v3/part/text.json"
IMAGE = "schema/v3/part/image.json"
MOOD = "schema/v3/shared/mood.json"
BOX = "schema/v3/shared/box.json"
UNKNOWN = "schema/v3/shared/unknown_message.json"
NOTICE = "schema/v3/message/notice.json"
VERSION = "schema/v3/version.json"

Edit = Callable[[Tree], object]


@pytest.fixture(scope="session")
def opened_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a tree with two sealed versions and a third that is a copy of the second, for copying only."""
    tree = Tree(tmp_path_factory.mktemp("opened"))
    for key in ("v1", "v2"):
        seals.seal(tree.root, key)
    seals.open_next(tree.root, "v3")
    return tree.root


@pytest.fixture
def opened(opened_once: Path, tmp_path: Path) -> Tree:
    shutil.copytree(opened_once, tmp_path / "tree", dirs_exist_ok=True)
    tree = Tree.__new__(Tree)
    tree.root = tmp_path / "tree"
    return tree


def bundled(tree: Tree, number: int) -> dict[str, Any]:
    # Without the rules for examples: each test changes one thing, and no example of it.
    base = sources.read_settings(tree.root)
    return bundle(sources.read_version(tree.root, tree.path(f"schema/v{number}"), base))


def found(tree: Tree) -> list[comparison.Difference]:
    return comparison.differences(bundled(tree, 2), bundled(tree, 3))


def case(identifier: str, edit: Edit, path: str, kind: str) -> Any:
    return pytest.param(edit, path, kind, id=identifier)


def demand_count(tree: Tree) -> None:
    tree.edit(DATA, required=["speaker", "count"], examples=[{"speaker": "user", "count": 1}])


def add_demanded_member(tree: Tree) -> None:
    tree.edit_member(DATA, "tone", type="string", description="The tone.")
    tree.edit(DATA, required=["speaker", "tone"], examples=[{"speaker": "user", "tone": "low"}])


def drop_member(tree: Tree) -> None:
    document = tree.read(DATA)
    del document["properties"]["count"]
    tree.write(DATA, {**document, "examples": [{"speaker": "user"}]})


def drop_variant(tree: Tree) -> None:
    tree.path(NOTICE).unlink()


def drop_type(tree: Tree) -> None:
    tree.path(BOX).unlink()


def close_object(tree: Tree) -> None:
    tree.edit(UNKNOWN, additionalProperties=False)


def add_rule(tree: Tree) -> None:
    tree.edit(DATA, oneOf=[{"required": ["count"]}, {"required": ["weight"]}])


BREAKS = [
    case("a member is gone", drop_member, "TextData.count", "member removed"),
    case("a member must be there", demand_count, "TextData.count", "member demanded"),
    case("a new member must be there", add_demanded_member, "TextData.tone", "member demanded"),
    case("a variant is gone", drop_variant, "Message.notice", "variant removed"),
    case("a type is gone", drop_type, "Box", "type removed"),
    case("an object is closed", close_object, "UnknownMessage", "object closed"),
    case("a rule about several members", add_rule, "TextData", "rule added"),
    case(
        "another type",
        lambda tree: tree.edit_member(DATA, "mood", **{"$ref": None}, type="integer"),
        "TextData.mood",
        "type changed",
    ),
    case(
        "a number becomes whole",
        lambda tree: tree.edit_member(DATA, "weight", type="integer", minimum=None, maximum=None),
        "TextData.weight",
        "type changed",
    ),
    case("a word is gone", lambda tree: tree.edit(MOOD, enum=["calm"]), "Mood", "type changed"),
    case(
        "text becomes a few words",
        lambda tree: tree.edit_member(IMAGE, "url", enum=["https://example.com/a.png"]),
        "Picture.url",
        "type changed",
    ),
    case("a shorter text", lambda tree: tree.edit_member(TEXT, "text", maxLength=9), "TextPart.text", "type changed"),
    case("a longer text", lambda tree: tree.edit_member(TEXT, "text", minLength=2), "TextPart.text", "type changed"),
    case("a new pattern", lambda tree: tree.edit_member(TEXT, "text", pattern="."), "TextPart.text", "type changed"),
    case("a higher floor", lambda tree: tree.edit_member(DATA, "count", minimum=1), "TextData.count", "type changed"),
    case("a lower roof", lambda tree: tree.edit_member(DATA, "weight", maximum=0.5), "TextData.weight", "type changed"),
    case(
        "a list of other items",
        lambda tree: tree.edit_member(
            DATA, "content", anyOf=[{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
        ),
        "TextData.content/*",
        "type changed",
    ),
    case(
        "one of two types is gone",
        lambda tree: tree.edit_member(DATA, "content", anyOf=None, type="string"),
        "TextData.content",
        "type changed",
    ),
    case(
        "a list must hold something",
        lambda tree: tree.edit_member(BOX, "messages", minItems=1),
        "Box.messages",
        "type changed",
    ),
    case(
        "anything becomes text",
        lambda tree: tree.edit_member(DATA, "any", type="string"),
        "TextData.any",
        "type changed",
    ),
    case(
        "free-form becomes a map of numbers",
        lambda tree: (
            tree.edit_member(NOTICE, "schema", additionalProperties={"type": "integer"}),
            tree.edit(NOTICE, examples=[{"schema_version": 3, "type": "notice"}]),
        ),
        "NoticeMessage.schema",
        "type changed",
    ),
    case(
        "a new variant",
        lambda tree: tree.write(
            "schema/v3/part/sound.json",
            object_file("SoundPart", {"type": {"const": "sound"}}, ["type"], example={"type": "sound"}),
        ),
        "Part.sound",
        "variant added",
    ),
]


@pytest.mark.parametrize(("edit", "path", "kind"), BREAKS)
def test_a_breaking_change_is_reported_with_its_place_and_kind(opened: Tree, edit: Edit, path: str, kind: str) -> None:
    edit(opened)
    breaking = {(item.path, item.kind) for item in found(opened) if item.is_breaking}
    assert breaking == {(path, kind)}


ADDITIONS = [
    case(
        "a new member that may be absent",
        lambda tree: tree.edit_member(DATA, "tone", type="string", description="The tone."),
        "TextData.tone",
        "member demanded",
    ),
]

HARMLESS = [
    pytest.param(lambda tree: tree.edit(TEXT, description="Another sentence."), id="another description"),
    pytest.param(lambda tree: tree.edit(MOOD, enum=["calm", "loud", "glad"]), id="a new word"),
    pytest.param(lambda tree: tree.edit(MOOD, enum=None), id="words become text"),
    pytest.param(lambda tree: tree.edit_member(DATA, "weight", minimum=-1, maximum=2), id="a longer limit"),
    pytest.param(lambda tree: tree.edit_member(TEXT, "text", minLength=None), id="no limit"),
    pytest.param(lambda tree: tree.edit_member(DATA, "count", type="number"), id="a whole number becomes any"),
    pytest.param(lambda tree: tree.edit(DATA, required=[]), id="a member may be absent now"),
    pytest.param(lambda tree: tree.edit_member(IMAGE, "url", type=["string", "integer"]), id="one more type"),
    pytest.param(lambda tree: tree.edit_member(IMAGE, "url", type=None), id="a type becomes anything"),
]


@pytest.mark.parametrize(("edit", "path", "kind"), ADDITIONS)
def test_an_addition_is_not_breaking_and_needs_no_declaration(opened: Tree, edit: Edit, path: str, kind: str) -> None:
    edit(opened)
    differences = found(opened)
    assert (path, kind) in [(item.path, item.kind) for item in differences]
    assert not any(item.is_breaking for item in differences)


@pytest.mark.parametrize("edit", HARMLESS)
def test_a_type_that_accepts_the_same_values_is_no_difference(opened: Tree, edit: Edit) -> None:
    edit(opened)
    assert found(opened) == []


def declared(op: str, where: str, **members: Any) -> Change:
    return Change("ChangeIt", "It is another one now, and why.", op, where, None, None, **members)


@pytest.mark.parametrize(
    ("edit", "change"),
    [
        (drop_member, declared("remove_member", "TextData.count")),
        (demand_count, declared("change_type", "TextData.count")),
        (add_demanded_member, declared("add_member", "TextData.tone")),
        (drop_variant, declared("remove_variant", "Message.notice")),
        (drop_type, declared("remove_type", "Box")),
        (close_object, declared("close_object", "UnknownMessage")),
        (add_rule, declared("change_type", "TextData")),
    ],
    ids=lambda value: value.op if isinstance(value, Change) else "",
)
def test_only_the_matching_declared_change_covers_a_breaking_change(opened: Tree, edit: Edit, change: Change) -> None:
    edit(opened)
    older = bundled(opened, 2)
    breaking = [item for item in found(opened) if item.is_breaking]
    assert breaking
    assert compat.undeclared(older, breaking, [change]) == []
    assert compat.undeclared(older, breaking, []) == breaking
    elsewhere = declared(change.op, "Speaker.count" if "." in change.where else "Speaker")
    assert compat.undeclared(older, breaking, [elsewhere]) == breaking
    other = declared("add_variant", change.where)
    assert compat.undeclared(older, breaking, [other]) == breaking


def test_a_rename_covers_the_old_name_and_the_new_one(opened: Tree) -> None:
    document = opened.read(TEXT)
    document["properties"]["words"] = document["properties"].pop("text")
    opened.write(TEXT, {**document, "required": ["type", "words"], "examples": [{"type": "text", "words": "a"}]})
    for file in (DATA, "schema/v3/shared/parts.json", "schema/v3/message/text.json", BOX):
        whole = opened.path(file).read_text(encoding="utf-8")
        opened.write_text(file, whole.replace('"text": "Hello"', '"words": "Hello"'))
    older = bundled(opened, 2)
    breaking = [item for item in found(opened) if item.is_breaking]
    assert sorted(item.path for item in breaking) == ["TextPart.text", "TextPart.words"]
    assert compat.undeclared(older, breaking, [declared("rename_member", "TextPart.text", to="words")]) == []


def test_a_restructuring_covers_everything_below_its_type_and_nothing_else(opened: Tree) -> None:
    drop_member(opened)
    opened.edit(MOOD, enum=["calm"])
    drop_type(opened)
    older = bundled(opened, 2)
    missing = compat.undeclared(older, found(opened), [declared("restructure", "Message")])
    assert [item.path for item in missing] == ["Box"]


def test_an_undeclared_breaking_change_fails_and_is_named(opened: Tree) -> None:
    drop_member(opened)
    done = opened.run("compat")
    assert done.returncode == 1
    assert "v2 -> v3: TextData.count: the member is gone" in done.stderr


def test_a_declared_breaking_change_passes_and_is_reported(opened: Tree) -> None:
    drop_member(opened)
    opened.write(
        "schema/v3/changes.json",
        [
            {
                "change": "RemoveCount",
                "description": "Nobody counted, so nothing holds a count now.",
                "op": "remove_member",
                "where": "TextData.count",
                "upgrade": None,
                "downgrade": None,
            }
        ],
    )
    done = opened.run("compat")
    assert (done.returncode, done.stderr) == (0, "")
    assert "v2 -> v3: declared break: TextData.count: the member is gone" in done.stdout


def test_every_version_is_compared_with_all_earlier_sealed_ones(opened: Tree) -> None:
    done = opened.run("compat", "--all")
    assert done.returncode == 0
    for step in ("v1 -> v2", "v1 -> v3", "v2 -> v3"):
        assert f"{step}: " in done.stdout
    assert "v1 -> v3: declared break: Message: is told apart by type, not role" in done.stdout


def test_without_the_intermediate_change_the_oldest_version_is_incompatible(opened: Tree) -> None:
    opened.write("schema/v2/changes.json", [])
    opened.write(seals.SEALS_FILE, {key: seals.digest(opened.path(f"schema/{key}")) for key in ("v1", "v2")})
    done = opened.run("compat")
    assert done.returncode == 1
    assert "v1 -> v3: Message: is told apart by type, not role" in done.stderr


def test_the_seals_are_verified_first(opened: Tree) -> None:
    drop_member(opened)
    opened.edit("schema/v1/message/user.json", description="Another sentence.")
    done = opened.run("compat")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "seal" in done.stderr
    assert "TextData" not in done.stderr
