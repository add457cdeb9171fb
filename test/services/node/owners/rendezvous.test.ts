// Shares of nodes: even, the same on every node, and kept when another node comes or goes.

import { expect, test } from 'vitest';
import { assignShards } from '../../../../src/services/node/owners/rendezvous.ts';

const SHARDS = 64;
const names = (count: number) => Array.from({ length: count }, (_, i) => `node-${i * 7}`);

test('no node has more than its share, whatever the order of the list', () => {
  for (let count = 1; count <= 9; count++) {
    const nodes = names(count);
    const owners = assignShards(SHARDS, nodes);
    expect(owners).toHaveLength(SHARDS);
    expect(assignShards(SHARDS, nodes.toReversed())).toEqual(owners);
    for (const node of nodes) {
      expect(owners.filter((owner) => owner === node).length).toBeLessThanOrEqual(Math.ceil(SHARDS / count));
    }
  }
  expect(assignShards(SHARDS, [])).toEqual([]);
});

test('a node that comes moves little more than its own share', () => {
  for (let count = 1; count <= 8; count++) {
    const before = assignShards(SHARDS, names(count));
    const after = assignShards(SHARDS, names(count + 1));
    const moved = after.filter((owner, shard) => owner !== before[shard]).length;
    expect(moved).toBeLessThan((2 * SHARDS) / (count + 1) + 2);
  }
});
