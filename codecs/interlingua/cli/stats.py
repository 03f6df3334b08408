"""`interlingua stats`: statistics about recorded traffic and stored messages."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final

import interlingua as il
from interlingua.cli.contents import Content, contents
from interlingua.cli.loss_counts import Tally
from interlingua.cli.options import LARGEST, AsJson, Dialect, Files, MaxBytes, dialect_option
from interlingua.cli.run import running
from interlingua.cli.speakers import AUTO, source_of_option, speaker_of
from interlingua.cli.writing import printable
from interlingua.errors import UnsupportedError
from interlingua.report import starred

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from interlingua.cli.run import Run
    from interlingua.cli.writing import LossLike
    from interlingua.loss import Loss
    from interlingua.violation import Violation

__all__ = ["stats"]

# Names of models and tools, and paths, are arbitrary: beyond this many, further ones are only counted in total.
_MOST_NAMES: Final = 1000
_OTHERS: Final = "(others)"
# The text output has only the most frequent ones; --json has all.
_SHOWN: Final = 10


@dataclass(slots=True)
class _Tool:
    """How often a tool was offered, and how often it was called."""

    offered: int = 0
    called: int = 0


@dataclass(slots=True)
class _Stats:
    """All counts of a run."""

    files: set[str] = field(default_factory=set[str])
    kinds: Counter[str] = field(default_factory=Counter[str])
    dialects: Counter[str] = field(default_factory=Counter[str])
    models: Counter[str] = field(default_factory=Counter[str])
    tools: dict[str, _Tool] = field(default_factory=dict[str, _Tool])
    tokens: Counter[str] = field(default_factory=Counter[str])
    refused: int = 0
    violations: Counter[tuple[str, str, str]] = field(default_factory=Counter[tuple[str, str, str]])
    details: dict[tuple[str, str, str], str] = field(default_factory=dict[tuple[str, str, str], str])
    translated: int = 0
    losses: Tally = field(default_factory=Tally)

    def add(self, file: str, found: Content) -> None:
        """Count one item."""
        self.files.add(file)
        self.kinds[found.kind] += 1
        if found.dialect:
            self.dialects[found.dialect] += 1
        for value in found.value.get("messages", [found.value]) if found.kind == "message" else [found.value]:
            self._add_value(value)

    def _add_value(self, value: Mapping[str, Any]) -> None:
        told = value.get("answer") or value  # a stored message holds the data of its response in `answer`
        model = told.get("model")
        if type(model) is str:
            _count(self.models, model)
        usage: dict[str, Any] | None = told.get("usage")
        if usage is not None:
            self.tokens["answers"] += 1
            for name in ("input", "output"):
                self.tokens[name] += usage.get(f"{name}_tokens") or 0
        for tool in value.get("tools", ()):
            self._tool(tool.get("name") or tool.get("type")).offered += 1
        for call in _calls(value):
            self._tool(call.get("name")).called += 1

    def _tool(self, name: Any) -> _Tool:
        word = name if type(name) is str else "?"
        if word not in self.tools and len(self.tools) >= _MOST_NAMES:
            word = _OTHERS
        return self.tools.setdefault(word, _Tool())

    def refuse(self, dialect: str, violations: Sequence[Violation]) -> None:
        """Count the violations of a request."""
        self.refused += bool(violations)
        for one in violations:
            kind = (dialect, one.code, starred(one.path))
            if kind in self.violations or len(self.violations) < _MOST_NAMES:
                self.violations[kind] += 1
                self.details.setdefault(kind, one.detail)


def stats(
    files: Files,
    *,
    dialect: Dialect = AUTO,
    target: Annotated[
        str | None, dialect_option("Also report what a translation into this dialect would lose.", "--to")
    ] = None,
    as_json: AsJson = False,
    max_bytes: MaxBytes = LARGEST,
) -> None:
    """Count what is in files: dialects, kinds, models, tools, tokens, what providers would refuse, losses.

    FILE holds one JSON document, one document per line (JSON Lines), or a recorded stream; all files are counted
    together. The kind of each is detected. Calls in the history of a request count, too. With --json the complete
    counts are one line of JSON.
    """
    source_of_option(dialect)
    if target is not None:
        speaker_of(target, "--to")
    with running(files, max_bytes=max_bytes, as_json=as_json, options=("--from",)) as run:
        counted = _Stats()
        for found in contents(run, dialect):
            counted.add(run.name, found)
            _judge(run, counted, found)
            if target is not None and found.dialect:
                _translate(run, counted, found, target)
        if as_json:
            run.write(1, _members(counted, target, run.outcome.failures))
        else:
            for line in _lines(counted, target, run.outcome.failures):
                run.write_text(line)


def _judge(run: Run, counted: _Stats, found: Content) -> None:
    """Count the violations of a request by the rules of its own provider."""
    if found.kind == "request":
        violations = run.attempt(found.line, _violations, found)
        counted.refuse(found.dialect, violations or ())


def _violations(found: Content) -> list[Violation]:
    try:
        return il.check_request(found.body, il.dialect(found.dialect))
    except UnsupportedError:  # a third-party room may have no rules
        return []


def _translate(run: Run, counted: _Stats, found: Content, target: str) -> None:
    """Count the losses of a translation to the target."""
    losses: Sequence[LossLike] | None = run.attempt(found.line, lambda one: _losses(one, target), found)
    if losses is not None:
        counted.translated += 1
        counted.losses.add(run.name, found.line, losses)


def _losses(found: Content, target: str) -> tuple[Loss, ...]:
    """Return the losses of a translation. Raises the errors of the translating function."""
    source, into = il.dialect(found.dialect), il.dialect(target)
    if found.kind == "stream":
        stream = il.translate_stream(found.body, source, into)
        for _ in stream:
            pass
        return stream.losses
    if found.kind == "error":
        return il.translate_error(found.body, source, into).losses
    translate = il.translate_request if found.kind == "request" else il.translate_response
    return translate(found.body, source, into).losses


def _calls(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the tool calls in a request, a response or a stored message."""
    for answer in (value, *value.get("alternatives", ())):
        for message in answer.get("messages", ()):
            yield from message.get("tool_calls") or ()
    if value.get("type") == "tool_request":
        yield from (one["call"] for one in value["data"]["calls"])


