"""Client of svc, and an offline check of its receipts.

    import svc
    client = svc.Client("http://127.0.0.1:8787")
    answer = client.solve("heat", dim=1, nx=64)
    print(answer)                                  # 0.0500701428 ± 0.0000000048 T
    keys = client.call("jwks.read")                # once, while you trust the address
    print(svc.verify(answer, keys).title)          # valid
"""

from ._answers import Answer, Array, Quantity, Table
from ._client import Client, Replay
from ._errors import AccessError, InputError, NotFoundError, SvcError, UnavailableError
from ._json import canonical_json
from ._records import RECORDS as _RECORDS
from ._verify import Claim, Difference, Verdict, verify

__version__: str = _RECORDS["version"]

__all__ = [
    "AccessError",
    "Answer",
    "Array",
    "Claim",
    "Client",
    "Difference",
    "InputError",
    "NotFoundError",
    "Quantity",
    "Replay",
    "SvcError",
    "Table",
    "UnavailableError",
    "Verdict",
    "canonical_json",
    "verify",
]
