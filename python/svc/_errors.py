"""Errors with the code of the service, the field, what was got and what is allowed."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, Optional, Type


class SvcError(Exception):
    """An error that the service, or the check of a receipt, states.

    code         stable code, such as VALIDATION_FAILED; see docs/python.md
    field        path of the first wrong field, such as `inputs.m`; None if no field is at fault
    got          the value that was sent there; None if it was missing
    allowed      what the service expects there, in words; None if it does not say
    details      every wrong field: path, code, message
    facts        other facts of the answer, such as the largest stable step
    status       HTTP status; None for an error of this package
    request_id   to quote in a report
    retry_after  seconds to wait, if the service says so
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        field: Optional[str] = None,
        got: Any = None,
        allowed: Optional[str] = None,
        details: Optional[List[Dict[str, Any]]] = None,
        facts: Optional[Dict[str, Any]] = None,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.got = got
        self.allowed = allowed
        self.details = details or []
        self.facts = facts or {}
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.code} {self.message}"


class InputError(SvcError):
    """The request, file or receipt is wrong; another one may be right."""


class AccessError(SvcError):
    """The key is missing, not valid, or not allowed to do this."""


class NotFoundError(SvcError):
    """There is nothing of this name."""


class UnavailableError(SvcError):
    """The service cannot answer now, or not at all: no connection, too many calls, a fault on its side."""


_KNOWN_FACTS = ("ok", "error", "code", "request_id", "details")
#: `dt is -1; more than 0 is allowed.`
_ALLOWED = re.compile(r"; ([^;]+?)\.?$")


def _kind_of(status: int) -> Type[SvcError]:
    if status in (401, 403):
        return AccessError
    if status == 404:
        return NotFoundError
    if status == 429 or status >= 500:
        return UnavailableError
    return InputError


def error_of(status: int, body: Any, sent: Mapping[str, Any], retry_after: Optional[str]) -> SvcError:
    """The error of an answer of the service.

    body  its JSON
    sent  the inputs of the call, which hold what was got
    """
    answer: Mapping[str, Any] = body if isinstance(body, dict) else {}
    code, message = answer.get("code"), answer.get("error")
    listed = answer.get("details")
    details = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    path = details[0].get("path") if details else None
    words = _ALLOWED.search(str(details[0].get("message", ""))) if details else None
    try:
        wait = None if retry_after is None else float(retry_after)
    except ValueError:
        wait = None
    return _kind_of(status)(
        code if isinstance(code, str) else "INTERNAL",
        message if isinstance(message, str) else f"The service answered with status {status}.",
        field=path if isinstance(path, str) and path else None,
        got=_value_at(sent, path) if isinstance(path, str) else None,
        allowed=words.group(1) if words else None,
        details=details,
        facts={name: value for name, value in answer.items() if name not in _KNOWN_FACTS},
        status=status,
        request_id=answer.get("request_id"),
        retry_after=wait,
    )


def _value_at(value: Any, path: str) -> Any:
    for name in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, (list, tuple)) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value
