// Solvers that no room of the museum holds yet. They wait in waiting.json until their state lands.
//
//   node test/receipts/waiting.ts

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SOLVERS } from '../../src/solvers/index.ts';
import { MUSEUM } from './museum.ts';

const FILE = fileURLToPath(new URL('./waiting.json', import.meta.url));

export const readWaiting = () => JSON.parse(readFileSync(FILE, 'utf8')) as readonly string[];

export const writeWaiting = (solvers: readonly string[]): void => writeFileSync(FILE, `${JSON.stringify(solvers)}\n`);

/** Slugs of the solvers without a receipt in the museum. */
function solversWithoutReceipt(): string[] {
  const held = new Set(MUSEUM.map(({ receipt }) => receipt.solver));
  return SOLVERS.flatMap(({ id }) => (held.has(id) ? [] : [id]));
}

if (import.meta.main) writeWaiting(solversWithoutReceipt());
