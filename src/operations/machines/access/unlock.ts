// Unlocks a private machine for reading in one browser.

import { z } from 'zod';
import { DomainError } from '../../../core/errors.ts';
import { LIMITS } from '../../../core/limits.ts';
import { singleLine } from '../../../core/text-schema.ts';
import type { UnlockSecret } from '../../../services/access/read-passes.ts';
import { defineOperation } from '../../operation.ts';
import { success, Timestamp } from '../../schemas.ts';
import { Slug } from '../schemas.ts';

export const unlockMachine = defineOperation({
  name: 'machine.unlock',
  summary: "Unlock a machine for reading in this browser, with a share token or a member's equation.",
  description: `Sets a cookie valid for ${LIMITS.chain.passMinutes} minutes; ${LIMITS.rate.unlock} attempts in ten minutes. Give either share or equation.`,
  route: 'POST /api/chain/{slug}/unlock',
  tier: 'public',
  effect: 'write',
  input: z.strictObject({
    slug: Slug,
    share: singleLine(200).optional().describe('svc_sh_…'),
    equation: singleLine(1_000).optional().describe('The equation of a member; not stored.'),
  }),
  output: success({ slug: Slug, pass: z.string().describe('Value of the cookie.'), expires_at: Timestamp }),
  errors: ['NOT_FOUND', 'RATE_LIMITED'],
  cookie: ({ slug, pass }) => ({ name: passCookie(slug), value: pass, maxAgeSeconds: 60 * LIMITS.chain.passMinutes }),
  handle: async ({ slug, share, equation }, { services, tenant }) => {
    const unlocked = await services.readPasses.unlock(slug, parseSecret(share, equation), tenant);
    return { slug, ...unlocked };
  },
});

/** One cookie per machine, so that several can be unlocked. */
export function passCookie(slug: string): string {
  return `svc_read.${slug}`;
}

/** @throws DomainError VALIDATION_FAILED */
function parseSecret(share: string | undefined, equation: string | undefined): UnlockSecret {
  if (share !== undefined && equation === undefined) return { share };
  if (equation !== undefined && share === undefined) return { equation };
  const message = `${share === undefined ? 'Neither' : 'Both'} of share and equation ${share === undefined ? 'is' : 'are'} given; exactly one is expected.`;
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'share', code: 'ONE_OF', message }] });
}
