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

const seen = new Set<string>();

/** Each receipt once: what a later room holds again, byte for byte, adds nothing. */
export const MUSEUM: readonly Exhibit[] = states.flatMap((state) => {
  const room = `${FOLDER}${state}/`;
  return Object.entries(read<Readonly<Record<string, Verdicts>>>(`${room}verdicts.json`)).flatMap(
    ([name, verdicts]) => {
      const path = `${room}${name}.json`;
      const text = readFileSync(path, 'utf8');
      if (seen.has(text)) return [];
      seen.add(text);
      const receipt = JSON.parse(text) as Untrusted;
      return [{ name: `${state}/${name}`, path, receipt, verdicts, keys: `${room}keys.json` }];
    },
  );
});

/** Whether a room holds this file of a receipt. */
export const isHeld = (text: string): boolean => seen.has(text);

interface Manifest {
  readonly kernels: Readonly<Record<string, { readonly sha256: string }>>;
}

const { kernels } = read<Manifest>(fileURLToPath(new URL('manifest.json', KERNEL_FOLDER)));
const built = new Set(Object.values(kernels).map(({ sha256 }) => sha256));
/** Whether a receipt is of a kernel and a revision of this program. */
export const isOfToday = (exhibit: Exhibit): boolean =>
  built.has(String(exhibit.receipt.kernel_sha256)) && currentRevision(exhibit) === exhibit.verdicts.revision;

/** Those of today and a quarter of the others, for tests whose short run need not meet every receipt. */
export const todaysAndSome = (exhibits: readonly Exhibit[]): Exhibit[] =>
  exhibits.filter((exhibit, i) => i % 4 === 0 || isOfToday(exhibit));

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
