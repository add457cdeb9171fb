// Metadata at well-known addresses: the protected resource of /api/mcp (RFC 9728), and the public keys (RFC 7517).

import { z } from 'zod';
import { defineOperation, media } from '../operation.ts';
import { PublicKey, success } from '../schemas.ts';

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

export const readJwks = defineOperation({
  name: 'jwks.read',
  summary: 'The public keys that verify seals.',
  route: 'GET /api/.well-known/jwks.json',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  input: z.object({}),
  output: success({ keys: z.array(PublicKey) }),
  errors: [],
  handle: async (_, { services }) => ({ keys: [...services.keyRing.jwks().keys] }),
});
