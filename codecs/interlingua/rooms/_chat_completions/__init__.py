"""The family of Chat Completions: what `openai_chat` and `vllm` share. A room of the family is one `Vendor` value."""
