// Fuzzes the API from its OpenAPI document: no 5xx, and no undocumented status, code or body.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.ts';
import { pathParameters } from '../../src/operations/route.ts';
import { almostValid, arbitraryOf, type Schema } from './arbitrary-of.ts';
import { isLong, solverOf } from './long-run.ts';
import { type Answer, type Json, startService } from './service-fixture.ts';

const service = await startService();
const document = JSON.parse((await service.call('GET /openapi.json')).text) as Document;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
}

interface Documented {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, unknown>> }>
  >;
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: operation.operationId, method, path, operation })),
);
type Listed = (typeof operations)[number];

/** A pointer into the document; `/` in a name is written `~1` (RFC 6901). */
const pointer = (...names: readonly string[]) =>
  `openapi#/${names.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi');
const validators = new Map<string, ValidateFunction>();
function validatorAt(reference: string): ValidateFunction {
  const known = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, known);
  return known;
}

/** Status, media type, code and body of an answer are what the document says. */
function assertDocumented({ method, path, operation }: Listed, answer: Answer, what: string): void {
  const { status, headers, text } = answer;
  const response = operation.responses[String(status)];
  expect(status, `${what}: ${text}`).toBeLessThan(500);
  expect(response, `${what}: ${status} is not documented: ${text}`).toBeDefined();
  const media = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  expect(Object.keys(response?.content ?? {}), what).toContain(media);
  if (media !== 'application/json') return;
  const isTrue = validatorAt(pointer('paths', path, method, 'responses', String(status), 'content', media, 'schema'));
  expect(isTrue(answer.json()) ? [] : isTrue.errors, `${what}: ${text.slice(0, 400)}`).toEqual([]);
  if (status >= 400) expect(response?.description, what).toMatch(new RegExp(`\\b${String(answer.json().code)}\\b`));
}

/** Kernel time of one case. */
const MAX_MS = 100;

interface Case {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Path and query parameters that are right, or of which one is not. */
function parametersOf({ operation }: Listed, isRight: boolean): fc.Arbitrary<Record<string, unknown>> {
  const given = (operation.parameters ?? []).filter(({ in: place }) => place !== 'header');
  const schema: Schema = {
    type: 'object',
    properties: Object.fromEntries(given.map((one) => [one.name, one.schema])),
    required: given.filter((one) => one.required === true).map(({ name }) => name),
  };
  if (isRight || given.length === 0) return arbitraryOf(schema) as fc.Arbitrary<Record<string, unknown>>;
  const odd = fc.constantFrom(
    '',
    ' ',
    '-1',
    '1e99',
    'NaN',
    '%',
    '..',
    '\u0000',
    'a'.repeat(2000),
    '💥',
    "' or 1=1 --",
    '{}',
  );
  return fc
    .record({ right: arbitraryOf(schema), name: fc.constantFrom(...given.map(({ name }) => name)), odd })
    .map(({ right, name, odd }) => ({ ...(right as object), [name]: odd }));
}

/** Fields of a solver of equations that say how, not what: a random text is no equation, and a random time no span. */
const HOW = new Set(['rtol', 'points', 'invariant_tol', 'strict', 'folder', 'seed']);

/** Random domains, operators, and names of a sweep are refused before a solver reads anything else. */
const ADDRESS = new Set(['domain', 'operators', 'sweep', 'samples']);

function unaddressed(solver: string, body: unknown): unknown {
  const isKept = (name: string) => (solver === 'unified.solve' ? HOW.has(name) : !ADDRESS.has(name));
  return Object.fromEntries(Object.entries(body as Json).filter(([name]) => isKept(name)));
}

function casesOf(listed: Listed, isRight: boolean): fc.Arbitrary<Case> {
  const schema = listed.operation.requestBody?.content['application/json']?.schema;
  const parameters = parametersOf(listed, isRight);
  if (schema === undefined) return parameters.map((parameters) => ({ parameters }));
  const any = isRight ? arbitraryOf(schema) : almostValid(schema);
  const addressed = any.map((one) => unaddressed(listed.name, one));
  const read = isRight && solverOf(listed.name) ? fc.oneof({ weight: 4, arbitrary: addressed }, any) : any;
  const body = read.filter((one) => !isLong(listed.name, one, MAX_MS));
  return fc.record({ parameters: isRight ? parameters : fc.oneof(parameters, parametersOf(listed, true)), body });
}

async function ask({ method, path, operation }: Listed, { parameters, body }: Case): Promise<Answer> {
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value] of Object.entries(parameters)) {
    const text = String(value);
    if (path.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, () => encodeURIComponent(text));
    else query.append(name, text);
  }
  const route = `${method.toUpperCase()} ${filled}${query.size > 0 ? `?${query}` : ''}`;
  const as = /^(key|machine|contract|template)\./.test(operation.operationId) ? 'admin' : 'write';
  return service.call(route, { as, ...(body === undefined ? {} : { json: body }) });
}

/** With an empty path parameter it is another path. */
const isAnotherPath = ({ path }: Listed, { parameters }: Case) =>
  Object.entries(parameters).some(([name, value]) => path.includes(`{${name}}`) && value === '');

const RUNS = process.env.SVC_SLOW === '1' ? 200 : 20;
/** Generous: a property that is interrupted before its first case counts as failed. */
const TIME_MS = 20_000;
const settings = { numRuns: RUNS, interruptAfterTimeLimit: TIME_MS, seed: 20_260_921 };

describe.each(operations)('$name', (listed) => {
  const place = ['paths', listed.path, listed.method, 'requestBody', 'content', 'application/json', 'schema'];
  const schema = listed.operation.requestBody?.content['application/json']?.schema;

  test('a valid request gets a documented response', async () => {
    let solved = 0;
    await fc.assert(
      fc.asyncProperty(casesOf(listed, true), async (given) => {
        const answer = await ask(listed, given);
        assertDocumented(listed, answer, JSON.stringify(given));
        // What is no JSON has tests of its own; here it comes without a body.
        const isText = listed.operation.requestBody !== undefined && schema === undefined;
        if (!isText) expect(answer.status, answer.text).not.toBe(400);
        if (answer.status === 200) solved++;
      }),
      settings,
    );
    // A fuzzer that never comes past the first refusal has seen nothing.
    if (solverOf(listed.name)) expect(solved).toBeGreaterThanOrEqual(1);
  });

  test('an invalid request gets a documented error', async () => {
    await fc.assert(
      fc.asyncProperty(casesOf(listed, false), async (given) => {
        const answer = await ask(listed, given);
        if (isAnotherPath(listed, given)) {
          expect([404, 405]).toContain(answer.status);
          return;
        }
        assertDocumented(listed, answer, JSON.stringify(given));
        const isWrong = schema !== undefined && !validatorAt(pointer(...place))(given.body);
        if (isWrong) expect(answer.status, JSON.stringify(given)).toBeGreaterThanOrEqual(400);
      }),
      settings,
    );
  });
});

/** What the example of an operation says of its path, which the documented body leaves out. */
function pathValuesOf(name: string): Record<string, unknown> {
  const operation = OPERATIONS.find((one) => one.name === name);
  const example = (operation?.example ?? {}) as Record<string, unknown>;
  const names = operation === undefined ? [] : pathParameters(operation);
  return Object.fromEntries(names.map((one) => [one, example[one]]));
}

test('the documented examples match their schemas and succeed', async () => {
  await service.call('POST /api/chain/state-machines', { as: 'admin', json: { slug: 'boiler' } });
  let examples = 0;
  for (const listed of operations) {
    const { schema, example } = listed.operation.requestBody?.content['application/json'] ?? {};
    if (schema === undefined || example === undefined) continue;
    examples++;
    const answer = await ask(listed, { parameters: pathValuesOf(listed.name), body: example as Json });
    assertDocumented(listed, answer, listed.name);
    expect(answer.status, listed.name).toBeLessThan(300);
  }
  expect(examples).toBeGreaterThanOrEqual(5);
});
