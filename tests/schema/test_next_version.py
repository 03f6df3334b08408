"""Law 14: the next version is rehearsed: a copy of the project seals the open one, opens the next and moves to it."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING, Any, Final

import pytest

import interlingua as il
from support.next_version import Rehearsal, asked, change, vectors
from support.tree import ROOT, object_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CURRENT: Final = json.loads((ROOT / "schema/settings.json").read_text(encoding="utf-8"))["current"]
NEXT: Final = CURRENT + 1
STORED: Final = ROOT / "tests" / "vectors" / "stored"
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
_NAME: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

FUNCTIONS: Final = """
def split_name(value):
    given, _, family = value.pop("name").partition(" ")
    value |= {"given_name": given, "family_name": family}


def join_name(value, scope):
    value["name"] = f"{value.pop('given_name', '')} {value.pop('family_name', '')}".strip()


def join_lines(value):
    value["lines"] = f"{value.pop('start_line', '')}-{value.pop('end_line', '')}"


def split_lines(value, scope):
    start, _, end = value.pop("lines").partition("-")
    value |= {name: int(float(text)) for name, text in (("start_line", start), ("end_line", end)) if text}


def shorten_mode(value):
    value["mode"] = value["mode"][:1]


def lengthen_mode(value, scope):
    words = {"a": "auto", "d": "direct", "o": "ocr", "v": "vision"}
    value["mode"] = words.get(value["mode"], "auto")
    scope.log.changed("setting", scope.at("mode"), "the word is longer")
