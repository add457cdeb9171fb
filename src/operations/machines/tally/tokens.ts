// Lists, finds and verifies issued tokens.

import { z } from 'zod';
import { LIMITS } from '../../../core/limits.ts';
import { defineOperation } from '../../operation.ts';
import { PAGE, success } from '../../schemas.ts';
import { Slug } from '../schemas.ts';
import { Count, Index, MAX_COUNT, SUPPLY, Token, TokenId, totals } from './schemas.ts';

const { searchedTokens: searched } = LIMITS.tally;

export const listTokens = defineOperation({
  name: 'tally.tokens',
  summary: 'The issued tokens of a machine, by index.',
  route: 'GET /api/chain/{slug}/tally/tokens',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ slug: Slug, from: Index.default(0).describe('First index.'), limit: PAGE.limit }),
  output: success({ rows: z.array(Token), next_from: z.int().nullable() }),
  errors: [],
  handle: (page, { services }, { machine }) => services.tally.tokens(machine, page),
});

export const getToken = defineOperation({
  name: 'tally.token',
  summary: 'One token: its index, and the row or tick that issued it.',
  description: `Searches the first ${searched} tokens, or only the given index.`,
  route: 'GET /api/chain/{slug}/tally/token/{tokenId}',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ slug: Slug, tokenId: TokenId, index: Index.optional().describe('Its index, if known.') }),
  output: success({ token: Token }),
  errors: [],
  handle: async ({ tokenId, index }, { services }, { machine }) => ({
    token: await services.tally.token(machine, tokenId, index),
  }),
});

export const verifyTally = defineOperation({
  name: 'tally.verify',
  summary: 'Check the rates of a token against their rows, recount, and find a token by id.',
  route: 'POST /api/chain/{slug}/tally/verify',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.strictObject({
    slug: Slug,
    tokenId: TokenId.optional(),
    index: z.int().min(0).max(MAX_COUNT).optional().describe('Index of the token, if known.'),
  }),
  output: success({
    valid: z.boolean().describe('All rows match, and the given token was issued.'),
    ...SUPPLY,
    checked: Count.describe('Rows that set a rate.'),
    sealed: Count.describe('Of these, rows that only the owner can decrypt.'),
    first_bad: z
      .strictObject({ seq: z.int(), reason: z.enum(['MISSING', 'UNKNOWN', 'HASH', 'COMMIT', 'DIFFERENT']) })
      .nullable(),
    token: Token.nullable(),
  }),
  errors: [],
  handle: async (query, { services }, { machine }) => {
    const { supply, ...report } = await services.tally.verify(machine, query);
    return { ...report, ...totals(supply) };
  },
});
