"""Generate the page about migrations: the changes of every version, from their declarations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

MARK: Final = "<!-- Made by `nox -s generate` from schema/. Do not edit. -->"
HEAD: Final = f"""# Migrations

{MARK}

Documents of every sealed version load in the current one. A migration is a list of declared changes, written once in
`schema/v<number>/changes.json` and compiled into a table. `il.load_message` and `il.upgrade` apply it one version at a
time.

```python
import interlingua as il

(message,) = il.load_message({{"role": "user", "content": "Hello"}}, version=1)
assert isinstance(message, il.TextMessage) and message.data.role == "user"

stored = il.upgrade([{{"role": "user", "content": "Hello"}}], version=1).documents
back = il.downgrade(stored, to=1)
assert back.documents == [{{"role": "user", "content": "Hello"}}] and back.losses == ()
```

An upgrade never fails on a document that its own version accepts. A downgrade reports what the older version has no
place for. If a change affects more than one member, the table names a function of `interlingua.migrate`. Roles are
case-insensitive: `"USER"` is `user`. Rows in a provider's format load as well:
[Sessions](sessions.md#rows-in-a-providers-format) explains how they are recognised.
"""


def render(changes: Mapping[int, Sequence[Mapping[str, Any]]]) -> str:
    """Return the page; `changes` has the declared changes of each version relative to the one before."""
    lines = [HEAD]
    for number in sorted(changes):
        lines += [f"## From {number - 1} to {number}", "", *_table(changes[number]), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _table(changes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not changes:
        yield "Nothing but the number."
        return
    yield "| change | place | what changed, and why |"
    yield "| --- | --- | --- |"
    for change in changes:
        to = change.get("to")
        others = [to] if to is not None else change.get("members", ())
        arrow = " ← " if change["op"] == "join_members" else " → "
        place = f"`{change['where']}`" + (arrow + ", ".join(f"`{other}`" for other in others) if others else "")
        description = str(change["description"]).replace("|", "\\|").replace("\n", " ")
        yield f"| `{change['change']}` | {place} | {description} |"
