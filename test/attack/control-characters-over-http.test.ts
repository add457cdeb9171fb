// The same texts over HTTP: in bodies, queries and paths of every route, and in free payloads. Never a 5xx.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { Operation } from '../../src/operations/operation.ts';
import { requestUrl } from '../../src/operations/request-url.ts';
import { methodOf, pathParameters } from '../../src/operations/route.ts';
import { arbitraryOf, schemaOf } from '../http/arbitrary-of.ts';
import { ECHO, ownMachines } from '../http/machine-fixture.ts';
import { type Answer, type Json, startService } from '../http/service-fixture.ts';
import { nameOf, type TextField, textFields, withText } from './text-fields.ts';

const service = await startService();
const own = ownMachines(service, 'text');
const slug = await own.machine();
const { contract } = await own.request(
  `POST /api/chain/${slug}/contracts/custom`,
  'admin',
  { slug, definition: ECHO },
  201,
);
const id = String((contract as Json).id);

const BAD = ['a\0b', 'a\u0001b', 'a\ud800b', '\0'.repeat(32)];

/** An input that reaches the handler: the documented example, or one that the schema allows, on a real machine. */
function inputOf({ input, example }: Operation): Json {
  const ids = { ...('slug' in input.shape ? { slug } : {}), ...('id' in input.shape ? { id } : {}) };
  return { ...((example ?? sampleOf(input)) as Json), ...ids };
}

const samples = new Map<z.ZodObject, unknown>();

/** Drawn once for each operation: to draw one of a contract takes longer than the request. */
function sampleOf(input: z.ZodObject): unknown {
  const known = samples.get(input) ?? fc.sample(arbitraryOf(schemaOf(input)), { numRuns: 1, seed: 12 })[0];
  samples.set(input, known);
  return known;
}

async function ask({ operation, steps }: TextField, text: string): Promise<Answer> {
  // URLs are UTF-8: there a surrogate is three bytes that no text has.
  const inUrl = 'SURROGATE';
  const isRead = methodOf(operation) === 'GET';
  const [head] = steps;
  const isInUrl = isRead || (typeof head === 'object' && pathParameters(operation).includes(head.field));
  const input = withText(inputOf(operation), steps, isInUrl ? text.replace('\ud800', inUrl) : text) as Json;
  const { url, rest } = requestUrl(operation, input, 'http://service');
  const target = `${url.pathname}${url.search}`.replace(inUrl, '%ED%A0%80');
  return service.call(`${methodOf(operation)} ${target}`, { as: 'admin', ...(isRead ? {} : { json: rest }) });
}

test('no text field of any operation leads to a 5xx', async () => {
  const failed: string[] = [];
  let asked = 0;
  for (const field of textFields()) {
    if (field.operation.events || field.operation.text) continue;
    for (const text of BAD) {
      const answer = await ask(field, text);
      asked++;
      if (answer.status >= 500) failed.push(`${nameOf(field)}: ${answer.status}`);
    }
  }
  expect(failed).toEqual([]);
  expect(asked).toBeGreaterThan(1_000);
});

test('a payload may hold them: it is stored as JSON', async () => {
  for (const text of ['a\0b', 'a\u0001b']) {
    const written = await own.event(slug, 'ping', { payload: { text, n: 1 } });
    const [row] = (await own.rows(slug)).filter(({ seq }) => seq === written.seq);
    expect(row?.payload).toEqual({ name: 'ping', payload: { text, n: 1 } });
  }
});