"""


def text(number: int = CURRENT, **data: Any) -> dict[str, Any]:
    whole = {"role": "user", "content": "Hello", **data}
    return {"schema_version": number, "type": "text", "id": "m1", "data": whole}


def raised(document: Any) -> Any:
    """Return what a document says in the next version: the same, but for the number."""
    if isinstance(document, list):
        return [raised(one) for one in document]
    if not isinstance(document, dict):
        return document
    inside = {name: raised(value) if name == "messages" else value for name, value in document.items()}
    return {**inside, "schema_version": NEXT} if inside.get("schema_version") == CURRENT else inside


def steady(value: Any) -> Any:
    """Return a value without moments and names that are made up anew each time."""
    return json.loads(_NAME.sub("name", _MOMENT.sub("moment", json.dumps(value, sort_keys=True))))


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    """Return a copy in which what the codecs speak is sealed and the next version is open; for copying only.

    Where that has been done for good already, what is left is done; a next version that people work at is opened anew.
    """
    tree = Rehearsal(tmp_path_factory.mktemp("next") / "project")
    assert not tree.path(".git").exists()
    for name in (f"schema/v{NEXT}", f"schema/vectors/v{NEXT}"):
        shutil.rmtree(tree.path(name), ignore_errors=True)
    if f"v{CURRENT}" not in tree.read("schema/SEALS.json"):
        tree.done("seal", f"v{CURRENT}")
    for command in (["open", f"v{NEXT}"], ["compat"]):
        tree.done(*command)
    return tree


@pytest.fixture(scope="session")
def moved(opened: Rehearsal, tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    """Return a copy that speaks the next version, which says the same; nobody changes it."""
    tree = opened.copied(tmp_path_factory.mktemp("moved") / "project")
    tree.done("move", f"v{NEXT}")
    tree.done("check")
    return tree


def test_every_document_loads_in_the_next_version_with_only_the_number_changed(moved: Rehearsal) -> None:
    here = Rehearsal(ROOT)
    documents = [(number, document) for number in range(1, NEXT) for _, document in vectors(number)]
    loads = [asked("load", document, version=number) for number, document in documents]
    raises = [asked("upgrade", [document], version=number) for number, document in documents]
    before, after = here.answers(loads + raises), moved.answers(loads + raises)
    assert len(documents) > 100
    known = [place for place, found in enumerate(before) if _is_known(found)]
    assert len(known) > 200
    assert [raised(before[place]) for place in known] == [after[place] for place in known]
    assert all("error" not in found for found in after)


def _is_known(found: Any) -> bool:
    """Tell whether messages are all of types that this version knows: what it keeps unread is kept as it is."""
    kinds = {path.stem for path in (ROOT / f"schema/v{CURRENT}/message").glob("*.json")}
    return all(one["type"] in kinds and one["schema_version"] == CURRENT for one in found)


def test_a_model_gets_the_same_request_in_the_next_version(moved: Rehearsal) -> None:
    here = Rehearsal(ROOT)
    questions = [
        asked("told", document, version=number) for number in range(1, NEXT) for _, document in vectors(number)
    ]
    before, after = here.answers(questions), moved.answers(questions)
    assert sum("error" not in found for found in before) > 100
    assert before == after


def test_every_document_can_be_downgraded_to_its_original_version(moved: Rehearsal) -> None:
    here = Rehearsal(ROOT)
    documents = [(number, document) for number in range(1, NEXT) for _, document in vectors(number)]
    upgraded = here.answers([asked("upgrade", [document], version=number) for number, document in documents])
    known = [(number, found) for (number, _), found in zip(documents, upgraded, strict=True) if _is_known(found)]
    loads = here.answers([asked("load_messages", found) for _, found in known])
    assert len(known) > 100
    before = here.answers([asked("downgrade", found, to=number) for number, found in known])
    after = moved.answers([asked("downgrade", raised(found), to=number) for number, found in known])
    for (number, _), stored, one, other in zip(known, loads, before, after, strict=True):
        assert other == (one if number < CURRENT else {"documents": stored["messages"], "losses": []})


def test_transcripts_histories_and_sessions_survive_a_new_version(moved: Rehearsal, tmp_path: Path) -> None:
    here = Rehearsal(ROOT)
    transcripts = [document for name, document in vectors(CURRENT, "shared/transcript") if "message_of" not in name]
    transcripts += [
        one["document"] for one in json.loads((STORED / "store_1.json").read_text(encoding="utf-8")).values()
    ]
    histories = [json.loads(line) for line in (STORED / "histories_1.jsonl").read_text(encoding="utf-8").splitlines()]
    exports = [path.read_text(encoding="utf-8").splitlines() for path in sorted((STORED / "exports").glob("*.jsonl"))]
    questions = [asked("transcript", document) for document in transcripts]
    questions += [asked("history", document) for document in histories]
    questions += [asked("load_messages", [json.loads(line) for line in lines]) for lines in exports]
    before, after = here.answers(questions), moved.answers(questions)
    assert all("error" not in found for found in before)
    assert steady(raised(before)) == steady(after)
    stores = [tmp_path / "here.db", tmp_path / "there.db"]
    for store in stores:
        shutil.copy(STORED / "store_1.db", store)
    (kept,), (raised_store,) = (
        tree.answers([asked("stores", str(store))]) for tree, store in zip((here, moved), stores, strict=True)
    )
    assert kept["problems"] == raised_store["problems"] == 0
    assert steady(raised(list(kept.values()))) == steady(list(raised_store.values()))


def test_an_approval_in_an_older_document_is_unchanged(moved: Rehearsal) -> None:
    call = {"call": {"id": "c1", "name": "run", "arguments": "{}"}, "approval": {"status": "pending"}}
    asks = {"schema_version": CURRENT, "type": "tool_request", "data": {"calls": [call]}}
    result = {"schema_version": CURRENT, "type": "tool_result", "data": {"call_id": "c1", "output": "done"}}
    (loaded, upgraded) = moved.answers([asked("load_messages", [asks, result]), asked("upgrade", [asks, result])])
    assert loaded["messages"][0]["data"] == upgraded[0]["data"] == asks["data"]


def test_a_document_of_the_open_version_is_kept_as_unknown_until_it_is_current(opened: Rehearsal) -> None:
    newer = {**text(NEXT), "mood": "glad"}
    loaded, same, error = opened.answers(
        [asked("load", newer), asked("load", text()), asked("validate", text(NEXT), version=NEXT)]
    )
    assert loaded == [newer]
    assert same == [text()]
    assert error == []


def test_the_vectors_of_the_open_version_are_valid_or_invalid_as_their_folders_say(opened: Rehearsal) -> None:
    paths = sorted(opened.path(f"schema/vectors/v{NEXT}/message").rglob("*.json"))
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    found = opened.answers([asked("validate", document, version=NEXT) for document in documents])
    assert len(paths) > 100
    wrong = [path.name for path, errors in zip(paths, found, strict=True) if bool(errors) != ("invalid" in path.parts)]
    assert wrong == []


def test_an_added_variant_must_be_declared_but_not_an_added_optional_member(opened: Rehearsal, tmp_path: Path) -> None:
    tree = opened.copied(tmp_path / "project")
    tree.edit_member(f"schema/v{NEXT}/shared/text_data.json", "mood", type="string", description="The mood.")
    tree.done("compat")
    tree.write(f"schema/v{NEXT}/part/video.json", VIDEO)
    refused = tree.tried("compat")
    assert refused.returncode == 1
    assert "Part.video: the variant is new" in refused.stderr
    assert tree.tried("seal").returncode == 1
    tree.write(f"schema/v{NEXT}/changes.json", [change("AddVideo", "add_variant", "Part.video")])
    tree.done("compat")


VIDEO: Final = object_file(
    "VideoPart",
    {"type": {"const": "video"}, "url": {"type": "string"}},
    ["type", "url"],
    example={"type": "video", "url": "https://example.com/a.mp4"},
)


VIBE: Final = {"vibe": "calm"}
SPOKEN: Final = {"role": "user", "content": [{"type": "text", "text": "Hi", **VIBE}], **VIBE}
CALLED: Final = {
    "role": "assistant",
    "content": [{"type": "text", "text": "Let me look.", **VIBE}],
    "tool_calls": [{"id": "call_1", "name": "look", "arguments": "{}", **VIBE}],
    **VIBE,
}
EVENTS: Final[list[dict[str, Any]]] = [
    {"type": "start", "id": "a", "model": "m"},
    {"type": "content", "block": 0, "text": "Hi", **VIBE},
    {"type": "content", "block": 0, "text": " there"},
    {"type": "content", "block": 0, "text": "!", **VIBE},
    {"type": "block_end", "block": 0},
    {"type": "finish", "reason": "stop", **VIBE},
    {"type": "end", "complete": True},
]


@pytest.fixture(scope="session")
def told_more(opened: Rehearsal, tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    """Return a copy that speaks a next version with a member that only Claude writes, and only in its texts."""
    tree = opened.copied(tmp_path_factory.mktemp("told_more") / "project")
    for place in (
        *("chat_message/user", "chat_message/assistant", "part/text", "shared/tool_call", "tool/function"),
        *("event/content", "event/finish"),
    ):
        tree.edit_member(f"schema/v{NEXT}/{place}.json", "vibe", type="string", description="The mood.")
    tree.done("move", f"v{NEXT}")
    room = tree.path("codecs/interlingua/rooms/claude/__init__.py")
    source = room.read_text(encoding="utf-8")
    listed = "DESCRIPTOR: Final = Descriptor(\n"
    assert listed in source
    lines = f'{listed}    newer_members=frozenset({{"TextPart.vibe"}}),\n'
    room.write_text(source.replace(listed, lines), encoding="utf-8")
    return tree


@pytest.mark.parametrize("source", ["", "claude", "openai_chat"])
def test_a_member_that_a_dialect_does_not_know_yet_is_reported_as_lost(told_more: Rehearsal, source: str) -> None:
    tool = {"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}, **VIBE}
    made = {"dialect": source} if source else {}
    messages = [SPOKEN, CALLED, {"role": "tool", "call_id": "call_1", "content": "Rain"}]
    request = {"model": "m", "max_tokens": 9, "messages": messages, "tools": [tool], **made}
    response = {"id": "a", "model": "m", "messages": [CALLED], "finish_reason": "tool_calls", **made}
    events = [{**EVENTS[0], **made}, *EVENTS[1:]]
    answers = told_more.answers([
        question
        for dialect in il.dialects()
        for question in (
            asked("lost", request, kind="request", dialect=dialect),
            asked("lost", response, kind="response", dialect=dialect),
            asked("lost_of_stream", events, dialect=dialect),
        )
    ])  # fmt: skip
    of_texts = {"/messages/0/content/0/vibe", "/messages/1/content/0/vibe"}
    of_request = {"/messages/0/vibe", "/messages/1/vibe", "/messages/1/tool_calls/0/vibe", "/tools/0/vibe", *of_texts}
    of_response = {"/messages/0/vibe", "/messages/0/content/0/vibe", "/messages/0/tool_calls/0/vibe"}
    for dialect, *lost in zip(il.dialects(), answers[::3], answers[1::3], answers[2::3], strict=True):
        written = of_texts if dialect == "claude" else set[str]()
        assert [sorted(paths) for paths in lost] == [
            sorted(of_request - written), sorted(of_response - written), ["/1/vibe", "/3/vibe", "/5/vibe"]
        ]  # fmt: skip


@pytest.fixture(scope="session")
def changed(opened: Rehearsal, tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    """Return a copy that speaks a next version with every kind of declared change in it; nobody changes it."""
    tree = opened.copied(tmp_path_factory.mktemp("changed") / "project")
    folder = f"schema/v{NEXT}"
    text_data, image_data = f"{folder}/shared/text_data.json", f"{folder}/shared/image_data.json"
    tree.edit_member(text_data, "mood", type="string", description="The mood.")
    for name in ("given_name", "family_name"):
        tree.edit_member(text_data, name, type="string", description="A part of the name.")
    _drop(tree, text_data, "name")
    _rename(tree, image_data, "caption", "legend")
    _drop(tree, image_data, "detail")
    tree.edit_member(image_data, "origin", type="string", description="Who made it.")
    tree.edit(image_data, required=["source", "mode", "origin"])
    tree.edit_member(image_data, "mode", **{"$ref": None, "type": "string", "maxLength": 1})
    tree.edit_member(image_data, "attempts", type=["integer", "string"], minimum=None)
    reference_data = f"{folder}/shared/file_reference_data.json"
    _drop(tree, reference_data, "start_line", "end_line")
    tree.edit_member(reference_data, "lines", type="string", description="From which line to which.")
    tree.edit_member(f"{folder}/shared/tool_failure.json", "code", enum=["timeout", "tool"])
    tree.write(f"{folder}/part/video.json", VIDEO)
    hologram = tree.read(f"{folder}/message/text.json")
    del hologram["x-mixin"]
    tree.write(
        f"{folder}/message/hologram.json",
        json.loads(json.dumps({**hologram, "title": "HologramMessage"}).replace('"text"', '"hologram"')),
    )
    sound = json.dumps(tree.read(f"{folder}/part/audio.json")).replace('"audio"', '"sound"')
    tree.path(f"{folder}/part/audio.json").unlink()
    tree.write(f"{folder}/part/sound.json", json.loads(sound))
    names = {**tree.read(f"{folder}/version.json")["names"], "part/sound": "AudioPart"}
    tree.edit(f"{folder}/version.json", names=names)
    tree.path(f"{folder}/control/custom.json").unlink()
    _edit_examples(tree, _as_changed)
    shutil.rmtree(tree.path(f"schema/vectors/v{NEXT}"))
    tree.write(f"{folder}/changes.json", CHANGES)
    tree.write_text(f"codecs/interlingua/migrate/between_{CURRENT}_{NEXT}.py", FUNCTIONS)
    tree.done("move", f"v{NEXT}")
    tree.done("compat")
    return tree


CHANGES: Final = [
    change(
        "SplitName",
        "split_member",
        "TextData.name",
        members=["given_name", "family_name"],
        upgrade="split_name",
        downgrade="join_name",
    ),
    change("RenameCaption", "rename_member", "ImageData.caption", to="legend"),
    change("RemoveDetail", "remove_member", "ImageData.detail"),
    change("DemandOrigin", "add_member", "ImageData.origin", value="unknown"),
    change("NarrowMode", "change_type", "ImageData.mode", upgrade="shorten_mode", downgrade="lengthen_mode"),
    change("WidenAttempts", "change_type", "ImageData.attempts"),
    change(
        "JoinLines",
        "join_members",
        "FileReferenceData.lines",
        members=["start_line", "end_line"],
        upgrade="join_lines",
        downgrade="split_lines",
    ),
    change("NarrowCode", "change_type", "ToolFailure.code"),
    change("AddVideo", "add_variant", "Part.video"),
    change("AddHologram", "add_variant", "Message.hologram"),
    change("RenameAudio", "rename_variant", "Part.audio", to="sound"),
    change("RemoveCustom", "remove_variant", "Control.custom"),
]


def _drop(tree: Rehearsal, file: str, *names: str) -> None:
    document = tree.read(file)
    for name in names:
        del document["properties"][name]
    tree.write(file, document)


def _rename(tree: Rehearsal, file: str, old: str, new: str) -> None:
    document = tree.read(file)
    document["properties"][new] = document["properties"].pop(old)
    tree.write(file, document)


def _edit_examples(tree: Rehearsal, edit: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Edit every object in the examples of the next version."""

    def edited(value: Any) -> Any:
        if isinstance(value, list):
            return [edited(one) for one in value]
        return edit({name: edited(one) for name, one in value.items()}) if isinstance(value, dict) else value

    for path in sorted(tree.path(f"schema/v{NEXT}").glob("*/*.json")):
        name = path.relative_to(tree.root).as_posix()
        document = tree.read(name)
        if edited(document["examples"]) != document["examples"]:
            tree.write(name, {**document, "examples": edited(document["examples"])})


