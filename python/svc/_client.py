"""Calls of a service over HTTP. The operations come from its own catalogue, so that none is listed here."""

from __future__ import annotations

import ipaddress
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._answers import Answer, Quantity
from ._errors import InputError, NotFoundError, SvcError, UnavailableError, error_of
from ._json import number_text, strict_loads
from ._verify import Claim

Json = Dict[str, Any]
#: A number, `"90 km/h"`, `"2.5±0.1 nm"` with one standard deviation, or an answer.
QuantityLike = Union[int, float, str, Quantity, Answer]
#: A list of numbers, `(first, last, count)`, or `{"from": 1, "to": 9, "count": 5, "scale": "log"}`.
AxisLike = Union[Sequence[float], Mapping[str, Any]]

_QUANTITY = re.compile(
    r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:\s*(?:±|\+-)\s*((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?))?\s*(.*)",
    re.IGNORECASE,
)
_PARAMETER = re.compile(r"\{([^}]+)\}")
#: The catalogue names every other route, and the way to it.
_CATALOGUE = "/api/endpoints"
_MAX_ANSWER_BYTES = 64 * 1024 * 1024


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to another address."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


@dataclass(frozen=True)
class Replay:
    """What a node found when it ran a receipt again; true in a condition if no claim fails."""

    equal: bool
    title: str
    claims: List[Claim]
    first_difference: Optional[Json]
    result: Json

    def __bool__(self) -> bool:
        return self.equal

    def __str__(self) -> str:
        return self.title


