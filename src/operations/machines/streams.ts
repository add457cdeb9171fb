// What happens on machines, as channels: the explorer's rows, events, transitions, and all public machines together.

import { z } from 'zod';
import { defineChannel } from '../channel.ts';
import { ContractId, transitionRow } from '../contracts/contracts.ts';
import type { Context } from '../operation.ts';
import { eventRecord } from './reports.ts';
import { EventName, RowType, Slug } from './schemas.ts';

/** The machine of a stream, for who may follow it; asked when it begins and again while it goes on. */
const followed =
  (needed: 'reader' | 'owner') =>
  ({ slug }: { readonly slug: string }, { services, principal }: Pick<Context, 'services' | 'principal'>) =>
    services.machines.find(slug, principal, needed);

const mayRead = followed('reader');
const isOwner = followed('owner');
const RESUMING =
  'The first frame is `begin {seq, svcond}`: what came after row `seq` follows, which is the one of `since` or Last-Event-ID, or else the newest. `gap {from, to}` stands for rows that were left out.';

export const exploreStream = defineChannel({
  name: 'explorer',
  summary: 'Rows of a chain as they are committed.',
  description: `Frames are the rows of /explore, typed by their own type. ${RESUMING}`,
  route: 'GET /api/chain/{slug}/explore/sse',
  tier: 'public',
  parameters: { slug: Slug, type: RowType.optional().describe('Only rows of this type.') },
  errors: ['NOT_FOUND'],
  mayStay: mayRead,
  open: async ({ slug, type, since }, context) => {
    const machine = await mayRead({ slug }, context);
    const filter = type === undefined ? {} : { types: [type] };
    const whole = { view: 'rows', show: (row: object) => row };
    return context.services.machineStreams.rows(machine, filter, whole, {
      since,
      signal: context.signal,
      mayStay: () => mayRead({ slug }, context),
    });
  },
});

export const eventStream = defineChannel({
  name: 'events',
  summary: 'Events that contracts of a machine emit, as they are committed; for its owner.',
  description: `Frames \`emit\`, and with source=all also \`event\` for those that were sent to it, with the fields of /events. ${RESUMING}`,
  route: 'GET /api/chain/{slug}/events/stream',
  tier: 'key',
  parameters: {
    slug: Slug,
    name: EventName.optional().describe('Only events of this name.'),
    source: z.enum(['emitted', 'all']).default('emitted'),
  },
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ZID_NOT_LINKED'],
  mayStay: isOwner,
  open: async ({ slug, name, source, since }, context) => {
    const machine = await isOwner({ slug }, context);
    const filter = { types: source === 'all' ? ['emit', 'event'] : ['emit'], name };
    const shown = { view: 'events', show: eventRecord };
    return context.services.machineStreams.rows(machine, filter, shown, {
      since,
      signal: context.signal,
      mayStay: () => isOwner({ slug }, context),
    });
  },
});

export const transitionStream = defineChannel({
  name: 'transitions',
  summary: 'Transitions of a contract as they fire.',
  description: `Frames \`transition\` with the fields of /audit; \`seq\` is the row of the chain. ${RESUMING}`,
  route: 'GET /api/chain/{slug}/contracts/{id}/transitions/stream',
  tier: 'key',
  parameters: { slug: Slug, id: ContractId },
  errors: ['NOT_FOUND'],
  mayStay: mayRead,
  open: async ({ slug, id, since }, context) => {
    const { services, signal } = context;
    const machine = await mayRead({ slug }, context);
    await services.contracts.fires(machine, id, { limit: 1 });
    return services.machineStreams.transitions(machine, id, transitionRow, {
      since,
      signal,
      mayStay: () => mayRead({ slug }, context),
    });
  },
});

export const aggregateStream = defineChannel({
  name: 'aggregate',
  summary: 'What all public machines write, without payloads, as it is committed.',
  description:
    'Frames are the rows of /api/chain/recent. The id of a frame is a tick that never falls; `seq` in its data is the row of its machine. ' +
    'While you stay connected each row comes once. After `since`, or Last-Event-ID, rows of a few ticks before come once more: a row is known by slug and seq. ' +
    'The first frame is `begin`, whose `seq` is that tick, or else the one under way. `gap {from, to}` stands for rows that were left out between two ticks.',
  route: 'GET /api/chain/aggregate/sse',
  tier: 'public',
  parameters: {},
  errors: [],
  open: ({ since }, { services, signal }) => services.publicFeed.follow(since, signal),
});
