// The museum: self-contained receipts of every landed state that changed a sealed face, with the verdict of each claim.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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
