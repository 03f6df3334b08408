"""A whole agent in one file: tools with approvals, a file, a picture, an MCP resource, two providers, and a store.

    python docs/examples/agent_loop.py FOLDER --provider http://localhost:8000 --mcp docs/examples/mcp_server.py

FOLDER is the workspace; the session is kept there, in `sessions.db`. Kill the program whenever you like and start it
again: it goes on where it was, and no tool runs twice. The first question is answered by a provider that speaks
`openai_chat`, the second by one that speaks `claude`, in one conversation.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mcp import StdioServerParameters

import interlingua as il
from interlingua.context import HeuristicCounter, select
from interlingua.tools import AllowTools, DecideBy, FirstDecision, Tool, ToolExecutor

SESSION: Final = "demo"
BUDGET: Final = 50_000
"""How many tokens of the conversation a model is told."""
PATHS: Final = {"openai_chat": "/v1/chat/completions", "claude": "/v1/messages"}
MODELS: Final[dict[il.Dialect, str]] = {"openai_chat": "gpt-example", "claude": "claude-example"}
MODE_PROMPTS: Final = {"plan": "Plan only: change nothing.", "act": "Carry the plan out."}
PICTURE: Final = "sign.png"


@dataclass(frozen=True)
class Turn:
    """A question, who answers it, and the mode that it is asked in."""

    question: str
    dialect: il.Dialect
    mode: str


TURNS: Final = (
    Turn("How many words does @plan.md have, and what does the sign say?", "openai_chat", "plan"),
    Turn("Now write the answer down.", "claude", "act"),
)


def tools_of(folder: Path) -> list[Tool]:
    """Return the tools of a workspace: one that only reads, and one that writes and so needs an approval."""

    def count_words(path: str) -> int:
        """Count the words of a file.

        Args:
            path: The file, relative to the workspace.
        """
        return len(il.FileResolver(folder).read(path, agent_role="executor").split())

    def write_note(text: str) -> str:
        """Add a line to the notes.

        Args:
            text: The line.
        """
        with (folder / "notes.txt").open("a", encoding="utf-8") as file:
            file.write(text + "\n")
        return "written"

    return [Tool.from_function(count_words, is_concurrency_safe=True), Tool.from_function(write_note)]


def person_decides(call: il.ToolCall) -> bool:
    """Ask the person at the terminal; the arguments are shown escaped, since a model wrote them."""
    wanted = f"{call.name!r} with {json.dumps(call.arguments_object())}"
    print(f"The model wants {wanted}. Allow? [y/N] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() == "y"


class Agent:
    """One conversation, held with any provider. What happened is in the transcript, and the transcript in the store."""

    def __init__(self, folder: Path, provider: str, store: il.SessionStore, resources: il.McpResources) -> None:
        self.provider = provider
        self.store = store
        self.resources = resources
        self.files = il.FileResolver(folder)
        self.images = il.ImageResolver(files=self.files)
        self.tools = tools_of(folder)
        self.executor = ToolExecutor(self.tools)
        self.policy = FirstDecision((AllowTools(frozenset({"count_words"})), DecideBy(person_decides, "person")))
        self.transcript = self.load()

    def load(self) -> il.Transcript:
        """Return the stored conversation, or a new one."""
        if any(info.id == SESSION for info in self.store.sessions()):
            return self.store.load(SESSION).transcript
        data = il.TextData(role=il.MessageRole.SYSTEM, content="You help with files.")
        return il.Transcript([il.TextMessage(data=data)], id=SESSION)

    def save(self, transcript: il.Transcript) -> None:
        """Store what has changed: when this returns, nothing of it can be lost."""
        self.store.save(transcript)

    async def ask(self, turn: Turn) -> None:
        """Add what belongs to a question: the mode, the files that it mentions, a picture, a resource, the words."""
        control = il.ModeChangeControl(old_mode="idle", new_mode=turn.mode)
        messages: list[il.AnyMessage] = [il.SystemControlMessage(data=il.SystemControlData(control=control))]
        if turn is TURNS[0]:
            await self.resources.inject_async(self.transcript, "docs", "docs://style")
            source = il.FilePathImageSource(path=PICTURE)
            picture = il.ImageMessage(data=il.ImageData(source=source, mode="auto"))
            messages.append(self.images.resolve(picture, agent_role="planner"))
        mentions = il.find_mentions(turn.question)
        messages.extend(self.files.resolve(mention, agent_role="planner") for mention in mentions)
        messages.append(il.TextMessage(data=il.TextData(role=il.MessageRole.USER, content=turn.question)))
        self.transcript.extend(messages)
        self.save(self.transcript)

    async def answer(self, turn: Turn) -> str:
        """Let the model answer, and run its tools until it has nothing more to ask for. Return its last words."""
        while True:
            await il.run_tools_async(self.transcript, self.executor, policy=self.policy, save=self.save)
            last = self.transcript[-1]
            if isinstance(last, il.TextMessage) and last.data.role == il.MessageRole.ASSISTANT:
                return last.text
            response = await asyncio.to_thread(self.send, self.request(), turn.dialect)
            self.transcript.extend(il.from_chat(response))
            self.save(self.transcript)

    def request(self) -> il.ChatRequest:
        """Return what the model is told: as much of the conversation as fits."""
        told = select(self.transcript.messages, BUDGET, HeuristicCounter()).messages
        messages = tuple(il.to_chat(told, mode_prompts=MODE_PROMPTS))
        return il.ChatRequest(messages=messages, tools=tuple(tool.definition for tool in self.tools), max_tokens=1000)

    def send(self, request: il.ChatRequest, dialect: il.Dialect) -> il.ChatResponse:
        """Send a request to the provider and return its answer."""
        mended = il.repair_request(request, dialect).request
        encoded = il.encode_request(mended, dialect, model=MODELS[dialect])
        asked = urllib.request.Request(
            self.provider + PATHS[dialect],
            data=json.dumps(encoded.body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(asked, timeout=60) as answered:
            body: dict[str, Any] = json.load(answered)
        return il.restore_names(il.decode_response(body, dialect), encoded.renamed)

    def asked(self) -> int:
        """Return how many questions are in the transcript."""
        said = [message for message in self.transcript if isinstance(message, il.TextMessage)]
        return sum(message.data.role == il.MessageRole.USER for message in said)


async def converse(folder: Path, provider: str, server: Path) -> None:
    """Hold the conversation, or the rest of it."""
    servers = {"docs": StdioServerParameters(command=sys.executable, args=[str(server)])}
    with il.SessionStore(folder / "sessions.db") as store:
        async with il.McpResources(servers) as resources:
            agent = Agent(folder, provider, store, resources)
            for number, turn in enumerate(TURNS, start=1):
                if agent.asked() < number:
                    await agent.ask(turn)
                if agent.asked() == number:
                    print(await agent.answer(turn))


def main() -> None:
    """Read the arguments and begin."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the workspace, with plan.md and sign.png")
    parser.add_argument("--provider", required=True, help="where both dialects are spoken")
    parser.add_argument("--mcp", type=Path, required=True, help="an MCP server with the resource docs://style")
    options = parser.parse_args()
    asyncio.run(converse(options.folder, options.provider.rstrip("/"), options.mcp))


if __name__ == "__main__":
    main()
