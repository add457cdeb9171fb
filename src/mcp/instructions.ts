// Instructions that the server gives a model before its first call.

import { LIMITS } from '../core/limits.ts';

export const INSTRUCTIONS = `svc computes numbers that can be checked: every result is sealed with its kernel, inputs, error bound and clock stamp, and re-runs bit for bit.

Where to start:
- svc_auto takes a question in words.
- svc_find_operator finds a closed-form law by word, symbol or formula; svc_compute evaluates it with its keys.
- svc_api_catalog finds routes by word; svc_http calls any of them. QUERY is GET with the parameters in the body.
- Each solver has its own tool (svc_heat, svc_evolve, ...). Its schema lists defaults behind their unit: [m] L=1, a means L and a in m, L 1 by default. The first choice is the default. GET /api/svc/solvers/heat has ranges and meanings. folder files the run in your library. sweep runs fields over many values: {"nx": [16, 32]} or {"nx": {"from": 16, "to": 64, "count": 4}}; svc_compute too. Both take samples: {"count": 200} with uncertainties.
- svc_verify says whether a number was computed and signed here; POST /api/svc/replay {"receipt": link} re-runs it. svc_pulse reads the clock.

Keys: lookups (svc_pulse, svc_field_status, svc_api_catalog, operators and domains) need none. The others answer AUTH_REQUIRED without one: send the header Authorization: Bearer svc_ak_..., never a query parameter. POST /api/demo-key/mint through svc_http gives a demo key.

Reading an answer:
- The text is a summary to quote; structured content has the fields. detail: "full", which every tool takes, gives all fields as text too.
- complete.href is the whole receipt for ${LIMITS.resultHours} hours: give the link to svc_verify, do not copy the receipt. Arrays without data stand there at pointer.
- Quote value, unit and uncertainty together. errorPct is a tolerance ceiling, not an error rate. converged: false means do not rely on it.
- value null with value_repr NaN is the dimensional gate: gate.accepted names the keys.
- An answer above ${LIMITS.toolResultBytes} bytes is truncated; complete.href has the full one, by POST of the same body where complete.again says so.
- An error names field, given value and allowed ones: correct it and call again.
`;
