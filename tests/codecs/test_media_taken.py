"""What each provider takes of pictures and files: the rest is left out, or written as it is taken, and told."""

from __future__ import annotations

from typing import Any, Final

import pytest

import interlingua as il

ASKED: Final = {"type": "text", "text": "What is it?"}


def content(encoded: il.Encoded) -> list[Any]:
    """Return the content of the first message, whatever the dialect calls it."""
    body = encoded.body
    messages = body.get("messages") or body.get("input") or body.get("contents")
    parts: Any = messages[0].get("content") or messages[0]["parts"]
    return [{"type": "text", "text": parts}] if type(parts) is str else parts


def told(encoded: il.Encoded, severity: str) -> list[str]:
    return [loss.path for loss in encoded.losses if loss.severity == severity]


@pytest.mark.parametrize(
    ("source", "part", "sent"),
    [
        (
            "openai_chat",
            {"type": "file", "file": {"filename": "a.pdf", "file_id": "file-abc"}},
            {"type": "input_file", "file_id": "file-abc"},
        ),
        (
            "gemini",
            {"fileData": {"fileUri": "https://example.com/a", "displayName": "a.pdf"}},
            {"type": "input_file", "file_url": "https://example.com/a"},
        ),
    ],
)
def test_a_file_for_responses_has_a_name_only_beside_its_data(source: Any, part: Any, sent: Any) -> None:
    asked = (
        {"contents": [{"parts": [part]}]} if source == "gemini" else {"messages": [{"role": "user", "content": [part]}]}
    )
    encoded = il.translate_request(asked, source, "openai_responses", model="gpt-5")
    assert content(encoded) == [sent]
    assert "/messages/0/content/0/name" in told(encoded, "lost")
    assert il.check_request(encoded.body, "openai_responses") == []


def test_a_file_url_in_a_result_loses_its_name_for_responses() -> None:
    file = {"fileData": {"fileUri": "https://example.com/a", "displayName": "a.pdf"}}
    call = {"functionCall": {"id": "c", "name": "f", "args": {}}}
    answer = {"functionResponse": {"id": "c", "name": "f", "response": {"output": "x"}, "parts": [file]}}
    turns = [{"role": "user", "parts": [{"text": "?"}]}, {"role": "model", "parts": [call]}]
    asked = {"contents": [*turns, {"role": "user", "parts": [answer]}]}
    encoded = il.translate_request(asked, "gemini", "openai_responses", model="gpt-5")
    assert encoded.body["input"][-1]["output"][1] == {"type": "input_file", "file_url": "https://example.com/a"}
    assert "/messages/2/content/1/name" in told(encoded, "lost")


def test_within_responses_a_file_keeps_its_name() -> None:
    file = {"type": "input_file", "file_url": "https://example.com/a", "filename": "a.pdf"}
    body = {"model": "gpt-5", "input": [{"role": "user", "content": [file]}]}
    assert il.translate_request(body, "openai_responses", "openai_responses").body == body


DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PDF: Final = "JVBERi0xLjQKJSVFT0YK"
RESULT: Final = "toolu_1"


def shown(blocks: list[Any], target: Any, model: str = "m") -> il.Encoded:
    """Return a request in which a tool gave pictures and files, which Gemini has in its results."""
    call = {"functionCall": {"id": RESULT, "name": "f", "args": {}}}
    answer = {"functionResponse": {"id": RESULT, "name": "f", "response": {"output": "x"}, "parts": blocks}}
    turns = [{"role": "user", "parts": [{"text": "?"}]}, {"role": "model", "parts": [call]}]
    body = {"contents": [*turns, {"role": "user", "parts": [answer]}]}
    encoded = il.translate_request(body, "gemini", target, model=model)
    assert il.check_request(encoded.body, target) == []
    return encoded


def asked_gemini(*parts: Any) -> dict[str, Any]:
    return {"contents": [{"role": "user", "parts": [*parts, {"text": "?"}]}]}


def inline(media_type: str, data: str = "AAAAAAAA") -> dict[str, Any]:
    return {"inlineData": {"mimeType": media_type, "data": data}}


UNREAD: Final = ("image/heic", "image/heif", "image/bmp", "image/tiff", "image/svg+xml", "image/avif")


