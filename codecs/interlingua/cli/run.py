"""One run of a command: its inputs, outputs and reports, and the resulting exit code."""

from __future__ import annotations

import traceback
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import typer

from interlingua.cli.advice import of_error, of_reason
from interlingua.cli.exit_codes import ExitCode
from interlingua.cli.files import STANDARD_INPUT, FileError, files_in, open_input, open_losses, size_of
from interlingua.cli.reading import Document, Reader
from interlingua.cli.reporting import reporter
from interlingua.cli.writing import Writer, printable
from interlingua.errors import InterlinguaError, LossError
from interlingua.strict_json import MAX_BYTES, compact

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterator, Sequence

    from interlingua.cli.files import Input
    from interlingua.cli.loss_file import LossFile
    from interlingua.cli.reading import Unreadable
    from interlingua.cli.reporting import Reporter
    from interlingua.cli.writing import LossLike

__all__ = ["Outcome", "Run", "running"]

_CHUNK: Final = 64 * 1024
Value = TypeVar("Value")
Result = TypeVar("Result")


class Outcome:
    """The result of a run so far. If several failures occur, `code` is the highest exit code."""

    def __init__(self, report: Reporter) -> None:
        self.code = ExitCode.FINE
        self.failures = 0
        self.report = report

    def fail(self, code: ExitCode, finding: str = "", file: str = "", line: int | None = None) -> None:
        """Record a failure, and report the finding."""
        self.code = max(self.code, code)
        self.failures += 1
        if finding:
            self.report.say(finding, file, line)


@dataclass(slots=True)
class Run:
    """The environment of a command: inputs and documents in, lines and losses out, and an outcome.

    `name` is the name of the current input, to which reported lines refer. `options` are the options of the command
    that advice may name.
    """

    paths: Sequence[str]
    outcome: Outcome
    writer: Writer
    files: ExitStack
    max_bytes: int = MAX_BYTES
    losses_path: str | None = None
    is_quiet: bool = False
    name: str = ""
    options: Collection[str] = ()
    _advance: Callable[[str, int], None] = field(default=lambda _file, _done: None)
    _loss_file: LossFile | None = None
    _done: int = 0
    _listed: list[str] | None = None
    _remarked: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    def inputs(self) -> Iterator[Input]:
        """Yield the inputs, opened one after the other; those that cannot be read are reported and skipped.

        Raises:
            FileError: the file for losses cannot be written.
        """
        paths = self.listed()
        self._advance = self.files.enter_context(self.outcome.report.progress(size_of(paths)))
        for path in paths:
            with ExitStack() as files:
                try:
                    source = open_input(path, files)
                except FileError as error:
                    self.outcome.fail(ExitCode.USAGE, str(error))
                    continue
                if self.losses_path is not None and self._loss_file is None:
                    self._loss_file = open_losses(self.losses_path, paths, self.files)
                self.name = source.name
                self.writer.eager = source.size is None
                yield source
                self._done += source.size or 0

    def documents(self) -> Iterator[Document]:
        """Yield the JSON values of all inputs; what cannot be read is reported and skipped."""
        for source in self.inputs():
            yield from self.documents_of(source)

    def documents_of(self, source: Input) -> Iterator[Document]:
        """Yield the JSON values of an input; what cannot be read is reported and skipped."""
        for item in self.items_of(source):
            if isinstance(item, Document):
                yield item
            else:
                self.unreadable(item.line, item.reason)

    def items_of(self, source: Input) -> Iterator[Document | Unreadable]:
        """Yield the items of an input, readable or not."""
        reader = Reader(source.stream, self.max_bytes)
        items = reader.documents()
        while True:
            try:
                item = next(items, None)
            except OSError as error:
                self._broken(error)
                return
            if item is None:
                return
            yield item
            self._advance(self.name, self._done + reader.position)

    def chunks_of(self, source: Input) -> Iterator[bytes]:
        """Yield the bytes of an input as they arrive."""
        done = self._done
        while True:
            try:
                chunk = source.stream.read1(_CHUNK)
            except OSError as error:
                self._broken(error)
                return
            if not chunk:
                return
            yield chunk
            done += len(chunk)
            self._advance(self.name, done)

    def attempt(self, line: int, work: Callable[[Value], Result], value: Value) -> Result | None:
        """Return the result of `work`, or None after reporting its error."""
        try:
            return work(value)
        except LossError as error:
            self.outcome.fail(ExitCode.REFUSED, f"{error}; {of_error(error, self.options)}", self.name, line)
            self.losses(line, error.losses)
        except InterlinguaError as error:
            self.unreadable(line, str(error), of_error(error, self.options))
        except RecursionError:
            self.unreadable(line, "nested too deeply to be read")
        except Exception as error:  # noqa: BLE001  # a mistake of ours must not cost the other lines
            self.unreadable(line, _mistake(error))
        return None

    def unreadable(self, line: int, reason: str, advice: str = "") -> None:
        """Report input that cannot be used, and what to do about it."""
        told = "; ".join(one for one in (reason, advice or of_reason(reason, self.options)) if one)
        self.outcome.fail(ExitCode.UNREADABLE, told, self.name, line)

    def remark(self, line: int, kind: str, text: str) -> None:
        """Report something that is not a failure, once per input and kind."""
        if self.is_quiet or (self.name, kind) in self._remarked:
            return
        self._remarked.add((self.name, kind))
        self.outcome.report.say(text, self.name, line)

    def write(self, line: int, value: Any) -> None:
        """Write the result for the document on this line as a line of JSON."""
        data = self.attempt(line, compact, value)
        if data is not None:
            self.writer.line(data)

    def write_bytes(self, data: bytes) -> None:
        """Write bytes unchanged."""
        self.writer.raw(data)

    def write_text(self, text: str) -> None:
        """Write a line of text."""
        self.writer.line(text.encode())

    def losses(self, line: int, losses: Sequence[LossLike]) -> None:
        """Report the losses of the document on this line."""
        if self._loss_file is not None:
            self._loss_file.add(self.name, line, losses)
        if losses and not self.is_quiet:
            self.outcome.report.losses(self.name, line, losses)

    def listed(self) -> list[str]:
        """Return the files that the paths stand for, including those in folders; errors are reported once."""
        if self._listed is None:
            self._listed = []
            for path in self.paths:
                try:
                    self._listed += files_in(path)
                except FileError as error:
                    self.outcome.fail(ExitCode.USAGE, str(error))
        return self._listed

    def _broken(self, error: OSError) -> None:
        """Report that reading an input failed."""
        reason = error.strerror or "unknown reason"
        self.outcome.fail(ExitCode.USAGE, f"reading failed: {reason}; check the file", self.name)


