"""Lists that svc itself owns (sealed fields, registered laws, words), written into the wheel by its build."""

from __future__ import annotations

import json
import pkgutil
from typing import Any, Dict


def _read() -> Dict[str, Any]:
    data = pkgutil.get_data("svc", "records.json")
    if data is None:
        raise ImportError("svc has no records.json; install the wheel that `npm run build` makes.")
    records: Dict[str, Any] = json.loads(data.decode("utf-8"))
    return records


RECORDS = _read()
