"""Dorisette's public face: the start command, the demo and the pytest fixture.

Only the start command imports the server, and that in a process of its own.
"""

__version__ = "0.1.0"
