// Activities in definitions: what is refused by name, what simulations compute and ask for, and what results have to show.

import { expect, test } from 'vitest';
import { explain, explanationText } from '../../../src/contracts/authoring/explain.ts';
import { scenarioFaults } from '../../../src/contracts/authoring/scenarios.ts';
import { answeredCall, type CallOutcome, resultFault, resultOf } from '../../../src/contracts/calls/result.ts';
import { definitionFaults } from '../../../src/contracts/check.ts';
import { compileContract } from '../../../src/contracts/compiled.ts';
import type { StartedCall } from '../../../src/contracts/contract-state.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { type Scenario, simulate } from '../../../src/contracts/simulate.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { sha256Hex } from '../../../src/core/sha256.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import { callFaults } from '../../../src/protocol/contract-calls.ts';
import { environment } from '../data/data-fixture.ts';
import { ENERGY, meter, meterTransitions, RATE, rated } from './meter.ts';

const METER = meter();
/** Half of m v², so that a simulation computes something. */
const computing = {
  ...environment,
  compute: ({ inputs: { m = 0, v = 0 } }: { readonly inputs: Readonly<Record<string, number>> }) => (m * v * v) / 2,
};
const run = (definition: Definition, ...steps: Scenario['steps']) => {
  const contract = compileContract(definition);
  const scenario = { name: 'trial', steps };
  expect(scenarioFaults(contract, scenario)).toEqual([]);
  return simulate(contract, scenario, computing);
};
const BODY = { send: 'body', payload: { m: 2, v: 3 } } as const;

test('a simulation computes the law when the scenario lets it be told, and the oldest first', () => {
  const steps = run(
    METER,
    { ...BODY, expect: { called: ['CM9 measured'], context: { results: 0 } } },
    { send: 'body', payload: { m: 4, v: 3 }, expect: { called: ['CM9 measured'] } },
    { after: 'PT1M', send: 'measured', by: 'engine', expect: { context: { energy: 9, results: 1 } } },
    { send: 'measured', by: 'engine', payload: { value: 5 }, expect: { context: { energy: 5, results: 2 } } },
    { send: 'measured', by: 'engine' },
  );
  expect(steps.map(({ mismatches }) => mismatches)).toEqual([[], [], [], [], ['no activity waits for measured']]);
  expect(steps.map(({ waiting }) => waiting.length)).toEqual([1, 2, 1, 0, 0]);
  expect(steps[0]?.fired[0]?.calls).toEqual([
    {
      operator: 'CM9',
      inputs: { m: 2, v: 3 },
      unit: 'J',
      into: 'measured',
      on_error: 'not_measured',
      tries: 3,
      backoff: 8,
    },
  ]);
  const [wrong] = run(METER, { ...BODY, expect: { called: ['CM1 measured'] } });
  expect(wrong?.mismatches).toEqual(['[CM9 measured] were started, not [CM1 measured]']);
});

test('as many activities wait as may be pending', () => {
  const { perContract } = LIMITS.contracts.calls;
  const [step] = run(METER, { ...BODY, times: perContract + 2 });
  expect([step?.fired.length, step?.waiting.length]).toEqual([perContract + 2, perContract]);
});

test('a scenario tells of a failure, and a caller cannot', () => {
  const steps = run(
    METER,
    BODY,
    {
      send: 'measured',
      payload: { value: 1, unit: 'J', uncertainty: 0, receipt: '' },
      expect: { context: { results: 0 } },
    },
    {
      send: 'not_measured',
      by: 'engine',
      payload: { code: 'OUT_OF_TIME' },
      expect: { context: { why: 'OUT_OF_TIME' } },
    },
  );
  expect(steps.flatMap(({ mismatches }) => mismatches)).toEqual([]);
});

test('a scenario answers a request, and is told what its answer lacks', () => {
  const steps = run(
    rated(),
    { send: 'ask', payload: { currency: 'EUR' }, expect: { called: ['GET https://rates.example/latest rated'] } },
    { send: 'rated', by: 'engine' },
    { send: 'rated', by: 'engine', payload: { rate: 1.08 }, expect: { context: { rate: 1.08 } } },
  );
  expect(steps.map(({ mismatches }) => mismatches)).toEqual([
    [],
    ['the response to GET https://rates.example/latest rated lacks rate'],
    [],
  ]);
});

