"""The Chat Completions family: code that `openai_chat` and `vllm` share, configured by a `Vendor` for each room."""
