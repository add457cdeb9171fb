// A few kills, so that the suite is seen to work; the many are in the slow suite.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { killContractNodes } from './contract-kills.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'svc-contracts-'));
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

test('after 3 kills -9 mid-fire nothing is lost or doubled', async () => {
  const { events, fires } = await killContractNodes({
    database: { dataFolder },
    nodes: 1,
    kills: 3,
    seed: 11,
    mostEvents: 60,
  });
  expect(fires).toBeGreaterThan(events);
}, 120_000);
