// Activities of transitions, as answers list them.

import { z } from 'zod';
import { nameOfCall } from '../../contracts/calls/compile.ts';
import type { FiredTransition } from '../../contracts/contract-state.ts';
import { Scalars } from './schemas.ts';

export const Calls = z
  .array(
    z.strictObject({
      call: z.string().describe('What is computed or called, and the event that tells the result.'),
      inputs: Scalars.describe('Of a law or a solver; of a request what is sent.'),
    }),
  )
  .describe('Activities that it would start; nothing is computed or sent.');

/** The field of an answer; absent if the transition starts none. */
export const callsOf = ({ calls }: Pick<FiredTransition, 'calls'>) =>
  calls === undefined
    ? {}
    : { calls: calls.map((call) => ({ call: nameOfCall(call), inputs: call.inputs ?? call.http?.payload ?? {} })) };
