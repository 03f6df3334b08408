"""Approval policies: the protocol, and some ready-made policies, which are plain data.

A policy takes one call and returns an approval, or None if a person must decide. Names are compared exactly: another
case, a space or a look-alike letter makes another tool.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from interlingua.argument_checks import check_function, check_kind_of, check_method, check_several, string_tuple
from interlingua.model import Approval, ToolCall

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable


__all__ = ["AllowTools", "ApprovalPolicy", "AskAlways", "DecideBy", "DenyTools", "FirstDecision"]


class ApprovalPolicy(Protocol):
    """Decides calls automatically, or leaves them to a person.

    Example:
        >>> class OnlyRome:
        ...     def decide(self, call):
        ...         if call.arguments == {"city": "Rome"}:
        ...             return il.Approval(status="approved", decided_by="policy")
        ...         return None
        >>> request = il.messages.tool_request(il.ToolCall.create("weather", {"city": "Rome"}, "call_1"))
        >>> il.tools.apply_policy(request, OnlyRome()).data.calls[0].approval.status
        'approved'
    """

    def decide(self, call: ToolCall) -> Approval | None:
        """Return the decision on a call, or None if a person must decide."""
        ...


@dataclass(frozen=True, slots=True)
class AllowTools:
    """Approves every call of the named tools, whatever its arguments, and leaves the others to a person.

    Raises:
        InvalidArgumentError: `names` is a string instead of a collection of names.

    Example:
        >>> request = il.messages.tool_request(il.ToolCall.create("weather", {"city": "Rome"}, "call_1"))
        >>> decided = il.tools.apply_policy(request, il.tools.AllowTools({"weather"}))
        >>> decided.data.calls[0].approval.status
        'approved'
    """

    names: frozenset[str]
    decided_by: str = "policy"
    reason: str = "The tool is on the list of allowed ones."

    if TYPE_CHECKING:

        def __init__(self, names: Collection[str], decided_by: str = ..., reason: str = ...) -> None: ...

    def __post_init__(self) -> None:
        _keep_names(self, self.names)

    def decide(self, call: ToolCall) -> Approval | None:
        """Return the decision on a call, or None if a person must decide."""
        if _name_of(call) not in self.names:
            return None
        return Approval(status="approved", decided_by=self.decided_by, reason=self.reason)


@dataclass(frozen=True, slots=True)
class DenyTools:
    """Denies every call of the named tools, and leaves the others to a person.

    Raises:
        InvalidArgumentError: `names` is a string instead of a collection of names.

    Example:
        >>> policy = il.tools.DenyTools({"delete"})
        >>> policy.decide(il.ToolCall.create("delete", {"path": "/"}, "call_1")).status
        'denied'
    """

    names: frozenset[str]
    decided_by: str = "policy"
    reason: str = "The tool is on the list of denied ones."

    if TYPE_CHECKING:

        def __init__(self, names: Collection[str], decided_by: str = ..., reason: str = ...) -> None: ...

    def __post_init__(self) -> None:
        _keep_names(self, self.names)

    def decide(self, call: ToolCall) -> Approval | None:
        """Return the decision on a call, or None if a person must decide."""
        if _name_of(call) not in self.names:
            return None
        return Approval(status="denied", decided_by=self.decided_by, reason=self.reason)


@dataclass(frozen=True, slots=True)
class AskAlways:
    """Leaves every call to a person.

    Example:
        >>> call = il.ToolCall.create("weather", {"city": "Rome"}, "call_1")
        >>> il.tools.AskAlways().decide(call) is None
        True
    """

    def decide(self, call: ToolCall) -> Approval | None:  # noqa: ARG002  # the policy ignores the call
        """Return None: a person must decide."""
        return None


@dataclass(frozen=True, slots=True)
class DecideBy:
    """Decides by a function: True approves, False denies, None leaves the call to a person.

    Example:
        >>> policy = il.tools.DecideBy(lambda call: call.name.startswith("read_") or None)
        >>> policy.decide(il.ToolCall.create("read_file", {}, "call_1")).status
        'approved'
    """

    function: Callable[[ToolCall], bool | None]
    decided_by: str = "policy"
    reason: str | None = None

    def __post_init__(self) -> None:
        check_function(self.function, "function")

    def decide(self, call: ToolCall) -> Approval | None:
        """Return the decision on a call, or None if a person must decide."""
        answer = self.function(call)
        if answer is None:
            return None
        # Only True itself approves: another truthy value, such as the string "no", is a bug of the function.
        return Approval(
            status="approved" if answer is True else "denied", decided_by=self.decided_by, reason=self.reason
        )


@dataclass(frozen=True, slots=True)
class FirstDecision:
    """Asks policies in order and returns the first decision. Put strict policies first.

    Example:
        >>> strict, lenient = il.tools.DenyTools({"delete"}), il.tools.AllowTools({"read"})
        >>> policy = il.tools.FirstDecision([strict, lenient])
        >>> policy.decide(il.ToolCall.create("read", {}, "call_1")).status
        'approved'
    """

    policies: tuple[ApprovalPolicy, ...]

    if TYPE_CHECKING:

        def __init__(self, policies: Iterable[ApprovalPolicy]) -> None: ...

    def __post_init__(self) -> None:
        policies = tuple(check_several(self.policies, "policies"))
        for policy in policies:
            check_method(policy, "a policy", "decide")
        object.__setattr__(self, "policies", policies)

    def decide(self, call: ToolCall) -> Approval | None:
        """Return the decision on a call, or None if a person must decide."""
        decisions = (policy.decide(call) for policy in self.policies)
        return next((one for one in decisions if one is not None and one.status != "pending"), None)


def _name_of(call: ToolCall) -> str:
    """Return the tool name of a call.

    Raises:
        TypeError: it is not a call.
    """
    check_kind_of(call, ToolCall)
    return call.name


def _keep_names(policy: AllowTools | DenyTools, names: Iterable[str]) -> None:
    """Store the names as a set; a string is refused, since `in` would match any substring and approve other tools."""
    object.__setattr__(policy, "names", frozenset(string_tuple(names, "names")))
