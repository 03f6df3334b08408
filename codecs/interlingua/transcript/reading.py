"""What can be read of a transcript: its messages, branch by branch, and which result answers which call."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any, Final, overload

from interlingua.errors import TranscriptError
from interlingua.model import SystemControlMessage, ToolRequestMessage, ToolResultMessage
from interlingua.transcript.answers import Answers, ResultPlaces
from interlingua.transcript.branch_tree import BranchTree
from interlingua_types._checks import check_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interlingua.model import AnyMessage


class TranscriptReading:
    """The reading half of a transcript. Each method is one step, whatever other threads do."""

    def __init__(self, identifier: str, branch: str, metadata: Mapping[str, Any]) -> None:
        self._lock: Final = RLock()
        self._id: Final = identifier
        self._metadata: Final = dict(metadata)
        self._branch = branch
        self._tree = BranchTree(branch)
        self._answers: dict[str, Answers] = {}
        self._result_places = ResultPlaces()

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy needs: all but the lock, and what can be found anew."""
        with self._lock:
            found_anew = {"_lock", "_answers", "_result_places"}
            state = {name: value for name, value in vars(self).items() if name not in found_anew}
            return {**state, "_metadata": dict(self._metadata), "_tree": self._tree.copy()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Become the copy of a transcript."""
        vars(self).update(state, _lock=RLock())
        self._forget_answers()

    @property
    def id(self) -> str:
        """The identifier of the transcript."""
        return self._id

    @property
    def metadata(self) -> dict[str, Any]:
        """Free-form data of the application. Not to be changed."""
        return self._metadata

    @property
    def branch(self) -> str:
        """The name of the active branch."""
        return self._branch

    @property
    def branches(self) -> tuple[str, ...]:
        """The names of all branches, in the order in which they were made."""
        with self._lock:
            return self._tree.names

    @property
    def messages(self) -> tuple[AnyMessage, ...]:
        """The messages of the active branch, as they are now."""
        with self._lock:
            return self._tree.messages(self._branch)

    @property
    def controls(self) -> tuple[SystemControlMessage, ...]:
        """The audit trail: every control message of every branch, in the order in which they happened."""
        with self._lock:
            return tuple(message for message in self._tree.entries if isinstance(message, SystemControlMessage))

    def __len__(self) -> int:
        """Return how many messages the active branch has."""
        with self._lock:
            return self._tree.length(self._branch)

    def __iter__(self) -> Iterator[AnyMessage]:
        """Iterate over the messages of the active branch as they are now."""
        return iter(self.messages)

    @overload
    def __getitem__(self, index: int) -> AnyMessage: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[AnyMessage, ...]: ...
    def __getitem__(self, index: int | slice) -> AnyMessage | tuple[AnyMessage, ...]:
        """Return a message of the active branch, or several."""
        return self.messages[index]

    def messages_of(self, branch: str) -> tuple[AnyMessage, ...]:
        """Return the messages of any branch, as they are now.

        Raises:
            TranscriptError: there is no such branch.
        """
        with self._lock:
            return self._tree.messages(branch)

    def get(self, message_id: str) -> AnyMessage:
        """Return the message of that id, whichever branch it is on.

        Raises:
            TranscriptError: there is none.
        """
        with self._lock:
            return self._tree.entries[self._place(message_id)]

    def position_of(self, message_id: str, *, branch: str | None = None) -> int | None:
        """Return where on a branch, the active one if none is named, a message stands; None where it does not.

        Raises:
            TranscriptError: there is no such branch.
        """
        with self._lock:
            place = self._tree.place(message_id)
            return self._tree.position(self._branch if branch is None else branch, -1 if place is None else place)

    def result_of(self, call_id: str) -> ToolResultMessage | None:
        """Return the result of a call: of the active branch, else of any other; the last of several."""
        with self._lock:
            places = self._result_places.of(call_id, self._tree.entries)
            here = [place for place in places if self._tree.position(self._branch, place) is not None]
            message = self._tree.entries[(here or places)[-1]] if places else None
        return message if isinstance(message, ToolResultMessage) else None

    def answers(self, branch: str | None = None) -> Mapping[tuple[int, int], int]:
        """Return the position of the result of each answered call on a branch, the active one if none is named.

        A call is given by the position of its message, and its own place in that message.

        Raises:
            TranscriptError: there is no such branch.
        """
        with self._lock:
            return dict(self._answers_of(self._branch if branch is None else branch).results)

    def results_for(self, message_id: str, *, branch: str | None = None) -> dict[int, ToolResultMessage]:
        """Return the results of the calls of a request on a branch, the active one if none is named.

        A call is given by its place in the request. Costs what the request has, however long the transcript is.

        Raises:
            TranscriptError: there is no such branch.
        """
        with self._lock:
            name = self._branch if branch is None else branch
            position = self.position_of(message_id, branch=name)
            request = None if position is None else self._tree.at(name, position)
            if position is None or not isinstance(request, ToolRequestMessage):
                return {}
            results = self._answers_of(name).results
            answered = [order for order in range(len(request.data.calls)) if (position, order) in results]
            found = {order: self._tree.at(name, results[position, order]) for order in answered}
            return {order: result for order, result in found.items() if isinstance(result, ToolResultMessage)}

    def _answers_of(self, branch: str) -> Answers:
        """Return the pairs of a branch, read up to its end. The lock is held."""
        answers = self._answers.setdefault(check_text(branch, "branch", may_be_empty=True), Answers())
        answers.read(self._tree, branch)
        return answers

    def _forget_answers(self) -> None:
        """Find anew which result answers which call, when somebody asks. The lock is held."""
        self._answers = {}
        self._result_places = ResultPlaces()

    def _place(self, message_id: str) -> int:
        place = self._tree.place(message_id)
        if place is None:
            raise TranscriptError("unknown_id", message_id)
        return place
