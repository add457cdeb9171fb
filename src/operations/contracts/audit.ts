// Audit of a contract: its transitions, paginated and as a stream.

import { z } from 'zod';
import type { ContractService } from '../../services/contracts/contracts.ts';
import { defineChannel } from '../channel.ts';
import { RESUME_DESCRIPTION } from '../machines/streams.ts';
import { defineOperation } from '../operation.ts';
import { beforeSeq, pageOf, SEQ_PAGE } from '../schemas.ts';
import { CONTRACT_PATH, TransitionRow } from './schemas.ts';

export const contractAudit = defineOperation({
  name: 'contract.audit',
  summary: 'Every transition of a contract, newest first.',
  route: 'GET /api/chain/{slug}/contracts/{id}/audit',
  tier: 'key',
  effect: 'read',
  machine: 'reader',
  party: true,
  input: z.object({ ...CONTRACT_PATH, ...SEQ_PAGE }),
  output: pageOf(TransitionRow),
  errors: [],
  handle: async ({ id, ...page }, { services }, { machine }) => {
    const { limit, before } = beforeSeq(page);
    const fires = await services.contracts.fires(machine, id, { limit: limit + 1, before });
    const rows = fires.slice(0, limit).map(transitionRow);
    const last = rows.at(-1);
    return { rows, next_cursor: fires.length > limit && last ? String(last.seq) : null };
  },
});

export const transitionStream = defineChannel({
  name: 'transitions',
  summary: 'Transitions of a contract as they fire.',
  description: `Frames \`transition\` with the fields of /audit; \`seq\` is the row of the chain. ${RESUME_DESCRIPTION}`,
  route: 'GET /api/chain/{slug}/contracts/{id}/transitions/stream',
  tier: 'key',
  machine: 'reader',
  parameters: CONTRACT_PATH,
  errors: [],
  open: async ({ id, since }, { services, signal }, { machine, reauthorize }) => {
    await services.contracts.fires(machine, id, { limit: 1 });
    return services.machineStreams.transitions(machine, id, transitionRow, { since, signal, reauthorize });
  },
});

type ContractFire = Awaited<ReturnType<ContractService['fires']>>[number];

export function transitionRow(fire: ContractFire) {
  const { versionNo, transition, from, to, entry, occurrence, seq, svcond, instance } = fire;
  return {
    ...(instance === undefined ? {} : { instance }),
    transition,
    from,
    to,
    version: versionNo,
    entry,
    occurrence,
    seq,
    svcond,
  };
}
