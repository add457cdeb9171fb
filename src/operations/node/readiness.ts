// Readiness of the node, for load balancers. GET /api/svc/pulse says only that the process runs.

import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { success } from '../schemas.ts';

export const readiness = defineOperation({
  name: 'node.ready',
  summary: 'Whether this node takes requests: it does not drain, its database answers, and its time is trusted.',
  description:
    'A node that is not ready answers 503 with Retry-After. GET /api/svc/pulse answers without the database.',
  route: 'GET /readyz',
  tier: 'public',
  effect: 'read',
  input: z.object({}),
  output: success({
    database: z.enum(['embedded', 'postgresql']),
    clock_source: z.string().describe('Source of the time, as in the pulse.'),
    host_clock_ahead_ms: z
      .int()
      .describe('How far the clock of the host is ahead of the source; corrected.')
      .meta({ unit: 'ms' }),
  }),
  errors: ['CLOCK_SKEWED', 'SHUTTING_DOWN'],
  handle: (_, { services }) => services.readiness.read(),
});
