// Schemas of the token of a machine.

import { z } from 'zod';
import { COUNTS } from '../../../chain/tally.ts';
import type { Supply } from '../../../services/machines/tally/tally.ts';
import { Hex32, queryInt, Sha256, Tick } from '../../schemas.ts';

export const MAX_COUNT = Number.MAX_SAFE_INTEGER;

export const Unit = z
  .enum(['row', 'tick'])
  .describe('Unit to count: rows of the chain, or ticks from the row of the rate to the last counted row.');

export const Every = z.int().min(1).max(MAX_COUNT).describe('Units per `amount` tokens.');

export const Amount = z.int().min(0).max(MAX_COUNT).describe('0 issues nothing.');

export const Mint = z.strictObject({ unit: Unit, every: Every, amount: Amount }).meta({ id: 'MintRate' });

export const Count = z.int().min(0);

export const TokenId = Hex32.describe('First 32 digits of SHA-256(genesis hash ‖ "\\0" ‖ index).');

export const Index = queryInt(0, MAX_COUNT);

export const Segment = z
  .strictObject({
    unit: Unit,
    every: Every,
    amount: Amount,
    counts: z
      .enum(COUNTS)
      .describe('`members`: anchors and refused requests do not count. `all`: a rate set before this distinction.'),
    seq: z.int().describe('The row that set the rate.'),
    svcond: Tick,
    issued: Count.describe('Tokens issued at this rate.'),
  })
  .meta({ id: 'MintSegment' });

export const SUPPLY = {
  supply: Count.describe('Tokens issued.'),
  max_supply: Count,
  tokens_remaining: Count,
  last_row: z
    .strictObject({ seq: z.int(), svcond: Tick, row_hash: Sha256 })
    .describe('The head of the chain as counted.'),
};

export const Token = z
  .strictObject({
    token_id: TokenId,
    index: Count,
    segment: Count.describe('Index of its rate, from 0.'),
    unit: Unit,
    at: z.int().describe('Row or tick that issued it.'),
  })
  .meta({ id: 'TallyToken' });

export const Avatar = z
  .strictObject({ media_type: z.string(), sha256: Sha256, width: z.int(), height: z.int(), svcond: Tick })
  .meta({ id: 'TallyAvatar' });

export const totals = ({ supply, max_supply, tokens_remaining, last_row }: Supply) => ({
  supply,
  max_supply,
  tokens_remaining,
  last_row,
});