@contextmanager
def running(
    paths: Sequence[str],
    *,
    max_bytes: int = MAX_BYTES,
    losses: str | None = None,
    quiet: bool = False,
    as_json: bool = False,
    options: Collection[str] = (),
) -> Generator[Run]:
    """Provide the environment of a command, and exit with the resulting exit code at the end.

    No error of the input or the system shows a traceback. If the reader of standard output stops early (`head`), the
    run ends quietly, with the code so far. `options` are the options that describe the input, which advice may name.

    Raises:
        typer.BadParameter: standard input is given twice.
        typer.Exit: always, at the end.
    """
    if list(paths).count(STANDARD_INPUT) > 1:
        raise typer.BadParameter("standard input can be read only once: name - once", param_hint="FILE")
    outcome = Outcome(reporter(as_json=as_json))
    writer: Writer | None = None
    try:
        with ExitStack() as files:
            writer = Writer()
            yield Run(paths, outcome, writer, files, max_bytes, losses, quiet, options=options)
            writer.flush()
    except FileError as error:
        outcome.fail(ExitCode.USAGE, str(error))
    except BrokenPipeError:
        _abandon(writer)
    except OSError as error:
        if error.filename is None:
            _abandon(writer)
        where = "" if error.filename is None else f" the losses to {printable(error.filename)}"
        outcome.fail(ExitCode.USAGE, f"cannot write{where}: {error.strerror}; free some space, or write elsewhere")
    except KeyboardInterrupt:
        outcome.fail(ExitCode.INTERRUPTED)
    with suppress(OSError):
        outcome.report.close()
    raise typer.Exit(outcome.code)


def _abandon(writer: Writer | None) -> None:
    if writer is not None:
        writer.abandon()


def _mistake(error: Exception) -> str:
    """Return where an error was raised, without its message, which may hold content."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"internal error, please report it: {type(error).__name__} in {Path(place.filename).name}:{place.lineno}"
