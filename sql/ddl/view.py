"""Views as text: the statement that makes one again, and how it is listed. Pure."""

from __future__ import annotations

from sql.dialect.quoting import ident, text
from storage.catalog.model import View

VIEW_COLUMNS = ("View", "Create View", "character_set_client", "collation_connection")


def create_view(view: View) -> str:
    """The CREATE VIEW text; it can be run again in the view's database."""
    columns = ", ".join(f"{ident(name)}{_comment(comment)}" for name, _, comment in view.columns)
    return f"CREATE VIEW {ident(view.name)} ({columns}){_comment(view.comment)} AS {view.query};"


def _comment(comment: str) -> str:
    return f" COMMENT {text(comment)}" if comment else ""


def view_line(view: View) -> tuple[str, str, str, str]:
    """The row of SHOW CREATE VIEW and of SHOW CREATE TABLE on a view."""
    return (view.name, create_view(view), "utf8mb4", "utf8mb4_0900_bin")