def _as_changed(value: dict[str, Any]) -> dict[str, Any]:
    """Return an object of an example as the changed version writes it."""
    if value.get("type") == "audio":
        return {**value, "type": "sound"}
    if "start_line" in value:
        return {"path": value["path"], "lines": "1-2"}
    if "source" in value and "mode" in value:
        kept = {name: member for name, member in value.items() if name not in {"caption", "detail"}}
        return {**kept, "mode": "a", "origin": "unknown"}
    if value.get("role") == "user" and "name" in value:
        return {name: member for name, member in value.items() if name != "name"}
    return value


def image(number: int, **data: Any) -> dict[str, Any]:
    source = {"kind": "url", "url": "https://example.com/a.png"}
    return {"schema_version": number, "type": "image", "id": "i1", "data": {"source": source, **data}}


def reference(number: int, **data: Any) -> dict[str, Any]:
    return {"schema_version": number, "type": "file_reference", "data": {"path": "a.py", **data}}


def result(number: int, **data: Any) -> dict[str, Any]:
    return {"schema_version": number, "type": "tool_result", "data": {"call_id": "c1", "output": "", **data}}


def control(number: int, **said: Any) -> dict[str, Any]:
    return {"schema_version": number, "type": "system_control", "id": "s1", "data": {"control": said}}


