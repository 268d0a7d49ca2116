"""Send the Stream Load of a `stream_load` record over HTTP and judge the answer."""

from __future__ import annotations

import base64
import json
import urllib.error
import urllib.request
from collections.abc import Mapping

_SECONDS = 120


def send(url: str, headers: Mapping[str, str], body: str, user: str) -> tuple[str, str]:
    """PUT the body; returns the answer's Status ("" if it has none) and its whole text.

    The pseudo headers `user` and `password` of the record name who loads.
    """
    words = dict(headers)
    login = f"{words.pop('user', user)}:{words.pop('password', '')}"
    words.setdefault("Expect", "100-continue")
    words["Authorization"] = "Basic " + base64.b64encode(login.encode()).decode()
    request = urllib.request.Request(url, data=body.encode(), method="PUT", headers=words)
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as reply:
            text = reply.read().decode()
    except urllib.error.HTTPError as error:
        text = f"HTTP {error.code} " + error.read().decode("utf-8", "replace")
    return _status(text), text


def _status(text: str) -> str:
    try:
        return str(json.loads(text).get("Status", ""))
    except ValueError:
        return ""
