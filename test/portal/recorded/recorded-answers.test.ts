// The recorded answers of the API reference: a node answers today with the same fields. With SVC_RECORD=1 they are recorded
// anew. The short run asks one solver in eight.

import { writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { referenceOf } from '../../../scripts/portal/reference/operation-pages.ts';
import {
  answerText,
  parseAnswer,
  RECORDED_FILE,
  type RecordedAnswer,
  readRecordedAnswers,
  withoutSecrets,
} from '../../../scripts/portal/reference/recorded-answers.ts';
import { type ApiName, createClient } from '../../../src/client/client.ts';
import { isRecord } from '../../../src/core/record.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { type Json, startService } from '../../http/service-fixture.ts';
import { NOT_RECORDED, walk } from './walk.ts';

const isRecording = process.env.SVC_RECORD === '1';
const ONE_IN = isRecording || process.env.SVC_SLOW === '1' ? 1 : 8;

const operations: readonly Operation[] = OPERATIONS;
const { pages } = referenceOf(operations, {});
const jsonPages = [...pages].filter(([, { call }]) => call.answers === 'json');
const service = await startService();
const client = createClient({ url: service.running.url });

const answers = new Map<string, RecordedAnswer>();
const recorded = isRecording ? {} : readRecordedAnswers();

const inputOf = (name: string, more: Json = {}): Json => ({ ...pages.get(name)?.input, ...more });
const call = async (name: string, input: Json, key = service.keys.admin) =>
  (await client.call(name as ApiName, input as never, { key })) as unknown as Json;

async function ask(name: string, more: Json = {}): Promise<Json> {
  const input = inputOf(name, more);
  const answer = await call(name, input);
  if (!answers.has(name)) answers.set(name, { input: withoutSecrets(input), answer: answerText(answer) });
  return answer;
}

beforeAll(async () => {
  const prepare = (name: string, more?: Json) => call(name, inputOf(name, more));
  const asGuest = (name: string, more?: Json) => call(name, inputOf(name, more), service.keys.other);
  await walk({ ask, prepare, asGuest, hasAnswer: (name) => answers.has(name) }, pages);
  const solvers = jsonPages.filter(([, page]) => page.call.solver !== undefined).map(([name]) => name);
  for (const [index, name] of solvers.entries()) if (index % ONE_IN === 0) await ask(name);
  if (isRecording) writeFileSync(RECORDED_FILE, `${JSON.stringify(Object.fromEntries(answers), null, 1)}\n`);
}, 600_000);

test('every operation that answers JSON has a recorded answer, or a reason for none', () => {
  const given = Object.keys(isRecording ? Object.fromEntries(answers) : recorded);
  expect([...given, ...NOT_RECORDED.keys()].sort()).toEqual(jsonPages.map(([name]) => name).sort());
  expect(given.length).toBeGreaterThan(150);
});

test.skipIf(isRecording)('a node answers with the fields that are recorded', () => {
  expect(answers.size).toBeGreaterThan(130);
  for (const [name, { answer }] of answers)
    expect([name, fieldsOf(parseAnswer(answer))]).toEqual([
      name,
      fieldsOf(parseAnswer(recorded[name]?.answer ?? '{}')),
    ]);
});

test('no secret stands in the recorded file', () => {
  const text = JSON.stringify(isRecording ? Object.fromEntries(answers) : recorded);
  expect(text).toContain('svc_ak_…');
  expect(text.match(/svc_[a-z]+_\w{8}|whsec_\w|phi'' \+/g)).toBeNull();
});

test('lists and texts are cut, and say by how much', () => {
  const text = answerText({
    list: Array.from({ length: 1_202 }, (_, index) => index),
    text: 'a'.repeat(200),
    none: [],
  });
  expect(text).toContain('… 1,200 more');
  expect(parseAnswer(text)).toEqual({ list: [0, 1], text: `${'a'.repeat(64)}…`, none: [] });
  expect(parseAnswer(answerText({ ids: ['… 7 more', ', … 8 more'] }))).not.toEqual({ ids: [] });
});

/** What a row carries depends on its tick, and the last two on the caller's runs before. */
const VARYING = /\.payload$|^\.(cko|alpha_eff)$/;

/** Names of all fields that do not vary; entries of a list together. */
function fieldsOf(value: unknown, path = ''): string[] {
  const members = Array.isArray(value)
    ? value.map((one) => ['[]', one] as const)
    : Object.entries(isRecord(value) ? value : {});
  const below = members
    .map(([name, one]) => [`${path}.${name}`, one] as const)
    .filter(([place]) => !VARYING.test(place))
    .flatMap(([place, one]) => [place, ...fieldsOf(one, place)]);
  return [...new Set(below)].sort();
}
