// Rendezvous hashing: every node comes to the same owner of a shard from the list of nodes alone, and a node that comes
// or goes moves little more than its own share. No node gets more than its share, rounded up.
// Thaler and Ravishankar, IEEE/ACM Trans. Networking 6 (1998) 1, doi:10.1109/90.663936; bounded loads: Mirrokni et al.,
// SODA 2018, doi:10.1137/1.9781611975031.39.

import { createHash } from 'node:crypto';

/** @returns the node of each shard; empty without nodes */
export function assignShards(shards: number, nodes: readonly string[]): readonly string[] {
  if (nodes.length === 0) return [];
  const room = new Map(nodes.map((node) => [node, Math.ceil(shards / nodes.length)]));
  return Array.from({ length: shards }, (_, shard) => {
    let [best, highest] = ['', -1];
    for (const [node, left] of room) {
      const score = left > 0 ? scoreOf(node, shard) : -1;
      if (score > highest || (score === highest && node < best)) [best, highest] = [node, score];
    }
    room.set(best, (room.get(best) ?? 0) - 1);
    return best;
  });
}

const SCORE_BYTES = 6;

function scoreOf(node: string, shard: number): number {
  return createHash('sha256').update(`${node}\0${shard}`).digest().readUIntBE(0, SCORE_BYTES);
}
