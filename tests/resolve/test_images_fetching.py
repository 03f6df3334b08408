"""Images: fetching from addresses that strangers give, against real servers that mean no good."""

from __future__ import annotations

import ipaddress
import math
import socket
from collections.abc import Sequence
from typing import Any, Final

import pytest

from interlingua.errors import ImageError
from interlingua.model import ImageData, ImageMessage, UrlImageSource
from interlingua.resolve import ImageLimits, ImageResolver, OcrResult, Picture, SafeFetcher
from interlingua.resolve.addresses import check_url, is_public, read_url
from support.pictures import drawn, saved
from support.web import CERTIFICATE, answer, answering, web

PNG: Final = saved(drawn("STOP"))
HERE: Final = ipaddress.ip_address("127.0.0.1")
MAX: Final = ImageLimits().max_bytes


def fetcher(port: int, **options: Any) -> SafeFetcher:
    """Return a fetcher for which 127.0.0.1, and it alone, is the public internet."""
    return SafeFetcher(ports={port}, allowed=lambda number: number == HERE, **options)


def refused(one: SafeFetcher, url: str, max_bytes: int = MAX) -> ImageError:
    with pytest.raises(ImageError) as caught:
        one.fetch(url, max_bytes=max_bytes)
    return caught.value


def nobody(_host: str, _port: int) -> Sequence[str]:
    raise AssertionError


# --- addresses --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "number",
    [
        *("127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"),  # noqa: S104  # nothing is bound
        *("169.254.169.254", "100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "239.1.2.3", "240.0.0.1"),
        *("255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "::127.0.0.1"),
        *("::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b::169.254.169.254", "64:ff9b:1::1"),
        *("2002:7f00:1::", "2002:a9fe:a9fe::1", "2001:0:0:0:0:0:80ff:fffe", "2001:db8::1", "100::1"),
    ],
)
def test_no_private_ip_address_is_public_however_it_is_embedded(number: str) -> None:
    assert not is_public(ipaddress.ip_address(number))


@pytest.mark.parametrize(
    "number", ["8.8.8.8", "1.1.1.1", "2606:4700::1", "2001:4860:4860::8888", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_public_ip_addresses_are_public(number: str) -> None:
    assert is_public(ipaddress.ip_address(number))


@pytest.mark.parametrize(
    "url",
    [
        *("file:///etc/passwd", "FILE:///etc/passwd", "ftp://example.com/a", "gopher://example.com/", "data:,x"),
        *("//example.com/a.png", "/a.png", "a.png", "", "http://", "http:///a", "https://?x", "http:example.com"),
        *("http://user@example.com/", "http://user:pw@example.com/", "http://example.com@127.0.0.1/"),
        *(
            "http://exa mple.com/",
            " http://example.com/",
            "http://example.com/\r\nX: y",
            "http://example.com\\@127.0.0.1/",
        ),
        *("http://example.com:99999/", "http://example.com:x/", "http://[::1", "http://[fe80::1%25eth0]/"),
        *(
            "http://127.0.0.1\t.example.com/",
            "http://exam%70le.com/",
            "http://a..b/",
            "http://-a.com/",
        ),
        "http://example.com/" + "a" * 10_000,
        "http://" + "a." * 5_000 + "com/",
    ],
)
def test_an_invalid_or_ambiguous_url_is_refused(url: str) -> None:
    assert refused(SafeFetcher(lookup=nobody), url).code == "url_refused"
    with pytest.raises(ImageError):
        check_url(url)


LOCAL: Final = (
    *("http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/"),
    *("http://0/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::]/", "http://169.254.169.254/latest/"),
    *("http://127.0.0.1./", "http://0x7f.1/", "http://①②⑦.0.0.1/", "http://127。0。0。1/"),
)


@pytest.mark.parametrize("url", LOCAL)
def test_a_local_ip_address_is_refused_in_every_notation_without_a_lookup(url: str) -> None:
    assert refused(SafeFetcher(lookup=nobody), url).code == "url_refused"
    with pytest.raises(ImageError):
        check_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/",
        "http://LOCALHOST./",
        "http://a.localhost/",
        "http://metadata.google.internal/",
        "http://router/",
    ],
)
def test_a_local_host_name_is_not_passed_to_a_model(url: str) -> None:
    with pytest.raises(ImageError) as caught:
        check_url(url)
    assert caught.value.code == "url_refused"
    here = SafeFetcher(lookup=lambda _host, _port: ["127.0.0.1"])
    assert refused(here, url).code == "url_refused"


@pytest.mark.parametrize("url", ["https://example.com/a.png", "http://Bücher.example/ä?q=ö#f", "https://8.8.8.8:443/"])
def test_a_public_url_is_passed_on(url: str) -> None:
    check_url(url)


def test_the_requested_url_is_the_parsed_one() -> None:
    found = read_url("HTTPS://Bücher.example:8443/ä b".replace(" ", "%20") + "?q=ö%26#part")
    assert (found.scheme, found.host, found.port) == ("https", "xn--bcher-kva.example", 8443)
    assert found.path == "/%C3%A4%20b?q=%C3%B6%26"
    assert found.host_header == "xn--bcher-kva.example:8443"
    assert read_url("http://[2606:4700::1]/").host_header == "[2606:4700::1]"


# --- who is reached ---------------------------------------------------------------------------------------------------


def test_an_image_is_fetched_with_a_minimal_request() -> None:
    with web(answering(PNG)) as there:
        assert fetcher(there.port).fetch(f"{there.url}/a.png?b=c", max_bytes=MAX) == PNG
    ((path, headers),) = there.asked
    assert path == "/a.png?b=c"
    assert set(headers) == {"host", "accept", "accept-encoding", "user-agent", "connection"}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "127.1", "2130706433"])
