// What protects a node's secrets, and which versions of which protocols it speaks.

import { z } from 'zod';
import { KERNEL_VERSIONS } from '../../protocol/kernel-description.ts';
import { defineOperation } from '../operation.ts';
import { Ok } from '../schemas.ts';
import { INTERFACE_VERSION } from './openapi.ts';

/**
 * Revisions of the Model Context Protocol that are answered at /api/mcp, newest first. Of 2025-03-26 all but its batches,
 * which every later revision has given up.
 */
export const MCP_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;

const ANSWER = {
  interface: INTERFACE_VERSION,
  kernel_prompt: [...KERNEL_VERSIONS],
  receipt: ['v1', 'v2'],
  seal: ['v3'],
  mcp: [...MCP_VERSIONS],
};

export const fieldStatus = defineOperation({
  name: 'field.status',
  summary: 'How secrets are sealed here, where the master key comes from, and the protocol versions.',
  route: 'GET /api/svc/field-status',
  tier: 'public',
  effect: 'read',
  mcp: {
    tool: 'svc_field_status',
    title: 'Field status',
    description: 'Use to see what this node runs. Cipher of its secrets, source of its key and protocol versions.',
    profile: 'agent',
  },
  input: z.object({}),
  output: z.strictObject({
    ok: Ok,
    cipher: z.string().describe('Cipher under which the secrets of the node are stored.'),
    key_source: z
      .enum(['environment', 'file', 'memory'])
      .describe(
        'Where the master key comes from: SVC_MASTER_KEY, a file of mode 0600, or nowhere beyond this process.',
      ),
    protocol_versions: z.strictObject({
      interface: z.string(),
      kernel_prompt: z.array(z.string()),
      receipt: z.array(z.string()),
      seal: z.array(z.string()),
      mcp: z.array(z.string()),
    }),
  }),
  errors: [],
  handle: async (_, { services }) => ({ ok: true as const, ...services.sealing, protocol_versions: ANSWER }),
});