@pytest.mark.parametrize("media_type", UNREAD)
@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "claude"])
def test_an_image_type_that_the_target_does_not_accept_is_a_lost_part(media_type: str, target: Any) -> None:
    encoded = il.translate_request(asked_gemini(inline(media_type)), "gemini", target, model="gpt-5")
    assert [(loss.code, loss.path) for loss in encoded.losses if loss.severity == "lost"] == [
        ("part", "/messages/0/content/0")
    ]
    assert "data:" not in str(encoded.body)
    assert il.check_request(encoded.body, target) == []


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
def test_such_an_image_in_a_result_is_lost_too(target: Any) -> None:
    encoded = shown([inline("image/tiff")], target)
    assert "/messages/2/content/1" in told(encoded, "lost")
    assert "data:" not in str(encoded.body)


@pytest.mark.parametrize("media_type", ["image/png", "image/jpeg", "image/gif", "image/webp", "image/jpg"])
def test_image_types_that_openai_accepts_are_sent(media_type: str) -> None:
    body = asked_gemini(inline(media_type))
    for target in ("openai_chat", "openai_responses"):
        encoded = il.translate_request(body, "gemini", target, model="gpt-5")  # type: ignore[arg-type]
        assert told(encoded, "lost") == []
        assert "data:image/" in str(encoded.body)


def test_a_vllm_server_gets_images_of_any_type() -> None:
    encoded = il.translate_request(asked_gemini(inline("image/tiff")), "gemini", "vllm", model="m")
    assert told(encoded, "lost") == []


@pytest.mark.parametrize(
    ("media_type", "is_sent"),
    [("image/svg+xml", False), (DOCX, False), ("application/vnd.ms-excel", False), ("image/avif", True)],
)
def test_gemini_gets_no_svg_images_and_no_office_documents(media_type: str, *, is_sent: bool) -> None:
    kind = "image_url" if media_type.startswith("image/") else "file"
    url = f"data:{media_type};base64,AAAAAAAA"
    part = {"type": kind, kind: {"url": url} if kind == "image_url" else {"file_data": url, "filename": "a"}}
    asked = {"messages": [{"role": "user", "content": [part, ASKED]}]}
    encoded = il.translate_request(asked, "openai_chat", "gemini", model="gemini-2.5-flash")
    assert told(encoded, "lost") == ([] if is_sent else ["/messages/0/content/0"])
    assert len(content(encoded)) == 1 + is_sent
    assert il.check_request(encoded.body, "gemini") == []


PDF_URL: Final = f"data:application/pdf;base64,{PDF}"


@pytest.mark.parametrize(
    ("target", "sent"),
    [
        ("gemini", {"inlineData": {"mimeType": "application/pdf", "data": PDF, "displayName": "a.pdf"}}),
        ("openai_responses", {"type": "input_file", "file_data": PDF_URL, "filename": "a.pdf"}),
        ("bedrock_converse", {"document": {"format": "pdf", "source": {"bytes": PDF}, "name": "a pdf"}}),
        (
            "claude",
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": PDF},
                "title": "a.pdf",
            },
        ),
    ],
)
def test_a_pdf_is_recognised_by_its_first_bytes(target: Any, sent: Any) -> None:
    file = {"filename": "a.pdf", "file_data": f"data:application/octet-stream;base64,{PDF}"}
    asked = {"messages": [{"role": "user", "content": [{"type": "file", "file": file}, ASKED]}]}
    encoded = il.translate_request(asked, "openai_chat", target, model="gpt-5")
    assert content(encoded)[0] == sent
    assert "/messages/0/content/0/format" in told(encoded, "changed")


def test_a_pdf_is_recognised_by_its_first_bytes_for_chat_completions() -> None:
    encoded = il.translate_request(asked_gemini(inline("text/plain", PDF)), "gemini", "openai_chat", model="gpt-5")
    assert content(encoded)[0] == {"type": "file", "file": {"file_data": PDF_URL, "filename": "file.pdf"}}


def pictures(*details: str | None, **members: Any) -> dict[str, Any]:
    """Return a request of Chat Completions with a picture for each detail; None for one that says none."""
    parts = [
        {"type": "image_url", "image_url": {"url": "https://example.com/a.png"} | ({"detail": said} if said else {})}
        for said in details
    ]
    return {"messages": [{"role": "user", "content": [*parts, ASKED]}], **members}