class Client:
    """A service.

    url      its address, `http://127.0.0.1:8787`
    key      API key; without one, `solve`, `compute` and `sweep` take a demo key, which lasts a day
    timeout  seconds to wait for an answer
    """

    def __init__(self, url: str = "http://127.0.0.1:8787", key: Optional[str] = None, timeout: float = 120.0) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError("BAD_REQUEST", f"url is {url!a}; http://… or https://… is expected.", field="url", got=url)
        self.url = url.rstrip("/")
        self.timeout = timeout
        self._key = key
        self._operations: Optional[Dict[str, Json]] = None
        # A proxy of the environment cannot reach this machine.
        proxies = [urllib.request.ProxyHandler({})] if _is_loopback(parts.hostname) else []
        self._opener = urllib.request.build_opener(_NoRedirect, *proxies)

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

    # --- any operation ------------------------------------------------------------------------------------------------

    def operations(self) -> Dict[str, Json]:
        """The catalogue of the service by operation: method, path, summary, auth, effect."""
        if self._operations is None:
            answer = self._request("GET", _CATALOGUE, {}, None)
            self._operations = {row["operation"]: row for row in answer["rows"]}
        return self._operations

    def call(
        self,
        operation: str,
        inputs: Optional[Mapping[str, Any]] = None,
        /,
        *,
        idempotency_key: Optional[str] = None,
        **named: Any,
    ) -> Any:
        """Calls an operation of the catalogue: `client.call("machine.event", slug="boiler", name="heat", payload={})`.

        inputs           path parameters, query and body alike; names that are no Python names go in this dict
        idempotency_key  makes a retry of the same POST or PATCH safe for a day
        returns          the JSON of the answer, or text or bytes of an answer that is none

        Raises SvcError with the code of the service.
        """
        row = self.operations().get(operation)
        if row is None:
            raise NotFoundError("NOT_FOUND", f"No operation {operation}; Client.operations() lists all.", got=operation)
        sent = {name: value for name, value in {**(inputs or {}), **named}.items() if value is not None}
        path, rest = _fill(row["path"], sent)
        return self._request(row["method"], path, rest, idempotency_key, sent)

    # --- computations -------------------------------------------------------------------------------------------------

    def solve(self, solver: str, inputs: Optional[Mapping[str, Any]] = None, /, **named: Any) -> Answer:
        """Runs a solver: `client.solve("heat", dim=1, nx=64)`. The fields are those of its route."""
        return self._computed(f"{solver}.solve", {**(inputs or {}), **named})

    def compute(
        self,
        operator: str,
        inputs: Optional[Mapping[str, QuantityLike]] = None,
        /,
        *,
        options: Optional[Mapping[str, Any]] = None,
        **named: QuantityLike,
    ) -> Answer:
        """Evaluates a law: `client.compute("CM9", m="2 kg", v="90±1 km/h")`.

        operator  id of a law, or a domain, whose law the inputs then select
        named     numbers, texts with a unit and one standard deviation, or answers, with half of their ±
        options   other fields of the route: operators, as, query, solve_for, detail, strict, folder …
        """
        return self._computed("compute.run", {**_law_body(operator, {**(inputs or {}), **named}), **(options or {})})

    def sweep(
        self,
        what: str,
        over: Mapping[str, AxisLike],
        inputs: Optional[Mapping[str, Any]] = None,
        /,
        *,
        units: Optional[Mapping[str, str]] = None,
        options: Optional[Mapping[str, Any]] = None,
        **named: Any,
    ) -> Answer:
        """Runs a solver or a law over one or two inputs: `client.sweep("CM9", {"v": (10, 40, 100)}, m=2)`.

        over   a list of numbers, `(first, last, count)` as a tuple, or the form of the service, by input
        units  of swept inputs of a law
        returns an answer whose `table` holds the points
        """
        given = {**(inputs or {}), **named}
        axes = {name: _axis(name, axis) for name, axis in over.items()}
        if f"{what}.solve" in self.operations():
            if units:
                message = "A field of a solver has its own unit; leave units out."
                raise InputError("VALIDATION_FAILED", message, field="units")
            body = {**given, "sweep": axes, "self_contained": True, **(options or {})}
            return self._computed(f"{what}.solve", body)
        body = {**_law_body(what, given), "sweep": axes, "self_contained": True, **(options or {})}
        if units:
            body["units"] = {**body.get("units", {}), **units}
        return self._computed("compute.run", body)

    def replay(self, receipt: Union[Answer, Mapping[str, Any], str]) -> Replay:
        """Has the service run a receipt again: an answer, its JSON, or a link, hash or run id on this node."""
        body = receipt.result if isinstance(receipt, Answer) else receipt
        answer = self.call("receipt.replay", {"receipt": body} if isinstance(body, str) else body)
        claims = [Claim(one["claim"], one["ok"], one.get("reason", "")) for one in answer["claims"]]
        return Replay(answer["equal"], answer["verdict"]["title"], claims, answer.get("first_difference"), answer)

    def _computed(self, operation: str, body: Mapping[str, Any]) -> Answer:
        if operation not in self.operations():
            names = [name[:-6] for name in self.operations() if name.endswith(".solve")]
            message = f"No solver {operation[:-6]}; the solvers are {', '.join(names)}."
            raise NotFoundError("NOT_FOUND", message, field="solver", got=operation[:-6], allowed=", ".join(names))
        if self._key is None:
            self._key = self.call("demo-key.mint")["key"]
        return Answer(self.call(operation, body))

    # --- HTTP ---------------------------------------------------------------------------------------------------------

    def _request(
        self,
        method: str,
        path: str,
        sent: Mapping[str, Any],
        idempotency_key: Optional[str],
        given: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        """
        sent   query or body
        given  all inputs of the call, with those in the path, for its errors
        """
        url, body = self.url + path, None
        if method == "GET":
            if sent:
                url += "?" + urllib.parse.urlencode({name: _query_text(value) for name, value in sent.items()})
        else:
            body = _body(sent)
        request = urllib.request.Request(url, data=body, method=method)
        request.add_header("Accept", "application/json, */*;q=0.5")
        if body is not None:
            request.add_header("Content-Type", "application/json")
        if self._key is not None:
            request.add_header("Authorization", f"Bearer {self._key}")
        if idempotency_key is not None:
            request.add_header("Idempotency-Key", idempotency_key)
        try:
            with self._opener.open(request, timeout=self.timeout) as response:
                return _read(response)
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(error, sent if given is None else given) from None
        except (OSError, HTTPException) as cause:
            message = f"No answer from {self.url}: {getattr(cause, 'reason', cause)}."
            raise UnavailableError("NO_ANSWER", message) from cause


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _fill(path: str, sent: Mapping[str, Any]) -> Tuple[str, Json]:
    """The path with its parameters, and the other inputs. Raises InputError for a missing one."""
    rest = dict(sent)

    def value_of(match: "re.Match[str]") -> str:
        name = match.group(1)
        if name not in rest:
            message = f"{name} is missing; the path needs it."
            raise InputError("VALIDATION_FAILED", message, field=name, allowed="a value")
        return urllib.parse.quote(_query_text(rest.pop(name)), safe="")

    return _PARAMETER.sub(value_of, path), rest


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, (list, tuple)):
        return ",".join(_query_text(one) for one in value)
    return str(value)


