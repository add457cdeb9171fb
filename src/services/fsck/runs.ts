// Checks filed runs: HMAC and seal of each envelope, the columns beside it, its kernel and the arrays that it links to;
// and, if asked, its values, by replaying it.
//
// Envelopes are up to a megabyte, so few are read at a time.

import { LIMITS } from '../../core/limits.ts';
import { isRecord } from '../../core/record.ts';
import { EXPRESSION_KERNEL } from '../../expressions/evaluate.ts';
import { LocalRunner } from '../../kernels/local-runner.ts';
import { registration } from '../../operators/registered.ts';
import { COMPUTE } from '../../protocol/chain-computation.ts';
import { lawsOf } from '../../protocol/laws.ts';
import type { ReceiptKeys } from '../../protocol/receipt.ts';
import { type ReplayTools, replayEnvelope } from '../../protocol/replay.ts';
import { checkSeal } from '../../protocol/seal.ts';
import type { PublicJwk } from '../../protocol/signing.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { findSolver } from '../../solvers/index.ts';
import { holds, type RowMac, runText } from '../../storage/access/account-macs.ts';
import type { Run } from '../../storage/compute/runs.ts';
import type { ComputeInspection, InspectedKernel, InspectedRun, RunCursor } from '../../storage/fsck/compute.ts';
import { claimOf, epochOf } from '../compute/proofs.ts';
import { type FsckFault, passes, type ReportFault, reportUnequal } from './faults.ts';
import { tryParseJson } from './rows.ts';
import { TOLERANCE_MS } from './times.ts';

const BATCH_SIZE = 16;
const MS_PER_DAY = 86_400_000;

export interface RunsCheckOptions {
  /** Keys of the node; undefined if they could not be opened: seals are then checked for consistency only. */
  readonly trusted: readonly PublicJwk[] | undefined;
  /** Undefined without the master key: HMACs are not checked. */
  readonly receipts: ReceiptKeys | undefined;
  /** Undefined without the master key: MACs are not checked. */
  readonly mac: RowMac | undefined;
  /** Archived kernels, by hash. */
  readonly kernels: ReadonlyMap<string, InspectedKernel>;
  readonly isReplayed: boolean;
  readonly nowMs: number;
}

type Entry = readonly [table: 'run', key: FsckFault['key']];

export class RunsCheck {
  readonly #inspection: ComputeInspection;
  readonly #options: RunsCheckOptions;
  readonly #report: ReportFault;
  readonly #runner = new LocalRunner();

  constructor(inspection: ComputeInspection, options: RunsCheckOptions, report: ReportFault) {
    this.#inspection = inspection;
    this.#options = options;
    this.#report = report;
  }

  async run(): Promise<void> {
    let after: RunCursor | undefined;
    for (;;) {
      const found = await this.#inspection.runs(after, BATCH_SIZE);
      for (const run of found) await this.#checkRun(run);
      after = found.at(-1);
      if (found.length < BATCH_SIZE) return;
    }
  }