@pytest.mark.parametrize(
    ("details", "sent", "changed", "lost"),
    [
        (["low"], "MEDIA_RESOLUTION_LOW", [0], []),
        (["low", "high"], "MEDIA_RESOLUTION_HIGH", [1], [0]),
        (["original", "high"], "MEDIA_RESOLUTION_HIGH", [0, 1], []),
        (["low", None], None, [], [0]),
        (["auto", None], None, [], []),
    ],
)
def test_gemini_before_3_has_one_media_resolution_for_all_images(
    details: list[Any], sent: str | None, changed: list[int], lost: list[int]
) -> None:
    body = pictures(*details)
    encoded = il.translate_request(body, "openai_chat", "gemini", model="gemini-2.5-flash")
    assert encoded.body.get("generationConfig", {}).get("mediaResolution") == sent
    assert all("mediaResolution" not in part for part in content(encoded))
    notes = [(loss.severity, loss.path) for loss in encoded.losses if loss.path.endswith("/detail")]
    assert sorted(notes) == sorted(
        [("changed", f"/messages/0/content/{at}/detail") for at in changed]
        + [("lost", f"/messages/0/content/{at}/detail") for at in lost]
    )
    assert il.check_request(encoded.body, "gemini", profile="gemini-2.5-flash") == []
    assert body == pictures(*details)


def test_a_media_resolution_of_the_whole_request_is_kept() -> None:
    body = il.decode_request(pictures("high"), "openai_chat").model_dump(mode="json")
    own = {"gemini": {"fields": {"generationConfig": {"mediaResolution": "MEDIA_RESOLUTION_LOW"}}}}
    encoded = il.encode_request({**body, "extra": own}, "gemini", model="gemini-2.5-pro")
    assert encoded.body["generationConfig"]["mediaResolution"] == "MEDIA_RESOLUTION_LOW"
    assert told(encoded, "lost") == ["/messages/0/content/0/detail"]


def test_gemini_3_gets_a_media_resolution_per_image() -> None:
    encoded = il.translate_request(pictures("low"), "openai_chat", "gemini", model="gemini-3-pro-preview")
    assert content(encoded)[0]["mediaResolution"] == {"level": "MEDIA_RESOLUTION_LOW"}
    judged = il.check_request(encoded.body, "gemini", profile="gemini-2.5-pro")
    assert [one.path for one in judged] == ["/contents/0/parts/0/mediaResolution"]


@pytest.mark.parametrize("media_type", ["application/json", "text/x-python", "application/x-ndjson"])
def test_a_text_type_without_a_bedrock_format_is_sent_as_txt(media_type: str) -> None:
    data = "eyJhIjogMX0="
    encoded = il.translate_request(
        asked_gemini(inline(media_type, data)), "gemini", "bedrock_converse", model="amazon.nova-lite-v1:0"
    )
    document = content(encoded)[0]["document"]
    assert (document["format"], document["source"]) == ("txt", {"bytes": data})
    assert told(encoded, "changed").count("/messages/0/content/0/format") == 1
    assert told(encoded, "lost") == []


@pytest.mark.parametrize(("media_type", "data"), [("application/zip", "UEsDBAo="), ("text/x-python", "/////w==")])
def test_binary_data_is_not_sent_as_text_to_bedrock(media_type: str, data: str) -> None:
    body = asked_gemini(inline(media_type, data))
    encoded = il.translate_request(body, "gemini", "bedrock_converse", model="amazon.nova-lite-v1:0")
    assert told(encoded, "lost") == ["/messages/0/content/0"]


def sent(part: dict[str, Any], target: str) -> Any:
    """Return what a file of the canonical form becomes, and the losses at its media type."""
    asked = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": [ASKED, part]}]}
    encoded = il.encode_request(asked, target)
    assert il.check_request(encoded.body, target) == []
    noted = [(loss.severity, loss.path) for loss in encoded.losses if loss.path.endswith("/format")]
    return content(encoded)[1], noted


NAMED: Final = {"type": "file", "name": "a.csv", "data": "YSxi"}
TYPE: Final = "/messages/0/content/1/format"


