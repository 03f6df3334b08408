"""Run the agents of the Vercel AI SDK in front of every provider, and look at what the providers were asked.

python tests/serve/vercel/run.py      in this folder `npm ci` has run
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from support.agents import ENCODED, LAST_WORD, QUESTION, SYSTEM, TenTurns  # noqa: E402
from support.scripted import scripted  # noqa: E402
from support.serving import SERVED, serving  # noqa: E402

CLIENTS: Final = ("openai_chat", "openai_responses", "claude", "gemini", "vllm")


def main() -> int:
    """Run them all, and return 0 where both sides found nothing."""
    scripts: dict[str, TenTurns] = {}
    pairs: list[tuple[str, str, str]] = []
    with ExitStack() as stack:
        for client in CLIENTS:
            for provider in SERVED:
                if client != provider:
                    scripts[f"{client} from {provider}"] = script = TenTurns()
                    there = stack.enter_context(scripted(provider, script))
                    pairs.append((client, provider, stack.enter_context(serving(client, provider, there.url))))
        told = {"pairs": pairs, "question": QUESTION, "system": SYSTEM, "picture": ENCODED, "lastWord": LAST_WORD}
        variables = {**os.environ, "INTERLINGUA_CLIENTS": json.dumps(told)}
        node = shutil.which("node") or "node"
        done = subprocess.run([node, "--test", "agents.test.mjs"], cwd=HERE, env=variables, check=False)
    faults = {name: script.faults for name, script in scripts.items() if script.faults}
    found = json.dumps(faults, indent=1) if faults else f"{len(scripts)} pairs: nothing was told otherwise"
    sys.stdout.write(f"{found}\n")
    return done.returncode or bool(faults)


if __name__ == "__main__":
    sys.exit(main())
