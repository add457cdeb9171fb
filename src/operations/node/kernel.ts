// The kernel: notice, addresses and directives for language models, as JSON and as Markdown.

import { z } from 'zod';
import { CURRENT_KERNEL_VERSION, KERNEL_VERSIONS } from '../../protocol/kernel-description.ts';
import { defineOperation, media } from '../operation.ts';
import { success } from '../schemas.ts';
import { KernelBlock } from './pulse.ts';

const KernelVersionInput = z.object({
  version: z.enum(KERNEL_VERSIONS).default(CURRENT_KERNEL_VERSION).describe('Which published prompt.'),
});

export const describeKernel = defineOperation({
  name: 'kernel.describe',
  summary: 'The kernel block: notice, addresses, version and directives.',
  route: 'GET /api/kernel',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  input: KernelVersionInput,
  output: success({ versions: z.array(z.string()), _kernel: KernelBlock }),
  errors: [],
  handle: async ({ version }, { services, baseUrl }) => ({
    versions: [...KERNEL_VERSIONS],
    _kernel: services.description.block(baseUrl, version),
  }),
});

export const kernelPrompt = defineOperation({
  name: 'kernel.prompt',
  summary: 'The kernel prompt for a language model.',
  route: 'GET /api/kernel/prompt',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  input: KernelVersionInput,
  output: success({ version: z.string(), prompt: z.string() }),
  errors: [],
  handle: async ({ version }, { services }) => ({
    version,
    prompt: services.description.prompt(version),
  }),
});

export const kernelMarkdown = defineOperation({
  name: 'kernel.markdown',
  summary: 'The kernel page as Markdown.',
  route: 'GET /.well-known/svc-os-kernel.md',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  input: z.object({}),
  output: media('text/markdown; charset=utf-8'),
  errors: [],
  handle: async (_, { services, baseUrl }) => services.description.markdown(baseUrl),
});
