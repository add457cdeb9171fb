// Measurements of the node for monitoring. docs/metrics.md lists them.

import { z } from 'zod';
import { defineOperation, media } from '../operation.ts';

export const metrics = defineOperation({
  name: 'node.metrics',
  summary: 'Measurements of this node in the text format of Prometheus.',
  description:
    'For callers on the same computer, without a proxy between, and for keys of the account that owns the node.',
  route: 'GET /metrics',
  tier: 'public',
  effect: 'read',
  input: z.object({}),
  output: media('text/plain; version=0.0.4; charset=utf-8'),
  errors: ['FORBIDDEN'],
  handle: async (_, { services, principal, isLocal }) => {
    if (!isLocal) await services.metrics.assertReadableBy(principal?.accountId);
    return services.metrics.text();
  },
});
