"""Read the parts of a packet from a client, strictly forward: nothing is read twice, or behind its end."""

from __future__ import annotations

from storage.errors import Kind


class Reader:
    """Reads a packet from front to back; raises `kind` when it ends too early."""

    def __init__(self, data: bytes, kind: Kind) -> None:
        self._data, self._kind, self._at = data, kind, 0

    @property
    def is_at_end(self) -> bool:
        return self._at >= len(self._data)

    def take(self, count: int) -> bytes:
        """The next bytes, exactly `count`."""
        piece = self._data[self._at : self._at + count]
        if len(piece) < count:
            raise self._kind()
        self._at += count
        return piece

    def text(self) -> str:
        """Text up to a NUL, or to the end of the packet."""
        end = self._data.find(b"\0", self._at)
        end = len(self._data) if end < 0 else end
        piece, self._at = self._data[self._at : end], end + 1
        return piece.decode("utf-8", "replace")

    def counted(self, is_length_encoded: bool = False) -> bytes:
        """Bytes behind their length: one byte, or a length-encoded integer."""
        first = self.take(1)[0]
        width = {0xFC: 2, 0xFD: 3, 0xFE: 8}.get(first, 0) if is_length_encoded else 0
        return self.take(int.from_bytes(self.take(width), "little") if width else first)

    def number(self, width: int, signed: bool = False) -> int:
        """An integer of so many bytes."""
        return int.from_bytes(self.take(width), "little", signed=signed)
