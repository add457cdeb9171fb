// Streams of machines: rows of the explorer, events, and all public machines together.

import { z } from 'zod';
import { defineChannel } from '../channel.ts';
import type { Context } from '../operation.ts';
import { eventRecord } from './events.ts';
import { EventName, RowType, Slug } from './schemas.ts';

/** Finds the machine of a stream for a caller with the role; called on subscribe and for reauthorization. */
const requireRole =
  (needed: 'reader' | 'owner') =>
  ({ slug }: { readonly slug: string }, { services, principal }: Pick<Context, 'services' | 'principal'>) =>
    services.machines.find(slug, principal, needed);

export const requireReader = requireRole('reader');

const requireOwner = requireRole('owner');

export const RESUME_DESCRIPTION =
  'The first frame is `begin {seq, svcond}`; rows after `seq` follow. `seq` is `since` or Last-Event-ID, by default the newest row. `gap {from, to}` marks skipped rows.';

export const exploreStream = defineChannel({
  name: 'explorer',
  summary: 'Rows of a chain as they are committed.',
  description: `Frames are the rows of /explore, typed by their own type. ${RESUME_DESCRIPTION}`,
  route: 'GET /api/chain/{slug}/explore/sse',
  tier: 'public',
  parameters: { slug: Slug, type: RowType.optional().describe('Only rows of this type.') },
  errors: ['NOT_FOUND'],
  reauthorize: requireReader,
  open: async ({ slug, type, since }, context) => {
    const machine = await requireReader({ slug }, context);
    const filter = type === undefined ? {} : { types: [type] };
    const view = { view: 'rows', toData: (row: object) => row };
    return context.services.machineStreams.rows(machine, filter, view, {
      since,
      signal: context.signal,
      reauthorize: () => requireReader({ slug }, context),
    });
  },
});

export const eventStream = defineChannel({
  name: 'events',
  summary: 'Events that contracts of a machine emit, as they are committed; for its owner.',
  description: `Frames \`emit\`, and with source=all also \`event\` for received ones, with the fields of /events. ${RESUME_DESCRIPTION}`,
  route: 'GET /api/chain/{slug}/events/stream',
  tier: 'key',
  parameters: {
    slug: Slug,
    name: EventName.optional().describe('Only events of this name.'),
    source: z.enum(['emitted', 'all']).default('emitted'),
  },
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ZID_NOT_LINKED'],
  reauthorize: requireOwner,
  open: async ({ slug, name, source, since }, context) => {
    const machine = await requireOwner({ slug }, context);
    const filter = { types: source === 'all' ? ['emit', 'event'] : ['emit'], name };
    const view = { view: 'events', toData: eventRecord };
    return context.services.machineStreams.rows(machine, filter, view, {
      since,
      signal: context.signal,
      reauthorize: () => requireOwner({ slug }, context),
    });
  },
});

export const aggregateStream = defineChannel({
  name: 'aggregate',
  summary: 'Rows of all public machines as they are committed, without payloads.',
  description:
    'Frames are the rows of /api/chain/recent. The id of a frame is a tick that never decreases; `seq` in its data is the row of its machine. ' +
    'A connected client gets each row once. After `since` or Last-Event-ID, rows of the preceding ticks repeat: deduplicate by slug and seq. ' +
    'The first frame is `begin`, whose `seq` is that tick, by default the current one. `gap {from, to}` marks rows skipped between two ticks.',
  route: 'GET /api/chain/aggregate/sse',
  tier: 'public',
  parameters: {},
  errors: [],
  open: ({ since }, { services, signal }) => services.publicFeed.subscribe(since, signal),
});
