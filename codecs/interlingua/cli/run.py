"""One run of a command over its inputs: what it reads, writes and reports, and the exit code that comes of it."""

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
    """How a run goes. `code` is the exit code so far: of several failures the highest counts."""

    def __init__(self, report: Reporter) -> None:
        self.code = ExitCode.FINE
        self.failures = 0
        self.report = report

    def fail(self, code: ExitCode, finding: str = "", file: str = "", line: int | None = None) -> None:
        """Remember that the run has failed, and tell the finding."""
        self.code = max(self.code, code)
        self.failures += 1
        if finding:
            self.report.say(finding, file, line)


@dataclass(slots=True)
class Run:
    """What a command works with: inputs and documents in, lines and losses out, and an outcome.

    `name` is that of the input that is being read: what is told of a line is told of a line of it. `options` are those
    of the command, which advice may name.
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
        """Yield the inputs, open, one after the other; what cannot be read is told, and the others go on.

        Raises:
            FileError: the file that takes the losses cannot be written.
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
        """Yield the JSON values of all inputs; what cannot be read is told, and the others go on."""
        for source in self.inputs():
            yield from self.documents_of(source)

    def documents_of(self, source: Input) -> Iterator[Document]:
        """Yield the JSON values of an input; what cannot be read is told, and the others go on."""
        for item in self.items_of(source):
            if isinstance(item, Document):
                yield item
            else:
                self.unreadable(item.line, item.reason)

    def items_of(self, source: Input) -> Iterator[Document | Unreadable]:
        """Yield what an input holds, readable or not."""
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
        """Yield the bytes of an input as they come."""
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
        """Return what `work` makes of a value, or None where it fails: that is told, and the others go on."""
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
        """Tell that a line gives nothing, and what to do about it."""
        told = "; ".join(one for one in (reason, advice or of_reason(reason, self.options)) if one)
        self.outcome.fail(ExitCode.UNREADABLE, told, self.name, line)

    def remark(self, line: int, kind: str, text: str) -> None:
        """Tell what is no failure, the first time that there is such a thing in an input."""
        if self.is_quiet or (self.name, kind) in self._remarked:
            return
        self._remarked.add((self.name, kind))
        self.outcome.report.say(text, self.name, line)

    def write(self, line: int, value: Any) -> None:
        """Write what became of the document on this line as a line of JSON."""
        data = self.attempt(line, compact, value)
        if data is not None:
            self.writer.line(data)

    def write_bytes(self, data: bytes) -> None:
        """Write bytes as they are."""
        self.writer.raw(data)

    def write_text(self, text: str) -> None:
        """Write a line of text."""
        self.writer.line(text.encode())

    def losses(self, line: int, losses: Sequence[LossLike]) -> None:
        """Tell what did not come along of the document on this line."""
        if self._loss_file is not None:
            self._loss_file.add(self.name, line, losses)
        if losses and not self.is_quiet:
            self.outcome.report.losses(self.name, line, losses)

    def listed(self) -> list[str]:
        """Return the files that are named, and those of folders that are; a folder that holds none is told once."""
        if self._listed is None:
            self._listed = []
            for path in self.paths:
                try:
                    self._listed += files_in(path)
                except FileError as error:
                    self.outcome.fail(ExitCode.USAGE, str(error))
        return self._listed

    def _broken(self, error: OSError) -> None:
        """Tell that an input cannot be read on; the others go on."""
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
    """Give a command what it works with, and end the program with the exit code that comes of it.

    Nothing that the input or the machine does becomes a traceback. A reader of standard output that stops early
    (`head`) ends the run quietly, with the code so far. `options` are those that say what the input is: what to do next
    is said with them.

    Raises:
        typer.BadParameter: standard input is named twice.
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
    """Return where an error came from, without its text, which may hold content."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"internal error, please report it: {type(error).__name__} in {Path(place.filename).name}:{place.lineno}"
