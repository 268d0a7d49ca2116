"""The outside of Dorisette: listeners, protocol, sessions, processes. Nothing here knows SQL or storage."""
