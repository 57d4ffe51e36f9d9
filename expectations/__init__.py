"""The contracts of Quarry's public tables; everything else derives from them."""

from expectations.catalogue import TABLES, table
from expectations.contract import Column, RowRule, Table, TableRule

__all__ = ["TABLES", "Column", "RowRule", "Table", "TableRule", "table"]
