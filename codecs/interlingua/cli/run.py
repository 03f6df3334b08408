"""One run of a command over one input: what it reads, writes and reports, and the exit code that comes of it."""

from __future__ import annotations

import traceback
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import typer

from interlingua.cli.exit_codes import ExitCode
from interlingua.cli.files import FileError, open_input, open_losses
from interlingua.cli.reading import Document, Reader
from interlingua.cli.reporting import reporter, weighed
from interlingua.cli.writing import Writer
from interlingua.errors import InterlinguaError, LossError
from interlingua.strict_json import MAX_BYTES, compact

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from interlingua.cli.files import Input
    from interlingua.cli.loss_file import LossFile
    from interlingua.cli.reading import Unreadable
    from interlingua.cli.reporting import Reporter
    from interlingua.loss import Loss

__all__ = ["Outcome", "Run", "running"]

_CHUNK: Final = 64 * 1024
Value = TypeVar("Value")
Result = TypeVar("Result")


class Outcome:
    """How a run goes. `code` is the exit code so far: of several failures the highest counts."""

    def __init__(self, report: Reporter) -> None:
        self.code = ExitCode.FINE
        self.report = report

    def fail(self, code: ExitCode, finding: str = "") -> None:
        """Remember that the run has failed, and tell the finding."""
        self.code = max(self.code, code)
        if finding:
            self.report.say(finding)


@dataclass(frozen=True, slots=True)
class Run:
    """What a command works with: documents in, lines and losses out, and an outcome."""

    outcome: Outcome
    source: Input
    reader: Reader
    writer: Writer
    advance: Callable[[int], None]
    loss_file: LossFile | None
    is_quiet: bool

    def documents(self) -> Iterator[Document]:
        """Yield the JSON values of the input; what cannot be read is told, and the others go on.

        Raises:
            FileError: the file cannot be read on.
        """
        for item in self._items():
            if isinstance(item, Document):
                yield item
            else:
                self.unreadable(item.line, item.reason)
            self.advance(self.reader.position)

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes of the input as they come.

        Raises:
            FileError: the file cannot be read on.
        """
        done = 0
        while chunk := self._chunk():
            yield chunk
            done += len(chunk)
            self.advance(done)

    def attempt(self, line: int, work: Callable[[Value], Result], value: Value) -> Result | None:
        """Return what `work` makes of a value, or None where it fails: that is told, and the others go on."""
        try:
            return work(value)
        except FileError:
            raise  # what is read on the way is no business of this value alone
        except LossError as error:
            self.outcome.fail(ExitCode.REFUSED, f"line {line}: {error}")
            self.report(line, error.losses)
        except InterlinguaError as error:
            self.unreadable(line, str(error))
        except RecursionError:
            self.unreadable(line, "nested too deeply")
        except Exception as error:  # noqa: BLE001  # a mistake of ours must not cost the other lines
            self.unreadable(line, _mistake(error))
        return None

    def unreadable(self, line: int, reason: str) -> None:
        """Tell that a line gives nothing."""
        self.outcome.fail(ExitCode.UNREADABLE, f"line {line}: {reason}")

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

    def report(self, line: int, losses: Iterable[Loss]) -> None:
        """Tell what did not come along of a translation, the weightiest first; of many, a line for each kind."""
        self.losses(line, losses, weighed)

    def losses(
        self, line: int, losses: Iterable[Loss], rows: Callable[[tuple[Loss, ...]], Iterable[Loss]] = tuple
    ) -> None:
        """Tell what did not come along of the document on this line; `rows` makes the rows that are shown."""
        noted = tuple(losses)
        if self.loss_file is not None:
            self.loss_file.add(line, noted)
        if not self.is_quiet:
            self.outcome.report.losses(line, rows(noted))

    def _chunk(self) -> bytes:
        try:
            return self.source.stream.read1(_CHUNK)
        except OSError as error:
            raise FileError(f"cannot read {self.source.name}: {error.strerror}") from None

    def _items(self) -> Iterator[Document | Unreadable]:
        try:
            yield from self.reader.documents()
        except OSError as error:
            raise FileError(f"cannot read {self.source.name}: {error.strerror}") from None


@contextmanager
def running(file: str, *, max_bytes: int = MAX_BYTES, losses: str | None = None, quiet: bool = False) -> Generator[Run]:
    """Give a command what it works with, and end the program with the exit code that comes of it.

    Nothing that the input or the machine does becomes a traceback. A reader of standard output that stops early
    (`head`) ends the run quietly, with the code so far.

    Raises:
        typer.Exit: always, at the end.
    """
    outcome = Outcome(reporter())
    writer: Writer | None = None
    try:
        with ExitStack() as files:
            source = open_input(file, files)
            writer = Writer(eager=source.size is None)
            loss_file = None if losses is None else open_losses(losses, source, files)
            advance = files.enter_context(outcome.report.progress(source.size))
            yield Run(outcome, source, Reader(source.stream, max_bytes), writer, advance, loss_file, quiet)
            writer.flush()
    except FileError as error:
        outcome.fail(ExitCode.USAGE, str(error))
    except BrokenPipeError:
        _abandon(writer)
    except OSError as error:
        _abandon(writer)
        outcome.fail(ExitCode.USAGE, f"cannot write: {error.strerror}")
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
