"""The transcript: what happened, message by message, as it is stored and loaded."""

from interlingua.transcript.dump import dump_message, dump_message_json
from interlingua.transcript.load import Loaded, Skipped, load_message, load_messages

__all__ = ["Loaded", "Skipped", "dump_message", "dump_message_json", "load_message", "load_messages"]
