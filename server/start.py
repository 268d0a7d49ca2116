"""What is settled before the server opens anything: fe.conf, flags, folders, addresses, bound ports.

Every failure here is one clear line for the person at the terminal. Nothing heavy is imported, so that a mistake
is told at once. Source: Doris: FE Configuration; `serve` without `--conf`: docs/configuration.md.
"""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
from dataclasses import dataclass
from pathlib import Path

from storage.config import HTTP_PORT, META_DIR, PLUGIN_DIR, PRIORITY_NETWORKS, QUERY_PORT, SYS_LOG_DIR, Config

LOOPBACK = "127.0.0.1"
BACKLOG = 512
_LAST_PORT = 65_535


class StartError(Exception):
    """The server cannot start; the message is the one line to print."""


@dataclass(frozen=True, slots=True)
class Flags:
    """The command line of `dorisette serve`; None where a flag was not given."""

    conf: Path | None = None
    data_directory: Path | None = None
    host: str | None = None
    query_port: int | None = None
    http_port: int | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What the server runs with."""

    config: Config
    host: str
    data_directory: Path
    log_directory: Path
    plugin_directory: Path


def settle(flags: Flags) -> Settings:
    """Read fe.conf and lay the flags over it; raises StartError and ConfigError."""
    config = _config(flags.conf)
    for key, value in ((QUERY_PORT, flags.query_port), (HTTP_PORT, flags.http_port)):
        if value is not None:
            config.override(key.name, str(value))
        if config[key] > _LAST_PORT:
            raise StartError(f"Failed to set config, name: {key.name}, value: {config[key]}")
    home = Path.cwd()
    data = flags.data_directory or Path(config[META_DIR] or home / "doris-meta")
    log = Path(config[SYS_LOG_DIR] or os.environ.get("LOG_DIR") or home / "log")
    plugins = Path(config[PLUGIN_DIR] or home / "plugins")
    host = flags.host or _address(config[PRIORITY_NETWORKS])
    return Settings(config, host, data.absolute(), log.absolute(), plugins.absolute())


def _config(given: Path | None) -> Config:
    """The file that was named, else ./conf/fe.conf, else the copy that came with the program, else the defaults."""
    packaged = Path(__file__).resolve().parent.parent / "conf" / "fe.conf"
    for path in (given,) if given else (Path("conf/fe.conf"), packaged):
        if given or path.is_file():
            try:
                return Config.read(path)
            except (OSError, UnicodeDecodeError) as cause:
                raise StartError(f"cannot read {path}: {reason(cause)}") from cause
    return Config()


def _address(networks: str) -> str:
    """Loopback, or the own address in the first of the networks (CIDR, with `;` or `,` between) that has one."""
    for text in networks.replace(";", ",").split(","):
        if text.strip():
            try:
                network = ipaddress.ip_network(text.strip(), strict=False)
            except ValueError as cause:
                raise StartError(f"Failed to set config, name: {PRIORITY_NETWORKS.name}, value: {networks}") from cause
            if own := _own_address(network):
                return own
    if networks.strip():
        raise StartError(f"no address of this machine is in priority_networks = {networks}")
    return LOOPBACK


def _own_address(network: ipaddress.IPv4Network | ipaddress.IPv6Network) -> str | None:
    """Ask the routing table (no packet is sent) which own address talks to a network."""
    family = socket.AF_INET if network.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((str(network[min(1, network.num_addresses - 1)]), 9))
        except OSError:
            return None
        own = str(probe.getsockname()[0])
    return own if ipaddress.ip_address(own) in network else None


def bind(host: str, port: int, key: str) -> socket.socket:
    """Take a port without listening yet, so that clients are refused until the server can answer; raises StartError."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as cause:
        raise _taken(host, port, key, cause) from cause
    return listener


def listen(listener: socket.socket, key: str) -> None:
    """Let clients in; raises StartError when another process was faster."""
    try:
        listener.listen(BACKLOG)
    except OSError as cause:
        host, port = listener.getsockname()[:2]
        raise _taken(host, port, key, cause) from cause


def _taken(host: str, port: int, key: str, cause: OSError) -> StartError:
    if cause.errno == errno.EADDRINUSE:
        return StartError(f"{key} {port} on {host} is already in use")
    return StartError(f"cannot listen on {host}:{port} ({key}): {reason(cause)}")


def reason(cause: Exception) -> str:
    """The words of an operating system error without number and path."""
    return (cause.strerror if isinstance(cause, OSError) else None) or str(cause)
