"""Runs in the environment of a peer, with its adapter: one JSON command per line, one JSON answer per line.

    {"do": "load", "operation": "convert_openai_to_gemini", "body": "..."}   {"output": ...} or {"error": "ValueError"}
    {"do": "run", "calls": 10}                                               {"seconds": 0.1}

The body of a stream is a list of frames; each is parsed and serialised separately, as on the wire.
It uses only the standard library and the adapter, and nothing of this project.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any


def loads_and_dumps() -> tuple[Callable[[bytes], Any], Callable[[Any], bytes]]:
    """Return the fastest JSON parser and serialiser of the environment."""
    try:
        orjson: Any = importlib.import_module("orjson")
    except ImportError:
        return json.loads, lambda value: json.dumps(value, default=plain).encode()
    reader: Callable[[bytes], Any] = orjson.loads
    return reader, lambda value: bytes(orjson.dumps(value, default=plain))


def plain(value: object) -> Any:
    """Return an object of a class as plain JSON."""
    dump: Any = getattr(value, "model_dump", None)
    return vars(value) if dump is None else dump()


def running(
    convert: Callable[[Any], Any], command: dict[str, str], loads: Callable[[bytes], Any], dumps: Callable[[Any], bytes]
) -> Callable[[], object]:
    """Return the measured function: a conversion from bytes to bytes."""
    if not command["operation"].startswith("stream"):
        body = command["body"].encode()
        return lambda: dumps(convert(loads(body)))
    frames = [json.dumps(frame).encode() for frame in json.loads(command["body"])]
    return lambda: [dumps(frame) for frame in convert([loads(frame) for frame in frames])]


def main() -> None:
    """Answer commands until the input ends."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # output printed by a peer is not an answer
    sys.path.insert(0, os.getcwd())  # noqa: PTH109  # the worker needs no more of the standard library than this
    adapter = importlib.import_module(sys.argv[1])
    loads, dumps = loads_and_dumps()
    run: Callable[[], object] = list
    for line in sys.stdin:
        command = json.loads(line)
        if command["do"] == "load":
            try:
                convert = getattr(adapter, command["operation"])
                answer: dict[str, Any] = {"output": json.loads(dumps(convert(json.loads(command["body"]))))}
                run = running(convert, command, loads, dumps)
            except Exception as error:  # noqa: BLE001  # whatever a peer does, the others go on
                answer = {"error": type(error).__name__}
        else:
            begin = time.process_time()
            for _ in range(command["calls"]):
                run()
            answer = {"seconds": time.process_time() - begin}
        answers.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