test('the explanation says what is asked, who tells the result, and how often it is tried', () => {
  const text = explanationText(explain(compileContract(meter({}, { ...ENERGY, retry: { tries: 2 } }))));
  expect(text).toContain('a value in J is computed by operator CM9 from m = the m sent and v = the v sent');
  expect(text).toContain('“measured” tells the result, or “not_measured” after 2 tries that there is none');
  expect(text).toContain('When “measured” tells what became of an activity');
  expect(explanationText(explain(compileContract(rated())))).toContain('https://rates.example/latest is read');
});

test('what is sent beyond the limit fails the action, and nothing is started', () => {
  const currency = 'x'.repeat(LIMITS.contracts.calls.payloadBytes);
  const [step] = run(rated(), { send: 'ask', payload: { currency } });
  expect([step?.fired, step?.refusals.map(({ code }) => code)]).toEqual([[], ['ACTION_FAILED']]);
});

const AT = 'transitions.ask.post.0.call';
const call = (given: object) => ({ transitions: meterTransitions({ ...ENERGY, ...given }) });
const told = (name: string, payload: object, more: object = {}) => ({
  events: { ...METER.events, [name]: { payload, ...more } },
});

test.each<[what: string, more: object, path: string, code: string]>([
  ['the first edition', { edition: undefined }, AT, 'EDITION'],
  ['neither law nor request', call({ operator: undefined }), AT, 'ONE_OF'],
  ['a law that is not declared', call({ operator: 'CM1' }), `${AT}.operator`, 'UNKNOWN_NAME'],
  ['no unit', call({ unit: undefined }), `${AT}.unit`, 'MISSING'],
  ['no inputs', call({ inputs: undefined }), `${AT}.inputs`, 'MISSING'],
  ['a text as an input', call({ inputs: { m: 'event.m', v: '"fast"' } }), `${AT}.inputs.v`, 'EXPRESSION_INVALID'],
  ['a request with a unit', { transitions: meterTransitions({ ...RATE, unit: 'J' }) }, `${AT}.unit`, 'NOT_ALLOWED'],
  ['an event that is none', call({ into: 'weighed' }), `${AT}.into`, 'UNKNOWN_NAME'],
  ['no event of its own for failures', call({ on_error: 'measured' }), `${AT}.on_error`, 'TAKEN'],
  ['a field that no result has', told('measured', { mass: 'number' }), 'events.measured.payload', 'UNKNOWN_NAME'],
  ['a field of another type', told('measured', { value: 'string' }), 'events.measured.payload.value', 'TYPE'],
  ['a failure with a value', told('not_measured', { value: 'number' }), 'events.not_measured.payload', 'UNKNOWN_NAME'],
  ['a result from callers', told('measured', {}, { open: true }), 'events.measured.open', 'NOT_ALLOWED'],
  ['a result that is emitted', { emits: ['measured'] }, 'emits', 'NOT_ALLOWED'],
  [
    'a response without the field',
    { transitions: meterTransitions({ ...RATE, into: 'measured', on_error: 'not_measured' }) },
    `${AT}.http.fields.rate`,
    'UNKNOWN_NAME',
  ],
  [
    'a pointer that is none',
    { transitions: meterTransitions({ ...RATE, http: { ...RATE.http, fields: { rate: 'rates' } } }) },
    `${AT}.http.fields.rate`,
    'POINTER',
  ],
  [
    'a field that every response has',
    { transitions: meterTransitions({ ...RATE, http: { ...RATE.http, fields: { status: '/status' } } }) },
    `${AT}.http.fields.status`,
    'TAKEN',
  ],
  [
    'another scheme',
    { transitions: meterTransitions({ ...RATE, http: { ...RATE.http, url: 'ftp://rates.example/' } }) },
    `${AT}.http.url`,
    'URL',
  ],
  ['a wait of weeks', call({ retry: { backoff: 'P7D' } }), `${AT}.retry.backoff`, 'OUT_OF_RANGE'],
  [
    'more activities than allowed',
    {
      transitions: METER.transitions.map((one) =>
        one.id === 'ask' ? { ...one, post: Array.from({ length: 5 }, () => one.post?.[0]) } : one,
      ),
    },
    'transitions.ask.post',
    'OUT_OF_RANGE',
  ],
  [
    'one before the condition',
    { transitions: METER.transitions.map((one) => (one.id === 'ask' ? { ...one, post: [], pre: one.post } : one)) },
    'transitions.ask.pre.0',
    'NOT_ALLOWED',
  ],
])('%s is refused by name', (_, more, path, code) => {
  const faults = definitionFaults(Definition.parse({ ...METER, ...more }));
  expect(faults.map((one) => [one.path, one.code])).toContainEqual([path, code]);
});

