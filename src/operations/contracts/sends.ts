// Events to other machines, as answers list them.

import { z } from 'zod';
import type { FiredTransition } from '../../contracts/contract-state.ts';
import { Scalars } from './schemas.ts';

export const Sends = z
  .array(z.strictObject({ machine: z.string(), event: z.string(), payload: Scalars }))
  .describe('Events that it would send to other machines; nothing is sent.');

/** The field of an answer; absent if the transition sends none. */
export const sendsOf = ({ sends }: Pick<FiredTransition, 'sends'>) =>
  sends === undefined ? {} : { sends: sends.map(({ to: machine, event, payload }) => ({ machine, event, payload })) };
