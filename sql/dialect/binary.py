"""Functions of bytes: in Doris a text may be any bytes, those of DuckDB are UTF-8.

    unhex('E4BDA0')     ->  the text of the bytes, NULL where they are none
    hex(unhex('FF'))    ->  a function that works on bytes gets them as they are
    aes_encrypt(x, k)   ->  refused where the bytes are to be a text and are none

Source: Doris: UNHEX, FROM_BASE64, AES_ENCRYPT, SM4_ENCRYPT.
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect import text
from sql.dialect.cast import family
from sql.dialect.refused import refused
from sql.dialect.spelling import Spelling, as_type, called
from storage.errors import ENCRYPTED_BYTES
from storage.naming import PREFIX, literal
from storage.text.encryption import default_mode

MODE = "mode"  # meta key of a cipher without a mode of its own: that of the session
CIPHERS = {f"{cipher}_{way}": cipher for cipher in ("AES", "SM4") for way in ("ENCRYPT", "DECRYPT")}
_CALLED_ON_BYTES = frozenset(("IPV6_NUM_TO_STRING", "INET6_NTOA", "IS_IPV4_MAPPED", "IS_IPV4_COMPAT"))
_ADDRESS = re.compile("IPV6_STRING_TO_NUM.*|INET6_ATON")  # functions that give the bytes of an address
_ON_BYTES = (exp.Hex, exp.LowerHex, exp.MD5, exp.SHA, exp.ToBase64, exp.Is, exp.Count)


def _takes_bytes(node: exp.Expr) -> bool:
    """Whether what uses a value works on bytes."""
    while isinstance(node.parent, exp.Paren):
        node = node.parent
    user = node.parent
    if user is not None and _is_cipher(user):
        return user.expressions[0] is node
    if isinstance(user, exp.Anonymous):
        return user.name.upper() in _CALLED_ON_BYTES
    return isinstance(user, _ON_BYTES) or (isinstance(user, exp.Length) and bool(user.args.get("binary")))


def _is_cipher(node: exp.Expr) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.upper() in CIPHERS


def _gives_bytes(node: exp.Expr) -> bool:
    plain = node.unnest()
    if isinstance(plain, exp.Anonymous):
        return _is_cipher(plain) or _ADDRESS.fullmatch(plain.name.upper()) is not None
    return isinstance(plain, (exp.Unhex, exp.FromBase64))


def _decoded(spell: Spelling) -> Spelling:
    """The text of the bytes that are spelled, but for functions that work on bytes."""

    def spell_text(generator: Generator, node: exp.Expr) -> str:
        found = spell(generator, node)
        return found if _takes_bytes(node) else f"TRY(decode({found}))"

    return spell_text


def _unhex(generator: Generator, node: exp.Expr) -> str:
    """What are no pairs of hexadecimal digits gives nothing."""
    digits = text.text_of(generator, node.this)
    pairs = f"regexp_full_match({digits}, '([0-9A-Fa-f][0-9A-Fa-f])*')"
    return f"CASE WHEN {pairs} THEN unhex({digits}) WHEN {digits} IS NOT NULL THEN CAST('' AS BLOB) END"


def _from_base64(generator: Generator, node: exp.Expr) -> str:
    return f"TRY(from_base64({text.text_of(generator, node.this)}))"


def _bytes_of(generator: Generator, node: exp.Expr) -> str:
    """A value for a function that takes bytes or a text: bytes as they are, else the text that CAST gives."""
    return generator.sql(node) if _gives_bytes(node) else text.text_of(generator, node)


def _digest(name: str) -> Spelling:
    return lambda generator, node: f"{name}({_bytes_of(generator, node.this)})"


def _to_base64(generator: Generator, node: exp.Expr) -> str:
    return f"to_base64({blob_of(generator, node.this)})"


def blob_of(generator: Generator, node: exp.Expr) -> str:
    """A value as bytes: those of its text in UTF-8."""
    return generator.sql(node) if _gives_bytes(node) else f"encode({text.text_of(generator, node)})"


def _hex(generator: Generator, node: exp.Expr) -> str:
    """HEX of a number is that of its 64 bits."""
    if family(node.this) not in _NUMBERS:
        return f"hex({_bytes_of(generator, node.this)})"
    return f"hex({as_type(generator, node.this, exp.DType.BIGINT)})"


_NUMBERS = frozenset({"boolean", "integer", "decimal", "float"})


def _length(generator: Generator, node: exp.Expr) -> str:
    if called(node) and node.args.get("binary") and _gives_bytes(node.this):
        return f"CAST(octet_length({generator.sql(node.this)}) AS INTEGER)"
    return text.length(generator, node)


def _ciphered(generator: Generator, node: exp.Expr) -> str:
    """AES_… or SM4_…(bytes, key [, initial vector [, mode]])."""
    data, key, *more = node.expressions
    given = blob_of(generator, data)
    vector, mode, *_ = [*(text.text_of(generator, item) for item in more), *("''", "NULL")[len(more) :]]
    if len(more) < 2:
        mode = literal(str(node.meta.get(MODE, default_mode(CIPHERS[node.name.upper()]))))
    return f"{PREFIX}{node.name.lower()}({given}, {text.text_of(generator, key)}, {vector}, {mode})"


def encrypted(generator: Generator, node: exp.Expr) -> str:
    found = _ciphered(generator, node)
    if _takes_bytes(node):
        return found
    refusal = refused(ENCRYPTED_BYTES(function=node.name.lower()).message, "VARCHAR")
    return f"COALESCE(TRY(decode({found})), CASE WHEN {found} IS NOT NULL THEN {refusal} END)"


decrypted: Spelling = _decoded(_ciphered)

_TEXTS: dict[type[exp.Expr], Spelling] = {
    exp.Unhex: _decoded(_unhex),
    exp.FromBase64: _decoded(_from_base64),
}
SPELLINGS: dict[type[exp.Expr], Spelling] = {
    **_TEXTS,
    exp.Length: _length,
    exp.MD5: _digest("md5"),
    exp.SHA: _digest("sha1"),
    exp.Hex: _hex,
    exp.ToBase64: _to_base64,
}
METADATA: dict[type[exp.Expr], dict[str, Any]] = {kind: {"returns": exp.DType.TEXT} for kind in _TEXTS}
