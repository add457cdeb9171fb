// Schemas of keys.

import { z } from 'zod';
import { singleLine } from '../../core/text-schema.ts';
import { KeyPrefix, Timestamp } from '../schemas.ts';

const Scope = z.enum(['read', 'write', 'admin']);

const RateTier = z.enum(['free', 'standard', 'high']);

export const KeyRecord = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    keyPrefix: KeyPrefix,
    scope: Scope,
    rate_limit_tier: z.enum(['demo', 'free', 'standard', 'high']),
    created_at: Timestamp,
    expires_at: Timestamp.nullable(),
    revoked_at: Timestamp.nullable(),
    last_used_at: Timestamp.nullable(),
  })
  .meta({ id: 'Key', description: 'A key without the raw key.' });

/** Fields of a new key. */
export const KeyDraft = {
  name: singleLine(80).describe('Purpose of the key.'),
  scope: Scope.default('write').describe(
    'Permissions: read; write, which adds computing and filing; admin, which adds managing keys.',
  ),
  rate_limit_tier: RateTier.default('free').describe(
    'Requests a minute, which all keys of the account share: free 1,200, standard 1,200, high 6,000.',
  ),
  expires_at: Timestamp.optional().describe('Expiry, at most that of your own key; never by default.'),
};
