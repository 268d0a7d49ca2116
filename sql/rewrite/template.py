"""Put DuckDB text in the place of a call that has been bound."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sql.dialect.bound import Template

_FUNCTION = "w"  # stands for the function in a window of which only the OVER clause is wanted


def plain(text: str) -> str:
    """A text that stands for itself in a template, whatever names and comments it holds."""
    return text.replace("{", "{{").replace("}", "}}")


def put(call: exp.Expr, text: str, arguments: Sequence[exp.Expr]) -> Template:
    """Replace a call by a text with {0}, {1} … for its arguments; {over} becomes the OVER clause it stands under."""
    template = Template(this=text, expressions=list(arguments))
    template.type = call.type
    window = call.parent
    if isinstance(window, exp.Window) and window.this is call:
        window.replace(template)
        window.set("this", exp.var(_FUNCTION))
        template.set("over", window)
    else:
        call.replace(template)
    return template
