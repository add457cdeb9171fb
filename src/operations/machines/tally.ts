// Tokens of a machine, issued at a rate and counted from its chain.

import { z } from 'zod';
import { fromBase64 } from '../../core/bits.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Supply } from '../../services/machines/tally.ts';
import { defineOperation, media } from '../operation.ts';
import { Ok, Sha256, Tick } from '../schemas.ts';
import { signedIn } from '../signed-in.ts';
import { Logged, PAGE, Slug } from './schemas.ts';

const { avatar, nameCharacters, symbolCharacters, searched } = LIMITS.tally;
const LARGEST = Number.MAX_SAFE_INTEGER;
const plain = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text);

const Unit = z
  .enum(['row', 'tick'])
  .describe('What is counted: rows of the chain, or ticks from its first row to its last.');
const Every = z.int().min(1).max(LARGEST).describe('So many of them issue `amount` tokens.');
const Amount = z.int().min(0).max(LARGEST).describe('0 issues nothing.');
const Mint = z.strictObject({ unit: Unit, every: Every, amount: Amount }).meta({ id: 'MintRate' });
const Count = z.int().min(0);
const TokenId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .describe('First 32 digits of SHA-256(genesis hash ‖ "\\0" ‖ index).');
const Index = z.coerce.number().int().min(0).max(LARGEST);

const Segment = z
  .strictObject({
    unit: Unit,
    every: Every,
    amount: Amount,
    seq: z.int().describe('The row that set the rate.'),
    svcond: Tick,
    issued: Count.describe('Tokens that it has issued.'),
  })
  .meta({ id: 'MintSegment' });

const SUPPLY = {
  supply: Count.describe('Tokens issued.'),
  max_supply: Count,
  tokens_remaining: Count,
  last_row: z.strictObject({ seq: z.int(), svcond: Tick, row_hash: Sha256 }).describe('The last row that was counted.'),
};

const Token = z
  .strictObject({
    token_id: TokenId,
    index: Count,
    segment: Count.describe('Which rate issued it, from 0.'),
    unit: Unit,
    at: z.int().describe('The row, or the tick, with which it was issued.'),
  })
  .meta({ id: 'TallyToken' });

const Avatar = z
  .strictObject({ media_type: z.string(), sha256: Sha256, width: z.int(), height: z.int(), svcond: Tick })
  .meta({ id: 'TallyAvatar' });

const WRITE = [
  'NOT_FOUND',
  'FORBIDDEN',
  'ADMIN_REQUIRED',
  'ZID_NOT_LINKED',
  'MACHINE_ARCHIVED',
  'CONFLICT',
  'QUEUE_FULL',
] as const;

const totals = ({ supply, max_supply, tokens_remaining, last_row }: Supply) => ({
  supply,
  max_supply,
  tokens_remaining,
  last_row,
});

export const beginTally = defineOperation({
  name: 'tally.genesis',
  summary: 'Make the token of a machine, once and for all: its name, its most and the rate at which it is issued.',
  route: 'POST /api/chain/{slug}/tally/token/genesis',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    name: z.string().min(1).max(nameCharacters).refine(plain, 'control characters are not allowed'),
    symbol: z.string().min(1).max(symbolCharacters).refine(plain, 'control characters are not allowed'),
    max_supply: z.int().min(1).max(LARGEST).describe('Tokens that will ever be issued.'),
    mint: Mint,
  }),
  output: z.strictObject({ ok: Ok, ...Logged }),
  errors: WRITE,
  handle: async ({ slug, ...request }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return { ok: true as const, ...(await services.tally.begin(machine, signedIn(principal), request)) };
  },
});

export const getTally = defineOperation({
  name: 'tally.get',
  summary: 'The token of a machine: name, symbol, supply, rates and avatar.',
  route: 'GET /api/chain/{slug}/tally/token',
  tier: 'public',
  effect: 'read',
  input: z.object({ slug: Slug }),
  output: z.strictObject({
    ok: Ok,
    name: z.string(),
    symbol: z.string(),
    ...SUPPLY,
    segments: z.array(Segment),
    avatar: Avatar.nullable(),
  }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    const { tally, supply, avatar: picture } = await services.tally.get(machine);
    const { name, symbol } = tally;
    return { ok: true as const, name, symbol, ...supply, avatar: picture && avatarRecord(picture) };
  },
});

export const tallySupply = defineOperation({
  name: 'tally.supply',
  summary: 'How many tokens a machine has issued, counted from its chain, and how many may still come.',
  route: 'GET /api/chain/{slug}/tally/supply',
  tier: 'public',
  effect: 'read',
  input: z.object({ slug: Slug }),
  output: z.strictObject({ ok: Ok, ...SUPPLY }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, ...totals((await services.tally.get(machine)).supply) };
  },
});

export const getMintRate = defineOperation({
  name: 'tally.rate',
  summary: 'The rate at which tokens are issued, and the rates before it with what each has issued.',
  route: 'GET /api/chain/{slug}/tally/mint-rate',
  tier: 'public',
  effect: 'read',
  input: z.object({ slug: Slug }),
  output: z.strictObject({ ok: Ok, mint: Mint, segments: z.array(Segment) }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    const { segments } = (await services.tally.get(machine)).supply;
    const last = segments.at(-1);
    if (last === undefined) throw new Error(`The token of ${slug} has no rate.`);
    const { unit, every, amount } = last;
    return { ok: true as const, mint: { unit, every, amount }, segments };
  },
});

