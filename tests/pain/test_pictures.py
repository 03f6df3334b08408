"""What users suffered from with pictures that are resolved (docs/pain.md), each entry by its id."""

from __future__ import annotations

import base64
import resource
import subprocess
import sys
from typing import Any, Final

import pytest

import interlingua as il
from interlingua.model import ImageData, ImageMessage, UrlImageSource
from interlingua.resolve import (
    ImageLimits,
    ImageResolver,
    OcrResult,
    Picture,
    SafeFetcher,
    VisionResult,
    check_pictures,
    stub_picture,
)
from interlingua_types._base import InvalidArgumentError
from support.bodies import DIALECTS
from support.pictures import drawn, message, png_bomb, saved
from support.web import answering, web

PNG: Final = saved(drawn("STOP"))
SVG: Final = b'<svg xmlns="http://www.w3.org/2000/svg"/>'


class Reader:
    def describe(self, _picture: Picture) -> VisionResult:
        return VisionResult("A sign.", "STOP")

    def read(self, _picture: Picture) -> OcrResult:
        return OcrResult("STOP")


def code_of(found: ImageMessage) -> str | None:
    return None if found.data.error is None else found.data.error.code


def resolved(given: ImageMessage, **options: Any) -> ImageMessage:
    return ImageResolver(Reader(), Reader(), on_notice=lambda _notice: None, **options).resolve(given)


def at(url: str, mode: Any = "ocr") -> ImageMessage:
    return ImageMessage(data=ImageData(source=UrlImageSource(url=url), mode=mode))


def part(data: bytes, kind: str = "image/png") -> il.ImagePart:
    return il.ImagePart(data=base64.b64encode(data).decode(), format=kind)


def request(*parts: il.ImagePart | il.TextPart) -> il.ChatRequest:
    hello = il.UserChatMessage(content="Hello")
    return il.ChatRequest(model="m", max_tokens=9, messages=(hello, il.UserChatMessage(content=parts)))


# --- SEC-3 ------------------------------------------------------------------------------------------------------------

NETWORK: Final = """
import os, sys
def refuse(event, _given):
    if event.startswith("socket."):
        os.write(2, b"the network was used")
        os._exit(3)
sys.addaudithook(refuse)
import interlingua as il
from interlingua.resolve import ImageResolver, OcrResult, VisionResult
class Reader:
    def describe(self, picture): return VisionResult("x")
    def read(self, picture): return OcrResult("x")
for url in ("http://169.254.169.254/a.png", "http://127.0.0.1/", "file:///etc/passwd", "https://example.com/a.png"):
    for mode in ("vision", "ocr", "auto"):
        source = il.UrlImageSource(url=url)
        message = il.ImageMessage(data=il.ImageData(source=source, mode=mode))
        found = ImageResolver(Reader(), Reader(), on_notice=print).resolve(message)
    part = il.ImagePart(url=url)
    request = il.ChatRequest(model="m", max_tokens=9, messages=(il.UserChatMessage(content=(part,)),))
    for dialect in il.dialects():
        il.encode_request(request, dialect)
"""


def test_sec_3_codecs_and_resolvers_without_a_fetcher_do_not_use_the_network() -> None:
    run = subprocess.run([sys.executable, "-c", NETWORK], capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://127.0.0.1/a.png", "url_refused"),
        ("http://169.254.169.254/latest/meta-data/", "url_refused"),
        ("http://[::ffff:10.0.0.1]/", "url_refused"),
        ("http://localhost/", "url_refused"),
        ("file:///etc/passwd", "url_refused"),
        ("https://example.com/a.png", None),
    ],
)
def test_sec_3_a_private_url_is_not_passed_to_the_models_server(url: str, code: str | None) -> None:
    assert code_of(resolved(at(url, "vision"))) == code


@pytest.mark.parametrize("mode", ["vision", "ocr", "auto"])
def test_sec_3_the_built_in_fetcher_reaches_no_private_host_directly_or_by_redirect(mode: str) -> None:
    with web(answering(PNG)) as there:
        ports = {there.port}
        assert code_of(resolved(at(there.url, mode), fetcher=SafeFetcher(ports=ports))) == "url_refused"
        assert there.asked == []
        with web(answering(b"", 302, {"Location": there.url}), "127.0.0.2") as outer:
            only = SafeFetcher(ports={*ports, outer.port}, allowed=lambda number: str(number) == "127.0.0.2")
            assert code_of(resolved(at(outer.url, mode), fetcher=only)) == "url_refused"
        assert there.asked == []


def test_sec_3_an_endless_body_is_stopped_at_the_limit() -> None:
    def respond(handler: Any, _body: bytes) -> None:
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(PNG * 10)

    with web(respond) as there:
        fetcher = SafeFetcher(ports={there.port}, allowed=lambda number: number.is_loopback)
        found = resolved(at(there.url), fetcher=fetcher, limits=ImageLimits(max_bytes=100_000))
    assert code_of(found) == "too_large"


# --- SEC-7 ------------------------------------------------------------------------------------------------------------

