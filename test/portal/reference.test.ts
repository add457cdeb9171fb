import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.ts';
import { openApiDocument } from '../../src/operations/node/openapi.ts';
import { endpointsOf, type OpenApi } from '../../src/portal/reference/document.ts';

const document = JSON.parse(JSON.stringify(openApiDocument(OPERATIONS))) as OpenApi;

test('the document says that a key counts on every route, and that public ones go without', () => {
  const needs = new Map(endpointsOf(document).map(({ id, needsKey }) => [id, needsKey]));
  const security = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((operation) => [operation.operationId, operation.security] as const),
  );
  const said = new Map(security);
  let open = 0;
  for (const { name, tier } of OPERATIONS) {
    const isPublic = tier === 'public';
    if (isPublic) open++;
    expect([name, said.get(name)]).toEqual([name, [...(isPublic ? [{}] : []), { bearer: [] }]]);
    expect([name, needs.get(name)]).toEqual([name, !isPublic]);
  }
  expect([open > 20, open < OPERATIONS.length]).toEqual([true, true]);
});

test.each([
  [undefined, false],
  [[], false],
  [[{}], false],
  [[{ bearer: [] }, {}], false],
  [[{ bearer: [] }], true],
])('security %j: a key is needed: %s', (security, needsKey) => {
  const operation = security === undefined ? {} : { security };
  const [endpoint] = endpointsOf({ ...document, paths: { '/one': { get: operation } } });
  expect(endpoint?.needsKey).toBe(needsKey);
});
