// Records the seals over all machines as rows of the node's own machine. The checkpoints of that machine go to
// witnesses, so that a witness also proves how many seals there were.

import { payloadOf } from '../../chain/bundle.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import type { NodeSeal, NodeSealRepository } from '../../storage/node/node-seals.ts';
import { parseEnvelope } from '../node/stored-seal.ts';
import type { MachineService } from './machines.ts';

/** Payload of a row `node_seal`. */
export interface SealPayload {
  readonly no: number;
  /** Of the signed text, hex. */
  readonly sha256: string;
}

/** Payload of the row of a seal that could not be read when it was recorded. */
interface DamagedPayload {
  readonly no: number;
  readonly damaged: true;
}

export interface SealLogOptions {
  readonly machines: MachineService;
  readonly audit: AuditRepository;
  readonly nodeSeals: NodeSealRepository;
}

/** Maximum seals recorded at a time; the others follow. */
const BATCH_SIZE = 100;

export class SealLog {
  readonly #options: SealLogOptions;

  constructor(options: SealLogOptions) {
    this.#options = options;
  }

  /** Appends a row for each seal that has none, oldest first. */
  async record(): Promise<void> {
    const { machines, audit, nodeSeals } = this.#options;
    if ((await nodeSeals.newest()) === undefined) return;
    await machines.commitExclusive(await machines.getNodeMachine(), async ({ id, head }, on) => {
      const newest = { type: 'node_seal', order: 'newest first', limit: 1 } as const;
      const [last] = await audit.select(id, head.slug, newest, on);
      const { no = 0 } = last === undefined ? {} : (payloadOf(last) as Partial<SealPayload>);
      const unrecorded = await nodeSeals.after(no, BATCH_SIZE, on);
      const added = unrecorded.map((seal) => machines.row(undefined, 'node_seal', 'system', recordOf(seal)));
      return { rows: added, answer: undefined };
    });
  }
}

function recordOf({ no, envelope }: NodeSeal): SealPayload | DamagedPayload {
  const parsed = parseEnvelope(envelope);
  return parsed === undefined ? { no, damaged: true } : { no, sha256: sha256Hex(parsed.payload) };
}
