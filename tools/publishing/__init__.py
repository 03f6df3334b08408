"""Parts of `publish.py`: reproducible archives, checksums, and the bill of materials."""
