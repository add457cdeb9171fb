// Instructions that the server gives a model before its first call.

import { LIMITS } from '../core/limits.ts';

export const INSTRUCTIONS = `svc computes numbers that can be checked: every result is sealed with its kernel, inputs, error bound and clock stamp, and re-runs bit for bit.

Where to start:
- svc_find_operator finds a closed-form law by word, symbol or formula; svc_compute evaluates it with the keys that it accepts.
- svc_api_catalog finds routes by word; svc_http calls any of them. QUERY is GET with the parameters in the body.
- Each solver has its own tool (svc_heat, svc_schrodinger, svc_evolve, ...). Omitted fields take the default in the schema; units are in brackets.
- svc_verify says whether a number was computed and signed here. svc_pulse reads the clock. Both are cheap.

Keys: lookups (svc_pulse, svc_field_status, svc_api_catalog, operators and domains) need none. The others answer AUTH_REQUIRED without one: send the header Authorization: Bearer svc_ak_..., never a query parameter. POST /api/demo-key/mint through svc_http gives a demo key for 24 hours.

Reading an answer:
- Quote value, unit and uncertainty together. errorPct is a tolerance ceiling, not an error rate. converged: false means do not rely on it.
- value null with value_repr NaN is the dimensional gate: gate.unrecognised names the keys that no operator takes.
- An answer above ${LIMITS.toolResultBytes} bytes is truncated; complete.href has the full one: a computation for ${LIMITS.resultHours} hours, others with your key, by POST of the same body where complete.again says so. Verify and replay need the complete envelope.
- An error names the field, the given value and the allowed ones: correct it and call again.
- Long runs report progress; cancelling the call stops the kernel.
`;
