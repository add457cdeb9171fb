// Downloads by SHA-256: fields, long results, kernels.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation, media } from '../operation.ts';
import { Sha256 } from '../schemas.ts';

export const getField = defineOperation({
  name: 'field.get',
  summary: 'The bytes of a large series or field: little-endian f64, row-major.',
  route: 'GET /api/svc/fields/{sha256}.bin',
  tier: 'public',
  effect: 'read',
  caching: 'immutable',
  input: z.object({ sha256: Sha256 }),
  output: media('application/octet-stream'),
  errors: ['NOT_FOUND'],
  handle: ({ sha256 }, { services }) => services.runs.field(sha256),
});

export const getResult = defineOperation({
  name: 'result.get',
  summary: 'The complete result that the summary of a tool links to.',
  description: `Computations only, for ${LIMITS.resultHours} hours. The hash grants access.`,
  route: 'GET /api/svc/results/{sha256}.json',
  tier: 'public',
  effect: 'read',
  caching: 'immutable',
  input: z.object({ sha256: Sha256 }),
  output: media('application/json'),
  errors: ['NOT_FOUND'],
  handle: ({ sha256 }, { services }) => services.results.read(sha256),
});

export const getKernel = defineOperation({
  name: 'kernel.get',
  summary: 'The WebAssembly of a kernel by its hash. Every kernel that sealed a result is archived.',
  route: 'GET /api/kernels/{sha256}.wasm',
  tier: 'public',
  effect: 'read',
  caching: 'immutable',
  input: z.object({ sha256: Sha256 }),
  output: media('application/wasm'),
  errors: ['KERNEL_UNAVAILABLE'],
  handle: ({ sha256 }, { services }) => services.kernels.bytes(sha256),
});