def test_by_default_the_local_machine_is_never_reached(host: str) -> None:
    with web(answering(PNG)) as there:
        assert refused(SafeFetcher(ports={there.port}), f"http://{host}:{there.port}/").code == "url_refused"
    assert there.asked == []


def test_ports_other_than_those_of_the_web_are_refused() -> None:
    assert refused(SafeFetcher(lookup=nobody), "http://example.com:22/").code == "url_refused"
    assert refused(SafeFetcher(lookup=nobody), "http://example.com:0/").code == "url_refused"


def test_one_private_address_among_public_ones_is_refused() -> None:
    found = SafeFetcher(lookup=lambda _host, _port: ["8.8.8.8", "10.0.0.1"])
    assert refused(found, "http://example.com/").code == "url_refused"


def test_a_name_is_resolved_once_and_the_connection_uses_the_checked_address() -> None:
    asked: list[str] = []

    def rebinding(host: str, _port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1" if len(asked) == 1 else "127.0.0.2"]

    with web(answering(PNG)) as there, web(answering(b"inner"), "127.0.0.2", there.port) as inner:
        found = fetcher(there.port, lookup=rebinding).fetch(f"http://rebind.example:{there.port}/", max_bytes=MAX)
        assert found == PNG
        assert inner.asked == []
    assert asked == ["rebind.example"]
    assert there.asked[0][1]["host"] == f"rebind.example:{there.port}"


@pytest.mark.parametrize("answer_of_names", [[], ["no number"], OSError()])
def test_an_unknown_host_name_is_a_failure(answer_of_names: Any) -> None:
    def lookup(_host: str, _port: int) -> Any:
        if isinstance(answer_of_names, OSError):
            raise answer_of_names
        return answer_of_names

    assert refused(SafeFetcher(lookup=lookup), "http://example.com/").code == "fetch_failed"


def test_https_connects_to_the_checked_address_with_the_certificate_of_the_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with web(answering(PNG), is_secret=True) as there:
        one = fetcher(there.port, lookup=lambda _host, _port: ["127.0.0.1"])
        assert one.fetch(f"https://pictures.example:{there.port}/a", max_bytes=MAX) == PNG
        assert refused(one, f"https://elsewhere.example:{there.port}/a").code == "fetch_failed"
    assert [headers["host"] for _, headers in there.asked] == [f"pictures.example:{there.port}"]


def test_an_untrusted_certificate_is_refused() -> None:
    with web(answering(PNG), is_secret=True) as there:
        one = fetcher(there.port, lookup=lambda _host, _port: ["127.0.0.1"])
        assert refused(one, f"https://pictures.example:{there.port}/a").code == "fetch_failed"
    assert there.asked == []


def test_a_redirect_from_https_to_http_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    location = {"Location": "http://pictures.example/"}
    with web(answering(b"", 302, location), is_secret=True) as there:
        one = fetcher(there.port, lookup=lambda _host, _port: ["127.0.0.1"])
        assert refused(one, f"https://pictures.example:{there.port}/a").code == "url_refused"


def test_the_next_address_is_tried_if_one_does_not_answer() -> None:
    with web(answering(PNG), "127.0.0.2") as there:
        both = SafeFetcher(
            ports={there.port}, allowed=lambda number: number.is_loopback, lookup=lambda *_: ["127.0.0.1", "127.0.0.2"]
        )
        assert both.fetch(f"http://two.example:{there.port}/", max_bytes=MAX) == PNG


# --- redirects --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_a_private_host_is_refused_before_connecting(status: int) -> None:
    with web(answering(b"secret"), "127.0.0.2") as inner:
        location = {"Location": f"{inner.url}/admin"}
        with web(answering(b"", status, location)) as there:
            one = SafeFetcher(ports={there.port, inner.port}, allowed=lambda number: number == HERE)
            assert refused(one, there.url).code == "url_refused"
        assert len(there.asked) == 1
        assert inner.asked == []


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "gopher://127.0.0.1/", "http://user:pw@127.0.0.1/", "http://[", "//"]
)
def test_a_redirect_to_an_invalid_url_is_refused(target: str) -> None:
    with web(answering(b"", 302, {"Location": target})) as there:
        assert refused(fetcher(there.port), there.url).code in {"url_refused", "fetch_failed"}
        assert len(there.asked) <= 4


