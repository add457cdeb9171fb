// Library of filed runs, and arrays linked from results.

import { isoFromMs } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { COMPUTE } from '../../protocol/chain-computation.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import { SOLVERS } from '../../solvers/index.ts';
import type { FieldRepository } from '../../storage/compute/fields.ts';
import type { RunFilter, RunRepository, SoughtWord } from '../../storage/compute/runs.ts';
import type { Principal } from '../access/access.ts';

export interface RunQuery extends Omit<RunFilter, 'words'> {
  /** Words that must all occur in what the list says of a run; without any, all runs are listed. */
  readonly search?: string | undefined;
}

/** Titles by `solver` of a filed run. Runs of laws are found by the word law too. */
const TITLES = [...SOLVERS.map(({ id, title }) => ({ id, title })), { id: COMPUTE, title: 'law' }];

export class RunService {
  readonly #runs: RunRepository;
  readonly #fields: FieldRepository;
  readonly #nowMs: () => number;

  constructor(runs: RunRepository, fields: FieldRepository, nowMs: () => number) {
    this.#runs = runs;
    this.#fields = fields;
    this.#nowMs = nowMs;
  }

  async list(principal: Principal | undefined, { search = '', ...filter }: RunQuery) {
    const words = wordsOf(search);
    const { rows, nextCursor } = await this.#runs.list(accountOf(principal), { ...filter, words });
    return {
      rows: rows.map(({ id, folder, solver, lawId, lawTitle, valueText, unit, svcond, createdMs }) => ({
        id,
        folder: folder ?? null,
        solver,
        law_id: lawId ?? null,
        law_title: lawTitle ?? null,
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

function wordsOf(search: string): readonly SoughtWord[] {
  const words = new Set(search.split(/\s+/).filter((word) => word !== ''));
  return [...words].map((text) => ({
    text,
    solvers: TITLES.filter(({ title }) => hasWord(title, text)).map(({ id }) => id),
  }));
}

const hasWord = (title: string, word: string) => title.toLowerCase().includes(word.toLowerCase());

function accountOf(principal: Principal | undefined): string {
  if (!principal) throw new DomainError('AUTH_REQUIRED', 'Filed runs belong to an account: send an API key.');
  return principal.accountId;
}
