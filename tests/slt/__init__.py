"""The runner of scenario files (.slt): docs/testing.md describes the records, `python -m tests.slt` runs files."""
