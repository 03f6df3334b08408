"""Session storage: durable conversations in an SQLite file, and JSONL import and export."""

from interlingua.sessions.jsonl import BadLine, Record, read_jsonl, records, tail_jsonl
from interlingua.sessions.reading import LoadedSession, Page, SessionInfo, SkippedRow
from interlingua.sessions.redactor import CREDENTIALS, SECRET_NAMES, Redactor
from interlingua.sessions.results import Appended, Coverage, Exported, Imported, Problem, Redaction, Saved
from interlingua.sessions.safe_text import restore_text, safe_text
from interlingua.sessions.store import SessionStore

__all__ = [
    "CREDENTIALS",
    "SECRET_NAMES",
    "Appended",
    "BadLine",
    "Coverage",
    "Exported",
    "Imported",
    "LoadedSession",
    "Page",
    "Problem",
    "Record",
    "Redaction",
    "Redactor",
    "Saved",
    "SessionInfo",
    "SessionStore",
    "SkippedRow",
    "read_jsonl",
    "records",
    "restore_text",
    "safe_text",
    "tail_jsonl",
]
