// The lock of a data folder: who gets it, who is refused, and which claims are dead.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from '../../../src/storage/database/lock.ts';

const RACER = fileURLToPath(new URL('lock-racer.ts', import.meta.url));

let folder = '';
let children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-lock-'));
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  rmSync(folder, { recursive: true, force: true });
});

function racer(times: number): { child: ChildProcess; lines: () => Promise<string[]>; first: () => Promise<string> } {
  const child = spawn(process.execPath, [RACER, folder, String(times)], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const reader = createInterface({ input: child.stdout });
  const seen: string[] = [];
  reader.on('line', (line) => seen.push(line));
  return {
    child,
    lines: async () => {
      await once(reader, 'close');
      return seen;
    },
    first: async () => {
      const [line]: string[] = await once(reader, 'line');
      return line ?? '';
    },
  };
}

function claims(): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('svc.lock.'));
}

/** This process's own claim with some of its parts replaced: pid, start, boot, namespace, host. */
async function forge(parts: Partial<Record<'pid' | 'start' | 'boot' | 'namespace' | 'host', string>>): Promise<string> {
  const lock = await lockFolder(folder);
  const [, , pid = '', start = '', boot = '', namespace = '', host = ''] = (claims()[0] ?? '').split('.');
  lock.release();
  const forged = { pid, start, boot, namespace, host, ...parts };
  const name = ['svc', 'lock', ...Object.values(forged)].join('.');
  writeFileSync(join(folder, name), '');
  return name;
}

test('four concurrent processes never hold the lock together, and each gets it in turn', async () => {
  const racers = [racer(5), racer(5), racer(5), racer(5)];
  const lines = await Promise.all(racers.map(({ lines }) => lines()));
  expect(lines.flat()).toEqual(Array.from({ length: 20 }, () => 'won'));
  expect(claims()).toEqual([]);
}, 60_000);

test('a locked folder is refused with its process and folder, and is free once that process is killed', async () => {
  const { child, first } = racer(0);
  expect(await first()).toBe('held');
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'STORAGE_LOCKED',
    facts: { pid: child.pid, folder },
    message: expect.stringContaining(`${child.pid}`),
  });
  expect(claims()).toHaveLength(1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  (await lockFolder(folder)).release();
  expect(claims()).toEqual([]);
});

test('the same process cannot lock a folder twice', async () => {
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'STORAGE_LOCKED', facts: { pid: process.pid } });
  lock.release();
  (await lockFolder(folder)).release();
});

test.runIf(process.platform === 'linux')('a claim whose pid belongs to another process by now is dead', async () => {
  await forge({ pid: String(process.ppid), start: '1' });
  (await lockFolder(folder)).release();
  expect(claims()).toEqual([]);
});

test('a claim from before the last boot of this computer is dead', async () => {
  await forge({ pid: String(process.ppid), boot: '00000000' });
  (await lockFolder(folder)).release();
});

test('a claim of another computer or container is never removed; the message names its file', async () => {
  const elsewhere = [{ namespace: '1' }, { boot: '00000000', host: '00000000' }];
  for (const parts of elsewhere) {
    const name = await forge({ pid: '4194304', ...parts });
    await expect(lockFolder(folder)).rejects.toMatchObject({ message: expect.stringContaining(name) });
    expect(claims()).toEqual([name]);
    rmSync(join(folder, name));
  }
});
