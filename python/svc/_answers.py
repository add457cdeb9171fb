"""Answers of a service as light objects; the JSON stays at hand in `result`, unchanged."""

from __future__ import annotations

import html
import json
import math
import os
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

from ._seal import doubles_of
from ._text import value_text
from ._verify import KeysLike, Verdict, verify, visible

Json = Dict[str, Any]


def _number(value: Any) -> Optional[float]:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


@dataclass(frozen=True)
class Quantity:
    """A number of an answer with its unit and ±, which counts standard uncertainties twice; also an input of a law."""

    value: float
    unit: str = "1"
    uncertainty: Optional[float] = None

    def __float__(self) -> float:
        return float(self.value)

    def __str__(self) -> str:
        return visible(value_text(self.value, self.uncertainty, self.unit))

    def __repr__(self) -> str:
        return f"<{self}>"

    def _repr_html_(self) -> str:
        return html.escape(str(self))


@dataclass(frozen=True)
class Array:
    """A series or field. `data` are its numbers, row-major; None if the answer holds only a link to them."""

    name: str
    unit: str
    shape: Tuple[int, ...]
    data: "Optional[array[float]]"

    def __repr__(self) -> str:
        return f"<{visible(self.name)} [{visible(self.unit)}], shape {self.shape}>"


@dataclass(frozen=True)
class Table:
    """The table of a sweep: columns in order, rows with NaN for a refused point."""

    columns: List[str]
    units: List[str]
    rows: List[Tuple[float, ...]]
    #: Ranges of rows (from 0) without a value, and their code.
    refused: List[Any]

    def column(self, name: str) -> List[float]:
        """The numbers of a column. Raises KeyError for another name."""
        if name not in self.columns:
            raise KeyError(f"{name}; the columns are {', '.join(self.columns)}")
        at = self.columns.index(name)
        return [row[at] for row in self.rows]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Tuple[float, ...]]:
        return iter(self.rows)

    def to_csv(self) -> str:
        """Comma-separated values; a refused value is empty."""
        lines = [",".join(self.columns)]
        lines.extend(",".join("" if math.isnan(one) else repr(one) for one in row) for row in self.rows)
        return "\n".join(lines) + "\n"

    def _repr_html_(self) -> str:
        head = "".join(
            f"<th>{html.escape(visible(name))} [{html.escape(visible(unit))}]</th>"
            for name, unit in zip(self.columns, self.units)
        )
        shown = self.rows[:20]
        body = "".join(f"<tr>{''.join(f'<td>{one:.10g}</td>' for one in row)}</tr>" for row in shown)
        more = f"<caption>first {len(shown)} of {len(self.rows)} rows</caption>" if len(self.rows) > len(shown) else ""
        return f"<table>{more}<tr>{head}</tr>{body}</table>"


class Answer:
    """The answer of a computation: a receipt, or (`gate`) why nothing was computed.

    value        None if the dimensional gate refused the inputs
    unit         unit of the value
    uncertainty  ± of the value, in the same unit
    result       the whole receipt as JSON; `answer[name]` reads one of its fields
    """

    def __init__(self, result: Json) -> None:
        self.result = result

    @property
    def value(self) -> Optional[float]:
        return _number(self.result.get("value"))

    @property
    def unit(self) -> str:
        unit = self.result.get("unit")
        return unit if isinstance(unit, str) else "1"

    @property
    def uncertainty(self) -> Optional[float]:
        return _number(self.result.get("uncertainty"))

    @property
    def converged(self) -> bool:
        return self.result.get("converged") is True

    @property
    def gate(self) -> Optional[Json]:
        """Why nothing was computed: reason, and the accepted inputs with their units."""
        gate = self.result.get("gate")
        return gate if isinstance(gate, dict) else None

    @property
    def results(self) -> Dict[str, Quantity]:
        """The result of each operator of the chain, by its id."""
        return self._quantities("results", "operator_id")

    @property
    def quantities(self) -> Dict[str, Quantity]:
        """Further numbers of a solver, by name."""
        return self._quantities("quantities", "name")

    def _quantities(self, listed: str, key: str) -> Dict[str, Quantity]:
        return {
            str(one.get(key)): Quantity(one["value"], str(one.get("unit", "1")), _number(one.get("uncertainty")))
            for one in self._records(listed)
            if _number(one.get("value")) is not None
        }

    @property
    def series(self) -> Dict[str, Array]:
        return self._arrays("series")

    @property
    def fields(self) -> Dict[str, Array]:
        return self._arrays("fields")

    def _arrays(self, listed: str) -> Dict[str, Array]:
        return {
            str(one.get("name")): Array(
                str(one.get("name")), str(one.get("unit", "1")), tuple(one.get("shape", ())), doubles_of(one)
            )
            for one in self._records(listed)
        }

    def _records(self, name: str) -> List[Json]:
        listed = self.result.get(name)
        return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []

    @property
    def table(self) -> Optional[Table]:
        """The table of a sweep; None for any other answer, or if the answer holds only a link to it."""
        table = self.result.get("table")
        numbers = doubles_of(table) if isinstance(table, dict) else None
        if numbers is None or not isinstance(table, dict):
            return None
        columns = [str(one) for one in table["columns"]]
        width = len(columns)
        rows = [tuple(numbers[at : at + width]) for at in range(0, len(numbers), width)]
        return Table(columns, [str(one) for one in table["units"]], rows, list(table.get("refused", [])))

    def verify(self, jwks: Optional[KeysLike] = None) -> Verdict:
        """As `svc.verify`."""
        return verify(self.result, jwks)

    def save(self, path: "Union[str, os.PathLike[str]]") -> None:
        """Writes the receipt to a file, which `svc verify` and `svc replay` read."""
        Path(path).write_text(f"{json.dumps(self.result, indent=2, ensure_ascii=False)}\n", encoding="utf-8")

    def __getitem__(self, name: str) -> Any:
        return self.result[name]

    def __contains__(self, name: object) -> bool:
        return name in self.result

    def __float__(self) -> float:
        return math.nan if self.value is None else float(self.value)

    def __str__(self) -> str:
        if self.value is None:
            return visible(f"NaN: {(self.gate or {}).get('reason', 'nothing was computed')}")
        if self.table is not None:
            return visible(f"{len(self.table.rows)} points of a sweep; .table has them")
        warning = "" if self.converged else " (not converged)"
        return visible(value_text(self.value, self.uncertainty, self.unit)) + warning

    def __repr__(self) -> str:
        return f"<{visible(str(self.result.get('operator_id', self.result.get('solver'))))}: {self}>"

    def _repr_html_(self) -> str:
        # One result is the value.
        results = self.results if len(self.results) > 1 else {}
        rows = {**results, **self.quantities} if self.value is not None else {}
        cells = "".join(
            f"<tr><td>{html.escape(visible(name))}</td><td>{html.escape(str(one))}</td></tr>"
            for name, one in rows.items()
        )
        law = str(self.result.get("operator_id", ""))
        name = html.escape(visible(law if law and ":" not in law else str(self.result.get("solver", ""))))
        table = "" if self.table is None else self.table._repr_html_()
        return f"<div><strong>{html.escape(str(self))}</strong> {name}<table>{cells}</table>{table}</div>"
