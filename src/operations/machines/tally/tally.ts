// The token of a machine: created once, issued at a rate, counted from the chain.

import { z } from 'zod';
import { LIMITS } from '../../../core/limits.ts';
import { singleLine } from '../../../core/text-schema.ts';
import { defineOperation } from '../../operation.ts';
import { success } from '../../schemas.ts';
import { WRITE_ERRORS } from '../errors.ts';
import { Logged, Slug } from '../schemas.ts';
import { avatarRecord } from './avatar.ts';
import { Amount, Avatar, Every, MAX_COUNT, Mint, Segment, SUPPLY, totals, Unit } from './schemas.ts';

const { nameCharacters, symbolCharacters } = LIMITS.tally;

export const createTally = defineOperation({
  name: 'tally.genesis',
  summary: 'Create the token of a machine, once: name, maximum supply and mint rate.',
  route: 'POST /api/chain/{slug}/tally/token/genesis',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    name: singleLine(nameCharacters),
    symbol: singleLine(symbolCharacters),
    max_supply: z.int().min(1).max(MAX_COUNT).describe('Maximum number of tokens.'),
    mint: Mint,
  }),
  output: success({ ...Logged }),
  errors: WRITE_ERRORS,
  handle: (request, { services }, { machine, by }) => services.tally.create(machine, by, request),
});

export const getTally = defineOperation({
  name: 'tally.get',
  summary: 'The token of a machine: name, symbol, supply, rates and avatar.',
  route: 'GET /api/chain/{slug}/tally/token',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ slug: Slug }),
  output: success({
    name: z.string(),
    symbol: z.string(),
    ...SUPPLY,
    segments: z.array(Segment),
    avatar: Avatar.nullable(),
  }),
  errors: [],
  handle: async (_, { services }, { machine }) => {
    const { tally, supply, avatar } = await services.tally.get(machine);
    const { name, symbol } = tally;
    return { name, symbol, ...supply, avatar: avatar && avatarRecord(avatar) };
  },
});

export const tallySupply = defineOperation({
  name: 'tally.supply',
  summary: 'Tokens that a machine has issued, counted from its chain, and how many remain.',
  route: 'GET /api/chain/{slug}/tally/supply',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ slug: Slug }),
  output: success({ ...SUPPLY }),
  errors: [],
  handle: async (_, { services }, { machine }) => totals((await services.tally.get(machine)).supply),
});

export const getMintRate = defineOperation({
  name: 'tally.rate',
  summary: 'The current mint rate, and all rates with the tokens each has issued.',
  route: 'GET /api/chain/{slug}/tally/mint-rate',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ slug: Slug }),
  output: success({ mint: Mint, segments: z.array(Segment) }),
  errors: [],
  handle: async (_, { services }, { machine }) => {
    const { segments } = (await services.tally.get(machine)).supply;
    const last = segments.at(-1);
    if (last === undefined) throw new Error(`The token of ${machine.head.slug} has no rate.`);
    const { unit, every, amount } = last;
    return { mint: { unit, every, amount }, segments };
  },
});

export const setMintRate = defineOperation({
  name: 'tally.set-rate',
  summary: 'Change the mint rate from now on; issued tokens remain.',
  route: 'POST /api/chain/{slug}/tally/mint-rate',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  status: 201,
  input: z.strictObject({ slug: Slug, unit: Unit, every: Every, amount: Amount }),
  output: success({ ...Logged }),
  errors: WRITE_ERRORS,
  handle: (mint, { services }, { machine, by }) => services.tally.setRate(machine, by, mint),
});
