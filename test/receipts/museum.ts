// The museum: self-contained receipts of every landed state that changed a sealed face, with the verdict of each claim.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { KERNEL_FOLDER } from '../../src/kernels/load-node.ts';
import { COMPUTE, COMPUTE_REVISION } from '../../src/protocol/chain-computation.ts';
import type { Untrusted } from '../../src/protocol/untrusted.ts';
import { findSolver } from '../../src/solvers/index.ts';

const FOLDER = fileURLToPath(new URL('./', import.meta.url));

export interface Verdicts {
  /** Revision of the solver; plan and answer are compared with this revision only. */
  readonly revision: number;
  readonly claims: Readonly<Record<string, boolean | null>>;
}

export interface Exhibit {
  /** `<state>/<name>` */
  readonly name: string;
  readonly path: string;
  readonly receipt: Untrusted;
  readonly verdicts: Verdicts;
  /** Path of the keys that signed the receipts of its state. */
  readonly keys: string;
}

const read = <Content>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as Content;

const states = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

export const MUSEUM: readonly Exhibit[] = states.flatMap((state) => {
  const room = `${FOLDER}${state}/`;
  return Object.entries(read<Readonly<Record<string, Verdicts>>>(`${room}verdicts.json`)).map(([name, verdicts]) => {
    const path = `${room}${name}.json`;
    return { name: `${state}/${name}`, path, receipt: read<Untrusted>(path), verdicts, keys: `${room}keys.json` };
  });
});

interface Manifest {
  readonly kernels: Readonly<Record<string, { readonly sha256: string }>>;
}

const { kernels } = read<Manifest>(fileURLToPath(new URL('manifest.json', KERNEL_FOLDER)));
const built = new Set(Object.values(kernels).map(({ sha256 }) => sha256));
const receiptsOfToday = (state: string) =>
  MUSEUM.filter(({ name, receipt }) => name.startsWith(`${state}/`) && built.has(String(receipt.kernel_sha256))).length;

/** The room of this program: that with the most receipts of its kernels. Rooms are named by subjects, not by dates. */
export const NEWEST_ROOM: string = states.reduce((newest, state) =>
  receiptsOfToday(state) > receiptsOfToday(newest) ? state : newest,
);

/** The newest room and a quarter of the others, for tests whose short run need not meet every receipt. */
export function newestAndSome(exhibits: readonly Exhibit[]): Exhibit[] {
  return exhibits.filter(({ name }, i) => i % 4 === 0 || name.startsWith(`${NEWEST_ROOM}/`));
}

/**
 * The claims that a program must report, if it trusts the keys of the state.
 *
 * @param current  its revision of the solver; undefined if it has no such solver
 */
export function expectedClaims({ verdicts: { revision, claims } }: Exhibit, current: number | undefined) {
  if (current === revision) return claims;
  return { ...claims, plan: null, answer: null };
}

/** This program's revision of the solver of a receipt. */
export function currentRevision({ receipt: { solver } }: Exhibit): number | undefined {
  return solver === COMPUTE ? COMPUTE_REVISION : findSolver(String(solver))?.revision;
}

type Claims = Verdicts['claims'];

/** The claims that a program must report, if it trusts only other keys. */
export function claimsOfStranger(claims: Claims): Claims {
  return Object.hasOwn(claims, 'key pinned') ? { ...claims, 'key pinned': false } : claims;
}

/** The claims that a program must report, if nobody named a key to it. */
export function claimsWithoutKeys(claims: Claims): Claims {
  const { 'key pinned': _, ...others } = claims;
  return others;
}
