// Streams of machines: rows of the explorer, events, and all public machines together.

import { z } from 'zod';
import { defineChannel } from '../channel.ts';
import { eventRecord } from './events.ts';
import { EventName, RowType, Slug } from './schemas.ts';

export const RESUME_DESCRIPTION =
  'The first frame is `begin {seq, svcond}`; rows after `seq` follow. `seq` is `since` or Last-Event-ID, by default the newest row. `gap {from, to}` marks skipped rows.';

export const exploreStream = defineChannel({
  name: 'explorer',
  summary: 'Rows of a chain as they are committed.',
  description: `Frames are the rows of /explore, typed by their own type. ${RESUME_DESCRIPTION}`,
  route: 'GET /api/chain/{slug}/explore/sse',
  tier: 'public',
  machine: 'reader',
  parameters: { slug: Slug, type: RowType.optional().describe('Only rows of this type.') },
  errors: [],
  open: ({ type, since }, { services, signal }, { machine, reauthorize }) => {
    const filter = type === undefined ? {} : { types: [type] };
    const view = { view: 'rows', toData: (row: object) => row };
    return services.machineStreams.rows(machine, filter, view, { since, signal, reauthorize });
  },
});

export const eventStream = defineChannel({
  name: 'events',
  summary: 'Events that contracts of a machine emit, as they are committed; for its owner.',
  description: `Frames \`emit\`, and with source=all also \`event\` for received ones, with the fields of /events. ${RESUME_DESCRIPTION}`,
  route: 'GET /api/chain/{slug}/events/stream',
  tier: 'key',
  machine: 'owner',
  parameters: {
    slug: Slug,
    name: EventName.optional().describe('Only events of this name.'),
    source: z.enum(['emitted', 'all']).default('emitted'),
  },
  errors: [],
  open: ({ name, source, since }, { services, signal }, { machine, reauthorize }) => {
    const filter = { types: source === 'all' ? ['emit', 'event'] : ['emit'], name };
    const view = { view: 'events', toData: eventRecord };
    return services.machineStreams.rows(machine, filter, view, { since, signal, reauthorize });
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