def _plain(value: Any) -> Any:
    """Arrays and numbers of other libraries, as plain ones."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"A {type(value).__name__} has no JSON.")


def _body(sent: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(dict(sent), allow_nan=False, default=_plain).encode("utf-8")
    except (TypeError, ValueError) as cause:
        raise InputError("VALIDATION_FAILED", f"The inputs have no JSON: {cause}") from cause


def _read(response: Any) -> Any:
    kind = response.headers.get_content_type()
    if kind == "text/event-stream":
        raise InputError("UNSUPPORTED_MEDIA_TYPE", "This operation streams events; Client.call reads whole answers.")
    data = response.read(_MAX_ANSWER_BYTES + 1)
    if len(data) > _MAX_ANSWER_BYTES:
        raise InputError("BODY_TOO_LARGE", f"The answer exceeds {_MAX_ANSWER_BYTES} bytes.")
    if kind == "application/json":
        return _json(data, response.status)
    return data.decode("utf-8") if kind.startswith("text/") else data


def _json(data: bytes, status: int) -> Any:
    try:
        return strict_loads(data.decode("utf-8"))
    except ValueError as cause:
        raise UnavailableError("INTERNAL", "The service sent a body that is not JSON.", status=status) from cause


def _refusal(error: urllib.error.HTTPError, given: Mapping[str, Any]) -> SvcError:
    try:
        body = strict_loads(error.read(_MAX_ANSWER_BYTES).decode("utf-8", "replace"))
    except (ValueError, InputError, OSError, HTTPException):
        body = None
    return error_of(error.code, body, given, error.headers.get("Retry-After"))


def _law_body(operator: str, given: Mapping[str, Any]) -> Json:
    """The body of `compute.run`, with value, unit and ± of each input apart."""
    inputs: Json = {}
    units: Dict[str, str] = {}
    uncertainties: Json = {}
    for name, one in given.items():
        value, unit, uncertainty = _parts(name, one)
        inputs[name] = value
        if unit:
            units[name] = unit
        if uncertainty is not None:
            uncertainties[name] = uncertainty
    return {
        "domain": operator,
        "inputs": inputs,
        **({"units": units} if units else {}),
        **({"uncertainties": uncertainties} if uncertainties else {}),
    }


def _parts(name: str, one: Any) -> Tuple[float, str, Optional[float]]:
    if isinstance(one, str):
        match = _QUANTITY.fullmatch(one.strip())
        if match is None:
            allowed = 'a number, "90 km/h" or "2.5±0.1 nm"'
            message = f"{name} is {one[:60]!a}; {allowed} is expected."
            raise InputError("VALIDATION_FAILED", message, field=name, got=one, allowed=allowed)
        value, sigma, unit = match.groups()
        return float(value), unit.strip(), None if sigma is None else float(sigma)
    if isinstance(one, (Quantity, Answer)):
        if one.value is None:
            raise InputError("VALIDATION_FAILED", f"{name} has no value.", field=name, got=one, allowed="a number")
        # ± of an answer counts standard uncertainties twice; an input has one.
        return one.value, one.unit, None if one.uncertainty is None else one.uncertainty / 2
    plain = one if isinstance(one, (int, float)) else _plain_number(name, one)
    return plain, "", None


def _plain_number(name: str, one: Any) -> float:
    try:
        return float(one)
    except (TypeError, ValueError):
        message = f"{name} is of type {type(one).__name__}; a number or a text with its unit is expected."
        raise InputError("VALIDATION_FAILED", message, field=name, got=one, allowed="a number") from None


def _axis(name: str, axis: AxisLike) -> Any:
    if isinstance(axis, Mapping):
        return dict(axis)
    if isinstance(axis, tuple):
        if len(axis) != 3:
            allowed = "(first, last, count) as a tuple, or a list of numbers"
            message = f"{name}: {allowed} is expected."
            raise InputError("VALIDATION_FAILED", message, field=name, got=axis, allowed=allowed)
        return {"from": axis[0], "to": axis[1], "count": axis[2]}
    return [float(one) for one in axis]
