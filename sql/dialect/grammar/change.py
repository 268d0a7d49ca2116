"""Statements that change rows: INSERT, UPDATE, DELETE (Doris: INSERT, UPDATE, DELETE)."""

from __future__ import annotations

from sqlglot import exp

from sql.dialect.reader import Reader


def insert(reader: Reader) -> exp.Insert:
    """INSERT [hint] INTO [TABLE] t …."""
    hint = reader.hint()
    if not reader.sees("INTO") and reader.sees("OVERWRITE"):
        return overwrite(reader, hint)
    reader.expect("INTO")
    reader.words("TABLE")
    return _insert(reader, hint, None)


def overwrite(reader: Reader, hint: exp.Hint | None) -> exp.Insert:
    """INSERT OVERWRITE [TABLE] t …."""
    reader.expect("OVERWRITE")
    reader.words("TABLE")
    return _insert(reader, hint, True)


def _insert(reader: Reader, hint: exp.Hint | None, over: bool | None) -> exp.Insert:
    """t [PARTITION …] [WITH LABEL l] [(c, …)] VALUES … | query; the three options in any order."""
    table = reader.table()
    made = exp.Insert(hint=hint, overwrite=over)
    target: exp.Expr = table
    while True:
        if not made.args.get("partition") and (partition := reader.partition_names()):
            made.set("partition", partition)
        elif not made.args.get("label") and reader.words("WITH", "LABEL"):
            made.set("label", reader.name())
        elif target is table and reader.sees("(") and not reader.at_query:
            target = exp.Schema(this=table, expressions=reader.names())
        else:
            break
    made.set("this", target)
    made.set("expression", _source(reader))
    return made


def _source(reader: Reader) -> exp.Expr:
    if reader.one_of("VALUES", "VALUE"):
        return exp.Values(expressions=reader.comma_list(lambda: _row(reader)))
    if reader.at_query:
        return reader.query()
    reader.mismatch("VALUES", "SELECT", "WITH", "(")


def _row(reader: Reader) -> exp.Tuple:
    reader.expect("(")
    values = [] if reader.sees(")") else reader.comma_list(reader.cell)
    reader.expect(")")
    return exp.Tuple(expressions=values)


def update(reader: Reader) -> exp.Update:
    """UPDATE t [alias] SET c = v, … [FROM …] [WHERE …]."""
    hint = reader.hint()
    table = _target(reader, before_set=True)
    reader.expect("SET")
    assignments = reader.comma_list(lambda: _assignment(reader))
    from_ = reader.from_() if reader.sees("FROM") else None
    made = exp.Update(this=table, expressions=assignments, from_=from_, hint=hint)
    made.set("where", reader.where())
    return made


def _target(reader: Reader, before_set: bool = False) -> exp.Expr:
    """The table to change, no query in its place; its alias names no columns, so their bracket is left unread."""
    if reader.sees("("):
        reader.stuck()
    found = reader.reference(before_set)
    alias = found.args.get("alias")
    if alias is not None and alias.columns:
        reader.back_behind(alias.this)
    return found


def _assignment(reader: Reader) -> exp.EQ:
    column = reader.column()
    reader.expect("=")
    return exp.EQ(this=column, expression=reader.cell())


def delete(reader: Reader) -> exp.Delete:
    """DELETE FROM t [PARTITION …] [alias] [USING u, …] [WHERE …]."""
    hint = reader.hint()
    reader.expect("FROM")
    table = _target(reader)
    using = reader.comma_list(reader.joined_reference) if reader.words("USING") else None
    made = exp.Delete(this=table, using=using, hint=hint)
    made.set("where", reader.where())
    return made
