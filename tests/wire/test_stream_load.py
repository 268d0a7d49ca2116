"""Stream Load over HTTP: credentials, 100-continue, chunked bodies, the fields of the answer, labels, the error log."""

from __future__ import annotations

import base64
import gzip
import http.client
import json
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing

import pytest

from dorisette.process import ServerProcess
from tests.conftest import Connect

FIELDS = [
    "TxnId", "Label", "Comment", "TwoPhaseCommit", "Status", "Message", "NumberTotalRows", "NumberLoadedRows",
    "NumberFilteredRows", "NumberUnselectedRows", "LoadBytes", "LoadTimeMs", "BeginTxnTimeMs", "StreamLoadPutTimeMs",
    "ReadDataTimeMs", "WriteDataTimeMs", "ReceiveDataTimeMs", "CommitAndPublishTimeMs",
]  # fmt: skip
CSV = {"column_separator": ","}


@pytest.fixture
def path(server: ServerProcess, database: str, connect: Connect) -> str:
    """The path of loads into a table t(k, v) of its own."""
    with connect(database=database).cursor() as cursor:
        cursor.execute("CREATE TABLE t (k INT NOT NULL, v INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1")
    return f"/api/{database}/t/_stream_load"


def _basic(text: str = "root:") -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(text.encode()).decode()}


def _ask(
    server: ServerProcess, method: str, path: str, body: bytes | Iterable[bytes] = b"", headers: Mapping[str, str] = CSV
) -> tuple[int, str]:
    with closing(http.client.HTTPConnection(server.host, server.http_port, timeout=60)) as connection:
        connection.request(method, path, body, dict(headers), encode_chunked=not isinstance(body, bytes))
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def _load(server: ServerProcess, path: str, body: bytes | Iterable[bytes], **headers: str) -> dict[str, object]:
    status, text = _ask(server, "PUT", path, body, {**CSV, **_basic(), **headers})
    assert status == 200
    found: dict[str, object] = json.loads(text)
    return found


def test_the_answer_has_doris_fields_in_their_order(server: ServerProcess, path: str) -> None:
    answer = _load(server, path, b"1,1\n2,2\n2,3\n", comment="hello", label="first")
    assert list(answer) == FIELDS
    assert (answer["Status"], answer["Message"], answer["Comment"]) == ("Success", "OK", "hello")
    assert (answer["NumberTotalRows"], answer["NumberLoadedRows"], answer["LoadBytes"]) == (3, 3, 12)
    assert isinstance(answer["TxnId"], int) and answer["TxnId"] > 0


def test_a_label_is_used_once_unless_its_load_failed(server: ServerProcess, path: str) -> None:
    assert _load(server, path, b"x,1\n", label="once")["Status"] == "Fail"
    assert _load(server, path, b"1,1\n", label="once")["Status"] == "Success"
    again = _load(server, path, b"2,2\n", label="once")
    assert (again["Status"], again["ExistingJobStatus"]) == ("Label Already Exists", "FINISHED")
    assert "Label [once] has already been used, relate to txn [" in str(again["Message"])


def test_a_load_has_a_transaction_unless_it_was_refused(server: ServerProcess, path: str) -> None:
    """It begins when the table is found: what fails later has an id of its own, like the loads before and behind it."""
    loads = [_load(server, path, b"1,1\n", label="given"), _load(server, path, b"x,1\n")]
    loads += [_load(server, path, b"1,1\n", columns="nope,"), _load(server, path, b"2,2\n")]
    assert [load["Status"] for load in loads] == ["Success", "Fail", "Fail", "Success"]
    assert len({load["Label"] for load in loads}) == 4
    ids = [int(str(load["TxnId"])) for load in loads]
    assert 0 < ids[0] < ids[1] < ids[2] < ids[3]
    refused = [_load(server, path.replace("/t/", "/nope/"), b"3,3\n"), _load(server, path, b"3,3\n", label="given")]
    refused.append(_load(server, path, b"3,3\n", format="nope"))
    assert [load["TxnId"] for load in refused] == [-1, -1, -1]


def test_rejected_rows_are_told_and_logged(server: ServerProcess, path: str) -> None:
    answer = _load(server, path, b"1,1\nx,2\n3\n")
    assert (answer["Status"], answer["Message"]) == ("Fail", "[DATA_QUALITY_ERROR]too many filtered rows")
    figures = [answer[f"Number{name}Rows"] for name in ("Total", "Loaded", "Filtered", "Unselected")]
    assert figures == [3, 0, 2, 0]
    assert str(answer["FirstErrorMsg"]).startswith("Reason: ")
    url = str(answer["ErrorURL"])
    assert url.startswith(f"http://{server.host}:{server.http_port}/api/_load_error_log?file=")
    status, text = _ask(server, "GET", url.partition(str(server.http_port))[2])
    assert status == 200 and "src line [3]" in text and "src line [x,2]" in text
    assert _ask(server, "GET", "/api/_load_error_log?file=nope")[0] == 404


