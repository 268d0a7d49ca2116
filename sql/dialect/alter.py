"""Node classes of the actions of ALTER TABLE: data only, with the conventions of node.py."""

from __future__ import annotations

from sql.dialect.clause import Part


class AddColumns(Part, needs="expressions", may="exists rollup properties"):
    """ADD COLUMN def [FIRST | AFTER c] or ADD COLUMN (def, …): `expressions` are exp.ColumnDef with `position`."""


class DropColumn(Part, may="exists rollup properties"):
    """DROP COLUMN this [FROM rollup]."""


class ModifyColumn(Part, may="rollup properties"):
    """MODIFY COLUMN this (an exp.ColumnDef with its type, and `position`) [FROM rollup]."""


class ModifyColumnComment(Part, needs="this comment"):
    """MODIFY COLUMN this COMMENT comment."""


class RenameColumn(Part, needs="this to"):
    """RENAME COLUMN this to."""


class OrderColumns(Part, needs="expressions", may="rollup properties"):
    """ORDER BY (expressions) [FROM rollup]."""


class AddPartition(Part, may="exists temporary properties distribution"):
    """ADD [TEMPORARY] PARTITION [IF NOT EXISTS] this (a clause of clause.py) [properties] [DISTRIBUTED BY …]."""


class DropPartition(Part, may="exists temporary force"):
    """DROP [TEMPORARY] PARTITION [IF EXISTS] this [FORCE]."""


class ModifyPartition(Part, needs="expressions properties", may="temporary"):
    """MODIFY [TEMPORARY] PARTITION expressions (names, or one exp.Star) SET properties."""


class RenamePartition(Part, needs="this to"):
    """RENAME PARTITION this to."""


class ReplacePartition(Part, needs="expressions temporary", may="force properties"):
    """REPLACE PARTITION (expressions) WITH TEMPORARY PARTITION (temporary) [FORCE] [properties]."""


class RenameTable(Part):
    """RENAME this (an identifier)."""


class ReplaceWithTable(Part, may="properties force"):
    """REPLACE WITH TABLE this [properties] [FORCE]."""


class SetProperties(Part, needs="properties"):
    """SET (properties)."""


class EnableFeature(Part, may="properties"):
    """ENABLE FEATURE this (a Literal) [WITH properties]."""


class AddRollup(Part, needs="expressions"):
    """ADD ROLLUP expressions (clause.Rollup, each with its own properties)."""


class DropRollup(Part, needs="expressions", may="properties"):
    """DROP ROLLUP expressions (identifiers) [properties]."""


class RenameRollup(Part, needs="this to"):
    """RENAME ROLLUP this to."""


class AddIndex(Part):
    """ADD INDEX this (a clause.Index)."""


class DropTableIndex(Part, may="exists"):
    """DROP INDEX [IF EXISTS] this, as an action of ALTER TABLE."""


class AddConstraint(Part, needs="this kind expressions", may="references"):
    """ADD CONSTRAINT this kind (expressions) [REFERENCES references]; `kind` PRIMARY KEY, UNIQUE or FOREIGN KEY."""


class DropConstraint(Part):
    """DROP CONSTRAINT this."""


class ModifyComment(Part):
    """MODIFY COMMENT this (a Literal)."""


class ModifyDistribution(Part):
    """MODIFY DISTRIBUTION this (an exp.DistributedByProperty)."""


class ModifyEngine(Part, may="properties"):
    """MODIFY ENGINE TO this [properties]."""