test.each<[what: string, given: object, path: string, code: string, more?: object]>([
  ['an input that is missing', { inputs: { m: 'event.m' } }, 'inputs.v', 'MISSING'],
  ['an input that the law has not', { inputs: { ...ENERGY.inputs, w: '1' } }, 'inputs.w', 'UNKNOWN_NAME'],
  ['another unit of the value', { unit: 'kJ' }, 'unit', 'UNIT_MISMATCH'],
  [
    'a parameter in another unit',
    { inputs: { m: 'load', v: 'event.v' } },
    'inputs.m',
    'UNIT_MISMATCH',
    { parameters: { load: { type: 'number', default: 2, unit: 'g' } } },
  ],
  ['a solver that is none', { operator: undefined, solver: 'heet' }, 'solver', 'SOLVER_UNKNOWN'],
  [
    'a solver without its inputs',
    { operator: undefined, solver: 'heat', inputs: { nx: '8' }, unit: 'm' },
    'unit',
    'UNIT_MISMATCH',
  ],
])('the registries refuse %s', (_, given, path, code, more = {}) => {
  const definition = Definition.parse({ ...METER, ...more, ...call(given) });
  const faults = callFaults(definition, OPERATORS).map((one) => [one.path, one.code]);
  expect(faults).toContainEqual([`${AT}.${path}`, code]);
});

test('the registries have nothing against the fixture', () => {
  expect(definitionFaults(METER)).toEqual([]);
  expect(callFaults(METER, OPERATORS)).toEqual([]);
  expect(definitionFaults(rated())).toEqual([]);
});

const REQUEST = {
  url: 'https://rates.example/',
  method: 'GET',
  fields: {
    rate: { at: '/rates/0', type: 'number' },
    day: { at: '/day', type: 'string' },
    ok: { at: '/ok', type: 'boolean' },
    n: { at: '/n', type: 'integer' },
  },
} as const;

test.each<[text: string, reason: string | undefined]>([
  ['{"rates":[1.5],"day":"1 May","ok":true,"n":2}', undefined],
  ['{"rates":[],"day":"1 May","ok":true,"n":2}', 'rate, at "/rates/0", is missing; expected number.'],
  ['{"rates":["1.5"],"day":"1 May","ok":true,"n":2}', 'rate, at "/rates/0", is "1.5"; expected number.'],
  ['{"rates":[1e400],"day":"1 May","ok":true,"n":2}', 'rate, at "/rates/0", is null; expected number.'],
  ['{"rates":[1],"day":null,"ok":true,"n":2}', 'day, at "/day", is null; expected string.'],
  ['{"rates":[1],"day":"\\u0000","ok":true,"n":2}', 'day, at "/day", is "\\u0000"; expected string.'],
  ['{"rates":[1],"day":"","ok":1,"n":2}', 'ok, at "/ok", is 1; expected boolean.'],
  ['{"rates":[1],"day":"","ok":true,"n":2.5}', 'n, at "/n", is 2.5; expected integer.'],
  ['not JSON', 'The response is not JSON, from which fields are to be read.'],
])('a response %s is read as declared, or refused', (text, reason) => {
  const outcome = answeredCall(200, text, REQUEST);
  if (reason !== undefined) expect(outcome).toEqual({ kind: 'failed', code: 'RESPONSE', reason });
  else
    expect(outcome).toEqual({
      kind: 'answered',
      status: 200,
      body_sha256: sha256Hex(text),
      bytes: text.length,
      text,
      fields: { rate: 1.5, day: '1 May', ok: true, n: 2 },
    });
});

