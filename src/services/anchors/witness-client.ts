// Checkpoints of this node shown to witnesses elsewhere: https://c2sp.org/tlog-witness, from the side of the log.

import { cosignedAt } from '../../chain/cosignature.ts';
import { parseCheckpoint, parseVerifierKey } from '../../chain/note.ts';
import { toBase64 } from '../../core/bits.ts';
import { DomainError } from '../../core/errors.ts';
import type { Witness } from '../../storage/anchors/settings.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { TreeService } from '../machines/trees.ts';
import type { Outbound, OutboundAnswer } from '../node/outbound.ts';

export interface Cosigned {
  readonly size: number;
  /** The witness's signature line, to be put under the checkpoint. */
  readonly line: string;
}

export interface WitnessClientOptions {
  readonly trees: TreeService;
  readonly outbound: Pick<Outbound, 'fetchText'>;
}

const SIZE_TYPE = 'text/x.tlog.size';
const CONFLICT = 409;

export class WitnessClient {
  readonly #options: WitnessClientOptions;

  constructor(options: WitnessClientOptions) {
    this.#options = options;
  }

  /**
   * The newest checkpoint cosigned. A witness that remembers another size than we do says so, and is asked once more from there.
   *
   * @param oldSize  of the checkpoint that it cosigned last, as far as is known here
   * @throws DomainError WITNESS_REFUSED, and what the way there may come to
   */
  async submit(machine: Machine, witness: Witness, oldSize: number, signal: AbortSignal): Promise<Cosigned> {
    const { note, size } = await this.#options.trees.checkpoint(machine);
    let answer = await this.#post(machine, witness, { note, from: oldSize, to: size, signal });
    const told = sizeIn(answer);
    if (told !== undefined && told !== oldSize && told <= size) {
      answer = await this.#post(machine, witness, { note, from: told, to: size, signal });
    }
    if (answer.status !== 200) throw refused(`answered ${answer.status}`);
    return { size, line: lineOf(answer.text, note, witness) };
  }

  async #post(
    machine: Machine,
    { url }: Witness,
    { note, from, to, signal }: { note: string; from: number; to: number; signal: AbortSignal },
  ): Promise<OutboundAnswer> {
    const { trees, outbound } = this.#options;
    const { path } = from === 0 ? { path: [] } : await trees.consistency(machine, from, to);
    const body = [`old ${from}`, ...path.map(toBase64), '', note].join('\n');
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    return outbound.fetchText({ url: `${url}/add-checkpoint`, method: 'POST', headers, body, signal });
  }
}

/** What a 409 says of the witness's memory. */
function sizeIn({ status, headers, text }: OutboundAnswer): number | undefined {
  if (status !== CONFLICT || !(headers['content-type'] ?? '').startsWith(SIZE_TYPE)) return undefined;
  return /^(0|[1-9][0-9]{0,14})\n$/.test(text) ? Number(text) : undefined;
}

/** The line of the key that we know, whatever else came with it. @throws DomainError WITNESS_REFUSED */
function lineOf(text: string, note: string, { verifier_key }: Witness): string {
  const key = parseVerifierKey(verifier_key);
  for (const line of text.split('\n')) {
    const parsed = parseCheckpoint(`${note}${line}\n`);
    if (key && parsed && cosignedAt(parsed, key.name, key.publicKey) !== undefined) return `${line}\n`;
  }
  throw refused('answered with no cosignature of the key that is named here');
}

function refused(what: string): DomainError {
  return new DomainError('WITNESS_REFUSED', `The witness ${what}.`);
}
