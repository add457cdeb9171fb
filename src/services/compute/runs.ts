// The library of filed runs, and linked bytes.

import { isoFromMs } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import type { FieldRepository } from '../../storage/compute/fields.ts';
import type { RunFilter, RunRepository } from '../../storage/compute/runs.ts';
import type { Principal } from '../access/access.ts';

export class RunService {
  readonly #runs: RunRepository;
  readonly #fields: FieldRepository;
  readonly #nowMs: () => number;

  constructor(runs: RunRepository, fields: FieldRepository, nowMs: () => number) {
    this.#runs = runs;
    this.#fields = fields;
    this.#nowMs = nowMs;
  }

  async list(principal: Principal | undefined, filter: RunFilter) {
    const { rows, nextCursor } = await this.#runs.list(accountOf(principal), filter);
    return {
      rows: rows.map(({ id, folder, solver, valueText, unit, svcond, createdMs }) => ({
        id,
        folder: folder ?? null,
        solver,
        value: Number(valueText),
        unit,
        svcond,
        created_at: isoFromMs(createdMs),
        href: `/api/svc/runs/${id}`,
      })),
      next_cursor: nextCursor ?? null,
    };
  }

  /** The envelope as it was sealed. A run of another account does not exist. */
  async get(principal: Principal | undefined, id: string) {
    const run = await this.#runs.get(accountOf(principal), id);
    if (!run) throw new DomainError('RUN_NOT_FOUND', `There is no run ${id} in your library.`);
    return {
      id: run.id,
      folder: run.folder ?? null,
      created_at: isoFromMs(run.createdMs),
      envelope: JSON.parse(run.envelope) as Envelope,
    };
  }

  async field(sha256: string): Promise<Uint8Array> {
    const bytes = await this.#fields.get(sha256, this.#nowMs());
    if (!bytes)
      throw new DomainError('NOT_FOUND', `No array with the hash ${sha256} is kept here; arrays are kept for 30 days.`);
    return bytes;
  }
}

function accountOf(principal: Principal | undefined): string {
  if (!principal) throw new DomainError('AUTH_REQUIRED', 'A library belongs to a key.');
  return principal.accountId;
}
