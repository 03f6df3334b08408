"""The reading half of a transcript: its messages by branch, and the pairing of results with calls."""

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
    """The reading half of a transcript. Each method is atomic."""

    def __init__(self, identifier: str, branch: str, metadata: Mapping[str, Any]) -> None:
        self._lock: Final = RLock()
        self._id: Final = identifier
        self._metadata: Final = dict(metadata)
        self._branch = branch
        self._tree = BranchTree(branch)
        self._answers: dict[str, Answers] = {}
        self._result_places = ResultPlaces()

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a copy: all but the lock and what can be recomputed."""
        with self._lock:
            found_anew = {"_lock", "_answers", "_result_places"}
            state = {name: value for name, value in vars(self).items() if name not in found_anew}
            return {**state, "_metadata": dict(self._metadata), "_tree": self._tree.copy()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state of a copy."""
        vars(self).update(state, _lock=RLock())
        self._forget_answers()

    @property
    def id(self) -> str:
        """The identifier of the transcript."""
        return self._id

    @property
    def metadata(self) -> dict[str, Any]:
        """Free-form data of the application. Do not modify it: for a stored session use `SessionStore.set_metadata`."""
        return self._metadata

    @property
    def branch(self) -> str:
        """The name of the active branch."""
        return self._branch

    @property
    def branches(self) -> tuple[str, ...]:
        """The names of all branches, in order of creation."""
        with self._lock:
            return self._tree.names

    @property
    def messages(self) -> tuple[AnyMessage, ...]:
        """The current messages of the active branch."""
        with self._lock:
            return self._tree.messages(self._branch)

    @property
    def controls(self) -> tuple[SystemControlMessage, ...]:
        """The audit trail: every control message of every branch, in chronological order."""
        with self._lock:
            return tuple(message for message in self._tree.entries if isinstance(message, SystemControlMessage))

    def __len__(self) -> int:
        """Return the number of messages of the active branch."""
        with self._lock:
            return self._tree.length(self._branch)

    def __iter__(self) -> Iterator[AnyMessage]:
        """Iterate over the current messages of the active branch."""
        return iter(self.messages)

    @overload
    def __getitem__(self, index: int) -> AnyMessage: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[AnyMessage, ...]: ...
    def __getitem__(self, index: int | slice) -> AnyMessage | tuple[AnyMessage, ...]:
        """Return a message of the active branch, or several."""
        return self.messages[index]

    def messages_of(self, branch: str) -> tuple[AnyMessage, ...]:
        """Return the current messages of any branch.

        Raises:
            TranscriptError: there is no such branch.
        """
        with self._lock:
            return self._tree.messages(branch)

    def get(self, message_id: str) -> AnyMessage:
        """Return the message with an id, on any branch.

        Raises:
            TranscriptError: there is none.
        """
        with self._lock:
            return self._tree.entries[self._place(message_id)]

    def position_of(self, message_id: str, *, branch: str | None = None) -> int | None:
        """Return the position of a message on a branch, by default the active one; None if it is not on it.

        Raises:
            TranscriptError: there is no such branch.
        """
        with self._lock:
            place = self._tree.place(message_id)
            return self._tree.position(self._branch if branch is None else branch, -1 if place is None else place)

    def result_of(self, call_id: str) -> ToolResultMessage | None:
        """Return the result of a call: on the active branch, else on any other; the last of several."""
        with self._lock:
            places = self._result_places.of(call_id, self._tree.entries)
            here = [place for place in places if self._tree.position(self._branch, place) is not None]
            message = self._tree.entries[(here or places)[-1]] if places else None
        return message if isinstance(message, ToolResultMessage) else None

    def answers(self, branch: str | None = None) -> Mapping[tuple[int, int], int]:
        """Return the position of the result of each answered call on a branch, by default the active one.

        A call is identified by the position of its message and its index there.

        Raises:
            TranscriptError: there is no such branch.
        """
        with self._lock:
            return dict(self._answers_of(self._branch if branch is None else branch).results)

    def results_for(self, message_id: str, *, branch: str | None = None) -> dict[int, ToolResultMessage]:
        """Return the results of a request's calls on a branch, by default the active one.

        A call is identified by its index in the request. The time depends on the request, not on the length of the
        transcript.

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
        """Return the pairs of a branch, up to date. The lock must be held."""
        answers = self._answers.setdefault(check_text(branch, "branch", may_be_empty=True), Answers())
        answers.read(self._tree, branch)
        return answers

    def _forget_answers(self) -> None:
        """Discard the pairs, to be recomputed on demand. The lock must be held."""
        self._answers = {}
        self._result_places = ResultPlaces()

    def _place(self, message_id: str) -> int:
        place = self._tree.place(message_id)
        if place is None:
            raise TranscriptError("unknown_id", message_id)
        return place