@pytest.mark.parametrize(
    ("target", "written", "noted"),
    [
        ("claude", {"type": "text", "media_type": "text/plain", "data": "a,b"}, []),
        ("openai_chat", "Source: a.csv\n\na,b", []),
        ("openai_responses", "data:text/csv;base64,YSxi", [("filled", TYPE)]),
        ("gemini", {"mimeType": "text/csv", "data": "YSxi", "displayName": "a.csv"}, [("filled", TYPE)]),
        ("bedrock_converse", {"format": "csv", "source": {"bytes": "YSxi"}, "name": "a csv"}, [("filled", TYPE)]),
    ],
)
def test_the_media_type_is_derived_from_the_file_name_if_nothing_else_states_it(
    target: str, written: Any, noted: Any
) -> None:
    part, losses = sent(NAMED, target)
    assert written in part.values()
    assert losses == noted


def test_a_file_whose_name_is_not_that_of_a_pdf_is_not_sent_as_one() -> None:
    asked = {"messages": [{"role": "user", "content": [ASKED, {"type": "file", "name": "a.docx", "data": "UEsDBA=="}]}]}
    for target in ("claude", "openai_chat", "gemini"):
        encoded = il.encode_request(asked, target, model="m")
        assert len(content(encoded)) == 1
        assert "/messages/0/content/1" in told(encoded, "lost")


UNKNOWN: Final = ("claude", "openai_chat", "gemini", "bedrock_converse")


@pytest.mark.parametrize("target", UNKNOWN)
def test_data_of_unknown_media_type_is_not_sent_as_pdf(target: str) -> None:
    asked = {"messages": [{"role": "user", "content": [ASKED, {"type": "file", "data": "AAAA"}]}]}
    encoded = il.encode_request(asked, target, model="m")
    assert len(content(encoded)) == 1
    assert ("lost", "/messages/0/content/1") in [(loss.severity, loss.path) for loss in encoded.losses]


@pytest.mark.parametrize("target", [*UNKNOWN, "openai_responses"])
def test_text_data_of_unknown_media_type_is_sent_as_text(target: str) -> None:
    part, _ = sent({"type": "file", "name": "a.py", "data": "cHJpbnQoMSk="}, target)
    written = str(part)
    assert "print(1)" in written or "cHJpbnQoMSk=" in written
    assert "pdf" not in written


@pytest.mark.parametrize(
    "said", ["text/plain; charset=utf-8", 'text/plain;charset="UTF-8"', "text/plain; charset=us-ascii"]
)
def test_the_default_charset_is_removed_from_a_media_type(said: str) -> None:
    file = {"type": "file", "name": "a.txt", "data": "YSxi", "format": said}
    part, losses = sent(file, "gemini")
    assert part["inlineData"]["mimeType"] == "text/plain"
    assert losses == [("changed", TYPE)]
    json = {**file, "format": said.replace("text/plain", "application/json")}
    assert sent(json, "claude")[0]["source"]["data"] == "a,b"
    sound = {"type": "audio", "data": "AAAA", "format": "audio/L16;rate=16000"}
    assert sent(sound, "gemini")[0]["inlineData"]["mimeType"] == "audio/L16;rate=16000"


PNG: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.mark.parametrize(
    ("target", "member"),
    [
        ("openai_chat", "image_url"),
        ("openai_responses", "image_url"),
        ("vllm", "image_url"),
        ("claude", "source"),
        ("gemini", "inlineData"),
        ("bedrock_converse", "image"),
    ],
)
@pytest.mark.parametrize(
    "held", [{"data": PNG, "format": "image/png"}, {"data": PNG}, {"url": f"data:image/png;base64,{PNG}"}], ids=str
)
def test_an_image_given_as_a_file_is_sent_as_an_image(target: str, member: str, held: dict[str, str]) -> None:
    request = {"messages": [{"role": "user", "content": [{"type": "file", **held}, ASKED]}]}
    encoded = il.encode_request(request, target, model="m")
    picture = content(encoded)[0]
    assert PNG in str(picture[member])
    assert picture.get("type", "image") in {"image", "image_url", "input_image"}
    assert "/messages/0/content/0/type" in told(encoded, "changed")
    assert told(encoded, "lost") == []


