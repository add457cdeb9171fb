// The kept list of definition hashes (src/operators/registered.json): it holds every definition of the registry, and
// only grows. `npm run register:operators` appends to it; the operators gate checks it.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitionOf } from '../../src/operators/definition.ts';
import { definitionSha256 } from '../../src/operators/definition-hash.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { type RegisteredHashes, WITHDRAWN } from '../../src/operators/registration.ts';

export const REGISTERED = 'src/operators/registered.json';

/** The list with today's definitions appended: operators in registry order, then the withdrawn ones. */
export function appendDefinitions(kept: RegisteredHashes, operators: Iterable<Operator>): RegisteredHashes {
  const today = [...operators].map((operator) => [operator.id, hashOf(operator)] as const);
  const ids = new Set(today.map(([id]) => id));
  const withdrawn = Object.keys(kept).filter((id) => !ids.has(id));
  return Object.fromEntries([
    ...today.map(([id, hash]) => [id, appended(kept[id] ?? [], hash)] as const),
    ...withdrawn.map((id) => [id, appended(kept[id] ?? [], WITHDRAWN)] as const),
  ]);
}

const appended = (hashes: readonly string[], last: string) => (hashes.at(-1) === last ? hashes : [...hashes, last]);

function hashOf(operator: Operator): string {
  const hash = definitionSha256(definitionOf(operator));
  if (hash === undefined) throw new Error(`${operator.id} has no canonical JSON.`);
  return hash;
}

/** As the formatter writes it: a list of one hash on one line. */
export function printRegistered(registered: RegisteredHashes): string {
  const lines = Object.entries(registered).map(([id, hashes]) => {
    const [first = ''] = hashes;
    const list =
      hashes.length === 1 ? `["${first}"]` : `[\n    ${hashes.map((hash) => `"${hash}"`).join(',\n    ')}\n  ]`;
    return `  "${id}": ${list}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** Faults of the list in `root`: definitions of today that it lacks, and entries of git's HEAD that it lost. */
export function registeredFaults(root: string, operators: Iterable<Operator>): string[] {
  if (!existsSync(join(root, REGISTERED))) return [`${REGISTERED} is missing. Run npm run register:operators.`];
  const text = readFileSync(join(root, REGISTERED), 'utf8');
  const kept = JSON.parse(text) as RegisteredHashes;
  const expected = appendDefinitions(kept, operators);
  const missing = Object.keys(expected).filter((id) => expected[id]?.length !== kept[id]?.length);
  const faults = missing.map((id) => `${REGISTERED} lacks today's ${id}. Run npm run register:operators.`);
  if (faults.length === 0 && printRegistered(expected) !== text)
    faults.push(`${REGISTERED} is not in registry order. Run npm run register:operators.`);
  return [...faults, ...lostEntries(committedList(root), kept)];
}

function lostEntries(before: RegisteredHashes, kept: RegisteredHashes): string[] {
  return Object.entries(before)
    .filter(([id, hashes]) => hashes.some((hash, at) => kept[id]?.[at] !== hash))
    .map(([id]) => `${REGISTERED} lost or moved an entry of ${id}; receipts name it, so the list only grows.`);
}

/** The list of git's HEAD; empty without git or before the first commit of the list. */
function committedList(root: string): RegisteredHashes {
  try {
    const text = execFileSync('git', ['show', `HEAD:./${REGISTERED}`], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return JSON.parse(text) as RegisteredHashes;
  } catch {
    return {};
  }
}
