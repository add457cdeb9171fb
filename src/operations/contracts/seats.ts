// Lists where the caller acts for a party.

import { z } from 'zod';
import { singleLine } from '../../core/text-schema.ts';
import { Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { requirePrincipal } from '../require-principal.ts';
import { PAGE, pageOf, pageRecord, Tick } from '../schemas.ts';
import { ContractStatus } from './schemas.ts';

const Seat = z
  .strictObject({
    slug: Slug.describe('The machine.'),
    contract: z.string().describe('Id of the contract.'),
    name: z.string().nullable().describe('Of the contract; null for an instance of a private machine.'),
    instance: z.string().nullable().describe('Key of the instance; null for a seat in the contract.'),
    party: z.string(),
    key: z.string().nullable().describe('The developer key that acts, if no other key of the account does.'),
    status: ContractStatus.describe('Of the instance, or of the contract.'),
    currentState: z.string().describe('Of the instance, or of the contract.'),
    next_fire: Tick.nullable(),
    updated_svcond: Tick.describe('Tick of its last change.'),
  })
  .meta({ id: 'Seat', description: 'A contract or an instance in which the caller acts for a party.' });

export const listSeats = defineOperation({
  name: 'seat.list',
  summary: 'The contracts and instances in which your account acts for a party, on all machines.',
  description:
    'In the order of machines, contracts and keys. Membership is not needed. Who acts in all instances of a contract ' +
    'has one seat, in the contract; parties bound to an Ed25519 key have none.',
  route: 'GET /api/seats',
  tier: 'key',
  effect: 'read',
  input: z.object({
    limit: PAGE.limit,
    cursor: singleLine(1_024, 0).optional().describe('`next_cursor` of the previous page.'),
    machine: Slug.optional().describe('Only seats on this machine.'),
    status: ContractStatus.optional().describe('Only this status.'),
  }),
  output: pageOf(Seat),
  errors: [],
  handle: async ({ machine: slug, ...page }, { services, principal }) =>
    pageRecord(await services.seats.list(requirePrincipal(principal), { slug, ...page })),
});
