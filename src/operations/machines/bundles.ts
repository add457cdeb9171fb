// Exports a row range of a chain as one self-verifying file, JSON or HTML.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation, media } from '../operation.ts';
import { QueryInt } from '../schemas.ts';
import { Slug } from './schemas.ts';

const BundleInput = z.object({
  slug: Slug,
  from: QueryInt.optional().describe(`First row; by default at most the last ${LIMITS.bundle.rows} are bundled.`),
  to: QueryInt.optional().describe('Last row.'),
});

export const machineBundle = defineOperation({
  name: 'chain.bundle',
  summary: 'A row range of a chain as one self-verifying file: rows, signed checkpoint, proofs, contract definitions.',
  description: `At most ${LIMITS.bundle.rows} rows, fewer if payloads are long; \`next_from\` starts the next bundle. \`svc verify\` and the downloaded verifier check it offline.`,
  route: 'GET /api/chain/{slug}/bundle',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  caching: 'etag',
  input: BundleInput,
  output: media('application/json'),
  errors: [],
  handle: (range, { services }, { machine }) => services.bundles.stream(machine, range),
});

export const machineBundlePage = defineOperation({
  name: 'chain.bundle-page',
  summary: 'The bundle as one HTML page with a verifier: open it offline to check it.',
  route: 'GET /api/chain/{slug}/bundle.html',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  caching: 'etag',
  input: BundleInput,
  output: media('text/html; charset=utf-8', 'svc-bundle.html'),
  errors: [],
  handle: (range, { services }, { machine }) => services.bundles.streamPage(machine, range),
});
