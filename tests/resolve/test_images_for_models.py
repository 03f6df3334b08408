"""Images: from the message over the resolver to what each provider is sent."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.errors import ImageError
from interlingua.resolve import FileResolver, ImageResolver, OcrResult, Picture, VisionResult
from support.bodies import DIALECTS
from support.pictures import drawn, message, saved

PNG: Final = saved(drawn("STOP"))
HIDDEN: Final = ("A red sign", "0.93", "vision_unavailable", "recogni", "attempts", "private-note", "ocr", "resolved")


class Reader:
    def describe(self, _picture: Picture) -> VisionResult:
        return VisionResult("A red sign", "STOP")

    def read(self, _picture: Picture) -> OcrResult:
        return OcrResult("STOP", 0.93, "en")


class Broken:
    def describe(self, _picture: Picture) -> VisionResult:
        raise ImageError("vision_failed", "Down.")


def quiet(_notice: Any) -> None:
    """Hear nothing."""


def sent(dialect: str, given: il.ImageMessage) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the body that a provider is sent with a message, and the last message of it as we read it."""
    asked = il.TextMessage(data=il.TextData(role=il.MessageRole.USER, content="And now?"))
    messages = tuple(il.to_chat([given, asked]))
    encoded = il.encode_request(il.ChatRequest(model="m", max_tokens=100, messages=messages), dialect)
    assert il.check_request(encoded.body, dialect) == []
    read: list[dict[str, Any]] = il.decode_request(encoded.body, dialect).model_dump(mode="json")["messages"]
    return encoded.body, read[0]


def pictures(read: dict[str, Any]) -> list[tuple[str, bytes]]:
    """Return the media types and the bytes of the pictures of a message."""
    parts = [part for part in read["content"] if part["type"] == "image"]
    found: list[tuple[str, bytes]] = []
    for part in parts:
        head, _, data = part.get("url", "").partition(";base64,")
        kind = part.get("format") or head.removeprefix("data:")
        found.append((kind, base64.b64decode(part.get("data") or data)))
    return found


@pytest.mark.requirement("TYPE-7.6.1", "TYPE-7.6.3", "TYPE-7.6.4")
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("where", ["base64", "file_path"])
def test_an_image_for_vision_is_sent_in_the_form_of_the_dialect(dialect: str, where: str, tmp_path: Path) -> None:
    given = message(PNG, "vision", caption="What is this?").replace(metadata={"note": "private-note"})
    if where == "file_path":
        (tmp_path / "a.png").write_bytes(PNG)
        given = given.replace(data=given.data.replace(source=il.FilePathImageSource(path="a.png")))
    resolver = ImageResolver(Reader(), files=FileResolver(tmp_path))
    body, read = sent(dialect, resolver.resolve(given, agent_role="planner"))
    assert pictures(read) == [("image/png", PNG)]
    text = json.dumps(body)
    assert "What is this?" in text
    assert not [word for word in HIDDEN if word in text]


@pytest.mark.requirement("TYPE-7.6.2", "TYPE-7.6.3")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_recognised_text_is_sent_instead_of_the_image(dialect: str) -> None:
    given = message(PNG, "auto").replace(metadata={"note": "private-note"})
    found = ImageResolver(ocr=Reader(), on_notice=quiet).resolve(given)
    body, read = sent(dialect, found)
    text = json.dumps(body)
    assert "STOP" in text
    assert str(given.data.source.data)[:40] not in text
    assert isinstance(read["content"], str) or not pictures(read)
    assert not [word for word in HIDDEN if word in text]
    assert found.metadata == {"note": "private-note"}
    assert found.data.recognition is not None
    assert found.data.recognition.confidence == 0.93


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_failed_image_is_a_short_note_and_never_blocks_the_conversation(dialect: str) -> None:
    body, _read = sent(dialect, ImageResolver(Broken(), on_notice=quiet).resolve(message(PNG, "vision")))
    text = json.dumps(body)
    assert "vision_failed" in text
    assert "Down." not in text


def test_an_unresolved_image_is_an_error(tmp_path: Path) -> None:
    source = il.FilePathImageSource(path=str(tmp_path / "a.png"))
    with pytest.raises(il.UnresolvedMessageError):
        il.to_chat([il.ImageMessage(data=il.ImageData(source=source, mode="auto"))])
