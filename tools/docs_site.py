"""The order of the site's pages, and the tables of contents that the theme needs on the pages of each section.

`NAV` is the only list of pages. A page in `docs/` that is not listed causes a warning of Sphinx, hence an error. The
list is read by `docs/conf.py`; pages are plain Markdown, so that they can be read in a clone, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import docs_api


def _versions() -> tuple[str, ...]:
    """Return the page of each version of the schema, newest first."""
    found = (Path(__file__).resolve().parents[1] / "docs" / "schema").glob("v*.md")
    return tuple(f"schema/v{number}" for number in sorted((int(path.stem[1:]) for path in found), reverse=True))


NAV: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "index": {
        "": ("start/index", "how-to/index", "reference/index", "explanation/index", "contributing/index"),
    },
    "start/index": {
        "First steps": ("start/install", "start/quickstart", "start/tutorial"),
    },
    "how-to/index": {
        "Do a task": (
            "serve",
            "how-to/move-a-history",
            "how-to/proxy",
            "how-to/fastapi",
            "how-to/notebook",
            "how-to/errors-and-retries",
            "how-to/approve-tools",
            "how-to/audio-and-pdf",
            "how-to/old-histories",
            "adding-a-dialect",
            "how-to/edit-the-schema",
            "other-languages",
        ),
        "Translate": ("streams", "exchange", "judging", "repair", "detection", "settings", "schemas", "families"),
        "Keep a conversation": ("chat", "transcript", "sessions", "validation", "context"),
        "Tools, files and images": ("tools", "tools_execution", "files", "images", "mcp", "agent"),
    },
    "reference/index": {
        "Python": tuple(f"{docs_api.FOLDER}/{topic.slug}" for topic in docs_api.TOPICS),
        "Command line": ("cli", "reference/commands", "bad_input"),
        "Format": (*_versions(), "migrations"),
        "Dialects": (
            "dialects/openai_chat",
            "dialects/openai_responses",
            "dialects/claude",
            "dialects/gemini",
            "dialects/ollama",
            "dialects/vllm",
            "dialects/bedrock_converse",
        ),
        "Errors": ("errors", "provider_errors", "reference/details"),
        "Vectors": ("vectors",),
    },
    "explanation/index": {
        "Ideas": ("explanation/ideas", "laws", "losses", "benchmark", "design"),
        "Decisions": (
            "decisions/0001-two-packages-one-distribution",
            "decisions/0002-how-rooms-spell",
            "decisions/0003-frames-of-our-own",
            "decisions/0004-how-streams-are-kept",
            "decisions/0005-a-call-runs-once",
            "decisions/0006-compiled-wheels",
            "decisions/0007-where-reasoning-is-written",
            "decisions/0008-the-site-is-built-by-sphinx",
            "decisions/0009-what-records-hold",
            "decisions/0010-server-tools",
            "decisions/0011-version-3-before-its-seal",
            "decisions/0012-version-3-is-sealed",
        ),
    },
    "contributing/index": {
        "Evidence": ("pain", "requirements"),
        "Facts about the wire": (
            "wire/index",
            "wire/openai_chat",
            "wire/openai_responses",
            "wire/claude",
            "wire/gemini",
            "wire/ollama",
            "wire/vllm",
            "wire/bedrock_converse",
        ),
        "Releases": ("publishing",),
    },
}
"""The pages below each page: the caption, then the pages in order, as paths in `docs/` without the extension."""


def contents(page: str) -> str:
    """Return the tables of contents of a page in MyST's form, hidden in the text; "" for a page without any."""
    lines = [line for caption, pages in NAV.get(page, {}).items() for line in _contents(caption, pages)]
    return "\n".join(["", "", *lines]) if lines else ""


def _contents(caption: str, pages: tuple[str, ...]) -> Iterator[str]:
    yield "```{toctree}"
    yield ":hidden:"
    if caption:
        yield f":caption: {caption}"
    yield ""
    yield from (f"/{page}" for page in pages)
    yield "```"
    yield ""
