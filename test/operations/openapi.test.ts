// The OpenAPI document that a node answers is made in many turns of the event loop, and says the same as one made in one turn.

import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.ts';
import { openApiDocument, openApiText } from '../../src/operations/node/openapi.ts';

test('the document says the same as if it were made in one turn, and lets others have one per operation', async () => {
  let isMade = false;
  let turns = 0;
  const made = openApiText(OPERATIONS).finally(() => {
    isMade = true;
  });
  while (!isMade) {
    turns++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(turns).toBeGreaterThanOrEqual(OPERATIONS.length);
  expect(JSON.parse(await made)).toEqual(JSON.parse(JSON.stringify(openApiDocument(OPERATIONS))));
});