def opaque(number: int, data: dict[str, Any], **members: Any) -> dict[str, Any]:
    held = {"dialect": f"interlingua_v{NEXT if number == CURRENT else CURRENT}", "data": data}
    return {"schema_version": number, "type": "opaque", **members, "data": held}


_SOUND: Final = {"type": "sound", "format": "audio/wav", "data": "AAAA"}
_AUDIO: Final = {**_SOUND, "type": "audio"}
_CUSTOM: Final = control(CURRENT, kind="custom", name="note", parameters={"a": 1})

PAIRS: Final = [
    pytest.param(text(name="Ada Lovelace"), text(NEXT, given_name="Ada", family_name="Lovelace"), id="split a member"),
    pytest.param(
        image(CURRENT, mode="auto", caption="A cat", detail="low"),
        {
            **image(NEXT, mode="a", legend="A cat", origin="unknown"),
            "extra": {"unknown": {"/data/detail": "low"}},
        },
        id="rename, remove and add a member, narrow a type",
    ),
    pytest.param(reference(CURRENT, start_line=1, end_line=2), reference(NEXT, lines="1-2"), id="join members"),
    pytest.param(
        result(CURRENT, error={"code": "broken", "message": "It failed."}),
        {
            **result(NEXT, error={"message": "It failed."}),
            "extra": {"unknown": {"/data/error/code": "broken"}},
        },
        id="narrow the type of an optional member",
    ),
    pytest.param(text(content=[_AUDIO]), text(NEXT, content=[_SOUND]), id="rename a variant"),
    pytest.param(_CUSTOM, opaque(NEXT, _CUSTOM, id="s1"), id="remove a variant"),
]