def _count(counter: Counter[str], name: str) -> None:
    counter[name if name in counter or len(counter) < _MOST_NAMES else _OTHERS] += 1


def _members(counted: _Stats, target: str | None, failures: int) -> dict[str, Any]:
    """Return all counts as JSON."""
    members: dict[str, Any] = {
        "files": len(counted.files),
        "unreadable": failures,
        "kinds": dict(counted.kinds.most_common()),
        "dialects": dict(counted.dialects.most_common()),
        "models": dict(counted.models.most_common()),
        "tools": {name: {"offered": tool.offered, "called": tool.called} for name, tool in _tools(counted)},
        "tokens": {name: counted.tokens[name] for name in ("answers", "input", "output")},
        "refused": counted.refused,
        "violations": [
            {"dialect": kind[0], "code": kind[1], "path": kind[2], "count": count, "detail": counted.details[kind]}
            for kind, count in counted.violations.most_common()
        ],
    }
    if target is not None:
        kinds = [
            {name: getattr(kind, name) for name in ("concern", "severity", "code", "path", "count", "detail")}
            for kind in counted.losses.kinds()
        ]
        members["losses"] = {
            "to": target,
            "bodies": counted.translated,
            "bodies_with_losses": counted.losses.bodies,
            "kinds": kinds,
        }
    return members


def _tools(counted: _Stats) -> list[tuple[str, _Tool]]:
    """Return the tools, the most often called first."""
    return sorted(counted.tools.items(), key=lambda item: (-item[1].called, -item[1].offered))


def _lines(counted: _Stats, target: str | None, failures: int) -> Iterator[str]:
    """Yield the counts as lines of text."""
    unread = f", {failures:,} unreadable" if failures else ""
    yield f"files       {len(counted.files):,}, with {counted.kinds.total():,} documents{unread}"
    yield from _listed("kinds", [(name, f"{count:,}") for name, count in counted.kinds.most_common()])
    yield from _listed("dialects", [(name, f"{count:,}") for name, count in counted.dialects.most_common()])
    yield from _listed("models", [(name, f"{count:,}") for name, count in counted.models.most_common()])
    used = [(name, f"offered {tool.offered:,}, called {tool.called:,}") for name, tool in _tools(counted)]
    yield from _listed("tools", used)
    if counted.tokens["answers"]:
        told = f"in {counted.tokens['answers']:,} answers with usage"
        yield f"tokens      {counted.tokens['input']:,} in, {counted.tokens['output']:,} out, {told}"
    if counted.kinds["request"]:
        yield f"violations  {counted.refused:,} of {counted.kinds['request']:,} requests would be refused"
        for kind, count in counted.violations.most_common(_SHOWN):
            dialect, code, path = kind
            yield printable(f"  {count:,} times {dialect} {path or 'the top'}: {code}: {counted.details[kind]}")
        yield from _more(len(counted.violations))
    if target is not None:
        yield f"losses      {counted.losses.bodies:,} of {counted.translated:,} bodies would lose something in {target}"
        for one in counted.losses.kinds()[:_SHOWN]:
            place = f"{one.severity} {one.path or 'the top'}"
            yield printable(f"  {one.count:,} times {one.concern}: {place}: {one.code}: {one.detail}")
        yield from _more(len(counted.losses.kinds()))


def _listed(title: str, rows: list[tuple[str, str]]) -> Iterator[str]:
    """Yield a title with its rows, the first one on the same line."""
    for at, (name, said) in enumerate(rows[:_SHOWN]):
        yield f"{'' if at else title:<12}{printable(name)}: {said}"
    yield from _more(len(rows))


def _more(count: int) -> Iterator[str]:
    """Yield a line with the number of rows that are not shown, if any."""
    if count > _SHOWN:
        yield f"  and {count - _SHOWN:,} more: --json has all"