  async #checkRun(run: InspectedRun): Promise<void> {
    const entry: Entry = ['run', { id: run.id, account_id: run.account_id }];
    const { mac } = this.#options;
    if (mac !== undefined && !holds(mac, runText(run.account_id, run.no, filedRun(run)), run.mac))
      this.#report(...entry, 'MAC', 'The run is not what its MAC says, or has none.');
    const envelope = tryParseJson(run.envelope);
    if (!isRecord(envelope) || JSON.stringify(envelope) !== run.envelope) {
      this.#report(...entry, 'PAYLOAD', 'envelope is not the compact JSON of a receipt.', 'envelope');
      return;
    }
    if (!this.#checkSignatures(entry, envelope)) return;
    const { run_id, solver, value, unit, svcond, keyPrefix } = envelope;
    reportUnequal(this.#report, entry, 'envelope', [
      ['id', run.id, run_id],
      ['solver', run.solver, solver],
      ['value_text', run.value_text, value],
      ['unit', run.unit, unit],
      ['svcond', run.svcond, svcond],
    ]);
    this.#checkLaws(entry, run, envelope);
    if (!run.is_of_account)
      this.#report(
        ...entry,
        'SAID',
        `The account has no key ${String(keyPrefix)}, which asked for this run.`,
        'account_id',
      );
    this.#checkKernel(entry, envelope);
    await this.#checkLinks(run, envelope);
    if (this.#options.isReplayed) await this.#replay(entry, envelope);
  }

  /** @returns whether the seal holds, so that its fields are evidence */
  #checkSignatures(entry: Entry, envelope: Untrusted): boolean {
    const { trusted, receipts } = this.#options;
    const failed = sealFaults(envelope, trusted);
    for (const reason of failed) this.#report(...entry, 'SIGNATURE', `envelope: ${reason}`, 'envelope');
    const claim = claimOf(envelope);
    const check = claim && receipts?.verify(envelope.svcProof, claim, epochOf(envelope));
    const isProof = check?.valid === true && check.kind === 'computation';
    if (receipts !== undefined && !isProof)
      this.#report(...entry, 'SIGNATURE', 'svcProof of the envelope is not an HMAC of this node.', 'envelope');
    return failed.length === 0;
  }

  /** Runs from before migration 0024 have none; whether this is one, its MAC knows. */
  #checkLaws(entry: Entry, { law_id, law_title }: InspectedRun, envelope: Untrusted): void {
    if (law_id === null && law_title === null) return;
    const { lawId, lawTitle } = lawsOf(envelope) ?? {};
    reportUnequal(this.#report, entry, 'envelope', [
      ['law_id', law_id, lawId],
      ['law_title', law_title, lawTitle],
    ]);
  }

  #checkKernel(entry: Entry, { kernel_sha256, solver }: Untrusted): void {
    const kernel = this.#options.kernels.get(String(kernel_sha256));
    const slug = solver === COMPUTE ? EXPRESSION_KERNEL : solver;
    if (kernel === undefined)
      this.#report(
        'kernel',
        { sha256: String(kernel_sha256) },
        'KERNEL',
        `Run ${entry[1].id} needs this kernel, but it is missing.`,
        'sha256',
      );
    else if (kernel.slug !== slug)
      this.#report(
        'kernel',
        { sha256: kernel.sha256 },
        'KERNEL',
        `slug is ${kernel.slug}; run ${entry[1].id} was computed by ${String(slug)}.`,
        'slug',
      );
  }

  /** Arrays of a filed run are kept for `LIMITS.fieldDays`. */
  async #checkLinks({ id, created_ms }: InspectedRun, { series, fields }: Untrusted): Promise<void> {
    const end = created_ms + LIMITS.fieldDays * MS_PER_DAY - TOLERANCE_MS;
    const arrays = [series, fields].flatMap((list) => (Array.isArray(list) ? list.filter(isRecord) : []));
    const linked = arrays.flatMap(({ href, sha256 }) => (href === undefined ? [] : [String(sha256)]));
    if (linked.length === 0 || this.#options.nowMs > end) return;
    const stored = await this.#inspection.fieldsUntil(linked, end);
    for (const sha256 of new Set(linked))
      if (!stored.has(sha256))
        this.#report(
          'field',
          { sha256 },
          'SAID',
          `Run ${id} links to this array; it is missing or expires too early.`,
          'expires_at',
        );
  }

  async #replay(entry: Entry, envelope: Untrusted): Promise<void> {
    const { trusted } = this.#options;
    const tools: ReplayTools = {
      kernel: async (sha256, slug) => {
        const bytes = await this.#inspection.kernelBytes(sha256);
        if (bytes === undefined) throw new Error(`Kernel ${sha256} is missing.`);
        return { slug: this.#options.kernels.get(sha256)?.slug ?? slug, sha256, bytes };
      },
      solver: findSolver,
      registration,
      runner: this.#runner,
      ...(trusted === undefined ? {} : { trusted }),
    };
    try {
      const { claims } = await replayEnvelope(envelope, tools);
      for (const { claim, ok, reason } of claims)
        if (ok === false) this.#report(...entry, 'REPLAY', `${claim}: ${reason ?? 'it differs.'}`, 'envelope');
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#report(...entry, 'REPLAY', `The run cannot be replayed: ${message}`, 'envelope');
    }
  }
}

/** As it was filed. */
const filedRun = (run: InspectedRun): Run => ({
  id: run.id,
  folder: run.folder ?? undefined,
  solver: run.solver,
  lawId: run.law_id ?? undefined,
  lawTitle: run.law_title ?? undefined,
  envelope: run.envelope,
  valueText: run.value_text ?? undefined,
  unit: run.unit,
  svcond: Number(run.svcond),
  createdMs: run.created_ms,
});

function sealFaults(envelope: Untrusted, trusted: readonly PublicJwk[] | undefined): readonly string[] {
  let faults: readonly string[] = ['it has not the shape of a receipt.'];
  passes(() => {
    faults = checkSeal(envelope, trusted).flatMap(({ ok, reason }) =>
      ok === false ? [reason ?? 'the seal is broken.'] : [],
    );
    return true;
  });
  return faults;
}
