// Where a client of /api/mcp learns how to identify itself (RFC 9728).

import { z } from 'zod';
import { defineOperation, media } from '../operation.ts';

/** Keys are bearer tokens that people make; there is no authorization server to name yet. */
export const mcpMetadata = defineOperation({
  name: 'mcp.metadata',
  summary: 'The protected resource metadata of /api/mcp (RFC 9728).',
  route: 'GET /.well-known/oauth-protected-resource/api/mcp',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  input: z.object({}),
  output: media('application/json'),
  errors: [],
  handle: async (_, { baseUrl }) =>
    JSON.stringify({
      resource: `${baseUrl}/api/mcp`,
      resource_name: 'svc',
      bearer_methods_supported: ['header'],
      resource_documentation: `${baseUrl}/.well-known/svc-os-kernel.md`,
    }),
});
