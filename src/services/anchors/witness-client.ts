// Client for witnesses: submits checkpoints of this node's machines for a cosignature (https://c2sp.org/tlog-witness).

import { cosignatureTime } from '../../chain/cosignature.ts';
import { parseCheckpoint, parseVerifierKey } from '../../chain/note.ts';
import { toBase64 } from '../../core/bits.ts';
import { DomainError } from '../../core/errors.ts';
import type { Witness } from '../../storage/anchors/settings.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { TreeService } from '../machines/trees.ts';
import type { OutboundClient, OutboundResponse } from '../node/outbound.ts';

export interface Cosigned {
  readonly size: number;
  /** The witness's signature line, to append to the checkpoint. */
  readonly line: string;
}

export interface WitnessClientOptions {
  readonly trees: TreeService;
  readonly outbound: Pick<OutboundClient, 'fetchText'>;
}

const SIZE_TYPE = 'text/x.tlog.size';
const CONFLICT = 409;

export class WitnessClient {
  readonly #options: WitnessClientOptions;

  constructor(options: WitnessClientOptions) {
    this.#options = options;
  }

  /**
   * Submits the newest checkpoint. If the witness answers that it has another old size, submits once more from that
   * size.
   *
   * @param oldSize  size of the last checkpoint that the witness cosigned, as far as this node knows
   * @throws DomainError WITNESS_REFUSED, and the errors of `OutboundClient`
   */
  async submit(machine: Machine, witness: Witness, oldSize: number, signal: AbortSignal): Promise<Cosigned> {
    const { note, size } = await this.#options.trees.checkpoint(machine);
    let answer = await this.#post(machine, witness, { note, from: oldSize, to: size, signal });
    const knownSize = conflictSize(answer);
    if (knownSize !== undefined && knownSize !== oldSize && knownSize <= size) {
      answer = await this.#post(machine, witness, { note, from: knownSize, to: size, signal });
    }
    if (answer.status !== 200) throw refused(`answered ${answer.status}`);
    return { size, line: lineOf(answer.text, note, witness) };
  }

  async #post(
    machine: Machine,
    { url }: Witness,
    { note, from, to, signal }: { note: string; from: number; to: number; signal: AbortSignal },
  ): Promise<OutboundResponse> {
    const { trees, outbound } = this.#options;
    const { path } = from === 0 ? { path: [] } : await trees.consistency(machine, from, to);
    const body = [`old ${from}`, ...path.map(toBase64), '', note].join('\n');
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    return outbound.fetchText({ url: `${url}/add-checkpoint`, method: 'POST', headers, body, signal });
  }
}

/** Returns the size in a 409, which is the one that the witness has. */
function conflictSize({ status, headers, text }: OutboundResponse): number | undefined {
  if (status !== CONFLICT || !(headers['content-type'] ?? '').startsWith(SIZE_TYPE)) return undefined;
  return /^(0|[1-9][0-9]{0,14})\n$/.test(text) ? Number(text) : undefined;
}

/** Returns the line signed by the configured key, and ignores other lines. @throws DomainError WITNESS_REFUSED */
function lineOf(text: string, note: string, { verifier_key }: Witness): string {
  const key = parseVerifierKey(verifier_key);
  for (const line of text.split('\n')) {
    const parsed = parseCheckpoint(`${note}${line}\n`);
    if (key && parsed && cosignatureTime(parsed, key.name, key.publicKey) !== undefined) return `${line}\n`;
  }
  throw refused('answered without a cosignature by the configured key');
}

function refused(text: string): DomainError {
  return new DomainError('WITNESS_REFUSED', `The witness ${text}.`);
}
