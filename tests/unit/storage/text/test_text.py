"""Texts of nested values and of addresses: what is read, how it is written, what is refused."""

from __future__ import annotations

import pyarrow as pa
import pytest

from storage.text import nested, network


@pytest.mark.parametrize(
    ("text", "json"),
    [
        ("[1, 'a', null]", '[1,"a",null]'),
        ('{k:1, 2:"b"}', '{"k":1,"2":"b"}'),
        ("[2024-01-01 10:00:00, x y]", '["2024-01-01 10:00:00","x y"]'),
        ("{'a':{'b':[1]}}", '{"a":{"b":[1]}}'),
        (r"['it\'s', \"q\"]".replace(r"\"", '"'), '["it\'s","q"]'),
        (" [ ] ", "[]"),
        ("{}", "{}"),
        ("[1,]", None),
        ("[1", None),
        ("{a}", None),
        ('{"a":1} x', None),
        ("[" * 20 + "]" * 20, None),
        (None, None),
    ],
)
def test_nested_text_becomes_json(text: str | None, json: str | None) -> None:
    assert nested.to_json(pa.array([text], pa.string())).to_pylist() == [json]


def test_json_becomes_the_text_a_client_sees() -> None:
    texts = pa.array(['{"a":[1,null,true],"b":"x\\"y"}', None])
    assert nested.to_text(texts).to_pylist() == ['{"a":[1, null, 1], "b":"x\\"y"}', None]


@pytest.mark.parametrize(("text", "canonical"), [(" 1.2.3.4 ", "1.2.3.4"), ("1.2.3", None), ("256.1.1.1", None)])
def test_ipv4(text: str, canonical: str | None) -> None:
    assert network.ipv4_text(text) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("2001:0DB8::0001", "2001:db8::1"), ("::FFFF:1.2.3.4", "::ffff:1.2.3.4"), ("1.2.3.4", "::ffff:1.2.3.4"),
     ("x", None), ("1::2::3", None)],
)  # fmt: skip
def test_ipv6(text: str, canonical: str | None) -> None:
    assert network.ipv6_text(text) == canonical


def test_addresses_are_ordered_by_their_bytes() -> None:
    ordered = network.order(pa.array(["10.0.0.10", "10.0.0.9", "::1", None, "no"])).to_pylist()
    assert ordered[1] < ordered[0] and len(ordered[2]) == 16 and ordered[3:] == [None, None]
