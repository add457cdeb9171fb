// A filed run: its sealed envelope, the page with its inputs, and its computation again in this browser.

import type { ApiOutput } from '../../client/client.ts';
import { type Draft, urlOf as lawUrlOf } from '../operators/draft.ts';
import { getOperator } from '../operators/registry.ts';
import { callApiAsVisitor } from '../session.ts';
import { loadTrustedKeys, solverSpec } from '../solve/experiment.ts';
import { loadDescription } from '../solve/solver-description.ts';
import { draftOf, urlOf } from '../solve/url.ts';
import { portalEngine } from '../verify/portal-engine.ts';
import { type Verification, verifyReceipt } from '../verify/verification.ts';
import { sealedReceipt } from '../worker/opened-file.ts';
import { workerClient } from '../worker/worker-client.ts';
import type { ComparedRun } from './compared-run.ts';

export type FiledRun = ApiOutput<'run.get'>;
export type RunRow = ApiOutput<'run.list'>['rows'][number];

/** Value of `solver` in a run of laws. */
export const LAWS = 'compute';

const cache = new Map<string, Promise<FiledRun>>();

/** The envelope of a run; it never changes. @throws DomainError RUN_NOT_FOUND, … */
export function loadRun(id: string): Promise<FiledRun> {
  const cached = cache.get(id);
  if (cached !== undefined) return cached;
  const loading = callApiAsVisitor('run.get', { id });
  cache.set(id, loading);
  loading.catch(() => cache.delete(id));
  return loading;
}

/** The page with the inputs of a run; undefined for several laws in a row, which have none. */
export async function pageOf({ envelope }: FiledRun): Promise<string | undefined> {
  const { solver, inputs } = envelope;
  if (solver !== LAWS) {
    const description = await loadDescription(solver);
    return urlOf(description, draftOf(description, inputs));
  }
  const law = onlyLaw(envelope);
  return law === undefined ? undefined : lawUrlOf(await getOperator(law), lawDraft(envelope));
}

/** What a run computed, in words. */
export async function titleOf({ envelope }: FiledRun): Promise<string> {
  const { solver, operatorChain } = envelope;
  if (solver !== LAWS) return (await loadDescription(solver)).title;
  const law = onlyLaw(envelope);
  return law === undefined ? operatorChain.slice(1).join(', ') : (await getOperator(law)).name;
}

function onlyLaw({ operatorChain }: FiledRun['envelope']): string | undefined {
  const [, law, ...others] = operatorChain;
  return others.length === 0 ? law : undefined;
}

function lawDraft({ inputs, units = {}, uncertainties = {}, solve_for: unknown }: FiledRun['envelope']): Draft {
  const text = (value: unknown) => (value === undefined ? '' : String(value));
  const given = Object.entries(inputs).map(([symbol, value]) => [
    symbol,
    { value: text(value), unit: units[symbol] ?? '', sigma: text(uncertainties[symbol]) },
  ]);
  return {
    ...Object.fromEntries(given),
    ...(unknown === undefined ? {} : { solve_for: { value: unknown, unit: '', sigma: '' } }),
  };
}

/** Every check of the receipt of a run, its replay in this browser among them. */
export async function checkRun({ envelope }: FiledRun): Promise<Verification> {
  let last: Verification = { claims: [] };
  await verifyReceipt(portalEngine, sealedReceipt({ ...envelope }), (verification) => {
    last = verification;
  });
  return last;
}

/** The run beside others, computed again in this browser for its pictures. */
export async function comparedRun(run: FiledRun): Promise<ComparedRun> {
  const { envelope, id } = run;
  const { inputs, units = {}, value, uncertainty, unit } = envelope;
  const shown = Object.fromEntries(
    Object.entries(inputs).map(([name, given]) => [
      name,
      units[name] === undefined ? given : `${given} ${units[name]}`,
    ]),
  );
  const compared = { id, href: await pageOf(run), inputs: shown, value, uncertainty, unit };
  if (envelope.solver === LAWS || envelope.sweep !== undefined || envelope.samples !== undefined) return compared;
  const description = await loadDescription(envelope.solver);
  const local = await solverSpec(description).solve(inputs, undefined, {});
  const trusted = await loadTrustedKeys();
  const { isEqual } = await workerClient.request('compare', { pure: local.pure, envelope: { ...envelope }, trusted });
  return { ...compared, isEqual, solution: local.solution, sha256: local.sha256 };
}
