// The API reference: derived from the operations, complete, and small.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fieldRows } from '../../scripts/portal/reference/field-rows.ts';
import { groupedOperations } from '../../scripts/portal/reference/groups.ts';
import { referenceOf } from '../../scripts/portal/reference/operation-pages.ts';
import { readRecordedAnswers } from '../../scripts/portal/reference/recorded-answers.ts';
import { referenceFiles } from '../../scripts/portal/reference/reference-files.ts';
import { sampleOf } from '../../scripts/portal/reference/sample.ts';
import { ERROR_WORDS } from '../../src/core/error-words.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { openApiDocument } from '../../src/operations/node/openapi.ts';
import { isMedia, type Operation } from '../../src/operations/operation.ts';
import { isPagePath } from '../../src/portal/page-paths.ts';
import { movedTo } from '../../src/portal/reference/moved-to.ts';
import { pathOfOperation } from '../../src/portal/reference/operation-page.ts';

/** Compressed bytes of the largest file; a page loads two, and its script. */
const MAX_FILE_BYTES = 14_000;

const operations: readonly Operation[] = OPERATIONS;
const answers = readRecordedAnswers();
const reference = referenceOf(operations);
const { index, pages } = reference;
const byName = new Map(operations.map((operation) => [operation.name, operation]));

interface Documented {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly security: unknown }>>>
  >;
}
const document = JSON.parse(JSON.stringify(openApiDocument(operations))) as Documented;

test('every operation stands once in the list and has a page with its route', () => {
  const listed = index.groups.flatMap((group) => group.operations);
  expect(listed.map(({ name }) => name).sort()).toEqual([...byName.keys()].sort());
  for (const { name, method, path, summary } of listed) {
    expect(`${method} ${path}`).toBe(byName.get(name)?.route);
    expect(pages.get(name)?.link.summary).toBe(summary);
    expect([name, isPagePath(pathOfOperation(name))]).toEqual([name, true]);
  }
});

test('an operation whose tag stands in no group stops the build', () => {
  const [first] = operations;
  expect(() => groupedOperations([{ ...(first as Operation), name: 'novelty.read' }])).toThrow('novelty');
});

test('only public operations work without a key, as the OpenAPI document says', () => {
  const methods = Object.values(document.paths).flatMap((path) => Object.values(path));
  const security = new Map(methods.map((one) => [one.operationId, one.security]));
  const counts = { public: 0, key: 0, admin: 0 };
  for (const [name, { call, link }] of pages) {
    const isPublic = byName.get(name)?.tier === 'public';
    counts[link.access]++;
    expect([name, link.access === 'public', call.needsKey]).toEqual([name, isPublic, !isPublic]);
    expect([name, security.get(name)]).toEqual([name, [...(isPublic ? [{}] : []), { bearer: [] }]]);
  }
  expect(counts.public).toBeGreaterThan(20);
  expect(counts.key).toBeGreaterThan(50);
  expect(counts.admin).toBeGreaterThan(0);
});

test('the input of every example is valid, and says what was made up', () => {
  let madeUpCount = 0;
  for (const [name, { input, madeUp, preset }] of pages) {
    const operation = byName.get(name);
    const parsed = operation?.input.safeParse(input);
    expect([name, parsed?.error?.issues]).toEqual([name, undefined]);
    const example = (operation?.example ?? {}) as Record<string, unknown>;
    if (answers[name] !== undefined) expect([name, input]).toEqual([name, answers[name].input]);
    else if (preset === undefined)
      expect([name, Object.keys(input).sort()]).toEqual([name, [...madeUp, ...Object.keys(example)].sort()]);
    else expect([operation?.solver === undefined, madeUp]).toEqual([false, []]);
    madeUpCount += madeUp.length;
  }
  expect(madeUpCount).toBeGreaterThan(0);
});

test('a page names the fields of the input, those of objects in it, and every error', () => {
  for (const [name, { sections, errors, answer }] of pages) {
    const operation = byName.get(name);
    const fields = sections
      .filter(({ place }) => place !== 'header')
      .flatMap(({ rows }) => rows.map((row) => row.name));
    expect([name, fields.sort()]).toEqual([name, Object.keys(operation?.input.shape ?? {}).sort()]);
    const codes = errors.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining([...(operation?.errors ?? []), 'INTERNAL']));
    expect(codes.every((code) => code in ERROR_WORDS)).toBe(true);
    const isJson = operation !== undefined && !isMedia(operation.output);
    expect([name, (answer.recorded ?? answer.shape) !== undefined]).toEqual([name, isJson]);
    expect([name, answer.recorded]).toEqual([name, answers[name]?.answer]);
  }
  const sweep = pages
    .get('compute.run')
    ?.sections.flatMap(({ rows }) => rows)
    .find((row) => row.name === 'sweep');
  expect(sweep?.fields?.map((row) => row.name)).toEqual(['from', 'to', 'count', 'scale']);
});