def test_an_image_file_url_and_an_audio_file_are_sent_as_image_and_audio() -> None:
    address = {"type": "file", "url": "https://example.com/a.png"}
    sound = {"type": "file", "data": "UklGRgAAAABXQVZF", "format": "audio/wav"}
    request = {"messages": [{"role": "user", "content": [address, sound, ASKED]}]}
    picture, heard, _ = content(il.encode_request(request, "openai_chat", model="gpt-audio"))
    assert picture == {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    assert heard == {"type": "input_audio", "input_audio": {"data": "UklGRgAAAABXQVZF", "format": "wav"}}


@pytest.mark.parametrize(("target", "member"), [("openai_chat", "file"), ("openai_responses", "file_data")])
def test_a_data_url_in_place_of_a_file_url_is_decoded(target: str, member: str) -> None:
    file = {"type": "file", "url": "data:application/pdf;base64,JVBERi0=", "name": "a.pdf"}
    encoded = il.encode_request({"messages": [{"role": "user", "content": [file, ASKED]}]}, target, model="m")
    assert "data:application/pdf;base64,JVBERi0=" in str(content(encoded)[0][member])
    assert told(encoded, "lost") == []


def test_a_text_that_begins_like_an_image_signature_is_text() -> None:
    assert sent({"type": "file", "data": "Qk1XIHNhbGVz"}, "claude")[0]["source"]["data"] == "BMW sales"


@pytest.mark.parametrize(
    ("dialect", "place"),
    [
        ("claude", "/source/data"),
        ("openai_chat", "/image_url/url"),
        ("openai_responses", "/image_url"),
        ("bedrock_converse", "/image/source/bytes"),
    ],
)
def test_an_image_without_data_is_refused(dialect: il.Dialect, place: str) -> None:
    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC"
    for data, codes in (("", ["empty"]), (png, [])):
        content = [il.ImagePart(data=data, format="image/png"), il.TextPart(text="Hi")]
        request = il.ChatRequest(model="m", max_tokens=5, messages=[il.chat.create_user(content)])
        found = il.check_request(il.encode_request(request, dialect).body, dialect)
        assert [one.code for one in found] == codes
        assert all(one.path.endswith(place) for one in found)


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize(
    ("named", "name"),
    [
        ({}, "file.pdf"),
        ({"name": "report"}, "report.pdf"),
        ({"name": "report 1.2"}, "report 1.2.pdf"),
        ({"name": "Report.PDF"}, "Report.PDF"),
        ({"title": "A report"}, "A report.pdf"),
    ],
)
def test_openai_gets_a_file_name_with_the_extension_of_its_type(target: str, named: Any, name: str) -> None:
    """OpenAI refuses a file whose name does not end as those of its type do."""
    file = {"type": "file", "format": "application/pdf", "data": PDF, **named}
    encoded = il.encode_request({"model": "m", "messages": [{"role": "user", "content": [file, ASKED]}]}, target)
    written = content(encoded)[0]
    assert written.get("file", written)["filename"] == name
    said = named.get("name", named.get("title"))
    changed = [] if said in {None, name} else [f"/messages/0/content/0/{next(iter(named))}"]
    assert told(encoded, "changed") == changed


def test_a_file_name_of_the_client_is_unchanged_within_the_dialect() -> None:
    file = {"type": "input_file", "filename": "report", "file_data": PDF_URL}
    body = {"model": "gpt-5.5", "input": [{"role": "user", "content": [file]}]}
    assert il.translate_request(body, "openai_responses", "openai_responses").body == body


@pytest.mark.parametrize(("model", "is_sent"), [("gpt-5.6", False), ("gpt-4o-audio-preview", True)])
def test_audio_that_came_as_a_file_is_sent_only_to_models_that_accept_audio(model: str, *, is_sent: bool) -> None:
    sound = {"type": "input_file", "filename": "a.mp3", "file_data": "data:audio/mpeg;base64,//sQxA=="}
    asked = {"model": "m", "input": [{"role": "user", "content": [{"type": "input_text", "text": "?"}, sound]}]}
    encoded = il.translate_request(asked, "openai_responses", "openai_chat", model=model)
    assert ("input_audio" in [part["type"] for part in content(encoded)]) is is_sent
    assert ("/messages/0/content/1" in told(encoded, "lost")) is not is_sent