@pytest.mark.parametrize(("older", "newer"), PAIRS)
def test_every_declared_change_upgrades_and_downgrades(changed: Rehearsal, older: Any, newer: Any) -> None:
    up, loaded, down, error = changed.answers(
        [
            asked("upgrade", [older]),
            asked("load", older),
            asked("downgrade", [newer], to=CURRENT),
            asked("validate", newer, version=NEXT),
        ]
    )
    assert error == []
    assert up == loaded == [newer]
    assert down["documents"] == [older]
    assert [loss for loss in down["losses"] if loss[0] != "/0/data/mode"] == []


LOSSES: Final = [
    pytest.param(text(NEXT, mood="glad"), text(), ["/0/data/mood"], id="an optional member"),
    pytest.param(
        image(NEXT, mode="a", origin="Ada"),
        image(CURRENT, mode="auto"),
        ["/0/data/mode", "/0/data/origin"],
        id="a demanded member that does not say what an upgrade says",
    ),
    pytest.param(
        image(NEXT, mode="a", origin="unknown", attempts="many"),
        image(CURRENT, mode="auto"),
        ["/0/data/mode", "/0/data/attempts"],
        id="a value of a wider type",
    ),
]


@pytest.mark.parametrize(("newer", "older", "paths"), LOSSES)
def test_what_an_older_version_lacks_is_a_downgrade_loss(
    changed: Rehearsal, newer: Any, older: Any, paths: list[str]
) -> None:
    down, errors = changed.answers([asked("downgrade", [newer], to=CURRENT), asked("validate", older, version=CURRENT)])
    assert errors == []
    assert down["documents"] == [older]
    assert [loss[0] for loss in down["losses"]] == paths


