"""The kit for rooms of third parties finds nothing in a sound room, and each mistake in one that has it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final, get_args

import pytest

import interlingua as il
from interlingua.registry import descriptor, descriptors, room
from interlingua.spi.descriptor import Media
from interlingua.spi.mutants import mutants
from interlingua.spi.probes import EVENT_PROBES, REQUEST_PROBES, RESPONSE_PROBES
from interlingua.spi.testing import Law, check_room
from support.parley import parley

REQUEST: Final[dict[str, Any]] = {
    "bird": "grey",
    "most": 100,
    "lines": [{"who": "guest", "says": "Hello", "mood": "fine"}, {"who": "ghost", "boo": 1}],
    "perch": {"height": 2},
}
RESPONSE: Final[dict[str, Any]] = {"bird": "grey", "says": "Hello!", "end": "done", "heard": 9, "feather": None}
STREAM: Final[list[dict[str, Any]]] = [{"bird": "grey"}, {"says": "Hel"}, {"says": "lo"}, {"hm": 1}, {"end": "done"}]
EXAMPLES: Final[dict[str, Any]] = {"requests": [REQUEST], "responses": [RESPONSE], "streams": [STREAM]}
NAMES: Final = parley()
Parley: Final[type[Any]] = NAMES["Parley"]
Reader: Final[type[Any]] = NAMES["Reader"]
Writer: Final[type[Any]] = NAMES["Writer"]


class Undescribed(Parley):
    DESCRIPTOR = None


class Boasting(Parley):
    DESCRIPTOR = Parley.DESCRIPTOR._replace(media=frozenset({"image"}))


class OneWay(Parley):
    def __getattribute__(self, name: str) -> Any:
        if name == "encode_request":
            raise AttributeError(name)
        return super().__getattribute__(name)


class Uncanonical(Parley):
    def decode_request(self, body: Any) -> Any:
        return {**super().decode_request(body), "lines": 1}


class Nameless(Parley):
    def decode_response(self, body: Any) -> Any:
        return {name: value for name, value in super().decode_response(body).items() if name != "dialect"}


class Forgetful(Parley):
    def encode_request(self, request: Any, log: Any, api_version: str | None = None) -> Any:
        body = super().encode_request(request, log, api_version)
        body.pop("perch", None)
        return body


class Rounding(Parley):
    def encode_request(self, request: Any, log: Any, api_version: str | None = None) -> Any:
        body = super().encode_request(request, log, api_version)
        return {**body, "most": float(body["most"])} if "most" in body else body


class Complaining(Parley):
    def encode_response(self, response: Any, log: Any) -> Any:
        log.lost("member", "/usage", "it is there")
        return super().encode_response(response, log)


class Remembering(Parley):
    def __init__(self) -> None:
        self._bodies: dict[int, Any] = {}
        self._values: list[Any] = []

    def decode_request(self, body: Any) -> Any:
        value = super().decode_request(body)
        value.pop("extra", None)
        self._values.append(value)
        self._bodies[id(value)] = body
        return value

    def encode_request(self, request: Any, log: Any, api_version: str | None = None) -> Any:
        return self._bodies.get(id(request)) or super().encode_request(request, log, api_version)


class Silent(Parley):
    def encode_request(self, request: Any, log: Any, api_version: str | None = None) -> Any:
        return super().encode_request({**request, "temperature": 0.1}, log, api_version)


class Emptying(Parley):
    def decode_request(self, body: Any) -> Any:
        value = super().decode_request(body)
        body.pop("most", None)
        return value


class Writing(Parley):
    def encode_response(self, response: Any, log: Any) -> Any:
        body = super().encode_response(response, log)
        response["messages"][0]["content"] = "changed"
        return body


class Counting(Parley):
    count = 0

    def encode_response(self, response: Any, log: Any) -> Any:
        self.count += 1
        return {**super().encode_response(response, log), "count": self.count}


class Stumbling(Parley):
    def decode_request(self, body: Any) -> Any:
        return super().decode_request({**body, "lines": [dict(line) for line in body["lines"]]})


class Lying(Parley):
    def decode_request(self, body: Any) -> Any:
        try:
            return super().decode_request(body)
        except il.spi.Malformed as malformed:
            raise il.DecodeError("openai_chat", malformed.path, malformed.reason) from None


class Swallowing(Parley):
    def encode_stream(self, log: Any) -> Any:
        class Half(Writer):
            def write(self, event: Any) -> Any:
                return [] if event["type"] == "opaque" else super().write(event)

        return Half(log)


class Endless(Parley):
    def decode_stream(self) -> Any:
        class Half(Reader):
            def read(self, frame: Any) -> Any:
                return [event for event in super().read(frame) if event["type"] != "end"]

            def close(self) -> Any:
                return []

        return Half()


class Tripping(Parley):
    def decode_stream(self) -> Any:
        class Half(Reader):
            def read(self, frame: Any) -> Any:
                return super().read(dict(frame))

        return Half()


class Mute(Parley):
    def encode_stream(self, log: Any) -> Any:
        class Half(Writer):
            def write(self, event: Any) -> Any:
                return [] if event["type"] in {"finish", "reasoning"} else super().write(event)

        return Half(log)


# A mistake -> the law that it breaks, and where.
MISTAKES: Final[dict[Callable[[], Any], tuple[Law, str, str]]] = {
    Undescribed: ("face", "room", "/DESCRIPTOR"),
    Boasting: ("face", "probe request", "/DESCRIPTOR/media/image"),
    OneWay: ("face", "room", "/encode_request"),
    Uncanonical: ("canonical", "request 0", "/lines"),
    Nameless: ("canonical", "response 0", "/dialect"),
    Forgetful: ("identity", "request 0", "/perch"),
    Rounding: ("identity", "request 0", ""),
    Complaining: ("identity", "response 0", "/usage"),
    Remembering: ("storage", "request 0", "/perch"),
    Silent: ("losses", "probe request", "/temperature"),
    Emptying: ("purity", "request 0", ""),
    Writing: ("purity", "probe response", "/finish_reason"),
    Counting: ("purity", "response 0", ""),
    Stumbling: ("totality", "request 0", "/lines/0"),
    Lying: ("totality", "request 0", "/lines"),
    Swallowing: ("identity", "stream 0", "/3"),
    Endless: ("canonical", "stream 0", ""),
    Tripping: ("totality", "stream 0", "/0"),
    Mute: ("losses", "probe stream", "/finish_reason"),
}


def test_a_correct_room_has_no_faults() -> None:
    assert check_room(Parley(), **EXAMPLES) == []


@pytest.mark.parametrize("value", [None, "text", [1], {}, {"messages": [{}]}, object()])
@pytest.mark.parametrize(
    "name", ["decode_request", "encode_request", "decode_response", "decode_stream", "encode_stream"]
)
def test_a_room_that_returns_random_values_has_faults_and_causes_no_crash(name: str, value: Any) -> None:
    room = Parley()
    setattr(room, name, lambda *_given: value)
    assert check_room(room, **EXAMPLES)


@pytest.mark.parametrize("dialect", il.dialects())
def test_the_built_in_rooms_have_no_faults(dialect: str) -> None:
    assert check_room(room(dialect)) == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.__name__)
def test_each_fault_is_found_and_located(mistake: Callable[[], Any]) -> None:
    found = {(fault.law, fault.example, fault.path) for fault in check_room(mistake(), **EXAMPLES)}
    assert MISTAKES[mistake] in found


@pytest.mark.parametrize("medium", get_args(Media))
@pytest.mark.parametrize("dialect", [one.dialect for one in descriptors() if one.media is not None])
def test_a_wrong_descriptor_about_media_is_detected(dialect: str, medium: Media) -> None:
    described = descriptor(dialect)
    wrong = described._replace(media=(described.media or frozenset()) ^ {medium})
    functions = {name: getattr(room(dialect), name) for name in ("decode_request", "encode_request")}
    found = check_room(SimpleNamespace(DESCRIPTOR=wrong, **functions))
    assert [fault.path for fault in found] == [f"/DESCRIPTOR/media/{medium}"]


def test_every_law_has_a_faulty_room_that_breaks_it() -> None:
    assert {law for law, _, _ in MISTAKES.values()} == set(get_args(Law))


def test_a_fault_contains_no_content() -> None:
    said = "".join(map(repr, (fault for mistake in MISTAKES for fault in check_room(mistake(), **EXAMPLES))))
    assert "Hello" not in said
    assert "grey" not in said


def test_a_room_with_only_requests_is_checked_for_requests() -> None:
    sound = Parley()

    class Half:
        DESCRIPTOR = Parley.DESCRIPTOR
        decode_request = sound.decode_request
        encode_request = sound.encode_request

    assert check_room(Half, requests=[REQUEST]) == []
    assert [fault.law for fault in check_room(Half, responses=[RESPONSE])] == ["identity"]


def test_the_probe_bodies_cover_every_member_of_requests_and_answers() -> None:
    for kind, probes in ((il.ChatRequest, REQUEST_PROBES), (il.ChatResponse, RESPONSE_PROBES)):
        for probe in probes:
            kind.model_validate(probe.value)
        said = {name for probe in probes for name in probe.value}
        assert set(kind.model_fields) - said <= {"dialect", "schema_version", "finish_reason_raw"}
    il.encode_stream([event for probe in EVENT_PROBES for event in probe.value], "openai_chat")


def test_a_mutant_differs_in_one_place_and_does_not_modify_the_body() -> None:
    body = {"a": [1, {"b": None}]}
    found = list(mutants(body))
    assert body == {"a": [1, {"b": None}]}
    assert {path for path, _ in found} == {"", "/a", "/a/0", "/a/1", "/a/1/b", "/x_mutant", "/a/1/x_mutant"}
    assert ("/a/0", {"a": [{"b": None}]}) in found
    assert ("/a/1/x_mutant", {"a": [1, {"b": None, "x_mutant": {"y": [1, None]}}]}) in found