test('a long response, and one that no database stores, is recorded by its hash alone', () => {
  for (const text of ['x'.repeat(LIMITS.contracts.calls.recordedBytes + 1), 'a\0b'])
    expect(answeredCall(201, text, { url: REQUEST.url, method: 'GET' })).toEqual({
      kind: 'answered',
      status: 201,
      body_sha256: sha256Hex(text),
      bytes: text.length,
      fields: {},
    });
});

const ASKED: StartedCall = {
  operator: 'CM9',
  inputs: { m: 2, v: 3 },
  unit: 'J',
  into: 'measured',
  on_error: 'not_measured',
  tries: 3,
  backoff: 8,
};
const RECEIPT = {
  operator_id: 'CM9',
  inputs: { m: 2, v: 3 },
  value: 9,
  unit: 'J',
  uncertainty: 1e-15,
  solver: 'compute',
};
const rowOf = (asked: StartedCall, outcome: CallOutcome) => {
  const { name, payload, evidence } = resultOf(asked, outcome, 1);
  return { name, payload: { ...payload }, call: { seq: 1, no: 0, tries: 1, ...evidence } as Record<string, unknown> };
};
const COMPUTED = rowOf(ASKED, { kind: 'computed', value: 9, unit: 'J', uncertainty: 1e-15, receipt: RECEIPT });
const PAGE = '{"rates":[1.5],"day":"1 May","ok":true,"n":2}';
const WEB: StartedCall = { http: REQUEST, into: 'rated', on_error: 'not_rated', tries: 3, backoff: 8 };
const ANSWERED = rowOf(WEB, answeredCall(200, PAGE, REQUEST));

test('a result says what its evidence says', () => {
  expect(resultFault(COMPUTED, ASKED)).toBeUndefined();
  expect(resultFault(ANSWERED, WEB)).toBeUndefined();
  const failed = rowOf(ASKED, { kind: 'failed', code: 'OUT_OF_TIME', reason: 'late' });
  expect(resultFault(failed, ASKED)).toBeUndefined();
  expect(resultFault({ ...failed, payload: { code: 'OTHER', tries: 1 } }, ASKED)).toContain('has code "OTHER"');
});

test.each<[what: string, row: Record<string, unknown>, asked: StartedCall, text: string]>([
  ['another value', { ...COMPUTED, payload: { ...COMPUTED.payload, value: 10 } }, ASKED, 'has value 10'],
  [
    'another uncertainty',
    { ...COMPUTED, payload: { ...COMPUTED.payload, uncertainty: 0 } },
    ASKED,
    'has uncertainty 0',
  ],
  [
    'another receipt',
    { ...COMPUTED, call: { ...COMPUTED.call, receipt: { ...RECEIPT, notes: [] } } },
    ASKED,
    'has receipt',
  ],
  ['other inputs', COMPUTED, { ...ASKED, inputs: { m: 3, v: 3 } }, 'whose m is 2'],
  ['another law', COMPUTED, { ...ASKED, operator: 'CM1' }, 'the receipt of CM9'],
  ['another unit', COMPUTED, { ...ASKED, unit: 'kJ' }, 'the unit J'],
  ['another name', { ...COMPUTED, name: 'other' }, ASKED, 'tells other'],
  ['no evidence', { ...COMPUTED, call: { seq: 1, no: 0, tries: 1 } }, ASKED, 'has no evidence'],
  ['a page instead of a law', { ...ANSWERED, name: 'measured' }, ASKED, 'evidence of another kind'],
  ['another field', { ...ANSWERED, payload: { ...ANSWERED.payload, rate: 2 } }, WEB, 'has rate 2'],
  [
    'another page',
    { ...ANSWERED, call: { ...ANSWERED.call, http: { ...(ANSWERED.call.http as object), text: '{}' } } },
    WEB,
    'another hash',
  ],
  ['another status', { ...ANSWERED, payload: { ...ANSWERED.payload, status: 201 } }, WEB, 'has status 201'],
])('a result with %s is found', (_, row, asked, text) => {
  expect(resultFault(row, asked)).toContain(text);
});