VARIANTS: Final = [
    pytest.param(
        text(NEXT, content=[{"type": "text", "text": "a"}, {"type": "video", "url": "https://example.com/a.mp4"}]),
        "/0/data/content/1",
        id="a part",
    ),
    pytest.param({**text(NEXT), "type": "hologram"}, "/0", id="a message"),
]


@pytest.mark.parametrize(("newer", "path"), VARIANTS)
def test_a_variant_unknown_to_an_older_version_is_kept_and_restored(changed: Rehearsal, newer: Any, path: str) -> None:
    (down,) = changed.answers([asked("downgrade", [newer], to=CURRENT)])
    assert [loss[:2] for loss in down["losses"]] == [[path, "changed"]]
    errors, back, *lower = changed.answers(
        [
            asked("validate", down["documents"][0], version=CURRENT),
            asked("load", down["documents"][0]),
            *(asked("downgrade", [newer], to=number) for number in range(1, CURRENT)),
        ]
    )
    assert errors == []
    assert back == [newer]
    assert all(found["losses"] for found in lower)
    # Who speaks the older version reads what was written for it, and gives it back.
    (read,) = Rehearsal(ROOT).answers([asked("load", down["documents"][0])])
    assert read == down["documents"]


def test_a_loss_two_versions_down_has_the_path_of_the_original_document(changed: Rehearsal) -> None:
    newer = image(NEXT, mode="a", origin="unknown", legend="A cat")
    (down,) = changed.answers([asked("downgrade", [newer], to=1)])
    assert "error" not in down
    assert "/0/data/legend" not in {path for path, severity, _ in down["losses"] if severity == "filled"}
    assert not [path for path, *_ in down["losses"] if "caption" in path]