BOUNDED: Final = """
import resource, sys
import interlingua as il
from interlingua.resolve import ImageResolver
given = il.load_message(sys.stdin.buffer.read())[0]
resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))
found = ImageResolver(on_notice=lambda notice: None).resolve(given)
sys.stdout.write(found.data.error.code)
"""


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (png_bomb(60_000, 60_000, 100), "too_many_pixels"),
        (b"RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\x3f\0\xff\x3f\0" + b"\0" * 8, "too_many_pixels"),
        (b"\0" * 30_000_000, "too_large"),
    ],
    ids=["a PNG of one colour", "a WebP of its header", "base64 of 40 MB"],
)
def test_sec_7_an_image_that_decompresses_to_a_huge_one_is_refused_in_bounded_memory(data: bytes, code: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", BOUNDED],
        input=il.dump_message_json(message(data, "ocr")),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert run.stdout.decode() == code, run.stderr.decode()[-2000:]


def test_sec_7_an_extreme_decompression_ratio_is_refused_before_decoding() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    bomb = png_bomb(20_000, 20_000, 2000)
    assert 1000 * len(bomb) < 20_000 * 20_000
    assert code_of(resolved(message(bomb, "ocr"))) == "too_many_pixels"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


# --- MM-3, MM-4 -------------------------------------------------------------------------------------------------------


def test_mm_3_each_limit_of_a_provider_is_reported_with_the_violating_part() -> None:
    wide, small = saved(drawn("STOP" * 30)), saved(drawn("A"))
    asked = request(il.TextPart(text="See."), part(wide), part(small), part(small))
    base64_bytes = 4 * -(-len(wide) // 3)
    told = {
        "side": check_pictures(asked, ImageLimits(max_side=500)),
        "pixels": check_pictures(asked, ImageLimits(max_pixels=50_000)),
        "bytes": check_pictures(asked, ImageLimits(max_bytes=len(wide) - 1)),
        "base64": check_pictures(asked, ImageLimits(max_base64_bytes=base64_bytes - 4)),
        "count": check_pictures(asked, ImageLimits(max_images=2)),
        "all": check_pictures(asked, ImageLimits(max_total_base64_bytes=base64_bytes + 10)),
        "none": check_pictures(asked, ImageLimits(max_base64_bytes=base64_bytes, max_images=3, max_side=5000)),
    }
    places = {name: [(one.code, one.path) for one in found] for name, found in told.items()}
    first, second, third = (("limit", f"/messages/1/content/{order}") for order in (1, 2, 3))
    alone = [first]
    assert places == {
        "side": alone,
        "pixels": alone,
        "bytes": alone,
        "base64": alone,
        "count": [third],
        "all": [second],
        "none": [],
    }
    assert str(len(wide)) in told["bytes"][0].detail


@pytest.mark.parametrize("dialect", DIALECTS)
def test_mm_3_one_part_can_be_removed_by_its_path_and_the_rest_is_kept(dialect: str) -> None:
    asked = request(il.TextPart(text="See."), part(saved(drawn("STOP" * 30))), part(PNG))
    (told,) = check_pictures(asked, ImageLimits(max_side=500))
    mended = stub_picture(asked, told.path)
    assert check_pictures(mended, ImageLimits(max_side=500)) == []
    before, after = (one.messages[1].model_dump(mode="json")["content"] for one in (asked, mended))
    assert (after[0], after[2]) == (before[0], before[2])
    assert after[1]["type"] == "text"
    assert il.check_request(il.encode_request(mended, dialect).body, dialect) == []
    with pytest.raises(InvalidArgumentError):
        stub_picture(mended, told.path)
    with pytest.raises(InvalidArgumentError):
        stub_picture(mended, "/messages/0/content")


def test_mm_3_a_message_with_an_image_beyond_the_limits_fails_before_it_is_sent() -> None:
    found = resolved(message(PNG, "vision"), limits=ImageLimits(max_side=10))
    assert code_of(found) == "too_wide"
    assert il.to_chat([found])[0].model_dump(mode="json")["content"].endswith("too_wide]")


POISON: Final = [
    (saved(drawn(), "JPEG"), "image/png", "mislabelled", "media_type"),
    (PNG, "image/jpeg", "mislabelled", "media_type"),
    (SVG, "image/svg+xml", "unsupported_format", "media_type"),
    (SVG, "image/png", "unsupported_format", "media_type"),
    (b"", "image/png", "empty", "empty"),
    (b"<html>404</html>", "image/png", "not_a_picture", "media_type"),
    (PNG[:200], "image/png", "damaged", "part"),
]


@pytest.mark.parametrize(("data", "declared", "code", "violation"), POISON)
def test_mm_4_an_image_that_differs_from_its_declared_type_is_refused_with_a_report(
    data: bytes, declared: str, code: str, violation: str
) -> None:
    assert code_of(resolved(message(data, "vision", declared=declared))) == code
    (told,) = check_pictures(request(part(data, declared)), ImageLimits())
    assert (told.code, told.path) == (violation, "/messages/1/content/0")
    assert code in told.detail
    address = f"data:{declared};base64,{base64.b64encode(data).decode()}"
    assert [one.code for one in check_pictures(request(il.ImagePart(url=address)), ImageLimits())] == [violation]


@pytest.mark.parametrize("declared", [None, "image/jpg", "application/octet-stream"])
def test_mm_4_a_missing_or_imprecise_type_is_corrected(declared: str | None) -> None:
    found = resolved(message(saved(drawn(), "JPEG"), "vision", declared=declared))
    assert code_of(found) is None
    assert found.data.source.format == "image/jpeg"


def test_the_guard_of_the_network_test_detects_connections() -> None:
    run = subprocess.run(
        [sys.executable, "-c", NETWORK + "\nimport socket\nsocket.getaddrinfo('localhost', 80)"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (run.returncode, run.stderr) == (3, "the network was used")