def test_the_number_of_redirects_is_limited() -> None:
    def respond(handler: Any, _body: bytes) -> None:
        left = int(handler.path.lstrip("/"))
        answer(handler, PNG, 302 if left else 200, {"Location": f"/{left - 1}"} if left else None)

    with web(respond) as there:
        assert fetcher(there.port).fetch(f"{there.url}/3", max_bytes=MAX) == PNG
        error = refused(fetcher(there.port), f"{there.url}/9")
    assert (error.code, error.retryable) == ("fetch_failed", False)
    assert len(there.asked) == 8


def test_a_redirect_without_a_location_is_a_failure() -> None:
    with web(answering(b"", 302)) as there:
        assert refused(fetcher(there.port), there.url).code == "fetch_failed"


# --- bodies -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_chunked", [True, False])
def test_an_endless_body_is_stopped_at_the_limit(is_chunked: bool) -> None:
    def respond(handler: Any, _body: bytes) -> None:
        handler.protocol_version = "HTTP/1.1"
        handler.send_response(200)
        if is_chunked:
            handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        piece = b"x" * 65_536
        while True:
            handler.wfile.write(b"10000\r\n" + piece + b"\r\n" if is_chunked else piece)

    with web(respond) as there:
        assert refused(fetcher(there.port), there.url, 200_000).code == "too_large"


def test_a_body_with_a_content_length_over_the_limit_is_not_read() -> None:
    with web(answering(b"", headers={"Content-Length": "99999999999"})) as there:
        assert refused(fetcher(there.port), there.url).code == "too_large"


def test_a_slow_body_ends_at_the_deadline() -> None:
    def respond(handler: Any, _body: bytes) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not there.ended.wait(0.02):
            handler.wfile.write(b"x")

    with web(respond) as there:
        error = refused(fetcher(there.port, timeout_seconds=0.3), there.url)
    assert (error.code, error.retryable) == ("fetch_timeout", True)


def test_an_infinite_timeout_sets_no_limit() -> None:
    with web(answering(b"here")) as there:
        assert fetcher(there.port, timeout_seconds=math.inf).fetch(there.url, max_bytes=9) == b"here"


def test_a_compressed_body_is_not_decompressed() -> None:
    with web(answering(b"\x1f\x8b", headers={"Content-Encoding": "gzip"})) as there:
        assert refused(fetcher(there.port), there.url).code == "fetch_failed"
    assert there.asked[0][1]["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200 + b"\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"a" * 100_000,
        b"HTTP/1.1 999 \xff\xff\r\n\r\n",
    ],
    ids=range(7),
)
def test_a_server_without_http_is_a_failure(raw: bytes) -> None:
    def respond(handler: Any, _body: bytes) -> None:
        handler.wfile.write(raw)
        handler.close_connection = True
        handler.connection.shutdown(socket.SHUT_WR)

    with web(respond) as there:
        assert refused(fetcher(there.port, timeout_seconds=5), there.url).code in {"fetch_failed", "fetch_timeout"}


@pytest.mark.parametrize(
    ("status", "is_retryable"), [(204, False), (403, False), (404, False), (429, True), (503, True)]
)
def test_a_response_that_is_not_an_image_is_a_failure(status: int, is_retryable: bool) -> None:
    with web(answering(b"", status)) as there:
        error = refused(fetcher(there.port), there.url)
    assert (error.code, error.retryable) == ("fetch_failed", is_retryable)


# --- from the message -------------------------------------------------------------------------------------------------


class Engine:
    def read(self, _picture: Picture) -> OcrResult:
        return OcrResult("STOP")


def test_an_html_page_instead_of_an_image_is_a_failure() -> None:
    with web(answering(b"<html>sign in</html>", headers={"Content-Type": "image/png"})) as there:
        source = UrlImageSource(url=f"{there.url}/a.png")
        given = ImageMessage(data=ImageData(source=source, mode="ocr"))
        one = ImageResolver(ocr=Engine(), fetcher=fetcher(there.port), on_notice=lambda _notice: None)
        found = one.resolve(given)
    assert found.data.error is not None
    assert found.data.error.code == "not_a_picture"