def test_header_values_are_utf_8(server: ServerProcess, path: str, connect: Connect, database: str) -> None:
    headers = {"columns": "k, w, v = if(w = '값', 7, 0)".encode().decode("latin-1")}
    assert _load(server, path, "1,값\n".encode(), **headers)["Status"] == "Success"
    with connect(database=database).cursor() as cursor:
        cursor.execute("SELECT v FROM t")
        assert cursor.fetchall() == ((7,),)


def test_unselected_rows_are_not_filtered(server: ServerProcess, path: str) -> None:
    answer = _load(server, path, b"1,1\n2,20\n", where="v > 5")
    assert (answer["NumberTotalRows"], answer["NumberLoadedRows"], answer["NumberUnselectedRows"]) == (2, 1, 1)


def test_chunked_and_compressed_bodies(server: ServerProcess, path: str) -> None:
    def pieces() -> Iterator[bytes]:
        for number in range(1000):
            yield b"%d,%d\n" % (number, number)

    assert _load(server, path, pieces())["NumberLoadedRows"] == 1000
    assert _load(server, path, gzip.compress(b"1,1\n"), compress_type="gz")["NumberLoadedRows"] == 1


def test_a_client_that_waits_is_told_to_continue(server: ServerProcess, path: str) -> None:
    """curl sends the body after 100 Continue only."""
    words = {**CSV, **_basic(), "Host": "x", "Expect": "100-continue", "Content-Length": "4", "Connection": "close"}
    head = f"PUT {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in words.items()) + "\r\n"
    with socket.create_connection((server.host, server.http_port), timeout=60) as client:
        client.sendall(head.encode())
        assert client.recv(1000).startswith(b"HTTP/1.1 100 Continue")
        client.sendall(b"5,5\n")
        answer = b"".join(iter(lambda: client.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 200") and b'"Status": "Success"' in answer


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer x"}, {"Authorization": "Basic !"}])
def test_without_credentials_nothing_is_loaded(server: ServerProcess, path: str, header: dict[str, str]) -> None:
    status, text = _ask(server, "PUT", path, b"1,1\n", {**CSV, **header})
    assert status == 200 and json.loads(text)["Status"] == "Fail"
    assert "no valid Basic authorization" in text


def test_wrong_credentials_and_missing_privileges(
    server: ServerProcess, path: str, database: str, connect: Connect
) -> None:
    with connect().cursor() as cursor:
        cursor.execute("CREATE USER loader IDENTIFIED BY 'secret'")
        for text in ("root:wrong", "nobody:", "loader:", "loader:SECRET"):
            status, answer = _ask(server, "PUT", path, b"1,1\n", {**CSV, **_basic(text)})
            assert status == 401 and "Access denied" in answer
        answer = _ask(server, "PUT", path, b"1,1\n", {**CSV, **_basic("loader:secret")})[1]
        assert json.loads(answer)["Status"] == "Fail" and "denied" in answer
        cursor.execute(f"GRANT LOAD_PRIV ON {database}.t TO loader")
        answer = _ask(server, "PUT", path, b"1,1\n", {**CSV, **_basic("loader:secret")})[1]
        assert json.loads(answer)["Status"] == "Success"
        cursor.execute("DROP USER loader")


def test_a_load_ends_at_its_time_limit(server: ServerProcess, path: str) -> None:
    hashed = f"{'md5(' * 100}v{')' * 100}"  # of this many rows that takes ten times as long
    body = b"".join(b"%d,%d\n" % (number, number) for number in range(300_000))
    answer = _load(server, path, body, timeout="1", columns=f"k, v, v = length({hashed})")
    assert (answer["Status"], answer["Message"]) == ("Fail", "[TIMEOUT]load timeout after 1 s")


def test_bodies_beyond_the_limit_are_refused(server: ServerProcess, path: str, connect: Connect) -> None:
    with connect().cursor() as cursor:
        cursor.execute('ADMIN SET FRONTEND CONFIG ("streaming_load_json_max_mb" = "1")')
        big = b'{"k": 1, "v": 1}' + b" " * (1 << 20)
        assert "exceed" in str(_load(server, path, big, format="json")["Message"])
        assert _load(server, path, big, format="json", read_json_by_line="true")["Status"] == "Success"
        cursor.execute('ADMIN SET FRONTEND CONFIG ("streaming_load_json_max_mb" = "100")')


def test_unknown_targets_and_what_is_not_built(server: ServerProcess, path: str, database: str) -> None:
    assert "missing" in str(_load(server, f"/api/{database}/missing/_stream_load", b"1,1\n")["Message"])
    assert "nowhere" in str(_load(server, "/api/nowhere/t/_stream_load", b"1,1\n")["Message"])
    for method, url in (("PUT", f"/api/{database}/_stream_load_2pc"), ("GET", f"/api/{database}/get_load_state")):
        assert "is not supported yet" in _ask(server, method, url)[1]
    assert _ask(server, "GET", path)[0] == 404
