// Lock of a data folder, which one process may hold at a time: two embedded databases on one folder corrupt it
// silently.
//
// A process that wants the lock creates a claim, an empty file whose name is its identity, and then lists the claims.
// It holds the lock once its own claim exists and it sees no claim of a running process. Of two concurrent processes,
// the one whose claim appeared later sees the other, so they never both succeed. Anyone may delete the claim of a dead
// process at any time, since no process ever has that identity again. A claim never expires by age. Writing before
// reading is from L. Lamport, "A new solution of Dijkstra's concurrent programming problem", CACM 17(8), 1974,
// doi:10.1145/361082.361093.

import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../core/errors.ts';

export interface FolderLock {
  release(): void;
}

/**
 * Processes that see each other's claims retry after a pause. All but the smallest name withdraw their claim meanwhile.
 */
const MAX_ATTEMPTS = 12;
const PAUSE_MS = 15;

/** @throws DomainError STORAGE_LOCKED, with `pid` and `folder` in its facts */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const mine = claimName(self());
  if (!createClaim(folder, mine)) throw refusal(folder, self().pid, 'this process itself');
  for (let attempt = 1; ; attempt++) {
    const rivals = rivalsOf(folder, mine);
    const [rival] = rivals;
    if (rival === undefined) return { release: () => rmSync(join(folder, mine), { force: true }) };
    if (attempt === MAX_ATTEMPTS) {
      rmSync(join(folder, mine), { force: true });
      throw refusal(folder, rival.claim.pid, explain(rival));
    }
    if (rivals.every((one) => one.name > mine)) {
      await sleep(PAUSE_MS);
    } else {
      rmSync(join(folder, mine), { force: true });
      await sleep(PAUSE_MS);
      createClaim(folder, mine);
    }
  }
}

/**
 * Identity of a process for all time: a pid that is used again has another start, boot or namespace. `0` means unknown.
 */
interface Claim {
  readonly pid: number;
  /** Clock ticks after boot at which the process started: field 22 of /proc/<pid>/stat, proc(5). */
  readonly start: string;
  readonly boot: string;
  /** A container has pids of its own: those of another namespace cannot be looked up. */
  readonly namespace: string;
  readonly host: string;
}

interface Rival {
  readonly name: string;
  readonly claim: Claim;
  readonly status: 'running' | 'foreign';
}

const CLAIM_FORMAT = /^svc\.lock\.(\d+)\.(\d+)\.([0-9a-f]+)\.(\d+)\.([0-9a-f]+)$/;

function claimName({ pid, start, boot, namespace, host }: Claim): string {
  return `svc.lock.${pid}.${start}.${boot}.${namespace}.${host}`;
}

function self(): Claim {
  return {
    pid: process.pid,
    start: processStat(process.pid)?.start ?? '0',
    boot: shortHash(attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))),
    namespace: /\d+/.exec(attempt(() => readlinkSync('/proc/self/ns/pid')) ?? '')?.[0] ?? '0',
    host: shortHash(hostname()),
  };
}

/** @returns false if the claim exists already */
function createClaim(folder: string, name: string): boolean {
  try {
    closeSync(openSync(join(folder, name), 'wx', 0o600));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Lists the claims of other processes that may be running, and deletes those of dead ones. */
function rivalsOf(folder: string, mine: string): Rival[] {
  const rivals: Rival[] = [];
  for (const name of readdirSync(folder)) {
    const claim = parse(name);
    if (claim === undefined || name === mine) continue;
    const status = statusOf(claim);
    if (status === 'dead') rmSync(join(folder, name), { force: true });
    else rivals.push({ name, claim, status });
  }
  return rivals;
}

function parse(name: string): Claim | undefined {
  const [, pid, start, boot, namespace, host] = CLAIM_FORMAT.exec(name) ?? [];
  if (!pid || !start || !boot || !namespace || !host) return undefined;
  return { pid: Number(pid), start, boot, namespace, host };
}

/** `foreign` means another machine or container on a shared disk: this process cannot tell, so the claim stays. */
function statusOf(claim: Claim): Rival['status'] | 'dead' {
  const here = self();
  if (claim.boot !== here.boot) return claim.host === here.host ? 'dead' : 'foreign';
  if (claim.namespace !== here.namespace) return 'foreign';
  if (!isRunning(claim.pid)) return 'dead';
  const stat = processStat(claim.pid);
  // Running but unreadable (/proc is missing or hides other users' processes): it may be the claimant.
  if (stat === undefined) return 'running';
  const isZombie = stat.state === 'Z' || stat.state === 'X';
  return isZombie || stat.start !== claim.start ? 'dead' : 'running';
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** The command's name is in parentheses and may contain anything, so fields are counted from the last `)`. */
function processStat(pid: number): { state: string; start: string } | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const state = fields?.[0];
  const start = fields?.[19];
  return state === undefined || start === undefined ? undefined : { state, start };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function shortHash(text: string | undefined): string {
  return text === undefined ? '0' : createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function explain({ name, status }: Rival): string {
  return status === 'running'
    ? 'running here'
    : `of another machine or container; if it has ended, remove the file ${name}`;
}

function refusal(folder: string, pid: number, who: string): DomainError {
  const message = `The data folder ${folder} is in use by process ${pid} (${who}).`;
  return new DomainError('STORAGE_LOCKED', message, { facts: { pid, folder } });
}
