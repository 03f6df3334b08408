"""`python -m interlingua.vectors URL --speak D --backend D` grades an HTTP proxy: docs/vectors.md."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from interlingua.errors import InterlinguaError
from interlingua.vectors.addresses import SERVED
from interlingua.vectors.files import FOLDER
from interlingua.vectors.grading import Grade, grade, summary
from interlingua.vectors.upstream import upstream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interlingua.vectors.verdicts import Verdict

_GOOD: Final[tuple[Verdict, ...]] = ("equal", "equivalent")
_BAD: Final[tuple[Verdict, ...]] = ("different", "failed")
_LAST_PORT: Final = 65535


def main(arguments: Sequence[str] | None = None) -> int:
    """Grade a proxy. Return 0 where it does all that is expected, 1 where it does not, 2 where nobody can tell."""
    options = _options(arguments)
    host, port = options.listen
    try:
        with upstream(options.backend, host, port) as provider:
            found = list(grade(options.url, options.speak, provider, folder=options.vectors, timeout=options.timeout))
    except (InterlinguaError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(json.dumps(_as_json(found), indent=2) if options.json else _as_text(found))
    return int(any(one.judgement.verdict in _BAD for one in found))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m interlingua.vectors",
        description="Grade an HTTP proxy between two dialects. This program is the proxy's client and its provider: "
        "configure the proxy to ask the address of --listen.",
    )
    parser.add_argument("url", help="where the proxy listens, such as http://127.0.0.1:8080")
    parser.add_argument("--speak", required=True, choices=SERVED, help="the dialect of its clients")
    parser.add_argument("--backend", required=True, choices=SERVED, help="the dialect of its provider")
    parser.add_argument(
        "--listen",
        type=_address,
        default="127.0.0.1:8765",
        metavar="HOST:PORT",
        help="where the provider is played (default: %(default)s)",
    )
    parser.add_argument("--timeout", type=float, default=30.0, help="seconds to wait for an answer (default: 30)")
    parser.add_argument(
        "--vectors", type=Path, default=FOLDER, help="a folder of vectors (default: those of the package)"
    )
    parser.add_argument("--json", action="store_true", help="print every verdict as JSON")
    return parser.parse_args(arguments)


def _address(text: str) -> tuple[str, int]:
    """Return host and port."""
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit()) or int(port) > _LAST_PORT:
        raise argparse.ArgumentTypeError("expected HOST:PORT, such as 127.0.0.1:8765")
    return host or "127.0.0.1", int(port)


def _as_json(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    return [
        {
            "id": one.vector.given.id,
            "kind": one.vector.given.kind,
            "source": one.vector.source,
            "target": one.vector.target,
            "verdict": one.judgement.verdict,
            "places": list(one.judgement.places),
        }
        for one in grades
    ]


def _as_text(grades: Sequence[Grade]) -> str:
    rows = ["kind       equal  equivalent  different  failed"]
    for kind, counts in summary(grades):
        cells = (
            f"{counts.get(verdict, 0):>{width}}" for verdict, width in zip((*_GOOD, *_BAD), (5, 10, 9, 6), strict=True)
        )
        rows.append(f"{kind:<10} {'  '.join(cells)}")
    for one in grades:
        if one.judgement.verdict in _BAD:
            given = one.vector.given
            where = ", ".join(one.judgement.places[:4]) or given.about
            rows.append(
                f"{one.judgement.verdict}: {one.vector.source} -> {one.vector.target}, {given.kind} {given.id}: {where}"
            )
    good = sum(one.judgement.verdict in _GOOD for one in grades)
    rows.append(f"{good} of {len(grades)} vectors hold")
    return "\n".join(rows)


if __name__ == "__main__":
    sys.exit(main())
