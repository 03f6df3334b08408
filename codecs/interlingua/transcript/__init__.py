"""Transcripts: the stored messages of a conversation, loading and dumping them, and conversion to and from chat."""

from interlingua.transcript.change import Change, ChangeKind
from interlingua.transcript.chat_in import from_chat
from interlingua.transcript.chat_out import to_chat
from interlingua.transcript.dump import dump_message, dump_message_json
from interlingua.transcript.load import Loaded, Skipped, load_message, load_messages
from interlingua.transcript.rules import check_message
from interlingua.transcript.running import run_tools, run_tools_async, run_tools_sync
from interlingua.transcript.transcript import Transcript

__all__ = [
    "Change",
    "ChangeKind",
    "Loaded",
    "Skipped",
    "Transcript",
    "check_message",
    "dump_message",
    "dump_message_json",
    "from_chat",
    "load_message",
    "load_messages",
    "run_tools",
    "run_tools_async",
    "run_tools_sync",
    "to_chat",
]
