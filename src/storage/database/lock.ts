// One process at a time in a data folder: two embedded databases on one folder corrupt it silently.
//
// Every process that wants the folder puts down a claim, an empty file whose name is its identity, and then lists the
// claims. It holds the lock once it has seen, with its own claim in place, no claim of a living process. Of two racers
// the one whose claim appeared later sees the other, so never both win, and a dead claim can be removed by anyone at any
// time, since no process ever has that identity again. Raising a flag before looking is from L. Lamport, "A new solution of
// Dijkstra's concurrent programming problem", CACM 17(8), 1974, doi:10.1145/361082.361093. A claim is never judged by age.

import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../core/errors.ts';

export interface FolderLock {
  release(): void;
}

/** Racers that meet step back and look again so often, so far apart; the smallest name stays in place. */
const LOOKS = 12;
const PAUSE_MS = 15;

/** @throws DomainError STORAGE_LOCKED, with `pid` and `folder` in its facts */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const mine = claimName(self());
  if (!place(folder, mine)) throw refusal(folder, self().pid, 'this process itself');
  for (let look = 1; ; look++) {
    const rivals = rivalsOf(folder, mine);
    const [rival] = rivals;
    if (rival === undefined) return { release: () => rmSync(join(folder, mine), { force: true }) };
    if (look === LOOKS) {
      rmSync(join(folder, mine), { force: true });
      throw refusal(folder, rival.claim.pid, explain(rival));
    }
    if (rivals.every((one) => one.name > mine)) {
      await sleep(PAUSE_MS);
    } else {
      rmSync(join(folder, mine), { force: true });
      await sleep(PAUSE_MS);
      place(folder, mine);
    }
  }
}

/** Who a process is, for ever: a number used again has another start, boot or namespace. `0` is unknown. */
interface Claim {
  readonly pid: number;
  /** Clock ticks after boot at which the process started: field 22 of /proc/<pid>/stat, proc(5). */
  readonly start: string;
  readonly boot: string;
  /** A container counts its processes by itself: pids of another namespace cannot be looked up. */
  readonly namespace: string;
  readonly host: string;
}

interface Rival {
  readonly name: string;
  readonly claim: Claim;
  readonly verdict: 'alive' | 'foreign';
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

/** Creates the claim; false if it already stands. */
function place(folder: string, name: string): boolean {
  try {
    closeSync(openSync(join(folder, name), 'wx', 0o600));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Claims of others that may be alive; those of the dead are removed on the way. */
function rivalsOf(folder: string, mine: string): Rival[] {
  const rivals: Rival[] = [];
  for (const name of readdirSync(folder)) {
    const claim = parse(name);
    if (claim === undefined || name === mine) continue;
    const verdict = judge(claim);
    if (verdict === 'dead') rmSync(join(folder, name), { force: true });
    else rivals.push({ name, claim, verdict });
  }
  return rivals;
}

function parse(name: string): Claim | undefined {
  const [, pid, start, boot, namespace, host] = CLAIM_FORMAT.exec(name) ?? [];
  if (!pid || !start || !boot || !namespace || !host) return undefined;
  return { pid: Number(pid), start, boot, namespace, host };
}

/** `foreign` when this process cannot know: another machine or container on a shared disk. Safety first: not stolen. */
function judge(claim: Claim): Rival['verdict'] | 'dead' {
  const here = self();
  if (claim.boot !== here.boot) return claim.host === here.host ? 'dead' : 'foreign';
  if (claim.namespace !== here.namespace) return 'foreign';
  if (!isRunning(claim.pid)) return 'dead';
  const stat = processStat(claim.pid);
  // Running but unreadable (/proc is absent or hides other users' processes): it may be the one.
  if (stat === undefined) return 'alive';
  const isZombie = stat.state === 'Z' || stat.state === 'X';
  return isZombie || stat.start !== claim.start ? 'dead' : 'alive';
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** The command's name stands in parentheses and may hold anything, so fields are counted after the last `)`. */
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

function explain({ name, verdict }: Rival): string {
  return verdict === 'alive'
    ? 'running here'
    : `of another machine or container; if it has ended, remove the file ${name}`;
}

function refusal(folder: string, pid: number, who: string): DomainError {
  const message = `The data folder ${folder} is in use by process ${pid} (${who}).`;
  return new DomainError('STORAGE_LOCKED', message, { facts: { pid, folder } });
}
