"""Write docs/judging.md: the codes of violations, and the rules of every dialect. `--check` fails where it is old."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import interlingua as il
from interlingua import violation
from interlingua.registry import descriptor

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "judging.md"
_CODE: Final = re.compile(r'^    "(\w+)",  # (.+)$', re.MULTILINE)

_HEAD: Final = """# Judging

`il.check_request(body, dialect)` reports what a provider would refuse in a request, before it is sent: a list of
`Violation`, each with `code`, `path` (a JSON Pointer into the body) and `detail` (a hint, free of content). The list is
empty if no rule is broken. Any JSON object is checked, in time linear in its size; anything else is a
`DecodeError`. [`interlingua check`](cli.md#check) does the same for files.

```python
import interlingua as il

body = {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": ""}]}
for violation in il.check_request(body, "claude"):
    print(violation.code, violation.path, violation.detail)
# empty_text /messages/0/content a text of only white space
```

## Misspelt members

A member with almost the name of a known one (`temprature`, `max_token`, `paramters` of a tool) is a violation with
the code `member` if the provider refuses unknown members: OpenAI, Claude and Gemini do. Ollama and vLLM silently
ignore it, so the setting has no effect; so does Bedrock's service, unless `boto3` refuses it first.
`il.find_misspelt(body, dialect)` finds both, as a list of `Misspelt`:

```python
body = {"model": "qwen3", "messages": [{"role": "user", "content": "Hi"}], "temprature": 0.2}
assert il.check_request(body, "vllm") == []
(found,) = il.find_misspelt(body, "vllm")
assert (found.path, found.meant, found.is_refused) == ("/temprature", ("temperature",), False)
```

On the command line, `interlingua check` and `interlingua translate` report it on standard error, as a remark that
does not affect the exit code. A member that resembles no known one is not reported: providers add members at any
time, and servers have some of their own.

## Versions, models, and what is not checked

Rules of a single API version are checked if `api_version=` names it.

What the model in the body refuses is checked, too, with [the table of its family](families.md); `profile=` names
another family or model, which is needed for Gemini, whose bodies name no model; `profile=None` checks only the
dialect's rules.

What a body alone does not show is not checked: whether the model exists, quotas and keys, whether an image can be
downloaded, how many tokens a prompt has, what the server remembers of an earlier response.

The rules are tested against what providers really did: no recorded request that was answered breaks one. If the
recordings contradict the documentation or a common belief, the rule is left out: Claude accepts a conversation that
begins with the assistant, and text of only white space in an answer that the citations of a server tool split into
parts.

Sections are those of [the page of facts](wire/index.md) of the dialect; ids such as ENC-3 are entries of
[known problems](pain.md); other words in quotation marks are the provider's own.

## Codes

| code | means |
| --- | --- |
"""


def page() -> str:
    """Return the text of the page."""
    source = inspect.getsource(violation).partition("MessageCode = ")[0]  # the codes of messages have a separate page
    lines = [_HEAD + "\n".join(f"| `{code}` | {meaning} |" for code, meaning in _CODE.findall(source))]
    for dialect in il.dialects():
        rules: Any = importlib.import_module(f"interlingua.rooms.{dialect}.rules")
        lines += ["", f"## {dialect}", "", "| rule | says |", "| --- | --- |", *map(_row, rules.RULES)]
        newer = getattr(rules, "NEWEST_RULES", rules.RULES)[len(rules.RULES) :]
        if newer:
            newest = descriptor(dialect).api_versions[0]
            lines += ["", f"Since {newest}, too:", "", "| rule | says |", "| --- | --- |", *map(_row, newer)]
        for version, own in getattr(rules, "VERSION_RULES", {}).items():
            lines += [
                "",
                f'With `api_version="{version}"`, too:',
                "",
                "| rule | says |",
                "| --- | --- |",
                *map(_row, own),
            ]
    return "\n".join(lines) + "\n"


def _row(rule: Callable[[dict[str, Any]], Iterable[Any]]) -> str:
    """Return the row of a rule: its name, and the first paragraph of its docstring."""
    said = " ".join(inspect.cleandoc(rule.__doc__ or "").split("\n\n")[0].split())
    return f"| {rule.__name__.replace('_', ' ')} | {said.replace('|', chr(92) + '|')} |"


def main(arguments: list[str]) -> int:
    """Write or check; return the exit code."""
    if arguments == ["--check"]:
        is_new = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page()
        print("The page about judging is up to date." if is_new else f"Run {Path(__file__).name}.")
        return 0 if is_new else 1
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