def test_every_older_document_upgrades_and_downgrades_after_the_changes(changed: Rehearsal) -> None:
    for number in range(1, NEXT):
        documents = [document for _, document in vectors(number)]
        upgraded = changed.answers([asked("upgrade", [document], version=number) for document in documents])
        assert [found for found in upgraded if isinstance(found, dict)] == []
        down = changed.answers([asked("downgrade", found, to=number) for found in upgraded])
        assert [found["error"] for found in down if "error" in found] == []
        checks = [
            asked("validate", one, version=number, union="message" if number < 3 else "AnyMessage")
            for found in down
            for one in found["documents"]
        ]
        assert [errors for errors in changed.answers(checks) if errors and number >= 3] == []


def _demand_origin(tree: Rehearsal) -> None:
    image_data = f"schema/v{NEXT}/shared/image_data.json"
    tree.edit_member(image_data, "origin", type="string", description="Who made it.")
    tree.edit(image_data, required=["source", "mode", "origin"])
    _edit_examples(tree, lambda value: {**value, "origin": "me"} if "source" in value and "mode" in value else value)


def _narrow_mode(tree: Rehearsal) -> None:
    tree.edit_member(
        f"schema/v{NEXT}/shared/image_data.json", "mode", **{"$ref": None, "type": "string", "maxLength": 1}
    )
    _edit_examples(tree, lambda value: {**value, "mode": "a"} if "source" in value and "mode" in value else value)


def _remove_path(tree: Rehearsal) -> None:
    reference_data = f"schema/v{NEXT}/shared/file_reference_data.json"
    _drop(tree, reference_data, "path")
    tree.edit(reference_data, required=None)
    _edit_examples(tree, lambda value: {} if value.get("path") == "src/main.py" else value)


NEEDED: Final = [
    pytest.param(
        _narrow_mode,
        change("NarrowMode", "change_type", "ImageData.mode"),
        ["upgrade", "downgrade"],
        id="a demanded member of another type",
    ),
    pytest.param(
        _demand_origin,
        change("DemandOrigin", "add_member", "ImageData.origin"),
        ["upgrade"],
        id="a new member that is demanded",
    ),
    pytest.param(
        _remove_path,
        change("RemovePath", "remove_member", "FileReferenceData.path"),
        ["downgrade"],
        id="a member that is gone and was demanded",
    ),
]


@pytest.mark.parametrize(("edit", "declared", "ways"), NEEDED)
def test_the_compiler_names_the_missing_function_of_a_change(
    opened: Rehearsal, tmp_path: Path, edit: Callable[[Rehearsal], None], declared: dict[str, Any], ways: list[str]
) -> None:
    tree = opened.copied(tmp_path / "project")
    edit(tree)
    tree.write(f"schema/v{NEXT}/changes.json", [declared])
    refused = tree.tried("compat")
    assert refused.returncode == 1
    assert re.findall(r"needs a function under `(\w+)`", refused.stderr) == ways
    lines = refused.stderr.splitlines()
    assert all(f"schema/v{NEXT}/changes.json" in line and declared["change"] in line for line in lines)
    assert len(lines) == len(ways)
