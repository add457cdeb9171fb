// What this browser saw of a machine at earlier visits: its last verified checkpoint, so that a history that was written anew
// since does not go unnoticed.

import type { MachineRecord } from '../records.ts';
import type { Tree } from './check-rows.ts';

const STORED = 'svc.checkpoints';
const MOST = 100;

type Stored = Readonly<Record<string, Tree>>;

function readAll(): Stored {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? '{}') as Stored;
  } catch {
    return {};
  }
}

export function seenCheckpoint({ slug }: MachineRecord): Tree | undefined {
  const seen = Object.hasOwn(readAll(), slug) ? readAll()[slug] : undefined;
  return typeof seen?.size === 'number' && typeof seen.root === 'string' ? seen : undefined;
}

/** The newest of those that were remembered stay. */
export function rememberCheckpoint({ slug }: MachineRecord, { size, root }: Tree): void {
  const { [slug]: _, ...others } = readAll();
  const kept = Object.entries(others).slice(1 - MOST);
  localStorage.setItem(STORED, JSON.stringify(Object.fromEntries([...kept, [slug, { size, root }]])));
}
