// Child process of lock.test.ts: locks the folder several times, and checks each time that no other process holds the
// lock.
//
// argv: folder, times. Prints one line each time, `won` or `BOTH`. With times = 0 it prints `held` and holds the lock
// until it is killed.

import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../../src/core/errors.ts';
import { type FolderLock, lockFolder } from '../../../src/storage/database/lock.ts';

const [folder = '', times = '1'] = process.argv.slice(2);
const inside = join(folder, 'inside');

async function take(): Promise<FolderLock> {
  for (;;) {
    try {
      return await lockFolder(folder);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'STORAGE_LOCKED')) throw error;
    }
  }
}

if (times === '0') {
  await take();
  console.log('held');
  await sleep(600_000);
}
for (let turn = 0; turn < Number(times); turn++) {
  const lock = await take();
  let word = 'won';
  try {
    closeSync(openSync(inside, 'wx'));
    await sleep(1);
    rmSync(inside);
  } catch {
    word = 'BOTH';
  }
  lock.release();
  console.log(word);
}
