// Three kills as a smoke test; the slow suite runs one hundred.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { killContractNodes } from './kill-contract-nodes.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'svc-contracts-'));
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

test('after 3 kills -9 mid-fire no event or fire is lost or repeated', async () => {
  const { events, fires } = await killContractNodes({
    database: { dataFolder },
    nodes: 1,
    kills: 3,
    seed: 11,
    maxEvents: 60,
  });
  expect(fires).toBeGreaterThan(events);
}, 120_000);
