// A stretch of a chain as a file that proves itself, for programs and for people.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation, media } from '../operation.ts';
import { Slug } from './schemas.ts';

const seq = z.coerce.number().int().min(0);
const STRETCH = z.object({
  slug: Slug,
  from: seq.optional().describe(`First row; by default at most the last ${LIMITS.bundle.rows} are bundled.`),
  to: seq.optional().describe('Last row.'),
});

export const machineBundle = defineOperation({
  name: 'chain.bundle',
  summary:
    'A stretch of a chain as one file that proves itself: rows, signed checkpoint, proofs, contract definitions.',
  description: `At most ${LIMITS.bundle.rows} rows, fewer where their payloads are long; \`next_from\` says where the next bundle begins. \`svc verify\` and the downloaded verifier check it offline.`,
  route: 'GET /api/chain/{slug}/bundle',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  input: STRETCH,
  output: media('application/json'),
  errors: ['NOT_FOUND'],
  handle: async ({ slug, ...stretch }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return `${JSON.stringify(await services.bundles.ofMachine(machine, stretch))}\n`;
  },
});

export const machineBundlePage = defineOperation({
  name: 'chain.bundle-page',
  summary: 'The same as one HTML page with its verifier inside: it checks itself from a disk, with the network off.',
  route: 'GET /api/chain/{slug}/bundle.html',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  input: STRETCH,
  output: media('text/html; charset=utf-8', 'svc-bundle.html'),
  errors: ['NOT_FOUND'],
  handle: async ({ slug, ...stretch }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return services.bundles.pageOf(await services.bundles.ofMachine(machine, stretch));
  },
});
