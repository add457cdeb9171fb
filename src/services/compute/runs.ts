// Library of filed runs, and arrays linked from results.

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
      nextCursor,
    };
  }

  /** The envelope as it was sealed. Runs of other accounts are not found. */
  async get(principal: Principal | undefined, id: string) {
    const run = await this.#runs.get(accountOf(principal), id);
    if (!run) throw new DomainError('RUN_NOT_FOUND', `Run ${id} not found in your library.`);
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
      throw new DomainError(
        'NOT_FOUND',
        `Array ${sha256} not found; arrays expire after an hour, those of filed runs after 30 days.`,
      );
    return bytes;
  }
}

function accountOf(principal: Principal | undefined): string {
  if (!principal) throw new DomainError('AUTH_REQUIRED', 'Filed runs belong to an account: send an API key.');
  return principal.accountId;
}
