// Stores the last verified checkpoint of each machine in the browser, to detect a history rewritten between visits.

import type { MachineRecord } from '../records.ts';
import type { TreeHead } from './chain-checks.ts';

const STORAGE_KEY = 'svc.checkpoints';
const MAX_MACHINES = 100;

type StoredCheckpoints = Readonly<Record<string, TreeHead>>;

function loadAll(): StoredCheckpoints {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as StoredCheckpoints;
  } catch {
    return {};
  }
}

export function loadCheckpoint({ slug }: MachineRecord): TreeHead | undefined {
  const stored = Object.hasOwn(loadAll(), slug) ? loadAll()[slug] : undefined;
  return typeof stored?.size === 'number' && typeof stored.root === 'string' ? stored : undefined;
}

/** Drops the oldest entries beyond the limit. */
export function saveCheckpoint({ slug }: MachineRecord, { size, root }: TreeHead): void {
  const { [slug]: _, ...others } = loadAll();
  const newest = Object.entries(others).slice(1 - MAX_MACHINES);
  localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries([...newest, [slug, { size, root }]])));
}
