"""Login packets are read strictly; nothing a client sends can hang or crash the parser."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.auth import Account, authenticate, new_nonce
from server.login import Login, parse_change_user, parse_login
from server.packet import OFFERED
from storage.errors import DorisError

ALL = int(OFFERED)


def response(capabilities: int, body: bytes) -> bytes:
    return capabilities.to_bytes(4, "little") + bytes(4) + b"\x2d" + bytes(23) + body


def test_a_complete_answer() -> None:
    data = response(ALL | 1 << 24, b"ann\0\x03abcshop\0mysql_native_password\0\x05ignored")
    assert parse_login(data) == Login("ann", b"abc", "shop", "mysql_native_password", ALL)


def test_a_short_answer() -> None:
    assert parse_login(response(0x200, b"ann\0\0")) == Login("ann", b"", None, None, 0x200)


def test_the_last_name_may_lack_its_end() -> None:
    assert parse_login(response(ALL, b"ann\0\0\0native")).plugin == "native"


@pytest.mark.parametrize(
    "data", [b"", b"x", response(0x200, b""), response(0, b"ann\0\0"), response(0x200, b"ann\0\x09abc")]
)
def test_garbage_is_a_bad_handshake(data: bytes) -> None:
    with pytest.raises(DorisError) as caught:
        parse_login(data)
    assert caught.value.code == 1043


@given(st.binary(max_size=200), st.sampled_from([0x200, ALL, 0xFFFFFFFF]))
def test_no_bytes_do_anything_else(data: bytes, capabilities: int) -> None:
    for parse in (parse_login, lambda body: parse_login(response(capabilities, body)), _change_user):
        try:
            assert isinstance(parse(data), Login)
        except DorisError as error:
            assert error.code in (1043, 1835)


def _change_user(data: bytes) -> Login:
    return parse_change_user(data, ALL)


def test_a_megabyte_without_a_nul_is_read_at_once() -> None:
    """mysql-mimic's readers look for the NUL for ever."""
    began = time.monotonic()
    login = parse_login(response(0x200, b"u" * (1 << 18) + b"\0\0"))
    assert len(login.user) == 1 << 18 and time.monotonic() - began < 1


def test_change_user() -> None:
    assert parse_change_user(b"ann\0\3abcshop\0\x2d\0plugin\0", ALL) == Login("ann", b"abc", "shop", "plugin", ALL)
    assert parse_change_user(b"ann\0\0\0", ALL) == Login("ann", b"", None, None, ALL)


class OneUser:
    """root without password."""

    def find(self, name: str, host: str) -> Account | None:
        return Account("root") if name == "root" else None


def test_unknown_users_and_wrong_passwords_get_the_same_words() -> None:
    assert authenticate(OneUser(), "root", "h", b"", new_nonce()) == Account("root")
    for name, scramble, used in (("root", b"x" * 20, "YES"), ("ann", b"", "NO"), ("Root", b"", "NO"), ("", b"", "NO")):
        with pytest.raises(DorisError) as caught:
            authenticate(OneUser(), name, "h", scramble, new_nonce())
        assert caught.value.message == f"Access denied for user '{name}@h' (using password: {used})"


def test_nonces_differ_and_hold_no_zero() -> None:
    nonces = {new_nonce() for _ in range(50)}
    assert len(nonces) == 50 and all(len(nonce) == 20 and 0 not in nonce for nonce in nonces)


def test_connection_attributes() -> None:
    """They stand at the end of the answer; what cannot be read is none."""
    plugin = b"ann\0\3abcshop\0mysql_native_password\0"
    told = parse_login(response(ALL, plugin + b"\x0e\x03who\x09scheduler"))
    assert told.attributes == {"who": "scheduler"}
    for garbage in (b"", b"\x05\x03who\x09", b"\xfe\x01", b"\x02\xff\xff"):
        assert parse_login(response(ALL, plugin + garbage)).attributes == {}
