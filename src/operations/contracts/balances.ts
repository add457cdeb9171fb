// Balances of the tokens that contracts move. They belong to the machine: its contracts share them.

import { z } from 'zod';
import { singleLine } from '../../core/text-schema.ts';
import { Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { PAGE, pageOf, pageRecord } from '../schemas.ts';
import { CONTRACT_PATH } from './schemas.ts';

const Balance = z
  .strictObject({ token: z.string(), holder: z.string(), amount: z.int().min(0) })
  .meta({ id: 'TokenBalance' });

/** Longer than that of other lists: it holds the name of a holder. */
const BALANCE_PAGE = {
  ...PAGE,
  cursor: singleLine(2_048, 0).optional().describe('`next_cursor` of the previous page.'),
};

export const machineBalances = defineOperation({
  name: 'machine.balances',
  summary: 'Balances of all tokens that the contracts of a machine move, by token and holder.',
  route: 'GET /api/chain/{slug}/balances',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ slug: Slug, ...BALANCE_PAGE }),
  output: pageOf(Balance),
  errors: [],
  handle: async (page, { services }, { machine }) => pageRecord(await services.contracts.balances(machine, page)),
});

export const contractBalances = defineOperation({
  name: 'contract.balances',
  summary: 'Balances of the tokens that a contract moves, by token and holder.',
  description: 'Balances belong to the machine: other contracts of the machine may have moved the same tokens.',
  route: 'GET /api/chain/{slug}/contracts/{id}/balances',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  party: true,
  input: z.object({ ...CONTRACT_PATH, ...BALANCE_PAGE }),
  output: pageOf(Balance),
  errors: [],
  handle: async ({ id, ...page }, { services }, { machine }) =>
    pageRecord(await services.contracts.balances(machine, page, id)),
});
