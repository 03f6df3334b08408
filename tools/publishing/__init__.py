"""What is published: archives whose bytes are the same each time, checksums, and what is inside."""