export const setMintRate = defineOperation({
  name: 'tally.set-rate',
  summary: 'Issue tokens at another rate from now on; what was issued stays issued.',
  route: 'POST /api/chain/{slug}/tally/mint-rate',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({ slug: Slug, unit: Unit, every: Every, amount: Amount }),
  output: z.strictObject({ ok: Ok, ...Logged }),
  errors: WRITE,
  handle: async ({ slug, ...mint }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return { ok: true as const, ...(await services.tally.setRate(machine, signedIn(principal), mint)) };
  },
});

export const listTokens = defineOperation({
  name: 'tally.tokens',
  summary: 'The tokens that a machine has issued, by number.',
  route: 'GET /api/chain/{slug}/tally/tokens',
  tier: 'public',
  effect: 'read',
  input: z.object({ slug: Slug, from: Index.default(0).describe('Number of the first one.'), limit: PAGE.limit }),
  output: z.strictObject({ ok: Ok, rows: z.array(Token), next_from: z.int().nullable() }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug, ...page }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, ...(await services.tally.tokens(machine, page)) };
  },
});

export const getToken = defineOperation({
  name: 'tally.token',
  summary: 'One token: its number, and with which row or tick it was issued.',
  description: `An id does not tell its number: it is looked for among the first ${searched} tokens, or under the index that is given.`,
  route: 'GET /api/chain/{slug}/tally/token/{tokenId}',
  tier: 'public',
  effect: 'read',
  input: z.object({ slug: Slug, tokenId: TokenId, index: Index.optional().describe('Its number, where it is known.') }),
  output: z.strictObject({ ok: Ok, token: Token }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug, tokenId, index }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, token: await services.tally.token(machine, tokenId, index) };
  },
});

export const verifyTally = defineOperation({
  name: 'tally.verify',
  summary: 'Check the rates of a token against the rows that set them, count again, and find a token if one is named.',
  route: 'POST /api/chain/{slug}/tally/verify',
  tier: 'public',
  effect: 'read',
  input: z.strictObject({
    slug: Slug,
    tokenId: TokenId.optional(),
    index: z.int().min(0).max(LARGEST).optional().describe('Number of the token, where it is known.'),
  }),
  output: z.strictObject({
    ok: Ok,
    valid: z.boolean().describe('All rows agree, and the token that was named was issued.'),
    ...SUPPLY,
    checked: Count.describe('Rows that set a rate.'),
    sealed: Count.describe('Of them, those whose payload only the owner can read.'),
    first_bad: z
      .strictObject({ seq: z.int(), reason: z.enum(['MISSING', 'UNKNOWN', 'HASH', 'COMMIT', 'DIFFERENT']) })
      .nullable(),
    token: Token.nullable(),
  }),
  errors: ['NOT_FOUND'],
  handle: async ({ slug, ...asked }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    const { supply, ...found } = await services.tally.verify(machine, asked);
    return { ok: true as const, ...found, ...totals(supply) };
  },
});

export const setAvatar = defineOperation({
  name: 'tally.set-avatar',
  summary: 'Give the token a picture. It is decoded and encoded again: nothing but its pixels is kept.',
  route: 'POST /api/chain/{slug}/tally/token/avatar',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    data: z
      .string()
      .min(4)
      .describe(
        `Base64 of a PNG, JPEG or WebP of at most ${avatar.bytes} bytes and ${avatar.side} × ${avatar.side} pixels.`,
      ),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/webp']).optional().describe('Must be what the content is.'),
  }),
  output: z.strictObject({ ok: Ok, ...Logged, avatar: Avatar }),
  errors: [...WRITE, 'BODY_TOO_LARGE'],
  handle: async ({ slug, data, media_type }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    const { row, avatar: picture } = await services.tally.setAvatar(
      machine,
      signedIn(principal),
      bytesOf(data),
      media_type,
    );
    return { ok: true as const, ...row, avatar: avatarRecord(picture) };
  },
});

export const getAvatar = defineOperation({
  name: 'tally.avatar',
  summary: 'The picture of the token of a machine.',
  route: 'GET /api/chain/{slug}/tally/token/avatar',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  input: z.object({ slug: Slug }),
  output: { ...media('image/png'), others: ['image/jpeg', 'image/webp'] },
  errors: ['NOT_FOUND'],
  handle: async ({ slug }, { services, principal }) =>
    services.tally.picture(await services.machines.find(slug, principal, 'reader')),
});

const avatarRecord = ({
  mediaType,
  ...more
}: {
  mediaType: string;
  sha256: string;
  width: number;
  height: number;
  svcond: number;
}) => ({
  media_type: mediaType,
  ...more,
});

/** @throws DomainError VALIDATION_FAILED */
function bytesOf(data: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(data);
  if (bytes !== undefined) return bytes;
  const message = 'data is not base64 (RFC 4648 §4, with padding).';
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'data', code: 'NOT_BASE64', message }] });
}
