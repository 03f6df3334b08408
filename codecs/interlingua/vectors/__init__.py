"""Translation test vectors, and a grader for HTTP proxies.

A vector is a request, response, stream or error of one dialect with its translation to another. They are
language-neutral data: docs/vectors.md describes the files. `python -m interlingua.vectors` grades an HTTP proxy.
"""

from __future__ import annotations

from interlingua.vectors.files import FOLDER, KINDS, Given, Kind, Vector, pairs, read_given, read_vectors
from interlingua.vectors.grading import Grade, Summary, grade, summary
from interlingua.vectors.making import expected
from interlingua.vectors.verdicts import Judgement, Verdict, judge

__all__ = [
    "FOLDER",
    "KINDS",
    "Given",
    "Grade",
    "Judgement",
    "Kind",
    "Summary",
    "Vector",
    "Verdict",
    "expected",
    "grade",
    "judge",
    "pairs",
    "read_given",
    "read_vectors",
    "summary",
]
