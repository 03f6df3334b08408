"""Context management: token counts, selection of messages under a token budget, and a report of what was left out."""

from __future__ import annotations

from interlingua.context.contents import Costs
from interlingua.context.counter import HeuristicCounter, TokenCounter
from interlingua.context.counting import MessageCounter
from interlingua.context.plan import OMISSION_REASONS, OmissionReason
from interlingua.context.selection import Omission, Selection, Shortening, Summarize, select, window
from interlingua.context.vocabulary import TiktokenCounter, Vocabulary

__all__ = [
    "OMISSION_REASONS",
    "Costs",
    "HeuristicCounter",
    "MessageCounter",
    "Omission",
    "OmissionReason",
    "Selection",
    "Shortening",
    "Summarize",
    "TiktokenCounter",
    "TokenCounter",
    "Vocabulary",
    "select",
    "window",
]
