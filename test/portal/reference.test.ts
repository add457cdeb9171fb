import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.ts';
import { openApiDocument } from '../../src/operations/node/openapi.ts';
import { endpointsOf, type OpenApi } from '../../src/portal/reference/openapi-document.ts';

const document = JSON.parse(JSON.stringify(openApiDocument(OPERATIONS))) as OpenApi;

test('every route accepts a key, and only public routes work without one', () => {
  const needs = new Map(endpointsOf(document).map(({ id, needsKey }) => [id, needsKey]));
  const security = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((operation) => [operation.operationId, operation.security] as const),
  );
  const securityByName = new Map(security);
  let publicCount = 0;
  for (const { name, tier } of OPERATIONS) {
    const isPublic = tier === 'public';
    if (isPublic) publicCount++;
    expect([name, securityByName.get(name)]).toEqual([name, [...(isPublic ? [{}] : []), { bearer: [] }]]);
    expect([name, needs.get(name)]).toEqual([name, !isPublic]);
  }
  expect([publicCount > 20, publicCount < OPERATIONS.length]).toEqual([true, true]);
});

test.each([
  [undefined, false],
  [[], false],
  [[{}], false],
  [[{ bearer: [] }, {}], false],
  [[{ bearer: [] }], true],
])('security %j: key required: %s', (security, needsKey) => {
  const operation = security === undefined ? {} : { security };
  const [endpoint] = endpointsOf({ ...document, paths: { '/one': { get: operation } } });
  expect(endpoint?.needsKey).toBe(needsKey);
});
