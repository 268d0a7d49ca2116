"""What is told before the server opens anything, and where it then stands."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from server.start import Flags, StartError, bind, listen, settle
from storage.config import HTTP_PORT, QUERY_PORT, ConfigError


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LOG_DIR", raising=False)


def conf(path: Path, *lines: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_flags_win_over_the_file(tmp_path: Path) -> None:
    file = conf(tmp_path / "my.conf", "query_port = 1", "http_port = 2", "meta_dir = /nowhere", "sys_log_dir = logs")
    settings = settle(Flags(file, Path("data"), "127.0.0.2", 3, None))
    assert (settings.config[QUERY_PORT], settings.config[HTTP_PORT], settings.host) == (3, 2, "127.0.0.2")
    assert (settings.data_directory, settings.log_directory) == (tmp_path / "data", tmp_path / "logs")


def test_home_is_the_working_folder_and_its_conf_is_read(tmp_path: Path) -> None:
    conf(tmp_path / "conf" / "fe.conf", "query_port = 4")
    settings = settle(Flags())
    assert settings.config[QUERY_PORT] == 4
    assert settings.data_directory == tmp_path / "doris-meta" and settings.log_directory == tmp_path / "log"
    assert settings.host == "127.0.0.1"


def test_without_a_file_the_built_in_one_is_read() -> None:
    assert settle(Flags()).config[QUERY_PORT] == 9030


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["query_port = many"], "Failed to set config, name: query_port, value: many"),
        (["query_port = 70000"], "Failed to set config, name: query_port, value: 70000"),
        (["priority_networks = here"], "Failed to set config, name: priority_networks, value: here"),
        (["priority_networks = 203.0.113.0/24"], "no address of this machine is in priority_networks"),
        (["sys_log_dir = ${NOT_SET_AT_ALL}"], "no such env variable: NOT_SET_AT_ALL"),
    ],
)
def test_wrong_values_stop_the_start_with_one_line(tmp_path: Path, lines: list[str], words: str) -> None:
    with pytest.raises((StartError, ConfigError)) as caught:
        settle(Flags(conf(tmp_path / "fe.conf", *lines)))
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(StartError, match=r"cannot read .*none.conf: No such file or directory"):
        settle(Flags(tmp_path / "none.conf"))
    (tmp_path / "binary.conf").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StartError, match="cannot read"):
        settle(Flags(tmp_path / "binary.conf"))


def test_priority_networks_choose_the_own_address(tmp_path: Path) -> None:
    file = conf(tmp_path / "fe.conf", "priority_networks = 203.0.113.0/24; 127.0.0.0/8")
    assert settle(Flags(file)).host == "127.0.0.1"


def test_a_port_in_use_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(StartError, match=f"query_port {port} on 127.0.0.1 is already in use"):
            bind("127.0.0.1", port, "query_port")
    with pytest.raises(StartError, match=r"cannot listen on nowhere\.invalid:1"):
        bind("nowhere.invalid", 1, "query_port")


def test_a_bound_port_refuses_clients_until_it_listens() -> None:
    with bind("127.0.0.1", 0, "query_port") as listener:
        address = listener.getsockname()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address)
        listen(listener, "query_port")
        socket.create_connection(address).close()
