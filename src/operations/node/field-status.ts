// Status of the node: cipher and key source of its secrets, and supported protocol versions.

import { z } from 'zod';
import { KERNEL_VERSIONS } from '../../protocol/kernel-description.ts';
import { defineOperation } from '../operation.ts';
import { success } from '../schemas.ts';
import { INTERFACE_VERSION } from './openapi.ts';

/**
 * Supported revisions of the Model Context Protocol at /api/mcp, newest first. 2025-03-26 without batches, which later
 * revisions removed.
 */
export const MCP_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;

const PROTOCOL_VERSIONS = {
  interface: INTERFACE_VERSION,
  kernel_prompt: [...KERNEL_VERSIONS],
  receipt: ['v1', 'v2'],
  seal: ['v3'],
  mcp: [...MCP_VERSIONS],
};

export const fieldStatus = defineOperation({
  name: 'field.status',
  summary: 'Cipher of stored secrets, source of the master key, and protocol versions.',
  route: 'GET /api/svc/field-status',
  tier: 'public',
  effect: 'read',
  mcp: {
    tool: 'svc_field_status',
    title: 'Field status',
    description: 'Use to see what this node runs: cipher and source of its key, protocol versions.',
    profile: 'agent',
  },
  input: z.object({}),
  output: success({
    cipher: z.string().describe('Cipher of the stored secrets.'),
    key_source: z
      .enum(['environment', 'file', 'memory'])
      .describe('Source of the master key: SVC_MASTER_KEY, a file of mode 0600, or the memory of this process.'),
    protocol_versions: z.strictObject({
      interface: z.string(),
      kernel_prompt: z.array(z.string()),
      receipt: z.array(z.string()),
      seal: z.array(z.string()),
      mcp: z.array(z.string()),
    }),
  }),
  brief: {
    sentences: ({ cipher, key_source, protocol_versions: { interface: version, mcp } }) => [
      `Secrets are stored with ${cipher}; the master key comes from: ${key_source}.`,
      `Interface ${version}; MCP ${mcp.join(', ')}.`,
    ],
  },
  errors: [],
  handle: async (_, { services }) => ({ ...services.sealing, protocol_versions: PROTOCOL_VERSIONS }),
});
