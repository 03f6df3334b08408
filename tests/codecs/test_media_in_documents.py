"""Models that see no pictures are sent none, also where a document holds them."""

from __future__ import annotations

import interlingua as il


def test_images_inside_documents_are_left_out_for_models_without_image_input() -> None:
    picture = {"type": "image", "format": "image/png", "data": "iVBORw0KGgo="}
    said = {"type": "text", "text": "A page."}
    parts = [picture, {"type": "file", "content": [picture, said, picture]}, {"type": "text", "text": "What is it?"}]
    request = {"model": "llama3.2", "messages": [{"role": "user", "content": parts}], "stream": False}
    encoded = il.encode_request(request, "ollama")
    assert encoded.body["messages"] == [{"role": "user", "content": "A page.\n\nWhat is it?"}]
    assert il.check_request(encoded.body, "ollama") == []
    lost = [loss.path for loss in encoded.losses if loss.severity == "lost"]
    assert sorted(lost) == [f"/messages/0/content/{at}" for at in ("0", "1/content/0", "1/content/2")]
