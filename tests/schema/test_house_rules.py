"""Every rule for schema files, broken once, and all at once: each error names the file, the place and what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import packages
from problems import SchemaProblem
from support.tree import Tree, object_file, scalar_file

TEXT = "schema/v2/part/text.json"
DATA = "schema/v2/shared/text_data.json"
USER = "schema/v1/message/user.json"
VERSION = "schema/v2/version.json"

Spoil = Callable[[Tree], object]


def problem_of(tree: Tree) -> SchemaProblem:
    with pytest.raises(SchemaProblem) as caught:
        packages.read_versions(tree.root)
    return caught.value


def breaks(identifier: str, file: str, rule: str, spoil: Spoil) -> Any:
    return pytest.param(spoil, file, rule, id=identifier)


RULES = [
    breaks("no title", TEXT, "required", lambda tree: tree.edit(TEXT, title=None)),
    breaks("no description", TEXT, "required", lambda tree: tree.edit(TEXT, description=None)),
    breaks("a description that is no sentence", TEXT, "pattern", lambda tree: tree.edit(TEXT, description="text")),
    breaks("no example", TEXT, "required", lambda tree: tree.edit(TEXT, examples=None)),
    breaks("an empty list of examples", TEXT, "minItems", lambda tree: tree.edit(TEXT, examples=[])),
    breaks(
        "an example that its own schema refuses",
        TEXT,
        "examples",
        lambda tree: tree.edit(TEXT, examples=[{"type": "text", "text": ""}]),
    ),
    breaks(
        "a default that its own schema refuses",
        DATA,
        "examples",
        lambda tree: tree.edit_member(DATA, "count", default=-1),
    ),
    breaks("another dialect", TEXT, "const", lambda tree: tree.edit(TEXT, **{"$schema": "http://json-schema.org/"})),
    breaks("an address of its own", TEXT, "additionalProperties", lambda tree: tree.edit(TEXT, **{"$id": "x"})),
    breaks("an unknown keyword", TEXT, "additionalProperties", lambda tree: tree.edit(TEXT, allOf=[])),
    breaks(
        "a misspelt keyword in a member",
        DATA,
        "additionalProperties",
        lambda tree: tree.edit_member(DATA, "count", minimun=0),
    ),
    breaks(
        "a member without description", DATA, "required", lambda tree: tree.edit_member(DATA, "count", description=None)
    ),
    breaks(
        "a member in capitals",
        DATA,
        "pattern",
        lambda tree: tree.edit_member(DATA, "Count", type="integer", description="The count."),
    ),
    breaks(
        "a member with a word of Python's own",
        DATA,
        "properties",
        lambda tree: tree.edit_member(DATA, "class", type="string", description="The class."),
    ),
    breaks(
        "an object inside a file",
        DATA,
        "additionalProperties",
        lambda tree: tree.edit_member(DATA, "any", type="object", properties={}),
    ),
    breaks(
        "a map that takes anything, said with `true`",
        DATA,
        "type",
        lambda tree: tree.edit_member(DATA, "any", type="object", additionalProperties=True),
    ),
    breaks(
        "an object that is neither open nor closed",
        TEXT,
        "dependentRequired",
        lambda tree: tree.edit(TEXT, additionalProperties=None),
    ),
    breaks(
        "a closed object in an open version",
        USER,
        "additionalProperties",
        lambda tree: tree.edit(USER, additionalProperties=False),
    ),
    breaks(
        "null in a closed version",
        DATA,
        "null",
        lambda tree: tree.edit_member(DATA, "count", type=["integer", "null"], minimum=None),
    ),
    breaks(
        "null in a member that must be there",
        USER,
        "null",
        lambda tree: tree.edit_member(USER, "content", type=["string", "null"]),
    ),
    breaks(
        "null inside a list",
        USER,
        "null",
        lambda tree: tree.edit_member(USER, "note", type="array", items={"type": ["string", "null"]}),
    ),
    breaks(
        "a tag that is not the file's name", TEXT, "tag", lambda tree: tree.edit_member(TEXT, "type", const="words")
    ),
    breaks("a tag that may be absent", TEXT, "tag", lambda tree: tree.edit(TEXT, required=["text"])),
    breaks("a title against the naming law", TEXT, "title", lambda tree: tree.edit(TEXT, title="TextualPart")),
    breaks(
        "two files that make one class",
        "schema/v2/shared/text_part.json",
        "title",
        lambda tree: tree.write("schema/v2/shared/text_part.json", scalar_file("TextPart", "a", type="string")),
    ),
    breaks(
        "a class with the name of a union",
        "schema/v2/shared/part.json",
        "title",
        lambda tree: tree.write("schema/v2/shared/part.json", scalar_file("Part", "a", type="string")),
    ),
    breaks(
        "a required member that does not exist",
        TEXT,
        "required",
        lambda tree: tree.edit(TEXT, required=["type", "txt"]),
    ),
    breaks(
        "a choice between members that do not exist",
        "schema/v2/part/image.json",
        "required",
        lambda tree: tree.edit("schema/v2/part/image.json", oneOf=[{"required": ["url"]}, {"required": ["uri"]}]),
    ),
    breaks(
        "a reference that leads nowhere",
        DATA,
        "$ref",
        lambda tree: tree.edit_member(DATA, "mood", **{"$ref": "./moods.json"}),
    ),
    breaks(
        "a reference to a folder that is no union",
        DATA,
        "$ref",
        lambda tree: tree.edit_member(DATA, "mood", **{"$ref": "../moods"}),
    ),
    breaks(
        "a reference out of the version",
        DATA,
        "pattern",
        lambda tree: tree.edit_member(DATA, "mood", **{"$ref": "../../v1/message"}),
    ),
    breaks("a mixin that does not exist", TEXT, "x-mixin", lambda tree: tree.edit(TEXT, **{"x-mixin": "SingingMixin"})),
    breaks(
        "an enumeration of numbers",
        "schema/v2/shared/speaker.json",
        "x-enum",
        lambda tree: tree.edit("schema/v2/shared/speaker.json", type="integer", enum=[1], examples=[1]),
    ),
    breaks(
        "an unknown member of version.json", VERSION, "additionalProperties", lambda tree: tree.edit(VERSION, opne=True)
    ),
    breaks("a version that is not its folder's", VERSION, "version", lambda tree: tree.edit(VERSION, version=7)),
    breaks("a root that does not exist", "schema/v2", "root", lambda tree: tree.edit(VERSION, root="Massage")),
    breaks(
        "a union without variants",
        "schema/v2",
        "unions",
        lambda tree: tree.edit(VERSION, unions={**tree.read(VERSION)["unions"], "tool": "type"}),
    ),
    breaks(
        "a fallback without a file",
        "schema/v2",
        "fallback",
        lambda tree: tree.edit(VERSION, fallback={"message": "other"}),
    ),
    breaks(
        "a file outside a union",
        "schema/v2/stray.json",
        "layout",
        lambda tree: tree.write("schema/v2/stray.json", object_file("Stray", {}, [], example={})),
    ),
    breaks("a file that is no JSON", TEXT, "json", lambda tree: tree.write_text(TEXT, "{")),
    breaks("a file that is no UTF-8", TEXT, "json", lambda tree: tree.path(TEXT).write_bytes(b'"\xff"')),
    breaks("a key that stands twice", TEXT, "json", lambda tree: tree.write_text(TEXT, '{\n  "a": 1,\n  "a": 2\n}\n')),
    breaks(
        "a misspelt setting",
        "schema/settings.json",
        "additionalProperties",
        lambda tree: tree.edit("schema/settings.json", bsae="x"),
    ),
    breaks(
        "a setting that is missing",
        "schema/settings.json",
        "required",
        lambda tree: tree.write("schema/settings.json", {}),
    ),
    breaks(
        "a base that is no folder",
        "schema/settings.json",
        "pattern",
        lambda tree: tree.edit("schema/settings.json", base="https://x.example"),
    ),
    breaks(
        "a gap between the versions",
        "schema",
        "versions",
        lambda tree: tree.path("schema/v2").rename(tree.path("schema/v3")),
    ),
]


def test_the_fixture_follows_every_rule(tree: Tree) -> None:
    assert [version.key for version in packages.read_versions(tree.root)] == ["v1", "v2"]


@pytest.mark.requirement("TYPE-2.1.4", "NFR-004a-40")
@pytest.mark.parametrize(("spoil", "file", "rule"), RULES)
def test_a_violated_rule_is_reported_with_its_file(tree: Tree, spoil: Spoil, file: str, rule: str) -> None:
    spoil(tree)
    problem = problem_of(tree)
    assert (problem.file, problem.rule) == (file, rule)


def test_only_the_listed_names_are_exempt_from_the_naming_rule(tree: Tree) -> None:
    tree.edit(VERSION, names={})
    problem = problem_of(tree)
    assert (problem.file, problem.rule) == ("schema/v2/part/image.json", "title")
    assert "ImagePart" in problem.detail


def test_the_command_prints_one_line_and_fails(tree: Tree) -> None:
    tree.edit(TEXT, title="TextualPart")
    done = tree.run("generate")
    assert done.returncode == 1
    assert done.stderr == f"error: {TEXT}: title: must be TextPart, the naming law says\n"
    assert not tree.path("generated").exists()


@pytest.mark.parametrize("command", ["genrate", "--formt"])
def test_a_misspelt_command_or_option_is_an_error(tree: Tree, command: str) -> None:
    done = tree.run(command)
    assert done.returncode == 2
    assert not tree.path("generated").exists()


def test_one_run_reports_every_error_with_file_and_place(tree: Tree) -> None:
    tree.edit(TEXT, title="Words")
    tree.edit_member(DATA, "speaker", **{"$ref": "./nobody.json", "type": None})
    tree.edit(USER, required=["role", "nothing"])
    done = tree.run("generate")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len(lines) == len(set(lines)) >= 3
    assert all(line.startswith("error: schema/") for line in lines)
    for file, words in (
        (TEXT, "must be TextPart"),
        (DATA, "nobody.json leads nowhere: there is no file shared/nobody.json"),
        (USER, "there is no member nothing; declare it, or take it out"),
    ):
        assert [line for line in lines if file in line and words in line] != []


def test_unreadable_files_are_reported_together(tree: Tree) -> None:
    tree.write_text(TEXT, "{")
    tree.edit(DATA, description=None)
    tree.write("schema/v2/shared/notes/stray.json", {})
    lines = tree.run("check").stderr.splitlines()
    assert [line.split(": ")[1] for line in lines] == [TEXT, "schema/v2/shared/notes/stray.json", DATA]


def test_every_message_variant_has_the_envelope_of_the_others(tree: Tree) -> None:
    for kind in ("notice", "warning"):
        document = tree.read("schema/v2/message/text.json")
        document["title"], document["properties"]["type"]["const"] = f"{kind.title()}Message", kind
        document["examples"] = [{**document["examples"][0], "type": kind}]
        tree.write(f"schema/v2/message/{kind}.json", document)
    packages.read_versions(tree.root)
    warning = tree.read("schema/v2/message/warning.json")
    del warning["properties"]["data"]
    warning["required"].remove("data")
    warning["examples"] = [{"schema_version": 2, "type": "warning"}]
    tree.write("schema/v2/message/warning.json", warning)
    problem = problem_of(tree)
    assert (problem.file, problem.rule, problem.place) == (
        "schema/v2/message/warning.json",
        "envelope",
        "/properties/data",
    )


def test_a_list_of_words_follows_the_folder_of_its_union(tree: Tree) -> None:
    words = scalar_file("PartType", "text", type="string", **{"x-enum": True, "x-words-of": "part"})
    tree.write("schema/v2/shared/part_type.json", words)
    versions = packages.read_versions(tree.root)
    (found,) = (file for file in versions[-1].files if file.stem == "part_type")
    assert found.document["enum"] == [file.stem for file in versions[-1].variants("part")]
    assert "x-words-of" not in found.document
    tree.edit("schema/v2/shared/part_type.json", **{"x-words-of": "parts"})
    assert (problem_of(tree).file, problem_of(tree).rule) == ("schema/v2/shared/part_type.json", "x-words-of")


def test_no_description_contains_the_number_of_its_own_version(tree: Tree) -> None:
    tree.edit(TEXT, description="A text of version 2.")
    problem = problem_of(tree)
    assert (problem.file, problem.rule, problem.place) == (TEXT, "words", "/description")


def test_a_text_rule_states_what_the_text_should_be(tree: Tree) -> None:
    tree.edit(TEXT, description="A text")
    expected = "what it is to be: What a thing is, in a sentence that ends with a full stop."
    assert problem_of(tree).detail.endswith(expected)


def test_a_description_that_is_too_short_is_reported_with_the_minimum(tree: Tree) -> None:
    change = {"change": "AddNote", "description": "A note.", "op": "add_variant", "where": "Part.note"}
    tree.write("schema/v2/changes.json", [{**change, "upgrade": None, "downgrade": None}])
    (line,) = tree.run("check").stderr.splitlines()
    assert "schema/v2/changes.json: minLength: /0/description" in line
    assert "in a sentence of 20 characters or more" in line


def test_schema_and_change_errors_are_reported_together(tree: Tree) -> None:
    tree.edit(TEXT, title=None)
    change = {"change": "NoSentence", "op": "add_variant", "where": "Part.video", "description": ""}
    tree.write("schema/v2/changes.json", [change])
    with pytest.raises(SchemaProblem) as caught:
        packages.read_source(tree.root)
    assert {problem.file for problem in caught.value.every} == {TEXT, "schema/v2/changes.json"}
