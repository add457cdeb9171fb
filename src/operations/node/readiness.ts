// Readiness of the node, for load balancers. GET /api/svc/pulse says only that the process runs.

import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { success } from '../schemas.ts';

export const readiness = defineOperation({
  name: 'node.ready',
  summary: 'Whether this node can serve requests now: its database answers.',
  description:
    'A node that is not ready answers 503 with Retry-After. GET /api/svc/pulse answers without the database.',
  route: 'GET /readyz',
  tier: 'public',
  effect: 'read',
  input: z.object({}),
  output: success({
    database: z.enum(['embedded', 'postgresql']),
    clock_source: z.string().describe('Source of the time, as in the pulse.'),
  }),
  errors: [],
  handle: (_, { services }) => services.readiness.read(),
});