test('required fields come first, and those of a solver before those that all solvers have', () => {
  const namesOf = (name: string) =>
    pages
      .get(name)
      ?.sections.find(({ place }) => place === 'body')
      ?.rows.map((row) => row.name) ?? [];
  expect(namesOf('compute.run').slice(0, 2)).toEqual(['domain', 'inputs']);
  const heat = namesOf('heat.solve');
  expect(heat.indexOf('nx')).toBeLessThan(heat.indexOf('folder'));
  expect(heat.indexOf('nx')).toBeLessThan(heat.indexOf('operators'));
});

test('rows say type, limits, unit and default; a schema that contains itself ends', () => {
  const schemas = {
    Tree: { type: 'object', properties: { leaf: { type: 'string' }, child: { $ref: '#/components/schemas/Tree' } } },
  };
  const schema = {
    type: 'object',
    required: ['n'],
    properties: {
      n: { type: 'integer', minimum: 8, maximum: 128, default: 64, 'x-unit': 'm^2/s' },
      name: { type: ['string', 'null'], minLength: 1, maxLength: 80, description: 'Of it' },
      size: { anyOf: [{ type: 'number', exclusiveMinimum: 0 }, { type: 'null' }] },
      any: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      mode: { enum: ['a', 'b'] },
      points: { type: 'array', minItems: 1, maxItems: 9, items: { type: 'number', minimum: 0, maximum: 1 } },
      values: { type: 'object', additionalProperties: { type: 'number' } },
      tree: { $ref: '#/components/schemas/Tree' },
    },
  };
  expect(fieldRows(schema, schemas)).toEqual([
    { name: 'n', type: 'whole number', isRequired: true, limits: '8 – 128', defaultValue: '64', unit: 'm^2/s' },
    { name: 'name', type: 'text or null', limits: '1 – 80 characters', meaning: 'Of it.' },
    { name: 'size', type: 'number or null', limits: '> 0' },
    { name: 'any', type: 'whole number', limits: '≥ 0' },
    { name: 'mode', type: 'one of a, b' },
    { name: 'points', type: 'list of numbers', limits: '1 – 9 entries, each 0 – 1' },
    { name: 'values', type: 'numbers by name' },
    {
      name: 'tree',
      type: 'Tree',
      fields: [
        { name: 'leaf', type: 'text' },
        { name: 'child', type: 'Tree' },
      ],
    },
  ]);
});

test('a sample has the required fields alone, and fits bounds and patterns', () => {
  const schema = {
    type: 'object',
    required: ['hash', 'count', 'above', 'list', 'kind', 'maybe'],
    properties: {
      hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      count: { type: 'integer', minimum: 3 },
      above: { type: 'number', exclusiveMinimum: 2 },
      list: { type: 'array', minItems: 2, items: { type: 'boolean' } },
      kind: { enum: ['first', 'second'] },
      maybe: { anyOf: [{ type: 'null' }, { const: 7 }] },
      unneeded: { type: 'string' },
    },
  };
  expect(sampleOf(schema, {})).toEqual({
    hash: '0'.repeat(64),
    count: 3,
    above: 3,
    list: [true, true],
    kind: 'first',
    maybe: 7,
  });
});

test.each([
  ['?q=compute.run', '', '/reference/compute.run'],
  ['', '#machine.get', '/reference/machine.get'],
  ['', '#tag-heat', '/reference/heat.solve'],
  ['', '#tag-machine', '/reference#machines'],
  ['', '#tag-unheard', undefined],
  ['?q=machine', '', undefined],
  ['', '#machines', undefined],
  ['', '', undefined],
])('the old address /reference%s%s leads to %s', (search, hash, target) => {
  expect(movedTo(index, { search, hash })).toBe(target);
});

test('no file of the reference is large', () => {
  const { plugin, htmlPages } = referenceFiles(reference);
  const sizes = new Map<string, number>();
  const emit = (name: string, source: string) => sizes.set(name, gzipSync(source).length);
  const context = {
    emitFile: ({ fileName, source }: { fileName: string; source: string }) =>
      emit(fileName.split('/').at(-1) ?? '', source),
  };
  (plugin.generateBundle as unknown as (this: typeof context) => void).call(context);
  expect(sizes.size).toBe(operations.length + 1);
  const start = '<title>svc</title><meta name="description" content="…"><noscript></noscript>';
  for (const [name, page] of htmlPages(start)) emit(name, page);
  expect(sizes.size).toBe(2 * (operations.length + 1));
  const [name, largest] = [...sizes].sort((a, b) => b[1] - a[1])[0] ?? ['', 0];
  console.log(`largest file of the reference: ${name}, ${largest} bytes compressed`);
  expect(largest).toBeGreaterThan(3_000);
  expect(largest).toBeLessThan(MAX_FILE_BYTES);
});

test('a reader without scripts gets fields and errors of an operation', () => {
  const start = '<title>svc</title><meta name="description" content="…"><noscript></noscript>';
  const html = referenceFiles(reference).htmlPages(start).get('reference/compute.run.html');
  for (const words of ['POST /api/svc/compute', 'solve_for', 'ROOT_NOT_UNIQUE', 'curl -s', '<title>compute.run · svc'])
    expect(html).toContain(words);
});
